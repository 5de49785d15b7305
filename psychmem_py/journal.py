"""One append-only file for each conversation: what its tools did, and that there is work to take up.

Lines are redacted before they come here. A journal is removed only after what it holds is in the database, so whoever finds
one of another conversation has found unfinished work. Lines carry ids: taking them up twice adds nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from typing import NamedTuple

from psychmem_py.core.model import ToolUse
from psychmem_py.errors import RefusedError

FOLDER = "journals"
LIMIT_BYTES = 4 << 20  # a conversation nobody ever finishes must not fill the disk


class Pending(NamedTuple):
    """What a journal holds now."""

    session: str
    agent: str
    cwd: str
    transcript: str
    uses: tuple[ToolUse, ...]
    size: int  # bytes read; give it to `discard`


def name_of(session: str) -> str:
    """A file name for a session id, whatever stands in it."""
    if 0 < len(session) <= 64 and session.isascii() and session.replace("-", "").isalnum():
        return session
    from hashlib import sha256  # noqa: PLC0415  # 3 ms of CPU that an ordinary id need not pay

    return "x" + sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def path_of(data: str | os.PathLike[str], session: str) -> str:
    return os.path.join(data, FOLDER, name_of(session) + ".jsonl")


def append(data: str | os.PathLike[str], session: str, use: ToolUse) -> None:
    """Adds one tool use."""
    _add(data, session, {"use": use._asdict()})


def note(data: str | os.PathLike[str], session: str, *, agent: str, cwd: str, transcript: str) -> None:
    """Says that the conversation has something to take up, and where."""
    _add(data, session, {"session": session, "agent": agent, "cwd": cwd, "transcript": transcript})


def _add(data: str | os.PathLike[str], session: str, entry: dict[str, object]) -> None:
    # The line begins with a line feed: one torn by a kill or a full disk spoils only itself.
    line = b"\n" + json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
    path = path_of(data, session)
    _folder(os.fspath(data))
    _locked(
        path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, lambda file: os.fstat(file).st_size > LIMIT_BYTES or os.write(file, line)
    )


def _folder(data: str) -> None:
    """Makes the folder, ours alone; a symlink in its place is refused by the opening that follows."""
    folder = os.path.join(data, FOLDER)
    if not os.path.isdir(folder):
        os.makedirs(data, 0o700, exist_ok=True)
        os.makedirs(folder, 0o700, exist_ok=True)


def _locked(path: str, flags: int, act: Callable[[int], object]) -> None:
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


def pending(data: str | os.PathLike[str], session: str) -> Pending:
    """What the session's journal holds; empty when there is none. Nothing is removed."""
    try:
        with open(path_of(data, session), "rb") as file:
            raw = file.read()
    except FileNotFoundError:
        raw = b""
    return _read(session, raw)


def _read(session: str, raw: bytes) -> Pending:
    uses: dict[str, ToolUse] = {}
    about: dict[str, str] = {}
    for line in raw.split(b"\n"):
        entry = _entry(line)
        if "session" in entry:
            about = {key: str(entry.get(key, "")) for key in ("session", "agent", "cwd", "transcript")}
        use = entry.get("use")
        if isinstance(use, dict):
            found = _use(use)
            uses[found.id] = found
    return Pending(
        about.get("session", session),
        about.get("agent", ""),
        about.get("cwd", ""),
        about.get("transcript", ""),
        tuple(uses.values()),
        len(raw),
    )


def _entry(line: bytes) -> dict[str, object]:
    """A line's object; {} for an empty or torn one."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _use(fields: dict[str, object]) -> ToolUse:
    known = {key: value for key, value in fields.items() if key in ToolUse._fields}
    paths = known.pop("paths", ())
    return ToolUse(
        **{"id": "", "tool": "", "at": 0.0, "ok": True, **known},  # type: ignore[arg-type]
        paths=tuple(map(str, paths)) if isinstance(paths, list) else (),
    )


def discard(data: str | os.PathLike[str], session: str, size: int) -> None:
    """Removes the first `size` bytes, now that they are in the database; the file too when no more has come since."""
    path = path_of(data, session)

    def drop(file: int) -> None:
        rest = os.pread(file, LIMIT_BYTES * 2, size)
        if rest.strip():
            fresh = path + ".new"
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as new:
                new.write(rest)
            os.replace(fresh, path)
        else:
            os.unlink(path)

    try:
        _locked(path, os.O_RDONLY, drop)
    except FileNotFoundError:
        return


def left(data: str | os.PathLike[str], *, but: str) -> list[str]:
    """File names of the journals of other conversations than `but`, oldest first."""
    folder = os.path.join(data, FOLDER)
    try:
        entries = [
            entry for entry in os.scandir(folder) if entry.name.endswith(".jsonl") and entry.name != name_of(but) + ".jsonl"
        ]
    except OSError:
        return []
    return [entry.name for entry in sorted(entries, key=lambda entry: (_changed_at(entry), entry.name))]


def _changed_at(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat(follow_symlinks=False).st_mtime
    except OSError:  # taken up by another process just now
        return 0.0


def read(data: str | os.PathLike[str], file_name: str) -> Pending:
    """What the journal of this file name holds; the session is "" when it does not say which."""
    return pending(data, file_name.removesuffix(".jsonl"))
