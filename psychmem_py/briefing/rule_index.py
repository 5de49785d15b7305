"""The actionable rules of a directory, prepared by the detached child for the hook that runs before every tool call.

A file beside the cached brief, found by the directory alone and used only when it is whole and of this version. It holds no text of a
memory and is no authority: what it points at is looked up in the store before anything is said. Loaded before every tool call, so it
imports nothing worth naming.
"""

from __future__ import annotations

import os

from psychmem_py import __version__
from psychmem_py.guards.trigger import packed, unpacked
from psychmem_py.home import derived
from psychmem_py.home.places import checksum, own_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from psychmem_py.guards.trigger import Rule

FOLDER = "briefs"  # emptied by a purge
_MARKS = (".git", ".psychmem.toml")  # with one of these a directory is a project of its own


class RuleIndex:
    """The rules that hold in a directory, and the top of its work tree ("" outside git); which of them belong to a file, told from there,
    which forms of call fail in the project, and by id how a file that a memory names has changed.
    """

    __slots__ = ("at_files", "changed", "failing", "project", "rules", "top")

    def __init__(
        self,
        rules: Sequence[Rule],
        top: str,
        at_files: Mapping[str, Sequence[str]] | None = None,
        failing: Sequence[str] = (),
        *,
        project: str = "",
        changed: Mapping[str, str] | None = None,
    ) -> None:
        self.rules, self.top, self.at_files, self.failing, self.project = rules, top, at_files or {}, failing, project
        self.changed = changed or {}


def read(database: str, cwd: str) -> RuleIndex | None:
    """The rules for a tool call made in `cwd`, which may lie below the directory that they were prepared for; None for none."""
    here = os.path.realpath(cwd)
    folder = here
    while True:
        record = _record(database, folder)
        if record is not None and (folder == here or record.get("top")):
            try:
                top, files, failing = str(record.get("top", "")), record["files"], record["failing"]
                changed = record["changed"]
                if not isinstance(files, dict) or not isinstance(failing, list) or not isinstance(changed, dict):
                    return None
                return RuleIndex(
                    unpacked(record["rules"]), top, files, failing, project=str(record.get("project", "")), changed=changed
                )
            except (KeyError, TypeError, ValueError):
                return None
        parent = os.path.dirname(folder)
        if parent == folder or any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS):
            return None
        folder = parent


def made_from(database: str, cwd: str) -> str:
    """What the index of `cwd` was made from; "" when there is none."""
    record = _record(database, os.path.realpath(cwd))
    return str(record.get("made_from", "")) if record else ""


def write(database: str, cwd: str, index: RuleIndex, made_from: str) -> None:
    """Prepares the rules for tool calls in `cwd` and below."""
    here = os.path.realpath(cwd)
    own_folder(os.path.join(os.path.dirname(database), FOLDER))
    record = {"top": index.top, "made_from": made_from, "rules": packed(index.rules), "project": index.project}
    derived.write(
        _path(database, here),
        _of(here),
        {**record, "files": dict(index.at_files), "failing": list(index.failing), "changed": dict(index.changed)},
    )


def _record(database: str, folder: str) -> dict[str, object] | None:
    return derived.read(_path(database, folder), _of(folder))


def _of(folder: str) -> str:
    """What every index depends on: whose it is, and the version that reads it."""
    return f"{__version__} {folder}"


def _path(database: str, folder: str) -> str:
    return os.path.join(os.path.dirname(database), FOLDER, f"{checksum(folder)}.rules.json")
