"""How long a search takes in large stores: 10,000, 100,000 and 1,000,000 memories of 18 words over a 60,000-word Zipf vocabulary.

python -m benchmarks.scale --folder /tmp/scale            builds what is missing, then prints times of a search in process
python -m benchmarks.scale --folder /tmp/scale --size 10000
"""

from __future__ import annotations

import argparse
import itertools
import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from psychmem_py.model.records import HUMAN, Kind
from psychmem_py.store import search
from psychmem_py.store.connection import migrate
from psychmem_py.store.matches import Question
from psychmem_py.store.sqlite import SCHEMA
from psychmem_py.text.dates import date_words

SIZES = (10_000, 100_000, 1_000_000)
VOCABULARY = 60_000
WORDS = 18
QUERIES = 200
NOW = 1_790_000_000.0
_SYLLABLES = [a + b for a in "bcdfghjklmnprstvz" for b in "aeiou"]


def vocabulary(rng: random.Random) -> list[str]:
    """Made-up words, the commonest first."""
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        made["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4)))] = None
    return list(made)


def build(path: Path, size: int) -> None:
    """A store of `size` memories: half the user's, half of twenty projects."""
    rng = random.Random(size)
    words = vocabulary(random.Random(1))
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))
    kinds = list(Kind)
    partial = path.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    db = sqlite3.connect(partial)
    db.execute("pragma journal_mode = off")
    db.execute("pragma synchronous = off")
    migrate(db, 0)
    db.execute(f"pragma user_version = {SCHEMA}")

    def texts() -> Iterator[tuple[int, str]]:
        for seq in range(1, size + 1):
            yield seq, " ".join(rng.choices(words, cum_weights=weights, k=WORDS))

    for some in itertools.batched(texts(), 10_000) if hasattr(itertools, "batched") else _batches(texts(), 10_000):
        rows = [_row(seq, text, kinds[seq % len(kinds)], rng) for seq, text in some]
        names = list(rows[0])
        db.executemany(
            f"insert into memory ({', '.join(names)}) values ({', '.join('?' * len(names))})", [tuple(r.values()) for r in rows]
        )
        indexed = [(seq, text, "", date_words(row["created_at"]), "") for (seq, text), row in zip(some, rows, strict=True)]
        db.executemany("insert into memory_search (seq, text, names, dates, context) values (?, ?, ?, ?, ?)", indexed)
        db.executemany("insert into memory_fts (rowid, text, names, dates, context) values (?, ?, ?, ?, ?)", indexed)
    db.commit()
    db.execute("insert into memory_fts (memory_fts) values ('optimize')")
    db.commit()
    db.close()
    partial.rename(path)


def _batches(rows: Iterator[tuple[int, str]], size: int) -> Iterator[tuple[tuple[int, str], ...]]:
    while some := tuple(itertools.islice(rows, size)):
        yield some


def _row(seq: int, text: str, kind: Kind, rng: random.Random) -> dict[str, object]:
    project = None if seq % 2 else f"dir:/project/{seq % 40 // 2}"
    at = NOW - rng.random() * 3e7
    return {
        "seq": seq, "id": f"{seq:032x}", "text": text, "class": str(kind), "project": project,
        "scope": "project" if project else "user",
        "store": "ltm", "tier": "normal", "status": "active", "pinned": 0, "origin": str(min(HUMAN)), "importance": 0.5,
        "utility": 0.5, "novelty": 0.5, "confidence": 0.7, "interference": 0.0, "strength": rng.random(), "created_at": at,
        "updated_at": at, "anchor_at": at, "hash": f"{seq:032x}",
    }  # fmt: skip


def times_ms(path: Path) -> tuple[list[float], list[float]]:
    """Milliseconds of each query, by the wall and of CPU, sorted.

    Eight words of the same distribution as the memories, so common words are in most of them.
    """
    rng = random.Random(5)
    words = vocabulary(random.Random(1))
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))
    db = sqlite3.connect(path)
    wall, cpu = [], []
    for _ in range(QUERIES):
        query = " ".join(rng.choices(words, cum_weights=weights, k=8))
        start, start_cpu = time.perf_counter(), time.process_time()
        search.hits(db, Question(query, "dir:/project/3", NOW, limit=10))
        wall.append((time.perf_counter() - start) * 1000)
        cpu.append((time.process_time() - start_cpu) * 1000)
    db.close()
    return sorted(wall), sorted(cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="where the stores are kept; 1,000,000 memories take 1.2 GB")
    parser.add_argument("--size", type=int, action="append", dest="sizes")
    parser.add_argument("--build-only", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print("| memories | p50 ms | p95 ms | CPU p50 ms | CPU p95 ms |\n|---|---|---|---|---|")
    for size in options.sizes or SIZES:
        path = options.folder / f"{size}.db"
        if not path.exists():
            build(path, size)
        if not options.build_only:
            figures = (f"{one[int(share * len(one))]:.1f}" for one in times_ms(path) for share in (0.5, 0.95))
            print(f"| {size:,} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main()
