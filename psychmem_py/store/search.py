"""Finding memories: by words, by their exchanges, by meaning where an encoder is there; and those near a new statement."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from types import ModuleType
from typing import NamedTuple

from psychmem_py.home import locks, places
from psychmem_py.memory.admission import DOUBT
from psychmem_py.memory.change_cues import exchange, is_of_here, rivals
from psychmem_py.memory.reconcile import Planning, plan
from psychmem_py.model.light_record import KNOWN
from psychmem_py.model.records import HUMAN, RULES, Candidate, Change, Kind, Memory, Scope
from psychmem_py.recall.query import identifier, parsed
from psychmem_py.recall.ranking import NO_WORD, Scored, is_weak
from psychmem_py.store import episodes, rows, sqlite
from psychmem_py.store.matches import Question, allowed, holders, matches, quoted, rarest_terms
from psychmem_py.text.dates import is_of
from psychmem_py.text.likeness import NEIGHBOUR, shares_enough
from psychmem_py.text.tokenizer import digest, phrase_terms, subject


class Result(NamedTuple):
    memory: Memory
    score: float  # higher is better; comparable within one answer
    words: Scored  # which words of the question are in it, and where
    weak: bool  # it fits hardly better than chance would have it, or is another one than the name asked for


def hits(db: sqlite3.Connection, question: Question) -> list[Result]:
    """At most `question.limit` memories that answer it, best first, scores falling."""
    matched = matches(db, question)
    by_exchange = _by_exchange(db, question)
    more = allowed(db, question, [key for key in by_exchange if key not in {match.id for match in matched}])
    memories = rows.several(db, [*(match.id for match in matched), *more])
    name, quotes = identifier(question.text), parsed(question.text).phrases
    said = {key: 0.3 * one.score for key, one in by_exchange.items()}  # docs/recall.md
    results = []
    for match in matched:
        memory, score = memories[match.id], match.score + said.get(match.id, 0.0)
        # SHOP-12 is no answer to SHOP-34.
        said_so = any(f" {name} " in f" {phrase_terms(text)} " for text in (memory.text, *memory.names))
        named = not name or said_so or is_of(question.text, memory.created_at)
        results.append(Result(memory, score, match.words, not (quotes or (named and not is_weak(match.words, match.beyond)))))
    results += [Result(memories[key], said[key], NO_WORD, weak=by_exchange[key].weak) for key in more]
    return sorted(results, key=lambda hit: -hit.score)[: question.limit]


def _by_exchange(db: sqlite3.Connection, question: Question) -> dict[str, episodes.Found]:
    """The memories that were said in the ten exchanges that answer best, each with the best of them."""
    text, project, _, all_projects, *_ = question
    found = episodes.search(db, text, project, all_projects=all_projects, after=question.after, limit=10)
    exchanges = {one.episode.message_id: one for one in reversed(found)}
    stated = sqlite.among(db, "select memory_id, message_id from evidence where message_id in ({keys})", list(exchanges))
    said = [(memory, exchanges[message]) for memory, message in stated]
    return dict(sorted(said, key=lambda pair: pair[1].score))  # of several the best is the last


# Before anything loads numpy: on short texts threads that wait for each other took 281 ms of CPU where one takes 15.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SHARE = 0.45  # of a score that meaning decides; by words the rest
IN_THE_BACKGROUND = 500  # 7 to 15 s of CPU with 22 million weights
_FITS = 0.4  # cosine from which a memory that shares no word is no weak answer
_WORDS, _ROWS = 40, 1_000  # of a text that are looked for, and rows that they may open: 3 µs each


def answers(db: sqlite3.Connection, question: Question, *, database: str, data: str) -> list[Result]:
    """At most `question.limit` memories that answer it, best first; a phrase, a name or no vectors: by words alone."""
    folder, exact = places.encoder_folder(data), '"' in question.text or bool(identifier(question.text))
    if not exact and os.path.exists(places.vectors_of(database)) and (vector_file := _vector_file(folder)):
        with suppress(vector_file.EncoderError):  # `psychmem doctor` names what the folder lacks
            if (asked_by := vector_file.Encoder(folder)).reads(question.text):
                asked = asked_by.vectors([question.text])[0]
                return fused(db, question, vector_file.nearness(vector_file.read(database, folder), asked))
    return hits(db, question)


def _vector_file(folder: str) -> ModuleType | None:
    """What makes and reads vectors; None where there is no encoder, or the extra is not installed."""
    if not os.path.isdir(folder):
        return None
    try:
        from psychmem_py.store import vector_file  # noqa: PLC0415  # onnxruntime: 100 ms that searches without it need not pay
    except ImportError:
        return None
    return vector_file


def add_vectors(db: sqlite3.Connection, *, database: str, data: str, most: int = 16) -> None:
    """Makes vectors of what was just kept or reworded, so that meaning finds it at once; an import is left to the background."""
    if vector_file := _vector_file(places.encoder_folder(data)):
        with locks.lock(data, "vectors", 0.0, kind="store") as locked:
            if locked:
                vector_file.fill(db, database, data, most=most)


def fused(db: sqlite3.Connection, question: Question, nearness: dict[str, float]) -> list[Result]:
    """`hits` mixed with how near each meaning is: the score as a share of the best one's, the cosine of the nearest one's."""
    deep = question._replace(limit=max(100, question.limit))
    by_words = {hit.memory.id: hit for hit in hits(db, deep)}
    best = max((hit.score for hit in by_words.values()), default=0.0) or 1.0
    others = (key for key, cosine in nearness.items() if key not in by_words and cosine >= 0.15)  # less: about different things
    meant = rows.several(db, allowed(db, question, sorted(others, key=lambda key: -nearness[key])[: deep.limit]))
    every = [*by_words.values(), *(Result(memory, 0.0, NO_WORD, weak=True) for memory in meant.values())]
    cosines = [max(0.0, nearness.get(hit.memory.id, 0.0)) for hit in every]
    nearest = max(cosines, default=0.0) or 1.0
    fused_hits = [
        hit._replace(score=(1 - SHARE) * hit.score / best + SHARE * cosine / nearest, weak=hit.weak and cosine < _FITS)
        for hit, cosine in zip(every, cosines, strict=True)
    ]
    return sorted(fused_hits, key=lambda hit: (-hit.score, hit.memory.id))[: question.limit]


def neighbours(  # noqa: PLR0917
    db: sqlite3.Connection,
    texts: Sequence[str],
    kind: Kind | None = None,
    project: str | None = None,
    limit: int = 200,
    statuses: Collection[str] = KNOWN,
) -> list[Memory]:
    """Memories of the user and of `project` that may say the same as any of `texts`, or the opposite; the closest for each."""
    seqs: set[int] = set()
    for text in texts:
        seqs.update(sqlite.column(db, "select seq from memory where hash = ?", digest(text)), _closest(db, text, limit))
        if opposite := rivals(text):
            seqs.update(seq for seq, _ in _matching(db, " OR ".join(map(quoted, opposite)), limit // 4))
        if stated := exchange(text):
            seqs.update(seq for seq, _ in _matching(db, quoted(stated.former), limit // 4))
    of = "(project is null or project = ?) and class = ifnull(?, class)"
    condition = f"select {rows.SELECT} from memory where seq in ({{keys}}) and {rows.status_in(statuses)} and {of} order by seq"
    return [rows.memory(line) for line in sqlite.among(db, condition, sorted(seqs), project, kind)]


def planned(
    db: sqlite3.Connection, how: Planning, candidates: Iterable[Candidate], near: Sequence[Memory], replaces: Memory | None = None,
    *, widens: bool = False,
) -> list[Change]:  # fmt: skip
    """The changes that make candidates known; with `widens` a person's rule said alike in another project holds everywhere."""
    known, taken, before = list(near), list[Candidate](), dict[str, Memory]()
    for candidate in candidates:
        if elsewhere := _said_elsewhere(db, candidate, how.project) if widens and how.project else None:
            before[elsewhere.id] = elsewhere
            known.append(elsewhere._replace(scope=Scope.USER, project=None))
        taken.append(candidate._replace(scope=Scope.USER) if elsewhere else candidate)
    how = how._replace(stated=rows.sessions_of(db, [memory.id for memory in known]))
    formers = ((one, before.pop(one.memory_id, None)) for one in plan(how, taken, known, replaces))
    why = "said in two projects"
    return [one._replace(before=former, reason=why) if former and one.before else one for one, former in formers]


