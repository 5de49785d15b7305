"""Takes changes back: the inverse of each, written as changes of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import uuid4

from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.permission import Actor, Deed, refusal
from psychmem_py.model.records import Change, ChangeType, Memory, Status
from psychmem_py.store import candidates, change_log, sessions
from psychmem_py.store.change_log import PUT_BACK, TAKEN_BACK, DoneCommand, Logged, adds, apply, log, move_clock
from psychmem_py.store.connection import transaction
from psychmem_py.store.rows import get


class Taken(NamedTuple):
    """A command or extraction that was taken back."""

    lines: list[Logged]  # what it had done
    steps: list[Change]  # what was done to take it back
    candidates: int  # that stand again as they did
    command: DoneCommand | None  # None: nobody typed it, or an older version did it


NOBODY = ("", "")  # a person: no agent and no conversation


def undo(
    db: sqlite3.Connection,
    target: str | None,
    now: float,
    *,
    batch: str = "",
    project: str | None = None,
    all_projects: bool = True,
    by: tuple[str, str] = NOBODY,
) -> Taken:
    """What was done to take back the last command of whoever asks, a named batch, or one line ("12"). An undo can be undone too, by name.

    Without `all_projects` the last one is that which was typed in `project`. `by` is the agent and its conversation, which takes back
    nothing that somebody else did, even by name. Where the last command is none that can be taken back nothing is: never an older one
    in its place. Raises NotFoundError when there is nothing to take back, RefusedError when it cannot be.
    """
    with transaction(db):
        batch, here = batch or f"undo-{uuid4().hex}", None if all_projects else (project,)
        chosen = _last(db, here, by) if target is None else _named(db, target)
        if by != NOBODY and chosen.by[0] != by[0]:
            raise RefusedError("somebody else did that; only a person may take it back")
        lines = [line for line in chosen.lines if not line.undone]
        if (chosen.lines and not lines) or (chosen.is_whole and change_log.is_taken_back(db, chosen.batch)):
            raise NotFoundError(f"{target} is already undone")
        if by != NOBODY and chosen.command is None:  # its own command it may take back
            for line in lines:
                _refuse_what_a_person_said(line.change, project)
        made = _taken_back(db, lines, batch, now)
        restored = candidates.put_back(db, chosen.batch, batch=batch) if chosen.is_whole else 0
        if not made and not restored:
            raise RefusedError(_nothing_of(db, chosen, here, by))
        move_clock(db, now)  # a brief may tell what waits
        undoes = chosen.batch if chosen.is_whole else f"#{lines[0].seq}"
        change_log.note_command(db, DoneCommand(batch, "undo", project, *by, now, undoes))
        return Taken(lines, made, restored, chosen.command)


_Here = tuple[str | None] | None  # the project where a command counts as done; None for anywhere


def _refuse_what_a_person_said(change: Change, project: str | None) -> None:
    """Raises RefusedError where taking this back would do what an agent may not: what a person typed is kept in its conversation."""
    memory, deed = change.after or change.before, Deed.FORGET if adds(change) else Deed.CHANGE
    forgot = change.after is not None and change.after.status is Status.FORGOTTEN
    if memory is not None and not forgot and (why := refusal(Actor.AGENT, deed, memory, project)):
        raise RefusedError(why)


class _Found(NamedTuple):
    batch: str
    command: DoneCommand | None
    lines: list[Logged]
    is_whole: bool = True  # False: one line of it

    @property
    def by(self) -> tuple[str, str]:
        return self.command.by if self.command else (self.lines[0].who, self.lines[0].session)


def _taken_back(db: sqlite3.Connection, lines: list[Logged], batch: str, now: float) -> list[Change]:
    made: list[Change] = []
    state: dict[str, Memory | None] = {}
    for line in reversed(lines):
        key = line.change.memory_id
        there = state[key] if key in state else get(db, key)
        # A step that still stands, and not an undo, took the memory out of the store.
        removed = "memory_id = ? and after is null and undoes is null"
        if there is None and line.change.after is not None and any(not one.undone for one in log(db, removed, (key,))):
            raise RefusedError(f"memory {key[:8]} was removed later; undo that first")
        made.append(_inverse(line, there))
        state[key] = made[-1].after
    try:
        apply(db, made, batch=batch, now=now, undoing=[line.seq for line in reversed(lines)])
    except sqlite3.IntegrityError as exc:
        raise RefusedError("this cannot be undone: the same statement has been stored anew since; forget that one first") from exc
    return made


def _standing(db: sqlite3.Connection, here: _Here) -> Iterator[_Found]:
    """What was done here and not taken back since, by anybody, the last first."""
    for batch in change_log.batches(db):
        chosen = _Found(batch, change_log.command_of(db, batch), log(db, "batch = ? and undoes is null", (batch,)))
        undone = (chosen.lines and all(line.undone for line in chosen.lines)) or change_log.is_taken_back(db, batch)
        if chosen.command:
            done_here = here in (None, (chosen.command.project,))
        else:
            done_here = here is None or any(_is_of(db, one, *here) for one in chosen.lines)
        if done_here and not undone:
            yield chosen


def _last(db: sqlite3.Connection, here: _Here, by: tuple[str, str]) -> _Found:
    """The last thing done here by `by`. Raises NotFoundError, which names what others did last."""
    others = None
    for chosen in _standing(db, here):
        if chosen.by == by:
            return chosen
        others = others or chosen
    sentence = "there is nothing to undo" + ("" if here is None else " here; `--all-projects` looks in every project")
    if others and by == NOBODY:
        sentence += f"; {others.by[0]} did something last, and `psychmem undo {others.batch[:_SHOWN]}` takes that back"
    raise NotFoundError(sentence)


_SHOWN, _LEAST_SHOWN = 12, 4  # characters of a batch's name that tell it from every other, and that are looked for


def _nothing_of(db: sqlite3.Connection, chosen: _Found, here: _Here, by: tuple[str, str]) -> str:
    """That nothing a command did can be undone, and how the one before it is named."""
    older = next((one for one in _standing(db, here) if one.by == by and one.batch != chosen.batch), None)
    name = f"`psychmem {chosen.command.name}`" if chosen.command else chosen.batch
    sentence = f"{name} did nothing that can be undone"
    if older and older.command:
        sentence += f"; `psychmem undo {older.batch[:_SHOWN]}` takes back the `psychmem {older.command.name}` before it"
    return sentence


def _is_of(db: sqlite3.Connection, line: Logged, project: str | None) -> bool:
    """Whether a line is about this project, or about the user without another project's conversation having written it."""
    known = line.change.after or line.change.before
    if known is None or known.project is not None:
        return known is not None and known.project == project
    told_in = sessions.session(db, line.session) if line.session else None
    return told_in is None or told_in.project in (None, project)


