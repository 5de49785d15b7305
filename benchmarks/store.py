"""What the store costs at size: importing, storing one memory, neighbours, upkeep and its longest lock, export, purge.

    python benchmarks/store.py [--memories 100000]

CPU time of this process, in a temporary store. Texts are 16 words of a 20,000-word Zipf vocabulary without its 40 commonest words
(those would be stop words), so that rare and common words meet as they do in real notes. The longest lock is wall time: how long
a hook that wants to write would have waited.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from psychmem_py.curation import exports, history, imports, upkeep
from psychmem_py.curation.act import Act
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.model.records import Kind, Status
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows
from psychmem_py.store.connection import open_store
from psychmem_py.store.search import neighbours
from tests.memories_made import purge

NOW = 1_790_000_000.0
DAY_S = 86_400.0
KINDS = ["semantic", "decision", "bugfix", "episodic"]
CHANCE = random.Random(1)
WORDS = ["w" + "".join(CHANCE.choices("abcdefghij", k=6)) for _ in range(20_000)]
WEIGHTS = [1 / (rank + 40) for rank in range(len(WORDS))]


def text() -> str:
    return " ".join(CHANCE.choices(WORDS, WEIGHTS, k=16))


@contextmanager
def told(name: str, note: str = "") -> Iterator[None]:
    began = time.process_time()
    yield
    print(f"{name:44} {time.process_time() - began:8.2f} s CPU  {note}")


def each(name: str, deed: Callable[[int], object], runs: int = 40) -> None:
    taken = []
    for number in range(runs):
        began = time.process_time()
        deed(number)
        taken.append((time.process_time() - began) * 1000)
    print(f"{name:44} {median(taken):8.2f} ms CPU  median of {runs}, most {max(taken):.2f}")


@contextmanager
def locks(db: sqlite3.Connection) -> Iterator[list[float]]:
    """How long each write transaction held the lock, in ms of wall time."""
    held: list[float] = []
    began = [0.0]

    def seen(statement: str) -> None:
        if statement.lower().startswith("begin immediate"):
            began[0] = time.perf_counter()
        elif statement.lower().startswith("commit"):
            held.append((time.perf_counter() - began[0]) * 1000)

    db.set_trace_callback(seen)
    yield held
    db.set_trace_callback(None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--memories", type=int, default=100_000)
    count = parser.parse_args().memories
    lines = [
        json.dumps({"text": text(), "class": KINDS[number % 4], "project": "git:x", "context": "what stood around it"})
        for number in range(count)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with open_store(path, now=NOW) as db:
            run(db, path, lines)


def run(db: sqlite3.Connection, path: Path, lines: list[str]) -> None:
    began = time.process_time()
    imports.ImportRun(Act(db, DEFAULTS, NOW, "import"), None, imports.ImportSource(), exact=False).take_in(lines)
    taken = time.process_time() - began
    print(f"{'import, plain':44} {taken:8.2f} s CPU  {len(lines) / taken:.0f} memories/s, {path.stat().st_size / 1e6:.0f} MB")

    def one(number: int) -> object:
        act = Act(db, DEFAULTS, NOW + number, f"one-{number}")
        return remember(act, Entry(text(), Kind.DECISION, project="git:x"))

    each("store one memory", one)
    said = [json.loads(line)["text"] for line in CHANCE.sample(lines, 50)]
    most = max(len(neighbours(db, [one], project="git:x")) for one in said)
    print(f"{'neighbours looked at, most':44} {most:8}")
    each("undo it", lambda number: history.undo(Act(db, DEFAULTS, NOW + 100 + number, f"undo-{number}"), None))
    with told("maintain, nothing to change"):
        upkeep.maintain(Act(db, DEFAULTS, NOW + 3600, ""))
    with locks(db) as held, told("maintain, a quarter fades", f"{len(lines) // 4} memories decay"):
        upkeep.maintain(Act(db, DEFAULTS, NOW + 10 * DAY_S, ""))
    print(f"{'longest lock':44} {max(held):8.0f} ms wall")
    each("small slice", lambda number: upkeep.hourly_upkeep(Act(db, DEFAULTS, NOW + 11 * DAY_S + number * 3601, "")), runs=10)
    with told("export"):
        exported = sum(1 for _ in exports.export(db))
    (first,) = rows.listed(db, project="git:x", statuses=Status, limit=1)  # whatever has faded meanwhile
    with told("purge one of them", f"{exported} exported before"):
        purge(db, [first.id], path, NOW)


if __name__ == "__main__":
    main()
