"""Searches by words and by meaning at once, by the vectors of a small encoder that the person put beside the database: what was asked for, never
what a hook says.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from types import ModuleType

from psychmem_py.home import locks
from psychmem_py.home.places import encoder_folder, vectors_of
from psychmem_py.memory.clusters import Nearness, by_words
from psychmem_py.model.records import Memory
from psychmem_py.recall.query import identifier
from psychmem_py.recall.ranking import UNASKED
from psychmem_py.store import matches, rows, search
from psychmem_py.store.matches import Question
from psychmem_py.store.search import Result

# Before anything loads numpy: on short texts threads that wait for each other took 281 ms of CPU where one takes 15.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SHARE = 0.45  # of a score that meaning decides; by words the rest
_AT_ONCE = 16  # memories given a vector while somebody waits
IN_THE_BACKGROUND = 500  # 7 to 15 s of CPU with 22 million weights
_DEEP = 100  # of either that are looked at
_LEAST = 0.15  # cosine of two texts about different things; less is no answer
_FITS = 0.4  # cosine from which a memory that shares no word is no weak answer


def hits(db: sqlite3.Connection, question: Question, *, database: str, data: str) -> list[Result]:
    """At most `question.limit` memories that answer it, best first; by words alone where no vectors were made.

    Filters hold for both. A phrase in quotes, a single name with a number, and a language the encoder does not read are left to words.
    """
    folder, exact = encoder_folder(data), '"' in question.text or bool(identifier(question.text))
    if not exact and os.path.exists(vectors_of(database)) and (vector_file := _vector_file(folder)):
        with suppress(vector_file.EncoderError):  # `psychmem doctor` names what the folder lacks
            asked_by = vector_file.Encoder(folder)
            if asked_by.reads(question.text):
                asked = asked_by.vectors([question.text])[0]
                return fused(db, question, vector_file.read(database, folder).nearness(asked))
    return search.hits(db, question)


def _vector_file(folder: str) -> ModuleType | None:
    """What makes and reads vectors; None where there is no encoder, or the extra is not installed."""
    if not os.path.isdir(folder):
        return None
    try:
        from psychmem_py.store import vector_file  # noqa: PLC0415  # onnxruntime: 100 ms that searches without it need not pay
    except ImportError:
        return None
    return vector_file


def nearness(memories: Sequence[Memory], *, database: str, data: str) -> Nearness:
    """How similar memories are: by their vectors where each of them has one, else by words."""
    folder = encoder_folder(data)
    if os.path.exists(vectors_of(database)) and (vector_file := _vector_file(folder)):
        held = vector_file.read(database, folder)
        if {memory.id for memory in memories} <= set(map(str, held.ids)):
            near: Nearness = held.among([memory.id for memory in memories])
            return near
    return by_words(memories)


def keep_up(db: sqlite3.Connection, *, database: str, data: str, most: int = _AT_ONCE) -> None:
    """Gives what was just kept or reworded a vector, so that it is found by meaning at once; where an encoder is, and not for many: an
    import is the background's.
    """
    if vector_file := _vector_file(encoder_folder(data)):
        with locks.lock(data, "vectors", 0.0, kind="store") as locked:
            if locked:
                vector_file.fill(db, database, data, most=most)


def fused(db: sqlite3.Connection, question: Question, nearness: dict[str, float]) -> list[Result]:
    """The answer of `store.search` mixed with how near each memory's meaning is: the score by words as a share of the best one's, the
    cosine as a share of the nearest one's.
    """
    deep = question._replace(limit=max(_DEEP, question.limit))
    by_words = {hit.memory.id: hit for hit in search.hits(db, deep)}
    best = max((hit.score for hit in by_words.values()), default=0.0) or 1.0
    near = sorted(
        (key for key, cosine in nearness.items() if key not in by_words and cosine >= _LEAST), key=lambda key: -nearness[key]
    )
    meant = rows.several(db, matches.allowed(db, question, near[: deep.limit]))
    every = [*by_words.values(), *(Result(memory, 0.0, UNASKED, weak=True) for memory in meant.values())]
    cosines = [max(0.0, nearness.get(hit.memory.id, 0.0)) for hit in every]
    nearest = max(cosines, default=0.0) or 1.0
    fused_hits = [
        hit._replace(score=(1 - SHARE) * hit.score / best + SHARE * cosine / nearest, weak=hit.weak and cosine < _FITS)
        for hit, cosine in zip(every, cosines, strict=True)
    ]
    return sorted(fused_hits, key=lambda hit: (-hit.score, hit.memory.id))[: question.limit]
