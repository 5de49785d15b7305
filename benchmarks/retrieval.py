"""How well memories are found again, in process: R@k and nDCG for searches, recall, precision and silence for the prompt hook.

        python -m benchmarks.retrieval SETS [--set NAME ...] [--encoder FOLDER]  SETS: <set>/<store>/{documents,queries}.jsonl

A document has id, text and perhaps created_at, names, context; a query has id, query and gold, the ids that must come back, maybe
none. With `--encoder` searches go by words and by meaning. A store of one set is one database; `<set>-pooled` has all of a set.
"""

from __future__ import annotations

import argparse
import json
import math
import sqlite3
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from psychmem_py.briefing import at_prompt
from psychmem_py.model.records import Kind, Memory, Origin, Scope, Status, Store, Tier
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import matches, search
from psychmem_py.store.connection import migrate
from psychmem_py.store.rows import COLUMNS as COLUMNS_OF
from psychmem_py.store.rows import index_words, row
from psychmem_py.store.search import fused
from psychmem_py.store.vector_file import Encoder, Vectors, nearness, vector_text
from psychmem_py.text.tokenizer import digest

DEPTH = 100
NOW = 1_795_000_000.0
COLUMNS = ("R@1", "R@5", "R@10", "nDCG@10")
RETURNED = ("recall", "precision", "exact", "silent")


class Question(NamedTuple):
    id: str
    query: str
    gold: frozenset[str]


class Case(NamedTuple):
    """Documents that live in one database, and the questions asked of it."""

    documents: list[Memory]
    questions: list[Question]


def cases(folder: Path, name: str) -> list[Case]:
    """The stores of one set."""
    found = [
        Case([_memory(row) for row in _rows(path)], [_question(row) for row in _rows(path.with_name("queries.jsonl"))])
        for path in sorted((folder / name.removesuffix("-pooled")).glob("*/documents.jsonl"))
    ]
    if not name.endswith("-pooled"):
        return found
    return [Case([row for one in found for row in one.documents], [row for one in found for row in one.questions])]


