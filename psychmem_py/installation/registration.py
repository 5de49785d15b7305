"""Registers with agents and takes it back: which files change, written and recorded. Each agent's module knows its own files.

Such a module has OWNER, `found(env)`, `installing(env, command, patches)` and `leaving(env, patches)`; the last two give edits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from psychmem_py.errors import RefusedError
from psychmem_py.handover import locks
from psychmem_py.home import atomic_write, leaving
from psychmem_py.installation import claude_code, launcher, mcp_servers, opencode, patches
from psychmem_py.installation.patches import FileEdit, Patch

AGENTS = (claude_code, opencode)
NAMES: dict[str, Any] = {agent.OWNER: agent for agent in (*AGENTS, *mcp_servers.SERVERS)}


def record_file(data: Path) -> Path:
    """Where it is written down what we changed."""
    return data / "installed.json"


def present(env: Mapping[str, str]) -> list[str]:
    """The agents that are on this machine."""
    return [agent.OWNER for agent in AGENTS if agent.found(env)]


def register(
    owners: Sequence[str], env: Mapping[str, str], data: Path, *, command: Sequence[str] = (), dry_run: bool = False
) -> list[FileEdit]:
    """The edits that make exactly these agents' files call us once, done unless `dry_run`; empty when they already do.

    They start `command`; usual: what serves hooks.
    """
    words = list(command) or launcher.command()
    with locks.one_command(env):
        if claude_code.OWNER in owners and not dry_run:
            leaving.forget(data)
        known = patches.recorded(record_file(data))
        edits = [(owner, edit) for owner in owners for edit in NAMES[owner].installing(env, words, known)]
        return _done(edits, known, data, dry_run=dry_run)


def register_in_project(root: Path, env: Mapping[str, str], data: Path, *, dry_run: bool = False) -> list[FileEdit]:
    """The edits that make OpenCode call us in one project alone, done unless `dry_run`; `unregister` takes them back too."""
    with locks.one_command(env):
        known = patches.recorded(record_file(data))
        edits = opencode.installing_in(opencode.project_folder(root), launcher.command(), known)
        return _done([(opencode.OWNER, edit) for edit in edits], known, data, dry_run=dry_run)


def _done(edits: Sequence[tuple[str, FileEdit]], known: dict[str, Patch], data: Path, *, dry_run: bool) -> list[FileEdit]:
    """Those of the edits that change something, made and recorded unless `dry_run`."""
    changed = [(owner, edit) for owner, edit in edits if edit.before != edit.after]
    for owner, edit in changed if not dry_run else ():
        _must_be_as_read(edit)
        known[str(edit.path)] = _joined(known.get(str(edit.path)), patches.prepared(edit, owner))
        patches.record(record_file(data), known)  # before each one: a kill in between leaves nothing that is not on record
        patches.write(edit.path, edit.after or "")
    return [edit for _, edit in changed]


def unregister(owners: Sequence[str], env: Mapping[str, str], data: Path, *, dry_run: bool = False) -> list[FileEdit]:
    """The edits that take us out of these agents' files, done unless `dry_run`."""
    with locks.one_command(env):
        return _undone(owners, env, data, dry_run=dry_run)


def _undone(owners: Sequence[str], env: Mapping[str, str], data: Path, *, dry_run: bool) -> list[FileEdit]:
    known = patches.recorded(record_file(data))
    edits = [edit for owner in owners for edit in NAMES[owner].leaving(env, known)]
    folders: set[str] = set()
    for edit in edits if not dry_run else ():
        _must_be_as_read(edit)
        patch = known.pop(str(edit.path), None)
        folders.update(patch.folders if patch else ())
        if edit.after is None:
            patches.remove(edit.path, patch.folders if patch else ())
        elif edit.after != edit.before:
            patches.write(edit.path, edit.after)
        patches.record(record_file(data), known)
        atomic_write.sweep(edit.path.parent)
    patches.remove_empty(folders)  # one that was made for the first file may have held the second
    return [edit for edit in edits if edit.before != edit.after]


def _must_be_as_read(edit: FileEdit) -> None:
    """Raises RefusedError where the client, or whoever else, has written the file since: an old text must not take the place of it."""
    if patches.text_of(edit.path) != edit.before:
        raise RefusedError(f"{edit.path} was changed by another program just now; run this again")


def _joined(old: Patch | None, new: Patch) -> Patch:
    """The new patch with what was there before the first of the two."""
    return new if old is None else new._replace(made=old.made or new.made, folders=old.folders or new.folders)
