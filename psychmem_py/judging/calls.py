"""What reading has cost: calls, bytes and what came of them by day, and how long to let a reader rest that fails. Holds no content."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from psychmem_py.home import files
from psychmem_py.text.dates import DAY_S

FILE = "judge.json"
KEPT_DAYS = 400
BYTES_PER_TOKEN = 4  # a Chinese sign has three, a Russian letter two
_FIRST_REST_S, _LONGEST_REST_S = 600.0, DAY_S
COUNTS = ("calls", "failed", "turns", "sent", "received", "keep", "same", "replace", "drop")


class Calls(NamedTuple):
    """The record of a reader's calls."""

    days: Mapping[str, Mapping[str, int]] = {}  # "2026-03-01" (UTC) -> COUNTS
    failures: int = 0  # in a row, the last call's among them
    failed_at: float = 0.0
    sentence: str = ""  # of the last failure

    def on(self, now: float) -> int:
        """Calls made on the day of `now`."""
        return self.days.get(_day(now), {}).get("calls", 0)

    def rests_until(self) -> float:
        """When a reader that failed is asked again: after ten minutes, twice that for each failure in a row, at most a day."""
        if not self.failures:
            return 0.0
        return self.failed_at + min(_LONGEST_REST_S, _FIRST_REST_S * 2.0 ** (min(self.failures, 20) - 1))

    def totals(self, *, or_none: bool = False) -> dict[str, int]:
        """Every count over all days kept, and about how many tokens that was; with `or_none` empty where there never was a call."""
        if or_none and not self.days:
            return {}
        counts: Counter[str] = Counter()
        for day in self.days.values():
            counts.update(day)
        tokens = (counts["sent"] + counts["received"]) // BYTES_PER_TOKEN
        return {**{name: counts[name] for name in COUNTS}, "tokens": tokens}


def told(totals: Mapping[str, int]) -> str:
    """What reading came to, in words."""
    failed = f" ({totals['failed']} failed)" if totals["failed"] else ""
    came = "{keep} kept, {same} confirmed, {replace} replaced, {drop} dropped".format_map(totals)
    return f"{totals['calls']} requests{failed} for {totals['turns']} messages, about {totals['tokens']:,} tokens: {came}"


def _day(now: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(now))


def read(data: str | os.PathLike[str]) -> Calls:
    """The record; an empty one where there is none or it cannot be read."""
    try:
        with open(os.path.join(data, FILE), encoding="utf-8") as file:
            content: Any = json.load(file)
        days = {str(day): {name: int(counts.get(name, 0)) for name in COUNTS} for day, counts in content["days"].items()}
        return Calls(days, int(content["failures"]), float(content["failed_at"]), str(content["sentence"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Calls()


def note(data: str | os.PathLike[str], now: float, counts: Mapping[str, int], *, failure: str = "") -> Calls:
    """The record with one more call; a `failure` is the sentence that tells it."""
    known = read(data)
    days = {day: dict(kept) for day, kept in sorted(known.days.items())[-KEPT_DAYS:]}
    today = days.setdefault(_day(now), dict.fromkeys(COUNTS, 0))
    for name, number in {**counts, "calls": 1, "failed": int(bool(failure))}.items():
        today[name] = today.get(name, 0) + number
    made = Calls(days, known.failures + 1, now, failure) if failure else Calls(days)
    os.makedirs(data, 0o700, exist_ok=True)
    files.replace(os.path.join(data, FILE), json.dumps(made._asdict()).encode())
    return made
