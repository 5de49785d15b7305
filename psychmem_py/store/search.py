"""Finding memories by words: the memories behind what `store.matches` finds, and those whose exchange answers."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.model.records import Memory
from psychmem_py.recall.query import identifier
from psychmem_py.recall.ranking import UNASKED, Scored, is_weak
from psychmem_py.store import episodes
from psychmem_py.store.episodes import Found
from psychmem_py.store.matches import Question, allowed, matches
from psychmem_py.store.rows import several
from psychmem_py.store.sqlite import among
from psychmem_py.text.tokenizer import phrase_terms


class Result(NamedTuple):
    memory: Memory
    score: float  # higher is better; comparable within one answer
    words: Scored  # which words of the question are in it, and where
    weak: bool  # it fits hardly better than chance would have it, or is another one than the name asked for


def hits(db: sqlite3.Connection, question: Question) -> list[Result]:
    """At most `question.limit` memories that answer it, best first, scores falling."""
    matched = matches(db, question._replace(kin=True))
    by_exchange = _by_exchange(db, question)
    more = allowed(db, question, [key for key in by_exchange if key not in {match.id for match in matched}])
    memories = several(db, [*(match.id for match in matched), *more])
    name = identifier(question.text)
    results = [
        Result(
            memories[match.id],
            match.score + (_OF_EXCHANGE * by_exchange[match.id].score if match.id in by_exchange else 0.0),
            match.words,
            weak=is_weak(match.words, match.beyond) or not _names(memories[match.id], name),
        )
        for match in matched
    ]
    results += [Result(memories[key], _OF_EXCHANGE * by_exchange[key].score, UNASKED, weak=by_exchange[key].weak) for key in more]
    return sorted(results, key=lambda hit: -hit.score)[: question.limit]


_OF_EXCHANGE = 0.3  # of the score of the exchange in which a memory was said; docs/recall.md
_EXCHANGES = 10  # whose memories are looked at


def _by_exchange(db: sqlite3.Connection, question: Question) -> dict[str, Found]:
    """The memories that were said in the exchanges that answer best, each with the best of them."""
    exchanges = episodes.search(
        db, question.text, question.project, all_projects=question.all_projects, after=question.after, limit=_EXCHANGES
    )
    stated = dict[str, list[str]]()
    query = "select message_id, memory_id from evidence where message_id in ({keys})"
    for message, memory in among(db, query, [one.episode.message_id for one in exchanges]):
        stated.setdefault(message, []).append(memory)
    best = dict[str, Found]()
    for one in exchanges:
        for memory in stated.get(one.episode.message_id, ()):
            best.setdefault(memory, one)
    return best


def _names(memory: Memory, name: str) -> bool:
    """Whether a memory holds a name as a whole: SHOP-12 is no answer to SHOP-34."""
    return not name or any(f" {name} " in f" {phrase_terms(text)} " for text in (memory.text, *memory.names))
