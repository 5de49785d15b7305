"""Finding memories by words: the memories behind what `store.matches` finds."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.model.records import Memory
from psychmem_py.recall.chance import is_weak
from psychmem_py.recall.ranking import Scored
from psychmem_py.store.matches import Question, matches
from psychmem_py.store.rows import several


class Result(NamedTuple):
    memory: Memory
    score: float  # higher is better; comparable within one answer
    words: Scored  # which words of the question are in it, and where
    weak: bool  # it fits hardly better than chance would have it


def hits(db: sqlite3.Connection, question: Question) -> list[Result]:
    """At most `question.limit` memories that answer it, best first, scores falling."""
    matched = matches(db, question._replace(kin=True))
    memories = several(db, [match.id for match in matched])
    return [Result(memories[match.id], match.score, match.words, is_weak(match.words, match.beyond)) for match in matched]
