"""How many lines of a brief are wrong after ten, a hundred and three hundred days: python benchmarks/wrong_lines.py [--seeds 5]

A developer works in three projects in turn. Each working day brings as many memories as real transcripts gave, and as many of them
wrong (RATES); what is right is now and then said again in another session, what is wrong is a fragment that nobody repeats. Every
statement takes the path of the sweep: candidate, neighbours, reconciliation, one logged batch, upkeep at night. Printed is the mean over the three projects'
briefs and over as many lives as wanted, for the rules with and without short-term memory, each with the rates that were measured then and now.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from pathlib import Path
from statistics import mean
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.curation import upkeep
from psychmem_py.home.project import Project
from psychmem_py.memory.reconcile import plan
from psychmem_py.model.records import Candidate
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.model.terms import Kind, Origin, Role, Scope, Store
from psychmem_py.store import change_log, overview, rows
from psychmem_py.store.connection import open_store
from psychmem_py.store.search import neighbours

START, DAY_S = 1_767_225_600.0, 86_400.0
DAYS = (10, 100, 300)
PROJECTS = tuple(Project(f"git:acme/{name}", name, f"/work/{name}") for name in ("shop", "billing", "site"))
PROMPTS_A_DAY = 15
SAID_AGAIN = 0.25  # of what is right and new, so much restates something told in an earlier session
TOLD_AS_LASTING = 0.10  # of what people say and the rules keep, right or wrong (docs/extraction.md)


class Rates(NamedTuple):
    """Memories for 100 prompts, and the share of them that is worth nothing, of people and of the assistant."""

    people: float
    people_wrong: float
    assistant: float
    assistant_wrong: float
    assistant_settled: float  # share of the assistant's that something bore out


# docs/extraction.md, read one by one: what was stored before anything had to bear a statement out, and what is stored now.
THEN = Rates(people=20, people_wrong=0.53, assistant=69, assistant_wrong=0.23, assistant_settled=0.38)
NOW = Rates(people=12, people_wrong=0.40, assistant=7, assistant_wrong=0.18, assistant_settled=1.0)
_KINDS = (Kind.CONSTRAINT, Kind.CONSTRAINT, Kind.DECISION, Kind.SEMANTIC, Kind.PREFERENCE)
_SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo zu bel cam dor fin gal hem jor kin lum mar nes".split()


class Life:
    """One store, and which of its texts are wrong."""

    def __init__(self, folder: Path, settings: Settings, rates: Rates, seed: int) -> None:
        self.folder, self.settings, self.rates, self.chance = folder, settings, rates, random.Random(seed)
        self.right: dict[str, list[str]] = {project.id: [] for project in PROJECTS}
        self.wrong: set[str] = set()

    def shares(self) -> dict[int, tuple[float, float]]:
        """Of the briefs on each of the days: the share of lines that are wrong, and the number of lines."""
        found = {}
        with open_store(self.folder / "memory.db", now=START) as db:
            for day in range(1, max(DAYS) + 1):
                now = START + day * DAY_S
                if day % 7 < 5:
                    self._work(db, PROJECTS[day % len(PROJECTS)], day, now)
                upkeep.maintain(db, self.settings, now=now + 3600.0)
                if day in DAYS:
                    found[day] = self._told(db, now + 7200.0)
        return found

    def _work(self, db: sqlite3.Connection, project: Project, day: int, now: float) -> None:
        overview.see_project(db, project.id, project.name, project.root, now)
        overview.see_worked(db, project.id, [now])
        rates = self.rates
        for role, each, wrong in (
            (Role.USER, rates.people, rates.people_wrong),
            (Role.ASSISTANT, rates.assistant, rates.assistant_wrong),
        ):
            expected = PROMPTS_A_DAY * each / 100
            for _ in range(int(expected) + (self.chance.random() < expected % 1)):
                self._say(db, project, role, day, now, is_wrong=self.chance.random() < wrong)

    def _say(self, db: sqlite3.Connection, project: Project, role: Role, day: int, now: float, *, is_wrong: bool) -> None:
        known = self.right[project.id]
        again = not is_wrong and role is Role.USER and known and self.chance.random() < SAID_AGAIN
        text = self.chance.choice(known) if again else self._sentence()
        if is_wrong:
            self.wrong.add(text)
        elif role is Role.USER:
            known.append(text)
        settled = self.chance.random() < (TOLD_AS_LASTING if role is Role.USER else self.rates.assistant_settled)
        kind = (
            self.chance.choice(_KINDS) if role is Role.USER else self.chance.choice((Kind.BUGFIX, Kind.LEARNING, Kind.SEMANTIC))
        )
        candidate = Candidate(
            text=text, quote=text, kind=kind,
            scope=Scope.PROJECT,
            importance=self.chance.uniform(0.6, 0.95), confidence=self.chance.uniform(0.6, 0.9), signals=(), role=role,
            origin=Origin.USER_PROMPT if role is Role.USER else Origin.ASSISTANT, message_id=f"{text}-{now}", start=0, end=len(text),
            language="en", at=now, store=Store.LTM if settled else Store.STM,
        )  # fmt: skip
        near = neighbours(db, [text], project=project.id)
        ids = rows.fresh_ids()
        changes = plan(
            [candidate], near, self.settings, now, project=project.id, session=f"day-{day}", agent="claude-code", ids=ids,
            stated=rows.sessions_of(db, [memory.id for memory in near]),
        )  # fmt: skip
        change_log.apply(db, changes, batch=next(ids), now=now, agent="claude-code", session=f"day-{day}")
        db.commit()

    def _sentence(self) -> str:
        """A sentence of words that no other has, so that neighbours are neighbours only when the same is said."""
        word = lambda: "".join(self.chance.choices(_SYLLABLES, k=4))  # noqa: E731
        return f"The {word()} {word()} keeps its {word()} in the {word()}."

    def _told(self, db: sqlite3.Connection, now: float) -> tuple[float, float]:
        lines = wrong = 0
        for project in PROJECTS:
            brief = compose(db, Occasion(project=project, settings=self.settings, now=now)).text
            told = [line for line in brief.splitlines() if line.startswith("- ")]
            lines += len(told)
            wrong += sum(any(text in line for text in self.wrong) for line in told)
        return 100 * wrong / max(1, lines), lines / len(PROJECTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="how many lives")
    args = parser.parse_args()
    at_once = DEFAULTS._replace(stores=DEFAULTS.stores._replace(long_term_classes="all"))
    print(f"{'':44}" + "".join(f"{f'day {day}':>22}" for day in DAYS))
    for name, settings, rates in (
        ("all long-term at once, all that was stated is stored", at_once, THEN),
        ("short-term first, all that was stated is stored", DEFAULTS, THEN),
        ("short-term first, an assistant needs proof", DEFAULTS, NOW),
    ):
        lives = []
        for seed in range(1, args.seeds + 1):
            with tempfile.TemporaryDirectory() as folder:
                lives.append(Life(Path(folder), settings, rates, seed).shares())
        means = [[mean(life[day][place] for life in lives) for place in (0, 1)] for day in DAYS]
        print(f"{name:44}" + "".join(f"{share:9.0f} % of {lines:3.0f} lines" for share, lines in means))


if __name__ == "__main__":
    main()