def _said_elsewhere(db: sqlite3.Connection, one: Candidate, project: str) -> Memory | None:
    """The rule of the person's that says the same as this one of theirs in the same words in another project, not "here"."""
    if one.origin not in HUMAN or one.kind not in RULES or one.scope is not Scope.PROJECT or DOUBT in dict(one.metadata):
        return None
    same = "hash = ? and status = 'active' and project != ? and origin in (?, ?) order by seq limit 1"
    said = rows.where(db, same, digest(one.text), project, *HUMAN)
    return said[0] if said and not is_of_here(f"{one.quote} {one.text}") else None


def _closest(db: sqlite3.Connection, text: str, limit: int) -> list[int]:
    """Rows that share enough words with a text to be like it, closest first; any other is too unlike it to matter."""
    about = subject(text)
    opened = rarest_terms(holders(db, sorted(about)[:_WORDS]), _ROWS)
    rows = _matching(db, " OR ".join(map(quoted, opened)), _ROWS) if opened else []
    each = ((frozenset(indexed.split(" ")), seq) for seq, indexed in rows)
    near = [(-len(about & own), seq) for own, seq in each if shares_enough(min(about, own, key=len), about & own, NEIGHBOUR)]
    return [seq for _, seq in sorted(near)[:limit]]


def _matching(db: sqlite3.Connection, query: str, limit: int) -> list[tuple[int, str]]:
    matched = "memory_fts join memory_search on memory_search.seq = memory_fts.rowid where memory_fts match ? limit ?"
    return db.execute(f"select memory_search.seq, memory_search.text from {matched}", (f"text:({query})", limit)).fetchall()
