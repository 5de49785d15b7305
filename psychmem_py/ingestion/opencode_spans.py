"""OpenCode's conversations: what of one is to be taken up, and what was learned from words that have since been taken back."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from psychmem_py.agents import opencode_database
from psychmem_py.agents.event import Request
from psychmem_py.agents.opencode import created_ms, messages_of, uses_of, written_of
from psychmem_py.ingestion.spans import Span
from psychmem_py.model.records import Change, Message, ToolUse
from psychmem_py.model.terms import ChangeType, Status
from psychmem_py.store import change_log, episodes, rows, sessions
from psychmem_py.store.connection import transaction
from psychmem_py.store.sessions import Session


def spans_of(known: Session | None, request: Request, env: Mapping[str, str], uses: Sequence[ToolUse]) -> list[Span]:
    """The stretches to take up: one that failed before, and what came after the watermark; none for a sub-agent's session.

    The watermark is the time, in milliseconds, of the last turn that is written to its end. The client writes a turn first and its
    words after it: words of a turn still open are taken up too, and the turn is read again.
    """
    conversation = opencode_database.conversation(opencode_database.database(env), request.session)
    if conversation is not None and conversation.parent:
        return []
    messages = messages_of(conversation.turns) if conversation else list(request.messages)
    every = tuple({use.id: use for use in (*(uses_of(conversation.turns) if conversation else ()), *uses)}.values())
    written = map(created_ms, conversation.turns[: written_of(conversation.turns)]) if conversation else map(_ms, messages)
    mark = known.watermark if known else 0
    stretches = []
    if known and known.failed_from is not None and known.failed_to is not None:
        failed = [message for message in messages if _ms(message) <= known.failed_to]
        stretches.append(_span(request.session, failed, every, known.failed_from, known.failed_to))
    return [*stretches, _span(request.session, messages, every, mark, max(written, default=0))]


def withdraw(db: sqlite3.Connection, session: str, env: Mapping[str, str], *, now: float, batch: str) -> list[Change]:
    """Forgets what only reverted messages said; `undo` brings it back. Pinned memories stay."""
    seen = sessions.seen_in(db, session)  # first: what another process takes up meanwhile may be newer than what is read now
    conversation = opencode_database.conversation(opencode_database.database(env), session)
    gone = seen - {message.id for message in messages_of(conversation.turns)} if conversation else set()
    if not gone:
        return []
    with transaction(db):
        there = rows.several(db, rows.stated_only_in(db, gone)).values()
        made = [
            Change(ChangeType.STATUS, one.id, one, one._replace(status=Status.FORGOTTEN, updated_at=now), "reverted")
            for one in there
            if one.status in (Status.ACTIVE, Status.QUARANTINED) and not one.pinned
        ]
        change_log.apply(db, made, batch=batch, now=now, agent="opencode", session=session)
        sessions.unsee(db, gone)
        episodes.drop(db, [one.id for one in episodes.of_session(db, session) if one.message_id in gone])
    return made


def _span(session: str, messages: Sequence[Message], uses: tuple[ToolUse, ...], start: int, end: int) -> Span:
    return Span(
        session=session,
        agent="opencode",
        messages=tuple(message for message in messages if _ms(message) > start),
        uses=tuple(use for use in uses if use.at * 1000 > start),
        start=start,
        end=max(start, end),
    )


def _ms(message: Message) -> int:
    return round((message.at or 0.0) * 1000)
