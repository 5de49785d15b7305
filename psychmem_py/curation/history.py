"""Looking back: what happened to a memory, and taking steps back. An undo is a step like any other."""

from __future__ import annotations

import sqlite3

from psychmem_py.curation.act import Act
from psychmem_py.model.records import Change, ChangeType
from psychmem_py.store import change_log, rows
from psychmem_py.store.change_log import Logged
from psychmem_py.store.undo import Taken
from psychmem_py.store.undo import undo as take_back
from psychmem_py.text import dates


def history(db: sqlite3.Connection, memory_id: str) -> list[Logged]:
    """Everything that happened to one memory, oldest first; a unique beginning of the id will do, also of a memory that is gone."""
    prefix = memory_id.strip()
    ids = change_log.ids_like(db, prefix)
    return change_log.history(db, ids[0] if prefix and len(ids) == 1 else rows.by_id(db, prefix).id)


def undo(act: Act, target: str | None, *, project: str | None = None, all_projects: bool = True) -> Taken:
    """Takes back the last command of whoever acts (typed here, or anywhere), or a named batch or line; upkeep that nobody typed and what
    was kept of a conversation only by name. An agent takes back nothing that a person or another agent did.
    """
    by = (act.who.agent, act.who.session)
    return take_back(act.db, target, act.now, batch=act.batch, project=project, all_projects=all_projects, by=by)


_ACTIONS = {
    ChangeType.ADD: "kept",
    ChangeType.REINFORCE: "strengthened",
    ChangeType.MERGE: "merged",
    ChangeType.SUPERSEDE: "replaced",
    ChangeType.EDIT: "edited",
    ChangeType.PIN: "pinned",
    ChangeType.LINK: "linked",
    ChangeType.UNLINK: "unlinked",
    ChangeType.UNDO: "taken back",
}


def action_of(line: Logged) -> str:
    """What a line of the log did, in a word or two: "forgotten", "edited: class decision → constraint"."""
    change = line.change
    if change.type is ChangeType.STATUS:
        return change.reason or (change.after.status.value if change.after else "removed")
    if change.type is ChangeType.PIN and change.after:
        return "pinned" if change.after.pinned else "unpinned"
    own_words = change.reason == "imported" or change.reason.startswith("changed in ")
    what = change.reason if own_words else _ACTIONS[change.type]
    different = differences(change) if change.type is ChangeType.EDIT else ""
    return f"{what}: {different}" if different else what


def actions_of(taken: Taken) -> str:
    """What a command that was taken back had done, in a few words."""
    answered = [f"{taken.candidates} of what was pending answered"] if taken.candidates else []
    return ", ".join(dict.fromkeys((*map(action_of, taken.lines), *answered)))


_FIELDS = ("text", "kind", "project", "tier", "status", "store", "tags", "pinned", "expires_at", "metadata")
_CALLED = {"kind": "class", "project": "holds in", "expires_at": "ends"}


def differences(change: Change) -> str:
    """What a change made different: "class semantic → decision, no longer pinned"; "" for a new memory and for what is only counted."""
    before, after = change.before, change.after
    if before is None or after is None:
        return ""
    pairs = [(field, getattr(before, field), getattr(after, field)) for field in _FIELDS]
    words = {"text": "text", "pinned": "pinned" if after.pinned else "no longer pinned"}
    return ", ".join(
        words.get(field) or f"{_CALLED.get(field, field)} {_said(field, old)} → {_said(field, new)}"
        for field, old, new in pairs
        if old != new
    )


def _said(field: str, value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join("=".join(one) if isinstance(one, tuple) else str(one) for one in value) or "none"
    if value is None:
        return {"project": "every project", "expires_at": "never"}.get(field, "none")
    return dates.iso(value)[:10] if isinstance(value, float) else str(value)
