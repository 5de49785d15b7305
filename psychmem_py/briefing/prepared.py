"""What the detached child prepares for the next hook: a start's brief, used only while all it was made from stands, and the rules
that a call may break, without text: the store is asked before anything is said. Loaded before every call, so it imports little.
"""

from __future__ import annotations

import os

from psychmem_py import __version__
from psychmem_py.home import light_json
from psychmem_py.home.places import checksum, own_folder
from psychmem_py.model.light_record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from psychmem_py.agents.event import Request
    from psychmem_py.home.surroundings import Surroundings

FOLDER = "briefs"
STARTUP, COMPACT = "startup", "compact"  # what a start calls itself that has a brief of its own
SOURCES = (STARTUP, "clear", COMPACT)  # those that are told everything, whatever was told before
_DAY_S = 86_400
# Not all of XDG_*: each login has a number of its own.
_VARIABLES = ("PSYCHMEM_", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_DISABLE_", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME")
_UNESCAPED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()"
_NAME_CHARS = 200  # of a file
_MARKS = (".git", ".psychmem.toml")  # with one of these a directory is a project of its own
_MEANING = 2  # of prepared rules; goes up when an index is written another way
KEPT = "kept-"  # of the file of what a conversation's last stretch came to


class MadeReady(NamedTuple):
    """What sessions in a directory are told at start and after a compaction: text, ids it shows, ids that MEMORY.md shows."""

    startup: Sequence[Any]
    compacted: Sequence[Any] | None  # None where nothing is told then
    state: str  # of the store that it was made of
    watched: Mapping[str, str]  # files, there or not, with the marks they had
    now: float


def cached_brief(database: str, cwd: str, env: Mapping[str, str], now: float, source: str = STARTUP) -> Sequence[Any] | None:
    """The brief for a session that starts in `cwd`, or goes on there, if one was cached and nothing has changed since."""
    from psychmem_py.store.sqlite import state  # noqa: PLC0415  # a tool call leaves the store alone

    record = light_json.read_cached(path_of(database, cwd), made_from(cwd, env, now))
    if record is None or record.get("state") != state(database):
        return None
    found = record.get(COMPACT if source == COMPACT else STARTUP)
    return found if isinstance(found, list) else None


def clear(database: str) -> None:
    """Removes all that is prepared: no text of it may outlive a purge."""
    if os.path.isdir(folder := folder_beside(database)) and not os.path.islink(folder):
        for name in os.listdir(folder):
            try:
                os.unlink(os.path.join(folder, name))
            except FileNotFoundError:  # its writer has finished it, or taken it back
                continue


def path_of(database: str, cwd: str) -> str:
    """The file of a directory, by a name that the module can make too: with JavaScript's encodeURIComponent."""
    name = "".join(chr(byte) if byte in _UNESCAPED else f"%{byte:02X}" for byte in cwd.encode("utf-8", "replace"))
    return os.path.join(folder_beside(database), f"start-{name if len(name) <= _NAME_CHARS else checksum(cwd)}.json")


def made_from(cwd: str, env: Mapping[str, str], now: float) -> str:
    """What else a brief depends on, as one line."""
    given = sorted((name, value) for name, value in env.items() if name.startswith(_VARIABLES))
    return f"{__version__} {int(now // _DAY_S)} {checksum(repr(given))} {os.path.realpath(cwd)}"


def folder_beside(database: str) -> str:
    return os.path.join(os.path.dirname(database), FOLDER)


class RuleIndex(NamedTuple):
    """What is known of a directory for the calls made there."""

    rules: Sequence[Any] = []  # that a call may break, as `guards.trigger.packed` leaves them: only who needs them unpacks them
    top: str = ""  # of the work tree, from which files are told; "" outside git
    files: Mapping[str, Sequence[str]] = {}  # by file the ids of the rules that are shown where it is read
    failing: Sequence[str] = []  # forms of call that fail in the project
    project: str = ""
    changed: Mapping[str, str] = {}  # by id how a file that a memory names has changed
    sums: str = ""  # of what was read to make the rules
    made_from: str = ""  # a sum of all of it; "" where nothing was prepared


def rules(request: Request, around: Surroundings) -> RuleIndex:
    """The rules for a tool call in the directory that they were prepared for, or below it; an empty index for none."""
    database, here = around.database_file(request.agent), os.path.realpath(request.cwd)
    folder = here if request.cwd else ""
    while folder:
        if (index := known_rules(database, folder)).made_from and (folder == here or index.top):
            return index
        parent = os.path.dirname(folder)
        folder = "" if parent == folder or any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS) else parent
    return RuleIndex()


def known_rules(database: str, folder: str) -> RuleIndex:
    """The index of this very folder, a path without links; an empty one for none, and for one that is not whole."""
    record = light_json.read_cached(_rules_path(database, folder), f"{__version__} {_MEANING} {folder}") or {}
    fields = [record.get(name) for name in RuleIndex._fields]
    of_kind = all(type(given) is type(empty) for given, empty in zip(fields, RuleIndex(), strict=True))
    return RuleIndex(*fields) if of_kind else RuleIndex()  # type: ignore[arg-type]  # looked at just now


def write_rules(database: str, cwd: str, index: RuleIndex) -> None:
    """Prepares the rules for tool calls in `cwd` and below."""
    here = os.path.realpath(cwd)
    own_folder(folder_beside(database))
    light_json.write_cached(_rules_path(database, here), f"{__version__} {_MEANING} {here}", index._asdict())


def _rules_path(database: str, folder: str) -> str:
    return os.path.join(folder_beside(database), f"{checksum(folder)}.rules.json")


def kept_path(database: str, session: str) -> str:
    """Where the notice of what a conversation's last stretch came to is left."""
    from psychmem_py.home.journal import name_of  # noqa: PLC0415  # after a turn, when nobody waits

    return os.path.join(folder_beside(database), f"{KEPT}{name_of(session)}.json")


def take_notice(database: str, session: str) -> str:
    """The notice for OpenCode, "" for none; whoever takes it removes it, so that it is given once."""
    from psychmem_py.home import files  # noqa: PLC0415  # as above

    path = kept_path(database, session)
    left = light_json.read_object(path)
    told, ids = left.get("told"), left.get("ids")
    return f"{told} · undo: psychmem forget {ids[0][:8]}" if told and ids and files.remove(path) else ""
