"""One append-only file per conversation, of redacted lines: what its tools did, what it was shown, that there is work."""

from __future__ import annotations

import fcntl
import os
from _collections_abc import Callable, Mapping

from psychmem_py.errors import RefusedError
from psychmem_py.home.light_json import encoded, object_in
from psychmem_py.home.places import StrPath, changed_at, checksum, names_in, own_folder, read_small, refuse_link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from psychmem_py.model.records import Journal, ToolUse

ShownLine = tuple[str, str, float, int, str]  # memory, channel, when, after how many compactions, to whom
FOLDER = "journals"  # a journal goes once the database has it: who finds another's has found unfinished work
LIMIT_BYTES = 4 << 20  # a conversation nobody ever finishes must not fill the disk
CLAIMS, CLAIM_S = "claims", 5.0  # within which both registrations of a hook start
_HOLDER_BYTES = 4096


def name_of(session: str) -> str:
    """A file name for a session id, whatever stands in it."""
    if 0 < len(session) <= 64 and session.isascii() and session.replace("-", "").isalnum():
        return session
    from hashlib import sha256  # noqa: PLC0415  # 3 ms of CPU that an ordinary id need not pay

    return "x" + sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def path_of(data: StrPath, session: str) -> str:
    return os.path.join(data, FOLDER, name_of(session) + ".jsonl")


def shown(
    data: StrPath, about: dict[str, str], shown: dict[str, tuple[str, ...]], *, at: float, generation: int = 0, to: str = ""
) -> str:
    """Notes which memories were shown by channel, to the session or a sub-agent `to`; why the disk does not take it, or ""."""
    told = {"shown": shown, "at": at, "generation": generation, "to": to or about["session"]}
    try:
        add(data, about["session"], about | told)
    except OSError as exc:
        return exc.strerror or type(exc).__name__
    return ""


def shown_in(entry: dict[str, object]) -> list[ShownLine]:
    """What a line of a journal says was shown: (memory, channel, when, generation, to whom) of each."""
    shown, at, generation = entry.get("shown"), entry.get("at"), entry.get("generation", 0)
    to = str(entry.get("to") or entry.get("session") or "")
    if not isinstance(shown, dict) or not isinstance(at, (int, float)) or not isinstance(generation, int):
        return []
    lists = ((channel, ids) for channel, ids in shown.items() if isinstance(ids, list))
    return [(str(memory), str(channel), at, generation, to) for channel, ids in lists for memory in ids]


def _entries(path: str, holding: str) -> list[dict[str, Any]]:
    """The lines of a journal that hold a name; none of one that was taken up just now."""
    return [object_in(line.encode()) for line in read_small(path, LIMIT_BYTES * 2).split("\n") if holding in line]


def lately_shown(data: StrPath, session: str, to: str) -> list[ShownLine]:
    """What a session's journal says was shown `to` it or a sub-agent, and is not in the database yet."""
    return [one for entry in _entries(path_of(data, session), '"shown"') for one in shown_in(entry) if one[4] == to]


def lately_used(data: StrPath, session: str) -> list[tuple[str, list[str]]]:
    """The commands, and the files, of the tool calls in a session's journal."""
    uses = [use for entry in _entries(path_of(data, session), '"use"') if isinstance(use := entry.get("use"), dict)]
    return [(str(use.get("command", "")), [str(path) for path in use.get("paths") or ()]) for use in uses]


def add(data: StrPath, session: str, entry: Mapping[str, object]) -> None:
    """Adds a line: a tool `use`, where new messages are, or for a `turn` that no person entered by whom it was `entered_by`."""
    line = f"\n{encoded(entry)}\n".encode()  # begins with a line feed: one torn by a kill or a full disk spoils only itself
    own_folder(os.path.join(data, FOLDER))
    with locked(path_of(data, session), os.O_WRONLY | os.O_APPEND | os.O_CREAT) as file:
        if os.fstat(file).st_size <= LIMIT_BYTES:
            os.write(file, line)


