"""Writes a conversation's journal: the part of `journal` that every tool event needs, and nothing that reads."""

from __future__ import annotations

import fcntl
import os

from psychmem_py.core.wire import encoded
from psychmem_py.errors import RefusedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "journals"
LIMIT_BYTES = 4 << 20  # a conversation nobody ever finishes must not fill the disk


def name_of(session: str) -> str:
    """A file name for a session id, whatever stands in it."""
    if 0 < len(session) <= 64 and session.isascii() and session.replace("-", "").isalnum():
        return session
    from hashlib import sha256  # noqa: PLC0415  # 3 ms of CPU that an ordinary id need not pay

    return "x" + sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def path_of(data: str | os.PathLike[str], session: str) -> str:
    return os.path.join(data, FOLDER, name_of(session) + ".jsonl")


def append(data: str | os.PathLike[str], session: str, use: dict[str, object]) -> None:
    """Adds one tool use, by its fields."""
    _add(data, session, {"use": use})


def note(data: str | os.PathLike[str], session: str, *, agent: str, cwd: str, transcript: str) -> None:
    """Says that the conversation has something to take up, and where."""
    _add(data, session, {"session": session, "agent": agent, "cwd": cwd, "transcript": transcript})


def shown(
    data: str | os.PathLike[str], session: str, *, agent: str, brief: tuple[str, ...], memory_md: tuple[str, ...], at: float
) -> None:
    """Says which memories a session has been shown, for whoever opens the database next."""
    _add(data, session, {"session": session, "agent": agent, "shown": {"brief": brief, "memory_md": memory_md}, "at": at})


def _add(data: str | os.PathLike[str], session: str, entry: dict[str, object]) -> None:
    # The line begins with a line feed: one torn by a kill or a full disk spoils only itself.
    line = f"\n{encoded(entry)}\n".encode()
    path = path_of(data, session)
    _folder(os.fspath(data))
    locked(
        path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, lambda file: os.fstat(file).st_size > LIMIT_BYTES or os.write(file, line)
    )


def _folder(data: str) -> None:
    """Makes the folder, ours alone; a symlink in its place is refused by the opening that follows."""
    folder = os.path.join(data, FOLDER)
    if not os.path.isdir(folder):
        os.makedirs(data, 0o700, exist_ok=True)
        os.makedirs(folder, 0o700, exist_ok=True)


def locked(path: str, flags: int, act: Callable[[int], object]) -> None:
    """Calls `act` with the journal open and locked; the file is the one that has the name, not one just removed."""
    folder = _opened(os.path.dirname(path))
    try:
        while True:
            file = os.open(os.path.basename(path), flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                if os.fstat(file).st_nlink:
                    act(file)
                    return
            finally:
                os.close(file)
    finally:
        os.close(folder)


def _opened(folder: str) -> int:
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as exc:
        if os.path.islink(folder):
            raise RefusedError(f"{folder} is a symbolic link; remove it, PsychMem makes the folder itself") from exc
        raise
