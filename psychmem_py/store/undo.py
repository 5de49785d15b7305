"""Takes changes back: the inverse of each, written as changes of their own."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.records import Change, Memory
from psychmem_py.model.terms import ChangeType
from psychmem_py.store import sessions
from psychmem_py.store.change_log import PUT_BACK, TAKEN_BACK, Logged, adds, apply, log
from psychmem_py.store.connection import transaction
from psychmem_py.store.rows import get


class Taken(NamedTuple):
    """A command or extraction that was taken back."""

    lines: list[Logged]  # what it had done
    steps: list[Change]  # what was done to take it back


def undo(
    db: sqlite3.Connection,
    target: str | None,
    now: float,
    *,
    batch: str = "",
    project: str | None = None,
    all_projects: bool = True,
    by: tuple[str, str] | None = None,
) -> Taken:
    """What was done to take back the last command or extraction, a named batch, or one line ("12"). An undo can be undone too, by
    name. Without `all_projects` the last one is that which changed something of the user's or of `project`. `by` an agent and its
    conversation: of the last ones only theirs, and nothing that somebody else did.

    Raises NotFoundError when there is nothing to take back, RefusedError when something later depends on it.
    """
    with transaction(db):
        named = _last(db, project, all_projects=all_projects, by=by) if target is None else _named(db, target)
        lines = [line for line in named if not line.undone]
        if by and any(line.who != by[0] for line in lines):
            raise RefusedError("somebody else did that; only a person may take it back")
        if not lines:
            raise NotFoundError(
                (
                    "there is nothing to undo"
                    if all_projects
                    else "there is nothing to undo here; `--all-projects` looks in every project"
                )
                if target is None
                else f"{target} is already undone"
            )
        made, undoing = [], []
        state: dict[str, Memory | None] = {}
        for line in reversed(lines):
            now_there = state[line.change.memory_id] if line.change.memory_id in state else get(db, line.change.memory_id)
            if now_there is None and line.change.after is not None and _was_removed(db, line.change.memory_id):
                raise RefusedError(f"memory {line.change.memory_id[:8]} was removed later; undo that first")
            change = _inverse(line, now_there)
            state[line.change.memory_id] = change.after
            made.append(change)
            undoing.append(line.seq)
        try:
            apply(db, made, batch=batch or f"undo-{lines[-1].seq}-{int(now * 1000)}", now=now, undoing=undoing)
        except sqlite3.IntegrityError as exc:
            raise RefusedError(
                "this cannot be undone: the same statement has been stored anew since; forget that one first"
            ) from exc
        return Taken(lines, made)


def _was_removed(db: sqlite3.Connection, memory_id: str) -> bool:
    """Whether a step that still stands, and not an undo, took the memory out of the store."""
    lines = log(db, "memory_id = ? and after is null and undoes is null", (memory_id,))
    return any(not line.undone for line in lines)


def _last(db: sqlite3.Connection, project: str | None, *, all_projects: bool, by: tuple[str, str] | None = None) -> list[Logged]:
    """The newest batch that is neither an undo nor undone, and that changed something of the user's or of the project; `by` whom, if
    that is given.
    """
    tried = set()
    newest_first = "select batch from change where undoes is null and batch not like 'upkeep-%' and batch not like 'sync-%' order by seq desc"
    for (batch,) in db.execute(newest_first):
        if batch in tried:
            continue
        tried.add(batch)
        lines = log(db, "batch = ? and undoes is null", (batch,))
        if by in (None, (lines[0].who, lines[0].session)) and any(
            not line.undone and (all_projects or _is_of(db, line, project)) for line in lines
        ):
            return lines
    return []


def _is_of(db: sqlite3.Connection, line: Logged, project: str | None) -> bool:
    """Whether a line is about this project, or about the user without another project's conversation having written it."""
    known = line.change.after or line.change.before
    if known is None or known.project is not None:
        return known is not None and known.project == project
    told_in = sessions.session(db, line.session) if line.session else None
    return told_in is None or told_in.project in (None, project)


def _named(db: sqlite3.Connection, target: str) -> list[Logged]:
    """The lines of a batch (by unique prefix) or one line (by number)."""
    wanted = target.strip().lstrip("#")
    if not wanted:
        raise NotFoundError("what to take back is missing; `psychmem show ID --history` shows it")
    lines = log(db, "batch = ?", (wanted,))
    if not lines and wanted.isdecimal() and len(wanted) < 10:
        lines = log(db, "seq = ?", (int(wanted),))
    if not lines and len(wanted) >= 4:
        batches = db.execute(
            "select distinct batch from change where batch >= ? and batch < ? limit 2", (wanted, wanted + "\U0010ffff")
        ).fetchall()
        if len(batches) > 1:
            raise NotFoundError(f"several changes begin with {wanted!r}; give more of it")
        lines = log(db, "batch = ?", batches[0]) if batches else []
    if not lines:
        raise NotFoundError(f"there is no change {target!r}; `psychmem show ID --history` shows them")
    return lines


# Follow from what happened since and are kept when an older change is taken back.
_COUNTED = frozenset(
    "strength use_count session_count updated_at anchor_at utility confidence interference novelty importance".split()
)


def _inverse(line: Logged, there: Memory | None) -> Change:
    """The change that takes a line back from the state that is there now, field by field."""
    before, after = line.change.before, line.change.after
    reason = TAKEN_BACK if adds(line.change) else PUT_BACK
    made = Change(ChangeType.UNDO, line.change.memory_id, there, before, reason, line.change.evidence, line.change.link)
    if there != after and (there is None or after is None):  # removed by a later step, or made anew since
        return made._replace(after=there, evidence=None, link=None)
    if there is None or there == after or before is None:
        return made
    values = {}
    for field in Memory._fields:
        old, new, present = getattr(before, field), getattr(after, field), getattr(there, field)
        if old == new:
            continue
        if present == new:
            values[field] = old
        elif field not in _COUNTED:
            raise RefusedError(
                f"{line.seq} cannot be undone alone: the {field} of {line.change.memory_id[:8]} was changed again"
                " later; undo that first"
            )
    return made._replace(after=there._replace(**values))