def _named(db: sqlite3.Connection, target: str) -> _Found:
    """A batch (by unique prefix), or one line (by number)."""
    wanted = target.strip().lstrip("#")
    if not wanted:
        raise NotFoundError("what to take back is missing; `psychmem show ID --history` shows it")
    batches = change_log.batches_like(db, wanted)
    if wanted in batches:
        batches = [wanted]
    elif wanted.isdecimal() and len(wanted) < 10 and (lines := log(db, "seq = ?", (int(wanted),))):
        return _Found(lines[0].batch, change_log.command_of(db, lines[0].batch), lines, is_whole=False)
    elif len(wanted) < _LEAST_SHOWN or not batches:
        raise NotFoundError(f"there is no change {target!r}; `psychmem show ID --history` shows them")
    if len(batches) > 1:
        raise NotFoundError(f"several changes begin with {wanted!r}; give more of it")
    return _Found(batches[0], change_log.command_of(db, batches[0]), log(db, "batch = ?", (batches[0],)))


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
    values: dict[str, Any] = {}
    for field, old, new, present in zip(Memory._fields, before, after or before, there, strict=True):
        if old != new and present == new:
            values[field] = old
        elif old != new and field not in _COUNTED:
            raise RefusedError(
                f"{line.seq} cannot be undone alone: the {field} of {line.change.memory_id[:8]} was changed again"
                " later; undo that first"
            )
    return made._replace(after=there._replace(**values))
