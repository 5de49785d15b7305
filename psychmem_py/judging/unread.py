"""What no reader has seen yet, and what is sent with it. What was typed is read again where the agent keeps it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Workplace
from psychmem_py.extraction.prepared_message import cleaned
from psychmem_py.ingestion import extract, spans
from psychmem_py.ingestion.proof import rank
from psychmem_py.judging import protocol, understood
from psychmem_py.model.records import Memory, Message, Role, Verdict
from psychmem_py.store import candidates, change_log, rows, sessions
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.likeness import NEAR_A_TURN
from psychmem_py.text.tokenizer import clip, subject

_LOOKED_AT = 200  # of the agent's statements
_ALWAYS_KNOWN = 8  # of the nearest memories that are sent in any case: one in eight is said again in other words altogether


class Typed(NamedTuple):
    """Something typed that no reader has seen."""

    session: sessions.Session
    message: Message  # safe, with what the agent had said before it
    turn: protocol.TypedTurn


class Batch(NamedTuple):
    """What one request asks about; all of one project."""

    project: str | None
    typed: Sequence[Typed]
    stated: Sequence[Memory | candidates.NotKept]
    asked: protocol.Asked
    gone: Sequence[str]  # keys of messages that cannot be read any more
    purged: str  # when something was purged last before they were read


def batch(db: sqlite3.Connection, desk: Workplace, now: float) -> Batch | None:
    """The next thing to ask, of one project, the oldest first; None where only commands and short confirmations were typed."""
    limit_chars, projects = desk.settings.judge.chars_per_call, sessions.projects(db)
    purged, by_project = change_log.last_purge(db), dict[str | None, list[tuple[sessions.Session, frozenset[str]]]]()
    for session, keys in sessions.unread(db, now - 30 * DAY_S):  # agents keep conversations about so long
        by_project.setdefault(session.project, []).append((session, keys))
    for project, left in by_project.items():
        typed, gone = list[Typed](), set[str]()
        for session, keys in left:
            there = spans.messages_kept(session.agent, session.id, [session.transcript], desk.env)
            root = projects[project].root if project in projects else ""
            heard = spans.without_paused(spans.Span(session.id, session.agent, tuple(there)), desk.data, root, now).messages
            own = [cleaned(one) for one in heard if one.id in keys and one.role is Role.USER]
            safe = ((one, protocol.turn(one.text, one.previous)) for one in extract.without_purged(db, own))
            turns = [Typed(session, one, turn) for one, turn in safe if turn.typed]
            gone.update(keys.difference(one.message.id for one in turns) if there else ())  # a client may lock its database
            typed += turns
        typed = typed[: protocol.fitting([one.turn for one in typed], limit_chars)]
        if (asked := protocol.Asked([one.turn for one in typed])).is_worth_it:
            stated = _stated(db, project)
            said = (one.candidate if isinstance(one, candidates.NotKept) else one for one in stated)
            proposals = [protocol.proposal(one.text, one.kind) for one in said]
            asked = asked._replace(known=_known(db, project, typed), proposals=proposals)
            return Batch(project, typed, stated, asked, tuple(gone), purged)
    return None


def _stated(db: sqlite3.Connection, project: str | None) -> list[Memory | candidates.NotKept]:
    """The agent's statements that a reader is asked about: what rules keep of them, then the best of what waits."""
    waiting = candidates.unread(db, project, limit=_LOOKED_AT)
    verdicts = {one: Verdict(one.candidate, reason=one.reason, waiting=True) for one in waiting}
    best = sorted((one for one, its in verdicts.items() if understood.is_proposed(its)), key=lambda one: rank(verdicts[one]))
    kept: list[Memory | candidates.NotKept] = [*candidates.unread_memories(db, project, limit=protocol.MOST_PROPOSALS)]
    return [*kept, *best][: protocol.MOST_PROPOSALS]


def _known(db: sqlite3.Connection, project: str | None, typed: Sequence[Typed]) -> list[protocol.SentStatement]:
    """The memories nearest to what was typed, by shared words; not those made of these turns."""
    own = {memory.id for memory, _ in candidates.from_messages(db, {one.message.id for one in typed})}
    turns = [subject(f"{one.turn.previous} {one.turn.typed}") for one in typed]
    about = ((subject(one.text), one) for one in rows.listed(db, project=project) if one.id not in own)
    shares = ((max((len(words & turn) for turn in turns), default=0) / max(1, len(words)), one) for words, one in about)
    near = sorted(shares, key=lambda pair: -pair[0])[: protocol.MOST_KNOWN]
    close = [one for at, (part, one) in enumerate(near) if part >= NEAR_A_TURN or at < _ALWAYS_KNOWN]
    return [protocol.SentStatement(clip(one.text, 160), one.kind, one.id[:8]) for one in close]
