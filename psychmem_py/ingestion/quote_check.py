"""Whether a person really typed what an agent says they typed: the agent may save a rule only in words that can be found."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from psychmem_py.agents import claude_transcript, opencode_database
from psychmem_py.agents.claude_memory import claude_folder, is_believed
from psychmem_py.agents.opencode import messages_of
from psychmem_py.extraction.clauses import clauses
from psychmem_py.memory.change_cues import is_negative
from psychmem_py.model.records import Message
from psychmem_py.model.terms import HUMAN
from psychmem_py.safety.suspicion import suspicion, without_our_blocks
from psychmem_py.store import sessions
from psychmem_py.text.tokenizer import content_words, normalised

READ_BYTES = 64 << 20  # of a transcript, from its end
_LEAST_WORDS = 2  # a quote of less than this could be found anywhere
_LEAST_CHARS = 6  # of a quote that only shows that somebody answered
_SHARE = 0.5  # of a memory's content words must stand in the message that is quoted


def typed(db: sqlite3.Connection, agent: str, session: str, env: Mapping[str, str]) -> list[str]:
    """What the person typed in a conversation so far, oldest first; nothing when it cannot be found."""
    if agent == "opencode":
        conversation = opencode_database.conversation(opencode_database.database(env), session) if session else None
        return _words_of(messages_of(conversation.turns)) if conversation and not conversation.parent else []
    if not session.replace("-", "").isalnum():
        return []
    known = sessions.session(db, session)
    paths = [Path(known.transcript)] if known and is_believed(known.transcript, env) else []
    paths += Path(claude_folder(env), "projects").glob(f"*/{session}.jsonl")
    for path in paths:
        try:
            with path.open("rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - READ_BYTES))
                messages = claude_transcript.read(file.read()).messages
        except OSError:
            continue
        return _words_of(messages)
    return []


def _words_of(messages: Iterable[Message]) -> list[str]:
    return [without_our_blocks(message.text) for message in messages if message.origin in HUMAN]


def is_typed(quote: str, typed_texts: Sequence[str]) -> bool:
    """Whether `quote` stands in what was typed; a short one ("yes") only as all that was typed last."""
    wanted = normalised(quote)
    if len(wanted) < _LEAST_CHARS:
        return bool(wanted and typed_texts) and wanted == normalised(typed_texts[-1])
    return any(wanted in normalised(message) for message in typed_texts)


def vouched(text: str, quote: str, typed_texts: Iterable[str]) -> bool:
    """Whether `quote` stands in what was typed, and `text` says no more than the message it stands in.

    A true quote under a foreign text ("yes please" for a rule that a tool had planted) vouches for nothing, nor does one that is
    turned into its opposite.
    """
    words, wanted = set(content_words(text)), normalised(quote)
    if len(set(content_words(quote))) < _LEAST_WORDS or not words or suspicion(text):
        return False
    for message in typed_texts:
        if wanted in normalised(message) and len(words & set(content_words(message))) / len(words) >= _SHARE:
            around = [clause.text for clause in clauses(message) if wanted in normalised(clause.text)]
            return is_negative(text) in {is_negative(part) for part in (quote, *around)}
    return False
