"""The table of `psychmem_py/extraction/fitted.py`: python -m benchmarks.fit FOLDER ... [--write]

A FOLDER holds labelled messages as `benchmarks.extraction` reads them (*.jsonl), or typed.jsonl and gold.jsonl as `benchmarks.typed` does.
Fits a logistic regression to every clause of a person's message in the table's languages. A feature counts that was met at three people or
sources. Prints, for every set, what would be kept by a table fitted without the person or source at hand; --write writes the table fitted
to all.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.levels import touches
from benchmarks.typed import rows, share
from psychmem_py.extraction import fitted, structure
from psychmem_py.extraction.clause_evidence import evidence_in
from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.prepared_message import prepared_message
from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.sweep_lines import message_of
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.terms import Role

TABLE = Path(fitted.__file__).with_name("fitted_table.py")
PEOPLE = 3  # at which a feature must have been met
ROUNDS, STEP, SHRINK, SEED = 25, 0.1, 10.0, 1
LEAST_CHARS = 8
DOUBTFUL = 0.6  # weight of a clause that only may be kept
FOLDS = 6  # of the sources of one set; a person of a typed set is one each
WIDTH = 124


class Row(NamedTuple):
    """A clause with its features; `worth` 0 nothing, 1 perhaps, 2 surely; `waits` for a doubt that the table may settle."""

    where: str  # set
    who: str  # person or source
    message: str
    seen: frozenset[str]
    worth: int
    kept: bool
    waits: bool


Message = tuple[
    str, str, dict[str, str], list[tuple[str, bool]]
]  # set, person, line of `sweep`, quotes with whether they are sure


def messages(folder: Path) -> Iterator[Message]:
    """The labelled messages of people in a folder."""
    if (folder / "typed.jsonl").exists():
        gold = defaultdict(list)
        for row in rows(folder / "gold.jsonl"):
            gold[row["id"]].append((row["quote"], bool(row["sure"])))
        for row in rows(folder / "typed.jsonl"):
            line = {"id": row["id"], "role": "user", "text": row["text"], "prev_assistant": row.get("previous", "")}
            yield folder.name, row["id"].split("/")[0], line, gold[row["id"]]
        return
    for path in sorted(folder.glob("*.jsonl")):
        for row in rows(path):
            if row["role"] == "user" and not row.get("synthetic"):
                quotes = [(label["span"], label.get("strength") == "must") for label in row["labels"]]
                yield path.stem, row["source"].split(":")[0], row, quotes


def read(folder: Path, matcher: Matcher) -> Iterator[Row]:
    """The clauses of a folder's messages, in the table's languages."""
    for where, who, line, quotes in messages(folder):
        message = message_of(line)
        prepared = prepared_message(message, matcher, structure.Neighbourhood(previous=message.previous))
        if not prepared.codes or prepared.codes[0] not in fitted.LANGUAGES:
            continue
        verdicts = sweep([message], matcher)
        short = [word for code in prepared.codes for word in matcher.languages[code].abbreviations]
        for number, clause in enumerate(clauses(prepared.text, short)):
            quote = message.text[clause.start : clause.end]
            evidence = evidence_in(prepared.folded[clause.start : clause.end], matcher, prepared.codes, Role.USER, faint=True)
            found = [1 + sure for span, sure in quotes if len(quote) > LEAST_CHARS and touches(quote, span)]
            at = next((v for v in verdicts if v.candidate.start < clause.end and v.candidate.end > clause.start), None)
            doubted = at is not None and ((at.waiting and at.reason in fitted.DOUBTS) or at.reason == "likely")
            kept = at is not None and at.is_kept and not doubted
            seen = frozenset(fitted.features(prepared, clause, evidence, number))
            yield Row(where, f"{where}:{who}", str(line["id"]), seen, max(found, default=0), kept, doubted)


def fit(found: list[Row]) -> tuple[float, dict[str, float]]:
    """Base and weights of a logistic regression with shrunk weights (AdaGrad, a fixed order)."""
    people: dict[str, set[str]] = defaultdict(set)
    for row in found:
        for name in row.seen:
            people[name].add(row.who)
    weight = {name: 0.0 for name, who in people.items() if len(who) >= PEOPLE}
    squares = dict.fromkeys(weight, 1.0)
    seen = [[name for name in sorted(row.seen) if name in weight] for row in found]
    base, base_square = 0.0, 1.0
    order, chance = list(range(len(found))), random.Random(SEED)
    met = {name: 0 for name in weight}
    for names in seen:
        for name in names:
            met[name] += 1
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for at in order:
            wanted, count = float(found[at].worth > 0), DOUBTFUL if found[at].worth == 1 else 1.0
            error = (1 / (1 + math.exp(-base - sum(weight[name] for name in seen[at]))) - wanted) * count
            base_square += error * error
            base -= STEP * error / math.sqrt(base_square)
            for name in seen[at]:
                slope = error + SHRINK * weight[name] / met[name]
                squares[name] += slope * slope
                weight[name] -= STEP * slope / math.sqrt(squares[name])
    return base, weight


def rounded(base: float, weight: dict[str, float]) -> tuple[int, dict[str, int]]:
    tenths = {name: round(fitted.SCALE * value) for name, value in weight.items()}
    return round(fitted.SCALE * base), {name: value for name, value in tenths.items() if value}


def left_out(found: list[Row]) -> Iterator[tuple[Row, int]]:
    """Every clause with its odds by a table fitted without its person or source."""
    folds: dict[str, set[str]] = defaultdict(set)
    for number, who in enumerate(sorted({row.who for row in found})):
        where = who.split(":")[0]
        folds[who if len({row.who for row in found if row.where == where}) < 2 * FOLDS else f"{where}{number % FOLDS}"].add(who)
    for out in folds.values():
        base, table = rounded(*fit([row for row in found if row.who not in out]))
        yield from ((row, base + sum(table.get(name, 0) for name in row.seen)) for row in found if row.who in out)


def report(judged: Iterable[tuple[Row, int]]) -> Iterator[str]:
    """One line for each set: what is kept without the table, and with it."""
    by_message: dict[tuple[str, str], list[tuple[Row, int]]] = defaultdict(list)
    for row, likely in judged:
        by_message[row.where, row.message].append((row, likely))
    for where in dict.fromkeys(key[0] for key in by_message):
        for name, least in (("weights alone", math.inf), ("with the table", fitted.LIKELY)):
            kept = [
                max(row.worth for row, likely in found if row.kept or (row.waits and likely >= least))
                for (set_name, _), found in by_message.items()
                if set_name == where and any(row.kept or (row.waits and likely >= least) for row, likely in found)
            ]
            yield f"{where:14} {name:14} kept of {len(kept):3}: {share(sum(map(bool, kept)), len(kept))}, sure {share(kept.count(2), len(kept))}"


def written(base: int, table: dict[str, int]) -> str:
    """The module that holds a table: the features of each weight, in order."""
    by_weight: dict[int, list[str]] = defaultdict(list)
    for name, value in sorted(table.items()):
        by_weight[value].append(name)
    out = [
        '"""The table of `fitted`, in tenths of log odds by feature. Made by `python -m benchmarks.fit --write`; not edited by hand."""',
        "",
    ]
    out += ["# fmt: off", f"BASE = {base}", "_BY_WEIGHT = {"]
    for value in sorted(by_weight):
        lines = [""]
        for name in by_weight[value]:
            lines += [""] if len(lines[-1]) + len(name) > WIDTH - 6 else []
            lines[-1] += f" {name}"
        out += [f'    {value}: """', *(f"       {one}" for one in lines), '    """,']
    return "\n".join([*out, "}", "TABLE = {name: weight for weight, names in _BY_WEIGHT.items() for name in names.split()}", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help="write the table fitted to all of it")
    chosen = parser.parse_args()
    matcher = Matcher(files.load())
    found = [row for folder in chosen.folders for row in read(folder, matcher)]
    print(f"{len(found)} clauses of {len({row.who for row in found})} people and sources")
    print("\n".join(report(left_out(found))))
    if chosen.write:
        TABLE.write_text(written(*rounded(*fit(found))), "utf-8")


if __name__ == "__main__":
    main()