class locked:  # a statement: `with locked(…) as file`
    """A journal, open and locked; the file is the one that has the name, not one just removed."""

    def __init__(self, path: str, flags: int) -> None:
        self.path, self.flags, self.file = path, flags, -1

    def __enter__(self) -> int:
        try:
            folder = os.open(os.path.dirname(self.path), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            refuse_link(os.path.dirname(self.path))
            raise
        flags, name = self.flags | os.O_NOFOLLOW | os.O_CLOEXEC, os.path.basename(self.path)
        try:
            while self.file < 0:
                self.file = os.open(name, flags, 0o600, dir_fd=folder)
                fcntl.flock(self.file, fcntl.LOCK_EX)
                if not os.fstat(self.file).st_nlink:
                    self.__exit__()
        finally:
            os.close(folder)
        return self.file

    def __exit__(self, *_: object) -> None:
        os.close(self.file)
        self.file = -1


def claimed(data: StrPath, key: str, registration: str, now: float) -> bool:
    """Claims an event; false if it just came by another registration. Of 256 files one may be another's: that acts twice."""
    event = checksum(key)
    mine = f"{event} {registration}".encode("utf-8", "replace")[:_HOLDER_BYTES]
    try:
        with locked(os.path.join(own_folder(os.path.join(data, CLAIMS)), event[14:16]), os.O_RDWR | os.O_CREAT) as file:
            held, at = os.read(file, _HOLDER_BYTES), os.fstat(file).st_mtime
            is_echo = held != mine and held.startswith(f"{event} ".encode()) and abs(now - at) < CLAIM_S
            if not is_echo:
                os.ftruncate(file, 0)
                os.pwrite(file, mine, 0)
            return not is_echo
    except (OSError, RefusedError):  # nowhere to note it: acting twice is better than not at all
        return True


def pending(data: StrPath, session: str) -> Journal:
    """What the session's journal holds; empty when there is none. Nothing is removed."""
    from contextlib import suppress  # noqa: PLC0415  # a hook only writes

    from psychmem_py.model.records import Journal  # noqa: PLC0415  # as above

    raw = b""
    with suppress(FileNotFoundError), locked(path_of(data, session), os.O_RDONLY) as file:
        raw = os.pread(file, LIMIT_BYTES * 2, 0)  # locked: a line still being written would be taken up in part
    entries = [object_in(line) for line in raw.split(b"\n")]
    about = {"session": session, "agent": "", "cwd": "", "transcript": ""}
    about |= {key: str(entry[key]) for entry in entries for key in about if entry.get(key)}
    uses = {use.id: use for use in (_use(entry["use"]) for entry in entries if isinstance(entry.get("use"), dict))}
    not_typed = frozenset(str(entry.get("turn")) for entry in entries if entry.get("entered_by"))
    shown = tuple(one for entry in entries for one in shown_in(entry))
    return Journal(**about, uses=tuple(uses.values()), taken=raw, not_typed=not_typed, shown=shown)


def _use(fields: dict[str, object]) -> ToolUse:
    from psychmem_py.model.records import ToolUse  # noqa: PLC0415  # as above

    known = {key: value for key, value in fields.items() if key in ToolUse._fields}
    paths = known.pop("paths", ())
    return ToolUse(
        **{"id": "", "tool": "", "at": 0.0, "ok": True, **known},  # type: ignore[arg-type]
        paths=tuple(map(str, paths)) if isinstance(paths, list) else (),
    )


def discard(data: StrPath, session: str, taken: bytes) -> None:
    """Removes what was `taken` up, now that it is in the database; the file too when no more has come since."""

    def beyond(lines: list[bytes]) -> list[bytes]:
        known = iter(taken.split(b"\n"))  # each look goes on behind the last; some may have been taken out meanwhile (`without`)
        return lines[next((at for at, line in enumerate(lines) if line not in known), len(lines)) :]

    _rewrite(path_of(data, session), beyond)


def without(data: StrPath, touches: Callable[[str], object]) -> None:
    """Takes out of every journal the tool uses of which a text is to be forgotten."""
    for name in left(data, but=""):
        path = os.path.join(data, FOLDER, name)
        _rewrite(path, lambda lines: [line for line in lines if not any(map(touches, _texts_of(object_in(line))))])


def _rewrite(path: str, kept: Callable[[list[bytes]], list[bytes]]) -> None:
    from psychmem_py.home import files  # noqa: PLC0415  # as above

    try:
        with locked(path, os.O_RDONLY) as file:
            lines = os.pread(file, LIMIT_BYTES * 2, 0).split(b"\n")
            rest = kept(lines)
            if not any(map(bytes.strip, rest)):
                os.unlink(path)
            elif rest != lines:
                files.replace(path, b"\n".join(rest))
    except FileNotFoundError:
        return  # another process has taken it up


def files_matching(data: StrPath, tells: Callable[[str], object]) -> list[str]:
    """File names of journals with a tool use whose text matches `tells`."""
    journals = ((name, _entries(os.path.join(data, FOLDER, name), '"use"')) for name in left(data, but=""))
    return [name for name, entries in journals if any(tells(text) for entry in entries for text in _texts_of(entry))]


def _texts_of(entry: dict[str, Any]) -> list[str]:
    use = _use(entry["use"]) if isinstance(entry.get("use"), dict) else None
    return [*use.paths, use.command, use.error_line] if use else []


def left(data: StrPath, *, but: str) -> list[str]:
    """File names of the journals of other conversations than `but`, oldest first."""
    folder, ours = os.path.join(data, FOLDER), name_of(but) + ".jsonl"
    there = [name for name in names_in(folder) if name.endswith(".jsonl") and name != ours]
    return sorted(there, key=lambda name: (changed_at(os.path.join(folder, name)), name))
