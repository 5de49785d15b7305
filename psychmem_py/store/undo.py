"""Undoes changes by new, inverse changes; and records who ran which command where, by which a plain undo chooses."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError, refuse_if
from psychmem_py.model.permission import Action, Actor, refusal
from psychmem_py.model.records import HUMAN, Change, ChangeType, Memory, Status
from psychmem_py.store import candidates, connection, rows, sessions
from psychmem_py.store.change_log import IMPORTED, PUT_BACK, TAKEN_BACK, UNIMPORTED, LogLine, adds, apply, log, move_clock
from psychmem_py.store.sqlite import column, insert, value

_Who = tuple[str, str]  # agent and conversation
BY_PERSON: _Who = ("", "")
_Here = tuple[str | None] | None  # the project where a command counts as done; None for anywhere
_SHOWN, _LEAST_SHOWN = 12, 4  # characters of a batch's name that tell it from every other, and that are looked for


class DoneCommand(NamedTuple):
    """One command, a click or a key of `review`; also an undo."""

    batch: str  # of the changes it made, if it made any
    name: str  # "review", "edit"
    project: str | None  # where it was typed, not where it wrote; None in no project
    who: str  # as in the log: an agent, "" for a person
    session: str
    at: float
    undoes: str = ""  # the batch, or "#" and the line of the log, that an undo took back


_COMMAND = ", ".join(DoneCommand._fields)


def note_command(db: sqlite3.Connection, done: DoneCommand) -> None:
    """Notes a command; of one that was noted already only that it is an undo."""
    # What a purge takes out of the log must not put a command before those that were done earlier.
    last = value(db, "select max(ifnull((select max(seq) from change), 0), ifnull((select max(after) from command), 0))")
    insert(db, "command", f"{_COMMAND}, after", [(*done, last)], "update set name = excluded.name, undoes = excluded.undoes")


class UndoResult(NamedTuple):
    """A command or extraction, and how it was taken back."""

    batch: str
    command: DoneCommand | None  # None: nobody typed it, or an older version did it
    lines: list[LogLine]  # what it did
    is_whole: bool = True  # False: one line of it
    steps: Sequence[Change] = ()  # what was done to take it back
    candidates: int = 0  # that stand again as they did
    moved: str = ""  # JSON of the projects from and to which it moved exchanges, and of their ids
    trust: str = ""  # JSON of an author by whose name at a remote trust was given or taken, and of what it was before

    @property
    def by(self) -> _Who:
        """The agent and its conversation."""
        done = self.command or self.lines[0]
        return done.who, done.session


def undo(
    db: sqlite3.Connection, target: str | None, now: float, *, batch: str, project: str | None, all_projects: bool, by: _Who
) -> UndoResult:
    """What was done to take back a batch, one line ("12"), or the last command of whoever asks; for an agent only its own."""
    with connection.transaction(db):
        here = None if all_projects else (project,)
        chosen = _last(db, here, by) if target is None else _named(db, target)
        refuse_if(by != BY_PERSON and chosen.by[0] != by[0], "somebody else did that; only a person may take it back")
        if _is_undone(db, chosen):
            raise NotFoundError(f"{target} is already undone")
        lines = [line for line in chosen.lines if not line.undone]
        if by != BY_PERSON and chosen.command is None:  # its own command it may take back
            for line in lines:
                _refuse_what_a_person_said(line.change, project)
        made = _taken_back(db, lines, batch, now)
        restored = candidates.put_back(db, chosen.batch, batch=batch) if chosen.is_whole else 0
        noted = "delete from meta where ? and key = ? returning value"  # beside the log, for who called to take back
        moved, trust = (value(db, noted, chosen.is_whole, f"{what} {chosen.batch}") or "" for what in ("moved", "trust"))
        if chosen.is_whole and not (any(one.before or one.after for one in made) or restored or moved or trust):
            raise RefusedError(_nothing_of(db, chosen, here, by))
        move_clock(db, now)  # a brief may tell what waits
        note_command(db, DoneCommand(batch, "undo", project, *by, now, chosen.batch if chosen.is_whole else f"#{lines[0].seq}"))
        return chosen._replace(lines=lines, steps=made, candidates=restored, moved=moved, trust=trust)


def _refuse_what_a_person_said(change: Change, project: str | None) -> None:
    """Raises RefusedError for an undo that does what an agent may not: a person's words are kept in their conversation."""
    memory, deed = change.after or change.before, Action.FORGET if adds(change) else Action.CHANGE
    forgot = change.after is not None and change.after.status is Status.FORGOTTEN
    if memory is not None and not forgot and (why := refusal(Actor.AGENT, deed, memory, project)):
        raise RefusedError(why)
    if memory is not None and adds(change) and memory.origin in HUMAN:
        raise RefusedError("only a person takes back what a person said; run the command in a terminal of your own")


def _taken_back(db: sqlite3.Connection, lines: list[LogLine], batch: str, now: float) -> list[Change]:
    made, state = list[Change](), dict[str, Memory | None]()
    for line in reversed(lines):
        key = line.change.memory_id
        there = state[key] if key in state else rows.get(db, key)
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


def _found(db: sqlite3.Connection, batch: str, condition: str = "batch = ?") -> UndoResult:
    """What a batch, or as much of it as a condition names, did."""
    line = db.execute(f"select {_COMMAND} from command where batch = ?", (batch,)).fetchone()
    return UndoResult(batch, DoneCommand(*line) if line else None, log(db, condition, (batch,)))


