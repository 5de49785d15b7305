"""What a new session is told after a project's conversations: lines, characters, and how much of what matters is in it.

    python -m benchmarks.brief MESSAGES.jsonl ... [--least 20] [--print] [--lost]

A line of MESSAGES: id, role, text, conv, turn, source ("repository:path"), labels with span and strength. Each repository with at
least so many messages is a store of its own, its conversations taken up in order by the rules, and one brief is made behind them.
`must` is the share of the labels of that strength that a line of the brief says (half of the words of either), `stored` the
share that the store holds. A second table tells where each of those labels was lost, fixes and lessons apart, because a brief
leaves them to search and prompts; `--lost` prints them. Last the share of lines that say a label, of whatever strength.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.levels import overlap, tokens, touches
from psychmem_py.briefing.brief import Occasion, compose, focus
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
LESSONS = ("bugfix", "learning")
NOW = 1_790_000_000.0
DAY_S = 86_400.0
TOLD, STORED = "told", "stored, and not looked at for a brief"
SAID = 0.5  # token overlap from which a line says what a label marks


class Outcome(NamedTuple):
    """What became of one repository's conversations."""

    brief: str
    told: list[str]
    left_out: list[tuple[str, str]]  # text and why the brief does not say it
    stored: list[str]
    waiting: list[str]
    refused: list[tuple[str, str]]  # text and gate


def outcome(name: str, rows: list[Row], matcher: Matcher) -> Outcome:
    """The brief after a repository's conversations, a day between two of them, and everything that is not in it."""
    waiting: list[str] = []
    refused: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "memory.db", now=NOW) as db:
        here = Project("id:" + name, name, folder)
        now = NOW
        for conversation, found in groupby(rows, key=lambda row: row["conv"]):
            messages = tuple(message_of(row) for row in found)
            span = Span(conversation, "claude-code", messages, end=len(messages))
            result = extract(db, span, project=here, settings=DEFAULTS, matcher=lambda: matcher, now=now)
            waiting += [verdict.candidate.text for verdict in result.waiting]
            refused += [(verdict.candidate.text, str(verdict.gate)) for verdict in result.rejected]
            now += DAY_S
        brief = compose(db, Occasion(here, now, focus_words=focus(db, here, folder, now)))
        return Outcome(
            brief.text,
            [one.text for one in brief.choice.shown],
            [(miss.memory.text, miss.reason) for miss in brief.choice.near_misses],
            [one.text for one in recallable(db, here.id)],
            waiting,
            refused,
        )


def says(text: str, label: str) -> bool:
    return overlap(tokens(label), tokens(text)) >= SAID


def fate(label: str, found: Outcome) -> str:
    """How far a label came on its way into the brief."""
    if any(says(text, label) for text in found.told):
        return TOLD
    if reason := next((why for text, why in found.left_out if says(text, label)), ""):
        return f"left out: {reason}"
    if any(says(text, label) for text in found.stored):
        return STORED
    if any(touches(text, label) for text in found.stored):
        return "stored in part, or among other words"
    if any(says(text, label) for text in found.waiting):
        return "waits for a second mention"
    return next((f"refused: {gate}" for text, gate in found.refused if says(text, label)), "never proposed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--least", type=int, default=20, help="messages that a repository needs")
    parser.add_argument("--print", action="store_true", help="print the briefs")
    parser.add_argument("--lost", action="store_true", help="print the labels that no brief says")
    options = parser.parse_args()
    by_repository: dict[str, list[Row]] = defaultdict(list)
    for path in options.files:
        for line in path.read_text("utf-8").split("\n"):
            if line.strip():
                row = json.loads(line)
                by_repository[row["source"].partition(":")[0]].append(row)
    matcher = files.matcher()
    every: list[Outcome] = []
    fates: list[tuple[str, str, bool]] = []  # of each label, the label, and whether it is a fix or lesson
    saying = 0  # lines that say a label
    for name, rows in by_repository.items():
        if len(rows) < options.least or "/" not in name:
            continue
        rows.sort(key=lambda row: (row["source"], row["conv"], row["turn"]))
        found = outcome(name, rows, matcher)
        labels = [label for row in rows for label in row["labels"]]
        every.append(found)
        fates += [(fate(one["span"], found), one["span"], one["class"] in LESSONS) for one in labels if one["strength"] == "must"]
        saying += sum(any(says(text, one["span"]) or touches(text, one["span"]) for one in labels) for text in found.told)
    counted = Counter(name for name, *_ in fates)
    lessons = Counter(name for name, _, lesson in fates if lesson)
    stored = sum(count for name, count in counted.items() if name in (TOLD, STORED) or name.startswith("left out"))
    lines, chars = median(len(one.told) for one in every), median(len(one.brief) for one in every)
    print(
        "| projects | lines, median | characters, median | `must` labels | in the brief | in the store |\n|---|---|---|---|---|---|"
    )
    share = 100 / max(1, len(fates))
    print(f"| {len(every)} | {lines:.0f} | {chars:,.0f} | {len(fates)} | {share * counted[TOLD]:.0f} | {share * stored:.0f} |")
    print("\n| what became of a `must` label | labels | of them fixes and lessons |\n|---|---|---|")
    for name, count in counted.most_common():
        print(f"| {name} | {count} | {lessons[name]} |")
    told = sum(len(one.told) for one in every)
    print(f"\n{saying} of {told} lines say a label of any strength ({100 * saying / max(1, told):.0f} %)")
    if options.lost:
        print("\n".join(f"{name}: {' '.join(label.split())}" for name, label, _ in sorted(fates) if name != TOLD))
    if options.print:
        print("\n\n".join(one.brief for one in every))


if __name__ == "__main__":
    main()
