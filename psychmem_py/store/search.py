"""Finding memories by words: the memories behind what `store.matches` finds."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.model.records import Memory
from psychmem_py.recall.query import identifier
from psychmem_py.recall.ranking import Scored, is_weak
from psychmem_py.store.matches import Question, matches
from psychmem_py.store.rows import several
from psychmem_py.text.tokenizer import phrase_terms


class Result(NamedTuple):
    memory: Memory
    score: float  # higher is better; comparable within one answer
    words: Scored  # which words of the question are in it, and where
    weak: bool  # it fits hardly better than chance would have it, or is another one than the name asked for


def hits(db: sqlite3.Connection, question: Question) -> list[Result]:
    """At most `question.limit` memories that answer it, best first, scores falling."""
    matched = matches(db, question._replace(kin=True))
    memories = several(db, [match.id for match in matched])
    name = identifier(question.text)
    return [
        Result(
            memories[match.id],
            match.score,
            match.words,
            weak=is_weak(match.words, match.beyond) or not _names(memories[match.id], name),
        )
        for match in matched
    ]


def _names(memory: Memory, name: str) -> bool:
    """Whether a memory holds a name as a whole: SHOP-12 is no answer to SHOP-34."""
    return not name or any(f" {name} " in f" {phrase_terms(text)} " for text in (memory.text, *memory.names))
