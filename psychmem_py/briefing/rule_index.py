"""The actionable rules of a directory, prepared by the detached child for the hook that runs before every tool call.

A file beside the cached brief, found by the directory alone and used only when it is whole and of this version. It holds no text of a
memory and is no authority: what it points at is looked up in the store before anything is said. Loaded before every tool call, so it
imports nothing worth naming.
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

FOLDER = "briefs"  # emptied by a purge
_MARKS = (".git", ".psychmem.toml")  # with one of these a directory is a project of its own


class RuleIndex(NamedTuple):
    """What is known of a directory for the calls made there."""

    rules: Sequence[Any] = []  # that a call may break, as `guards.trigger.packed` leaves them: only who needs them unpacks them
    top: str = ""  # of the work tree, from which files are told; "" outside git
    files: Mapping[str, Sequence[str]] = {}  # by file the ids of the rules that are shown where it is read
    failing: Sequence[str] = []  # forms of call that fail in the project
    project: str = ""
    changed: Mapping[str, str] = {}  # by id how a file that a memory names has changed
    sums: str = ""  # of what was read to make the rules


def read(database: str, cwd: str) -> RuleIndex | None:
    """The rules for a tool call made in `cwd`, which may lie below the directory that they were prepared for; None for none."""
    here = os.path.realpath(cwd)
    folder = here
    while True:
        record = _record(database, folder)
        if record is not None and (folder == here or record.get("top")):
            return _index(record)
        parent = os.path.dirname(folder)
        if parent == folder or any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS):
            return None
        folder = parent


def _index(record: dict[str, object]) -> RuleIndex | None:
    fields = [record.get(name) for name in RuleIndex._fields]
    of_kind = all(type(given) is type(empty) for given, empty in zip(fields, RuleIndex(), strict=True))
    return RuleIndex(*fields) if of_kind else None  # type: ignore[arg-type]  # looked at just now


def known(database: str, cwd: str) -> tuple[RuleIndex, str]:
    """The index of `cwd` itself and what it was made from; an empty one and "" when there is none."""
    record = _record(database, os.path.realpath(cwd))
    index = _index(record) if record else None
    return (index, str(record.get("made_from", ""))) if record and index else (RuleIndex(), "")


def write(database: str, cwd: str, index: RuleIndex, made_from: str) -> None:
    """Prepares the rules for tool calls in `cwd` and below."""
    here = os.path.realpath(cwd)
    own_folder(os.path.join(os.path.dirname(database), FOLDER))
    light_json.write_made(_path(database, here), f"{__version__} {here}", {"made_from": made_from, **index._asdict()})


def _record(database: str, folder: str) -> dict[str, object] | None:
    return light_json.read_made(_path(database, folder), f"{__version__} {folder}")


def _path(database: str, folder: str) -> str:
    return os.path.join(os.path.dirname(database), FOLDER, f"{checksum(folder)}.rules.json")
