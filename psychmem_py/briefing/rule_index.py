"""The actionable rules of a directory, prepared by the detached child for the hook that runs before every tool call.

A file beside the cached brief, found by the directory alone and used only when it is whole and of this version. It holds no text of a
memory and is no authority: what it points at is looked up in the store before anything is said. Loaded before every tool call, so it
imports nothing worth naming.
"""

from __future__ import annotations

import os

from psychmem_py import __version__
from psychmem_py.guards.trigger import packed, unpacked
from psychmem_py.home.light_json import decoded, encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from psychmem_py.guards.trigger import Rule

FOLDER = "briefs"  # emptied by a purge
_PRIME = 2**61 - 1
_MARKS = (".git", ".psychmem.toml")  # with one of these a directory is a project of its own


class RuleIndex:
    """The rules that hold in a directory, and the top of its work tree ("" outside git)."""

    __slots__ = ("rules", "top")

    def __init__(self, rules: Sequence[Rule], top: str) -> None:
        self.rules, self.top = rules, top


def read(database: str, cwd: str) -> RuleIndex | None:
    """The rules for a tool call made in `cwd`, which may lie below the directory that they were prepared for; None for none."""
    here = os.path.realpath(cwd)
    folder = here
    while True:
        record = _record(database, folder)
        if record is not None and (folder == here or record.get("top")):
            try:
                return RuleIndex(unpacked(record["rules"]), str(record.get("top", "")))
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
    from psychmem_py.errors import RefusedError  # noqa: PLC0415  # the child alone
    from psychmem_py.home import atomic_write  # noqa: PLC0415

    here = os.path.realpath(cwd)
    folder = os.path.join(os.path.dirname(database), FOLDER)
    os.makedirs(folder, 0o700, exist_ok=True)
    if os.path.islink(folder):
        raise RefusedError(f"{folder} is a symbolic link; remove it, PsychMem makes the folder itself")
    record = {"version": __version__, "cwd": here, "top": index.top, "made_from": made_from, "rules": packed(index.rules)}
    atomic_write.leave(_path(database, here), encoded(record).encode())


def _record(database: str, folder: str) -> dict[str, object] | None:
    try:
        with open(_path(database, folder), "rb") as file:
            record = decoded(file.read())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or record.get("version") != __version__ or record.get("cwd") != folder:
        return None
    return record


def _path(database: str, folder: str) -> str:
    number = 0
    for byte in folder.encode("utf-8", "replace"):  # a checksum's module would cost more than the whole look-up
        number = (number * 257 + byte) % _PRIME
    return os.path.join(os.path.dirname(database), FOLDER, f"{number:016x}.rules.json")
