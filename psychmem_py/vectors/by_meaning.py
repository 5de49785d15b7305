"""Searches by words and by meaning at once: what was asked for, never what a hook says."""

from __future__ import annotations

import os
import sqlite3

from psychmem_py.home.places import encoder_folder, vectors_of
from psychmem_py.recall.query import identifier
from psychmem_py.recall.ranking import UNASKED
from psychmem_py.store import matches, rows, search
from psychmem_py.store.matches import Question
from psychmem_py.store.search import Result

SHARE = 0.45  # of a score that meaning decides; by words the rest
_DEEP = 100  # of either that are looked at
_LEAST = 0.15  # cosine of two texts about different things; less is no answer
_FITS = 0.4  # cosine from which a memory that shares no word is no weak answer


def hits(db: sqlite3.Connection, question: Question, *, database: str, data: str) -> list[Result]:
    """At most `question.limit` memories that answer it, best first; by words alone where no vectors were made.

    Filters hold for both. A phrase in quotes, a single name with a number, and a language the encoder does not read are left to words.
    """
    folder = encoder_folder(data)
    exact = '"' in question.text or bool(identifier(question.text))
    if exact or not os.path.isdir(folder) or not os.path.exists(vectors_of(database)):
        return search.hits(db, question)
    try:
        from psychmem_py.vectors import encoder, vector_file  # noqa: PLC0415  # onnxruntime: 100 ms that searches without it need not pay
    except ImportError:  # the extra is not installed
        return search.hits(db, question)
    try:
        asked_by = encoder.Encoder(folder)
    except encoder.EncoderError:  # `psychmem doctor` names what the folder lacks
        return search.hits(db, question)
    if not asked_by.reads(question.text):
        return search.hits(db, question)
    asked = asked_by.vectors([question.text])[0]
    return fused(db, question, vector_file.read(database, folder).nearness(asked))


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
