"""What of a store no judge has seen yet, each with the message it was found in, read again where the agent keeps it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from psychmem_py.agents import claude_transcript, opencode, opencode_database
from psychmem_py.agents.event import OPENCODE
from psychmem_py.ingestion.extract import cleaned, without_purged
from psychmem_py.ingestion.spans import SPAN_BYTES
from psychmem_py.judging import protocol
from psychmem_py.judging.protocol import Proposal
from psychmem_py.model.records import Memory, Message
from psychmem_py.model.terms import Kind, Origin, Role
from psychmem_py.store import candidates, heard, sessions
from psychmem_py.store.candidates import Kept

MOST = 200  # looked at for one request; far more than fit into it


class Unsorted(NamedTuple):
    """A memory that was only heard, or a candidate, with what a judge is asked about it."""

    memory: Memory | None
    candidate: Kept | None
    item: Proposal
    sources: tuple[str, str]  # the message and the one before


def unsorted(db: sqlite3.Connection, env: Mapping[str, str], *, most: int = MOST) -> list[Unsorted]:
    """What is to be judged: memories heard by rules alone, then what waits, then what only lacked strength; newest first."""

    @cache
    def messages(session: str) -> dict[str, Message]:
        return {one.id: one for one in without_purged(db, [cleaned(one) for one in _conversation(db, session, env)])}

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
    for kept in candidates.unjudged(db, limit=most - len(listed)):
        one = kept.candidate
        listed.append(Unsorted(None, kept, *made(one.text, one.kind, one.origin, (kept.session, one.message_id, one.quote))))
    return listed


def _conversation(db: sqlite3.Connection, session: str, env: Mapping[str, str]) -> Sequence[Message]:
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
