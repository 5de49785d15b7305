"""How well the extractor does on messages somebody has labelled: precision, recall, false positives, message by message."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from psychmem_py.errors import PayloadError
from psychmem_py.extraction.sweep import limited, sweep
from psychmem_py.extraction.sweep_lines import message_of
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Verdict


class Figures(NamedTuple):
    """Counts of messages; those that only may be kept are left out."""

    hits: int = 0  # something to keep, something kept
    misses: int = 0
    false: int = 0  # nothing to keep, something kept
    quiet: int = 0

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.false) if self.hits + self.false else 0.0

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else 0.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def false_per_100(self) -> float:
        return 100 * self.false / (self.false + self.quiet) if self.false + self.quiet else 0.0

    def and_one(self, *, wanted: bool, kept: bool) -> Figures:
        return Figures(
            self.hits + (wanted and kept),
            self.misses + (wanted and not kept),
            self.false + (kept and not wanted),
            self.quiet + (not wanted and not kept),
        )


def figures(rows: Iterable[dict[str, Any]], matcher: Matcher, seen: Callable[[], None] = lambda: None) -> dict[str, Figures]:
    """The figures for all messages, for each role and for each language; `seen` is told of every message."""

    def verdicts() -> Iterator[tuple[dict[str, Any], list[Verdict]]]:
        for row in rows:
            yield row, sweep([message_of(row)], matcher)
            seen()

    return counted(verdicts())


def counted(found_in: Iterable[tuple[dict[str, Any], Sequence[Verdict]]]) -> dict[str, Figures]:
    """The figures for labelled messages with the verdicts on their clauses."""
    by_name: dict[str, Figures] = {"all": Figures()}
    for row, verdicts in found_in:
        labels = row.get("labels") or []
        kept = any(v.is_kept for v in limited(verdicts))
        if labels and all(label.get("strength") == "should" for label in labels):
            continue  # may be kept, need not
        for group in ("all", str(row.get("role", "")), str(row.get("lang", ""))):
            if group:
                by_name[group] = by_name.get(group, Figures()).and_one(wanted=bool(labels), kept=kept)
    return by_name


def labelled(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The rows of a labelled file. Raises PayloadError naming the line that is none."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict) or not isinstance(row.get("text"), str) or not isinstance(row.get("labels", []), list):
            raise PayloadError(f'line {number} is no labelled message; write {{"role", "text", "labels": [{{"span", "class"}}]}}')
        yield row
