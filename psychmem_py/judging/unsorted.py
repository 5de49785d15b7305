"""What of a store no judge has seen yet, each with the message it was found in, read again where the agent keeps it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import islice, pairwise
from typing import NamedTuple

from psychmem_py.agents import claude_transcript, opencode, opencode_database
from psychmem_py.agents.event import OPENCODE
from psychmem_py.ingestion.extract import cleaned, without_purged
from psychmem_py.ingestion.spans import SPAN_BYTES
from psychmem_py.judging import protocol
from psychmem_py.judging.judged import is_proposed
from psychmem_py.judging.protocol import Proposal
from psychmem_py.model.records import Memory, Message, Verdict
from psychmem_py.model.terms import Gate, Kind, Origin, Role
from psychmem_py.store import candidates, heard, sessions
from psychmem_py.store.candidates import Kept

MOST = 200  # for one request; far more than fit into it
_LOOKED_AT = 1000  # of what did not become a memory


class Unsorted(NamedTuple):
    """A memory that was only heard, or a candidate, with what a judge is asked about it."""

    memory: Memory | None
    candidate: Kept | None
    item: Proposal
    sources: tuple[str, str]  # the message and the one before


MessagesOf = Callable[[str], Sequence[Message]]  # gives the messages of a conversation


def unsorted(
    db: sqlite3.Connection, env: Mapping[str, str], *, most: int = MOST, reader: MessagesOf | None = None
) -> list[Unsorted]:
    """What is to be judged: memories heard by rules alone, then what waits, then what only lacked strength; newest first, what was found
    in one message together, without what hardly ever holds anything. `reader` gives the conversations where the agent that led them
    does not keep them.
    """
    conversation = reader or partial(_conversation, db, env)

    @cache
    def messages(session: str) -> dict[str, Message]:
        return {one.id: one for one in without_purged(db, [cleaned(one) for one in conversation(session)])}

    def made(
        text: str, kind: Kind, origin: Origin, where_found: tuple[str, str, str], context: str = ""
    ) -> tuple[Proposal, tuple[str, str]]:
        session, message_id, quote = where_found
        message = messages(session).get(message_id)
        statement, before = (message.text, message.previous) if message else (quote, context)
        role = Role.ASSISTANT if origin is Origin.ASSISTANT else Role.USER
        item = protocol.item(role=role, previous=before, message=statement, quote=quote, sentence=text, kind=kind)
        return item, (statement, before)

    listed: list[Unsorted] = []
    for memory, evidence in heard.unjudged(db, limit=most):
        where = (evidence.session, evidence.message_id, evidence.quote)
        listed.append(Unsorted(memory, None, *made(memory.text, memory.kind, memory.origin, where, memory.context)))
    worth_asking = (kept for kept in candidates.unjudged(db, limit=_LOOKED_AT) if is_proposed(_as_verdict(kept)))
    for kept in islice(worth_asking, most - len(listed)):
        one = kept.candidate
        listed.append(Unsorted(None, kept, *made(one.text, one.kind, one.origin, (kept.session, one.message_id, one.quote))))
    return _by_message(listed)


def _by_message(listed: Sequence[Unsorted]) -> list[Unsorted]:
    """What was found in one message side by side, where the first of it stood: a judge then sees which sentences say one thing."""
    first: dict[tuple[str, str], int] = {}
    for n, one in enumerate(listed):
        first.setdefault(one.sources, n)
    return sorted(listed, key=lambda one: first[one.sources])


def _as_verdict(kept: Kept) -> Verdict:
    gate = Gate(kept.gate) if kept.gate else None
    return Verdict(kept.candidate, gate, kept.reason, waiting=gate is None)


def _conversation(db: sqlite3.Connection, env: Mapping[str, str], session: str) -> Sequence[Message]:
    """The messages of a conversation, each with what was said before it; none where the agent has thrown them away."""
    known = sessions.session(db, session)
    if known is None:
        return ()
    if known.agent == OPENCODE:
        conversation = opencode_database.conversation(opencode_database.database(env), session)
        return _with_previous(opencode.messages_of(conversation.turns) if conversation else ())
    try:
        if not os.path.isfile(known.transcript):
            return ()
        with open(known.transcript, "rb") as file:
            file.seek(max(0, known.watermark - SPAN_BYTES))
            return _with_previous(claude_transcript.read(file.read(SPAN_BYTES)).messages)
    except OSError:
        return ()


def _with_previous(messages: Sequence[Message]) -> list[Message]:
    spoken = [one for one in messages if one.role is not Role.TOOL]
    first = spoken[:1]
    return first + [one if one.previous else one._replace(previous=before.text) for before, one in pairwise(spoken)]
