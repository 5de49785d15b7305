"""What a new session is told after a project's conversations: lines, characters, and how much of what matters is in it.

    python -m benchmarks.brief MESSAGES.jsonl ... [--least 20] [--print]

A line of MESSAGES: id, role, text, conv, turn, source ("repository:path"), labels with span and strength. Each repository with at
least so many messages is a store of its own, its conversations taken up in order by the rules, and one brief is made behind them.
`must` is the share of the labels of that strength that a line of the brief says (half of the words of either), `stored` the
share that the store holds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.levels import overlap, tokens
from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.extraction.sweep_lines import message_of
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Span
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store.connection import open_store
from psychmem_py.store.rows import recallable

Row = dict[str, Any]
NOW = 1_790_000_000.0
DAY_S = 86_400.0
SAID = 0.5  # token overlap from which a line says what a label marks


def told(name: str, rows: list[Row], matcher: Matcher) -> tuple[list[str], str, list[str]]:
    """The texts told, the whole brief and the texts stored after a repository's conversations, a day between two of them."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "memory.db", now=NOW) as db:
        here = Project("id:" + name, name, folder)
        now = NOW
        for conversation, found in groupby(rows, key=lambda row: row["conv"]):
            messages = tuple(message_of(row) for row in found)
            span = Span(conversation, "claude-code", messages, end=len(messages))
            extract(db, span, project=here, settings=DEFAULTS, matcher=lambda: matcher, now=now)
            now += DAY_S
        brief = compose(db, Occasion(here, now))
        return [one.text for one in brief.choice.shown], brief.text, [one.text for one in recallable(db, here.id)]


def share(labels: list[str], texts: list[str]) -> float:
    """Share of the labels that one of the texts says, in [0, 1]."""
    said = [tokens(text) for text in texts]
    return sum(any(overlap(tokens(label), text) >= SAID for text in said) for label in labels) / max(1, len(labels))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--least", type=int, default=20, help="messages that a repository needs")
    parser.add_argument("--print", action="store_true", help="print the briefs")
    options = parser.parse_args()
    by_repository: dict[str, list[Row]] = defaultdict(list)
    for path in options.files:
        for line in path.read_text("utf-8").split("\n"):
            if line.strip():
                row = json.loads(line)
                by_repository[row["source"].partition(":")[0]].append(row)
    matcher = files.matcher()
    every: list[tuple[int, int, int, float, float]] = []
    briefs: list[str] = []
    for name, rows in by_repository.items():
        if len(rows) < options.least or "/" not in name:
            continue
        rows.sort(key=lambda row: (row["source"], row["conv"], row["turn"]))
        texts, brief, stored = told(name, rows, matcher)
        must = [label["span"] for row in rows for label in row["labels"] if label["strength"] == "must"]
        every.append((len(texts), len(brief), len(must), share(must, texts), share(must, stored)))
        briefs.append(brief)
    labels = sum(count for _, _, count, _, _ in every)
    print(
        "| projects | lines, median | characters, median | `must` labels | in the brief | in the store |\n|---|---|---|---|---|---|"
    )
    in_brief, in_store = (sum(one[2] * one[place] for one in every) / max(1, labels) for place in (3, 4))
    lines, chars = (median(one[place] for one in every) for place in (0, 1))
    print(f"| {len(every)} | {lines:.0f} | {chars:,.0f} | {labels} | {100 * in_brief:.0f} | {100 * in_store:.0f} |")
    if options.print:
        print("\n\n".join(briefs))


if __name__ == "__main__":
    main()
