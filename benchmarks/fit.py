"""Fits the table of how likely a statement is (`psychmem_py/likelihood.txt`): python -m benchmarks.fit SOURCE... [--output FILE]

A SOURCE is a folder as `benchmarks.typed` reads it, or a file of labelled messages as `benchmarks/extraction.py` reads it, which
counts half. Every clause of a person's message in a language of the table is one case: wanted where it touches a labelled
quote. A sure one counts half as much again (`SURE`). A feature needs messages of `PEOPLE` people.
To see what a table is worth, fit one without a source (--output), put it in place, and measure on that source.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.levels import touches
from benchmarks.typed import Row, rows
from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.prepared_message import prepared_message
from psychmem_py.extraction.structure import LANGUAGES, UNIT, Neighbourhood, features
from psychmem_py.extraction.sweep_lines import message_of
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.settings import DEFAULTS

TABLE = Path(__file__).resolve().parent.parent / "psychmem_py" / "likelihood.txt"
PEOPLE, OF_MESSAGES, SURE = 8, 0.5, 1.5
PENALTY, STEPS = 5.0, 300  # of the squares of all weights but the bias; steps of the descent


class Case(NamedTuple):
    source: str
    person: str
    found: Mapping[str, float]
    wanted: bool
    weight: float


def labelled(source: Path) -> Iterator[tuple[str, Row, list[tuple[str, bool]], float]]:
    """Of each message of a person: who, the message, the labelled quotes and whether they are sure, what it counts."""
    if source.is_dir():
        gold = defaultdict[str, list[tuple[str, bool]]](list)
        for row in rows(source / "gold.jsonl"):
            gold[row["id"]].append((row["quote"], row["sure"]))
        for row in rows(source / "typed.jsonl"):
            message = {"id": row["id"], "role": "user", "text": row["text"], "prev_assistant": row.get("previous", "")}
            yield f"{source}/{row['id'].split('/')[0]}", message, gold[row["id"]], 1.0
        return
    for row in rows(source):
        if row["role"] == "user":
            quotes = [(label["span"], label.get("strength") != "should") for label in row.get("labels") or []]
            yield f"{source}/{row['id']}", row, quotes, OF_MESSAGES


def cases(source: Path, matcher: Matcher) -> Iterator[Case]:
    """A case for every clause of a source."""
    for person, row, quotes, weight in labelled(source):
        message = message_of(row)
        prepared = prepared_message(message, Neighbourhood(message.previous), matcher, DEFAULTS)
        abbreviations = [word for code in prepared.codes for word in matcher.languages[code].abbreviations]
        for clause in clauses(prepared.text, abbreviations) if LANGUAGES & set(prepared.codes[:1]) else ():
            found = features(prepared.folded_in(clause), prepared.evidence(clause, faint=True), prepared.length)
            hit = [sure for quote, sure in quotes if touches(prepared.written_in(clause), quote)]
            yield Case(str(source), person, found, bool(hit), weight * (SURE if any(hit) else 1.0))


def fitted(every: Sequence[Case]) -> dict[str, float]:
    """The weights of a logistic regression with a squared penalty, in logits; by descent with the momentum of Nesterov."""
    people = defaultdict[str, set[str]](set)
    for case in every:
        for name in case.found:
            people[name].add(case.person)
    names = [name for name, who in people.items() if len(who) >= PEOPLE]
    at = {name: number for number, name in enumerate(names)}
    table = [
        ([(at[name], value) for name, value in case.found.items() if name in at], case.wanted, case.weight) for case in every
    ]
    scale = [PENALTY] * len(names)  # a bound of the curvature along each weight
    for found, _, weight in table:
        total = sum(value for _, value in found)
        for number, value in found:
            scale[number] += 0.25 * weight * value * total
    weights, ahead = [0.0] * len(names), [0.0] * len(names)
    for step in range(STEPS):
        slope = [PENALTY * weight for weight in ahead]
        for found, wanted, weight in table:
            odds = sum(value * ahead[number] for number, value in found)
            error = weight * (1 / (1 + math.exp(-odds)) - wanted)
            for number, value in found:
                slope[number] += error * value
        before, weights = weights, [one - each / most for one, each, most in zip(ahead, slope, scale, strict=True)]
        ahead = [new + step / (step + 3) * (new - old) for new, old in zip(weights, before, strict=True)]
    return dict(zip(names, weights, strict=True))


def lines(weights: Mapping[str, float]) -> str:
    """The table as it is kept: whole numbers, the names in order, what weighs nothing left out."""
    whole = {name: round(UNIT * weight) for name, weight in weights.items()}
    return "".join(f"{whole[name]} {name}\n" for name in sorted(whole) if whole[name])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--output", type=Path, default=TABLE)
    chosen = parser.parse_args()
    matcher = Matcher(files.load())
    every = [case for source in chosen.sources for case in cases(source, matcher)]
    print(f"{len(every)} clauses of {len({case.person for case in every})} people, {sum(case.wanted for case in every)} wanted")
    weights = fitted(every)
    chosen.output.write_text(lines(weights), "utf-8")
    print(f"{len(weights)} features, {chosen.output.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
