"""One append-only file for each conversation: what its tools did, and that there is work to take up.

Lines are redacted before they come here. A journal is removed only after what it holds is in the database, so whoever finds
one of another conversation has found unfinished work. Lines carry ids: taking them up twice adds nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

from psychmem_py.home import files
from psychmem_py.home.journal import FOLDER, LIMIT_BYTES, locked, name_of, path_of, shown_in
from psychmem_py.home.light_json import object_in
from psychmem_py.home.places import changed_at
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.records import ToolUse


class Pending(NamedTuple):
    """What a journal holds now."""

    session: str
    agent: str
    cwd: str
    transcript: str
    uses: tuple[ToolUse, ...]
    taken: bytes  # what was read; give it to `discard`
    not_typed: frozenset[str] = frozenset()  # turns whose prompt no person entered
    shown: tuple[tuple[str, str, float, int, str], ...] = ()  # see `jotting.shown_in`; the database does not know it yet


def pending(data: str | os.PathLike[str], session: str) -> Pending:
    """What the session's journal holds; empty when there is none. Nothing is removed."""
    raw = b""

    def whole(file: int) -> None:
        nonlocal raw
        raw = os.pread(file, LIMIT_BYTES * 2, 0)

    with suppress(FileNotFoundError):
        # a line still being written would be taken up in part, and dropped whole
        locked(path_of(data, session), os.O_RDONLY, whole)
    return _read(session, raw)


def _read(session: str, raw: bytes) -> Pending:
    uses: dict[str, ToolUse] = {}
    about: dict[str, str] = {}
    not_typed: set[str] = set()
    shown: list[tuple[str, str, float, int, str]] = []
    for line in raw.split(b"\n"):
        entry = object_in(line)
        about |= {key: str(entry[key]) for key in ("session", "agent", "cwd", "transcript") if entry.get(key)}
        shown += shown_in(entry)
        if entry.get("entered_by"):
            not_typed.add(str(entry.get("turn")))
        use = entry.get("use")
        if isinstance(use, dict):
            tool_use = _use(use)
            uses[tool_use.id] = tool_use
    return Pending(
        session=about.get("session", session),
        agent=about.get("agent", ""),
        cwd=about.get("cwd", ""),
        transcript=about.get("transcript", ""),
        uses=tuple(uses.values()),
        taken=raw,
        not_typed=frozenset(not_typed),
        shown=tuple(shown),
    )


def _use(fields: dict[str, object]) -> ToolUse:
    known = {key: value for key, value in fields.items() if key in ToolUse._fields}
    paths = known.pop("paths", ())
    return ToolUse(
        **{"id": "", "tool": "", "at": 0.0, "ok": True, **known},  # type: ignore[arg-type]
        paths=tuple(map(str, paths)) if isinstance(paths, list) else (),
    )


def discard(data: str | os.PathLike[str], session: str, taken: bytes) -> None:
    """Removes what was `taken` up, now that it is in the database; the file too when no more has come since."""
    path = path_of(data, session)

    def drop(file: int) -> None:
        rest = _beyond(os.pread(file, LIMIT_BYTES * 2, 0), taken)
        if rest.strip():
            files.replace(path, rest)
        else:
            os.unlink(path)

    with suppress(FileNotFoundError):
        locked(path, os.O_RDONLY, drop)


def _beyond(there: bytes, taken: bytes) -> bytes:
    """What came behind the lines that were taken; some of those may have been taken out meanwhile (`without`)."""
    known, lines = iter(taken.split(b"\n")), there.split(b"\n")
    fresh = next((at for at, line in enumerate(lines) if line not in known), len(lines))  # each look goes on behind the last
    return b"\n".join(lines[fresh:])


def without(data: str | os.PathLike[str], touches: Callable[[str], object]) -> None:
    """Takes out of every journal the tool uses of which a text is to be forgotten."""
    for name in left(data, but=""):
        path = os.path.join(data, FOLDER, name)

        def drop(file: int, path: str = path) -> None:
            lines = os.pread(file, LIMIT_BYTES * 2, 0).split(b"\n")
            kept = [line for line in lines if not any(map(touches, _told(line)))]
            if kept != lines:
                files.replace(path, b"\n".join(kept))

        try:
            locked(path, os.O_RDONLY, drop)
        except FileNotFoundError:
            continue  # taken up just now


def files_that_tell(data: str | os.PathLike[str], tells: Callable[[str], object]) -> list[str]:
    """File names of the journals in which a tool use has a text that `tells`."""
    names = []
    for name in left(data, but=""):
        try:
            with open(os.path.join(data, FOLDER, name), "rb") as file:
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            continue  # taken up just now
        if any(tells(text) for line in lines for text in _told(line)):
            names.append(name)
    return names


def _told(line: bytes) -> list[str]:
    """The texts of a tool use in a line."""
    use = object_in(line).get("use")
    tool_use = _use(use) if isinstance(use, dict) else None
    return [*tool_use.paths, tool_use.command, tool_use.error_line] if tool_use else []


def left(data: str | os.PathLike[str], *, but: str) -> list[str]:
    """File names of the journals of other conversations than `but`, oldest first."""
    folder = os.path.join(data, FOLDER)
    try:
        entries = [
            entry for entry in os.scandir(folder) if entry.name.endswith(".jsonl") and entry.name != name_of(but) + ".jsonl"
        ]
    except OSError:
        return []
    return [entry.name for entry in sorted(entries, key=lambda entry: (changed_at(entry), entry.name))]