def _rows(path: Path) -> list[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _question(row: dict) -> Question:
    return Question(row["id"], row["query"], frozenset(row["gold"]))


def _memory(row: dict) -> Memory:
    stated = row.get("created_at")
    at = datetime.fromisoformat(stated.replace("Z", "+00:00")).timestamp() if stated else NOW
    return Memory(
        id=row["id"], text=row["text"], kind=Kind.SEMANTIC, scope=Scope.USER, project=None, store=Store.LTM, tier=Tier.NORMAL,
        status=Status.ACTIVE, pinned=False, origin=Origin.USER_PROMPT, importance=0.5, utility=0.5, novelty=0.5, confidence=0.7,
        interference=0.0, strength=0.5, use_count=0, session_count=1, created_at=at, updated_at=at, anchor_at=at,
        names=tuple(row.get("names", ())), context=row.get("context", ""),
    )  # fmt: skip


def filled(documents: Iterable[Memory]) -> sqlite3.Connection:
    """A database in memory that holds the documents; of equal texts only the first is indexed."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate(db, 0)
    db.execute("begin")
    for seq, one in enumerate(documents, 1):
        values = dict(zip((*COLUMNS_OF, "hash"), (*row(one), digest(one.text)), strict=True)) | {"seq": seq}
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        done = db.execute(f"insert or ignore into memory ({columns}) values ({marks})", tuple(values.values()))
        if done.rowcount:
            for table, key in (("memory_search", "seq"), ("memory_fts", "rowid")):
                db.execute(
                    f"insert into {table} ({key}, text, names, dates, context) values (?, ?, ?, ?, ?)", (seq, *index_words(one))
                )
    db.execute("commit")
    return db


def ranking_scores(ranked: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """R@k: share of the gold in the first k."""
    good = [id_ in gold for id_ in ranked]
    gain = sum(1 / math.log2(place + 2) for place, one in enumerate(good[:10]) if one)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(gold))))
    return {f"R@{k}": sum(good[:k]) / len(gold) for k in (1, 5, 10)} | {"nDCG@10": gain / ideal}


def returned_scores(returned: frozenset[str], gold: frozenset[str]) -> dict[str, float]:
    """`silent` only where nothing was wanted; recall and precision only where something was."""
    exact = {"exact": float(returned == gold)}
    if not gold:
        return exact | {"silent": float(not returned)}
    good = len(returned & gold)
    return exact | {"recall": good / len(gold), "precision": good / len(returned) if returned else 0.0}


def mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    keys = dict.fromkeys(key for row in rows for key in row)
    return {key: sum(found) / len(found) for key in keys if (found := [row[key] for row in rows if key in row])}


def vectors_of(encoder: Encoder, memories: Sequence[Memory]) -> Vectors:
    """The vectors of memories, as a store keeps them beside itself."""
    made = encoder.eighths([vector_text(one.text, one.names) for one in memories])
    return {one.id: (0.0, row) for one, row in zip(memories, made, strict=True)}


def shown_at_prompt(db: sqlite3.Connection, prompt: str) -> list[str]:
    """Ids of the memories that a prompt calls for in a session that was shown nothing."""
    most = DEFAULTS.retrieval.max_prompt_memories
    return [one.id for one in at_prompt.fitting(db, prompt, project=None, seen={}, now=NOW, most=most, stated_in="")]


def measured(found: Sequence[Case], encoder: Encoder | None = None) -> tuple[dict[str, float], dict[str, float], float]:
    """Average ranking scores, average scores of what the prompt hook shows, and milliseconds per search."""
    ranked: list[dict[str, float]] = []
    shown: list[dict[str, float]] = []
    spent, asked = 0.0, 0
    judged = any(not question.gold for case in found for question in case.questions)
    for case in found:
        db = filled(case.documents)
        same = _same(case.documents)
        vectors = vectors_of(encoder, case.documents) if encoder else None
        for question in case.questions:
            start = time.perf_counter()
            asked_for = matches.Question(question.query, None, NOW, limit=DEPTH)
            if encoder and vectors and encoder.reads(question.query):
                answer = fused(db, asked_for, nearness(vectors, encoder.vectors([question.query])[0]))
            else:
                answer = search.hits(db, asked_for)
            spent, asked = spent + time.perf_counter() - start, asked + 1
            if question.gold:
                ids = [id_ for hit in answer for id_ in same[digest(hit.memory.text)]]
                ranked.append(ranking_scores(ids, question.gold))
            if judged:
                shown.append(returned_scores(frozenset(shown_at_prompt(db, question.query)), question.gold))
        db.close()
    return mean(ranked), mean(shown), 1000 * spent / max(1, asked)


def _same(documents: Iterable[Memory]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in documents:
        found.setdefault(digest(one.text), []).append(one.id)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", action="append", dest="sets", help="name of a folder, or NAME-pooled")
    parser.add_argument("--encoder", type=Path, help="a folder of weights")
    options = parser.parse_args()
    encoder = Encoder(str(options.encoder)) if options.encoder else None
    names = options.sets or sorted(path.name for path in options.folder.iterdir() if path.is_dir())
    print(f"| set | questions | {' | '.join(COLUMNS)} | ms/search |\n" + "|---" * (len(COLUMNS) + 3) + "|")
    returned = {}
    for name in names:
        found = cases(options.folder, name)
        ranked, shown, ms = measured(found, encoder)
        asked = sum(bool(question.gold) for case in found for question in case.questions)
        print(
            f"| {name} | {asked} | " + " | ".join(f"{100 * ranked[column]:.1f}" for column in COLUMNS) + f" | {ms:.1f} |",
            flush=True,
        )
        if shown:
            returned[name] = shown
    for name, scores in returned.items():
        print(f"\n| {name}: shown at the prompt | {' | '.join(RETURNED)} |\n" + "|---" * (len(RETURNED) + 1) + "|")
        print("| | " + " | ".join(f"{100 * scores[column]:.1f}" for column in RETURNED) + " |")


if __name__ == "__main__":
    main()
