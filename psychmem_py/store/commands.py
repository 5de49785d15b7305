"""What was done to the store, by whom and where it was typed: what a plain undo goes by.

A command names its batch of changes. A batch without one is what was kept of a conversation, and whatever an older version did.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple


class DoneCommand(NamedTuple):
    """One command, a click or a key of `review`; also an undo."""

    batch: str  # of the changes it made, if it made any
    name: str  # "review", "edit"
    project: str | None  # where it was typed, not where it wrote; None in no project
    who: str  # as in the log: an agent, "" for a person
    session: str
    at: float
    undoes: str = ""  # the batch, or "#" and the line of the log, that an undo took back

    @property
    def by(self) -> tuple[str, str]:
        return self.who, self.session


_COLUMNS = ", ".join(DoneCommand._fields)


def note(db: sqlite3.Connection, done: DoneCommand) -> None:
    """Notes a command; of one that was noted already only that it is an undo."""
    marks = ", ".join("?" * len(done))
    # What a purge takes out of the log must not put a command before those that were done earlier.
    last = "select max(ifnull((select max(seq) from change), 0), ifnull((select max(after) from command), 0))"
    db.execute(
        f"insert into command ({_COLUMNS}, after) values ({marks}, ({last}))"
        " on conflict (batch) do update set name = excluded.name, undoes = excluded.undoes",
        done,
    )


def of_batch(db: sqlite3.Connection, batch: str) -> DoneCommand | None:
    """The command that a batch belongs to."""
    line = db.execute(f"select {_COLUMNS} from command where batch = ?", (batch,)).fetchone()
    return DoneCommand._make(line) if line else None


def newest_first(db: sqlite3.Connection) -> Iterator[str]:
    """Every batch that is no undo, nor upkeep or sync that nobody typed; the last one done first."""
    yield from (
        batch
        for (batch,) in db.execute(
            "select batch from ("
            " select batch, max(seq) as line, 0 as seq from change"
            " where undoes is null and batch not like 'upkeep-%' and batch not like 'sync-%' group by batch"
            " union all select batch, after + 0.5, seq from command where undoes = ''"
            ") group by batch order by max(line) desc, max(seq) desc"
        ).fetchall()
    )


def is_taken_back(db: sqlite3.Connection, batch: str) -> bool:
    """Whether an undo of the whole command stands: each undo of that undo turns it over."""
    takers = db.execute("select batch from command where undoes = ?", (batch,)).fetchall()
    return any(not is_taken_back(db, taker) for (taker,) in takers)


def beginning(db: sqlite3.Connection, prefix: str) -> list[str]:
    """The batches that begin so, at most two."""
    bounds = (prefix, prefix + "\U0010ffff")
    batches = db.execute(
        "select batch from change where batch >= ? and batch < ? union select batch from command where batch >= ? and batch < ?"
        " limit 2",
        (*bounds, *bounds),
    )
    return [batch for (batch,) in batches]