def _is_undone(db: sqlite3.Connection, chosen: UndoResult) -> bool:
    """Whether all lines are undone, or the whole command is: each undo of an undo reverses that."""

    def stands(batch: str) -> bool:
        return not any(map(stands, column(db, "select batch from command where undoes = ?", batch)))

    return (bool(chosen.lines) and all(line.undone for line in chosen.lines)) or (chosen.is_whole and not stands(chosen.batch))


def _standing(db: sqlite3.Connection, here: _Here) -> Iterator[UndoResult]:
    """What was done here and not taken back since, by anybody, the last first."""
    # Every batch that is no undo, nor upkeep or sync that nobody typed; the last one done first.
    batches = (
        "select batch from (select batch, max(seq) as line, 0 as seq from change where undoes is null"
        " and batch not like 'upkeep-%' and batch not like 'sync-%' group by batch union all select batch, after + 0.5, seq"
        " from command where undoes = '') group by batch order by max(line) desc, max(seq) desc"
    )
    for batch in column(db, batches):
        chosen = _found(db, batch, "batch = ? and undoes is null")
        typed = chosen.command
        done_here = not here or (typed.project == here[0] if typed else any(_is_of(db, one, *here) for one in chosen.lines))
        if done_here and not _is_undone(db, chosen):
            yield chosen


def _last(db: sqlite3.Connection, here: _Here, by: _Who) -> UndoResult:
    """The last thing done here by `by`. Raises NotFoundError, which names what others did last."""
    others = []
    for chosen in _standing(db, here):
        if chosen.by == by:
            return chosen
        others.append(f"; {chosen.by[0]} did something last, and `psychmem undo {chosen.batch[:_SHOWN]}` takes that back")
    elsewhere = " here; `--all-projects` looks in every project" if here else ""
    raise NotFoundError(f"there is nothing to undo{elsewhere}{others[0] if others and by == BY_PERSON else ''}")


def _nothing_of(db: sqlite3.Connection, chosen: UndoResult, here: _Here, by: _Who) -> str:
    """The sentence that nothing a command did can be undone, and how to undo the one before it."""
    others = (one for one in _standing(db, here) if one.by == by and one.batch != chosen.batch and one.lines)
    before = "".join(f"; `psychmem undo {one.batch[:_SHOWN]}` takes back what was done before it" for one in islice(others, 1))
    return f"{f'`psychmem {chosen.command.name}`' if chosen.command else chosen.batch} did nothing that can be undone{before}"


def _is_of(db: sqlite3.Connection, line: LogLine, project: str | None) -> bool:
    """Whether a line is about this project, or about the user without another project's conversation having written it."""
    known = line.change.after or line.change.before
    told_in = sessions.session(db, line.session) if line.session and known and known.project is None else None
    return known is not None and known.project in (None, project) and (told_in is None or told_in.project in (None, project))


def _named(db: sqlite3.Connection, target: str) -> UndoResult:
    """A batch (by unique prefix), or one line (by number)."""
    if not (wanted := target.strip().lstrip("#")):
        raise NotFoundError("what to take back is missing; `psychmem show ID --history` shows it")
    alike = "batch >= ?1 and batch < ?1 || char(0x10ffff)"
    batches = column(db, f"select batch from change where {alike} union select batch from command where {alike} limit 2", wanted)
    if wanted in batches:
        return _found(db, wanted)
    if wanted.isdecimal() and len(wanted) < 10 and (lines := log(db, "seq = ?", (int(wanted),))):
        return _found(db, lines[0].batch)._replace(lines=lines, is_whole=False)
    if len(wanted) < _LEAST_SHOWN or not batches:
        raise NotFoundError(f"there is no change {target!r}; `psychmem show ID --history` shows them")
    if len(batches) > 1:
        raise NotFoundError(f"several changes begin with {wanted!r}; give more of it")
    return _found(db, batches[0])


def _inverse(line: LogLine, there: Memory | None) -> Change:
    """The change that takes a line back from the state that is there now, field by field."""
    before, after = line.change.before, line.change.after
    usual = TAKEN_BACK if adds(line.change) else PUT_BACK
    reason = {IMPORTED: UNIMPORTED, UNIMPORTED: IMPORTED}.get(line.change.reason, usual)
    made = Change(ChangeType.UNDO, line.change.memory_id, there, before, reason, line.change.evidence, line.change.link)
    if there != after and (there is None or after is None):  # removed by a later step, or made anew since
        return made._replace(after=there, evidence=None, link=None)
    if there is None or there == after or before is None:
        return made
    fields = zip(Memory._fields, before, after or before, there, strict=True)
    changed = [(field, old, present == new) for field, old, new, present in fields if old != new]
    # Follow from what happened since and are kept when an older change is taken back.
    counted = "strength use_count session_count updated_at anchor_at utility confidence interference novelty importance".split()
    for field in (field for field, _, stands in changed if not stands and field not in counted):
        later = f"the {field} of {line.change.memory_id[:8]} was changed again later; undo that first"
        raise RefusedError(f"{line.seq} cannot be undone alone: {later}")
    values: dict[str, Any] = {field: old for field, old, stands in changed if stands}
    return made._replace(after=there._replace(**values))
