"""Whether what was shown was of use, from the ledger and the evidence that came after it."""

from __future__ import annotations

import sqlite3
from statistics import median
from typing import NamedTuple

from psychmem_py.text.dates import DAY_S

_BRIEFS = "('brief', 'compaction')"
_LINE_CHARS = 300  # of a memory's text that a line holds
_AROUND_CHARS, _FRAME_CHARS = 20, 430  # of each line besides its text, and of a brief besides its lines


class Usefulness(NamedTuple):
    """What became of the memories shown within some days."""

    shown: int  # memories
    again: int  # of them those that came up later: restated, echoed in a reply, an edit or a command, praised or touched
    restated: int
    echoed: int
    voted: int
    sessions: int  # that were shown anything
    briefs: int
    brief_chars: int  # of a brief, the median; reckoned from the texts as they are now


def usefulness(
    db: sqlite3.Connection, *, now: float, days: int = 30, project: str | None = None, all_projects: bool = True
) -> Usefulness:
    """The figures of the last `days`, of one project's conversations or of all."""
    in_project = "(? or session.project is ?)"
    since = (now - days * DAY_S, all_projects, project)
    later = db.execute(
        "select evidence.memory_id, max(evidence.method not in ('vote', 'touch', 'echo', 'review')),"
        " max(evidence.method = 'echo'), max(evidence.method in ('vote', 'touch', 'review'))"
        " from (select shown.memory_id as id, min(shown.at) as first from shown join session on session.id = shown.session"
        f"  where shown.at >= ? and {in_project} group by shown.memory_id) as told"
        " join evidence on evidence.memory_id = told.id and evidence.at > told.first"
        " where not (evidence.method = 'vote' and evidence.signals like '%bad%') group by evidence.memory_id",
        since,
    ).fetchall()
    shown, sessions = db.execute(
        "select count(distinct shown.memory_id), count(distinct shown.session) from shown join session on session.id = shown.session"
        f" where shown.at >= ? and {in_project}",
        since,
    ).fetchone()
    chars = [
        _FRAME_CHARS + lines
        for (lines,) in db.execute(
            f"select sum(min({_LINE_CHARS}, length(memory.text)) + {_AROUND_CHARS}) from shown"
            " join session on session.id = shown.session join memory on memory.id = shown.memory_id"
            f" where shown.at >= ? and {in_project} and shown.place in {_BRIEFS} group by shown.session, shown.generation",
            since,
        )
    ]
    return Usefulness(
        shown=shown,
        again=len(later),
        restated=sum(row[1] for row in later),
        echoed=sum(row[2] for row in later),
        voted=sum(row[3] for row in later),
        sessions=sessions,
        briefs=len(chars),
        brief_chars=int(median(chars)) if chars else 0,
    )
