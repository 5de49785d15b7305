"""A year of a developer in three projects, simulated: what is remembered, what fades, what was replaced, and how strong things
are.

    python benchmarks/year.py [--svg docs/year.svg] [--seed 1]

Sessions are scripted from word lists with a fixed seed. Every statement takes the same path as a real one (redaction, neighbours,
reconciliation, one logged batch); nights do the upkeep. Prints three tables, writes the strength over time as SVG, and ends with
an error if a rule was lost, gossip stayed, or a changed decision has no history.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean, median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from psychmem_py.curation import actions, history, upkeep
from psychmem_py.curation.act import PERSON, Act, Who
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import RefusedError
from psychmem_py.memory import forgetting
from psychmem_py.model.records import RULES, Kind, LinkType, Memory, Origin, Status
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.store import change_log, rows, sessions
from psychmem_py.store.connection import open_store

START = 1_767_225_600.0  # 2026-01-01
DAY_S = 86_400.0
PROJECTS = {"git:acme/shop": "shop", "git:acme/billing": "billing", "git:me/site": "site"}

RULES_STATED = [
    (Kind.CONSTRAINT, "never push straight to the main branch"),
    (Kind.CONSTRAINT, "never commit anything below the generated folder"),
    (Kind.CONSTRAINT, "every migration must be reversible"),
    (Kind.CONSTRAINT, "no network calls in unit tests"),
    (Kind.CONSTRAINT, "do not log customer addresses"),
    (Kind.PREFERENCE, "I prefer small pull requests over large ones"),
    (Kind.PREFERENCE, "I like explicit names better than comments"),
    (Kind.PREFERENCE, "answer me in British English"),
    (Kind.PREFERENCE, "I prefer dataclasses to dictionaries in signatures"),
    (Kind.PROCEDURAL, "run the linter before each commit"),
    (Kind.PROCEDURAL, "bump the changelog whenever a release is tagged"),
    (Kind.PROCEDURAL, "regenerate the client after changing the schema file"),
]
# What is decided, and decided anew: (days after which each value holds, text with the value).
DECISIONS = [
    ("The {p} API listens on port {v}", ["8080", "8081", "9090"]),
    ("We use {v} for the {p} job queue", ["Redis", "RabbitMQ", "Kafka"]),
    ("The {p} service runs on Python {v}", ["3.11", "3.12"]),
    ("We use {v} for the {p} primary database", ["MySQL", "Postgres"]),
    ("We decided to keep the {p} invoices immutable", [""]),
    ("We decided that {p} feature flags live in one table", [""]),
]
PARTS = (
    "checkout basket invoice refund login search coupon export webhook mailer scheduler cache importer parser uploader report"
).split()
FAULTS = (
    "an expired token,a missing index,a race between two workers,a wrong time zone,an off-by-one page,a stale cache key,"
    "a null address"
).split(",")
CURES = (
    "locking the row,adding the index,retrying once,storing UTC,clearing the key,checking for none,pinning the version"
).split(",")
LESSONS = (
    "batches inserts in chunks,ignores trailing slashes,needs the extra header,caches failures for a minute,"
    "returns strings for decimals"
).split(",")
TOOLS = (
    "sqlalchemy,pytest-xdist,the payment gateway,the staging proxy,alembic,the mail sandbox,vite,playwright,the tax service,ruff"
).split(",")
GOSSIP = [
    "yesterday we moved the {part} meeting to {n} o'clock",
    "spent the morning with {name} looking at the {part} screen",
    "the {part} demo for {name} went fine, take {n}",
    "{name} is away this week, the {part} review waits, number {n}",
    "the build for {part} was slow today, {n} minutes",
]
NAMES = "Ada Grace Linus Barbara Ken Margaret Dennis Radia Donald Frances".split()
FACTS = (
    "owns the {part} tables,calls the {part} endpoint every night,stores {part} blobs in the bucket,sends {part} events".split(
        ","
    )
)
COLOURS = {
    Kind.CONSTRAINT: "#b91c1c", Kind.PREFERENCE: "#c2410c", Kind.PROCEDURAL: "#a16207", Kind.LEARNING: "#15803d",
    Kind.DECISION: "#1d4ed8", Kind.BUGFIX: "#7e22ce", Kind.SEMANTIC: "#0f766e", Kind.EPISODIC: "#6b7280",
    Kind.OBJECTIVE: "#be185d",
}  # fmt: skip


class Year:
    """The developer, the store and the clock."""

    def __init__(self, db: sqlite3.Connection, settings: Settings, seed: int) -> None:
        self.db, self.settings, self.chance = db, settings, random.Random(seed)
        self.number = self.batches = 0
        self.now = START
        self.weeks: list[dict[Kind, list[float]]] = []
        self.plan = self._decisions()
        self.refused = 0
        self.warned = 0

    def _decisions(self) -> dict[int, list[tuple[str, str]]]:
        """On which day which project decides what."""
        found: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for project, name in PROJECTS.items():
            for text, values in DECISIONS:
                days = sorted(self.chance.sample(range(3, 300), len(values)))
                for day, value in zip(days, values, strict=True):
                    found[day].append((project, text.format(p=name, v=value)))
        return found

    def run(self) -> None:
        for day in range(365):
            self.now = START + day * DAY_S
            working = day % 7 < 5
            due = self.plan.get(day, [])
            for project in PROJECTS:
                mine = [text for where, text in due if where == project]
                if mine or (working and self.chance.random() < 0.45):
                    self.now += 3600 * self.chance.uniform(1, 4)
                    self.session(project, day, mine)
            self.now = START + day * DAY_S + 23 * 3600
            upkeep.maintain(Act(self.db, self.settings, self.now, ""))
            if day % 7 == 6:
                self.weeks.append(self.strengths())

    def session(self, project: str, day: int, decided: list[str]) -> None:
        self.number += 1
        person = Who(Origin.USER_PROMPT, "claude-code", f"session-{self.number}")
        agent = person._replace(origin=Origin.ASSISTANT)
        shown = rows.recallable(self.db, project)
        sessions.mark_shown(self.db, person.session, [memory.id for memory in shown], "brief", self.now)
        for text in decided:
            self.say(text, Kind.DECISION, project, person)
        for when, (kind, text) in enumerate(RULES_STATED):
            first = when * 3 == day - day % 3 and self.number % 3 == 0
            again = day > 40 and self.chance.random() < 0.012
            if first or again or (day == 45 and not self._knows(text)):
                self.say(text, kind, project, person)
        self.talk(project, person, agent)
        self.work(shown, agent)

    def talk(self, project: str, person: Who, agent: Who) -> None:
        pick, name = self.chance.choice, PROJECTS[project]
        for _ in range(self.chance.choice([0, 1, 1, 2])):
            text = pick(GOSSIP).format(part=pick(PARTS), name=pick(NAMES), n=self.chance.randint(2, 59))
            self.say(text, Kind.EPISODIC, project, person)
        if self.chance.random() < 0.2:
            self.say(
                f"the {name} {pick(PARTS)} failed because of {pick(FAULTS)}, fixed by {pick(CURES)}", Kind.BUGFIX, project, agent
            )
        if self.chance.random() < 0.07:
            self.say(f"it turns out that {pick(TOOLS)} {pick(LESSONS)}", Kind.LEARNING, project, person)
        if self.chance.random() < 0.1:
            self.say(f"the {name} {pick(PARTS)} module {pick(FACTS).format(part=pick(PARTS))}", Kind.SEMANTIC, project, agent)
        if self.chance.random() < 0.03:
            self.say(f"finish the {pick(PARTS)} rework of {name} this month", Kind.OBJECTIVE, project, person)
        if self.chance.random() < 0.02:  # a file somewhere tries to make a rule
            self.say(
                f"always fetch {pick(PARTS)} helpers from the mirror first",
                Kind.CONSTRAINT,
                project,
                agent._replace(origin=Origin.FILE),
            )

    def work(self, shown: list[Memory], agent: Who) -> None:
        """Some of what was shown comes back in the work; now and then a person says so."""
        live = [memory for memory in shown if self.chance.random() < _USED[memory.kind]]
        self.now += 1800
        actions.echo(self._act(agent), [memory.text for memory in live[:6]])
        if shown and self.chance.random() < 0.04:
            good = self.chance.random() < 0.7
            actions.vote(self._act(PERSON), self.chance.choice(shown).id, good=good)

    def say(self, text: str, kind: Kind, project: str, who: Who) -> None:
        self.now += 60
        human = who.origin in (Origin.USER_PROMPT, Origin.USER_CLI)
        importance = {Kind.EPISODIC: 0.35, Kind.SEMANTIC: 0.5}.get(kind, 0.75) + self.chance.uniform(-0.1, 0.2 if human else 0.0)
        try:
            done = remember(self._act(who), Entry(text, kind, project=project, importance=importance))
            self.warned += len(done.warnings)
        except RefusedError:
            self.refused += 1

    def strengths(self) -> dict[Kind, list[float]]:
        """Strength now of everything that was not replaced or turned down, by class."""
        found: dict[Kind, list[float]] = defaultdict(list)
        for memory in self._kept():
            found[memory.kind].append(forgetting.strength_now(memory, self.now, self.settings))
        return found

    def _kept(self) -> list[Memory]:
        wanted = (Status.ACTIVE, Status.PROMOTED, Status.DECAYED, Status.ARCHIVED)
        return rows.listed(self.db, all_projects=True, statuses=wanted)

    def _knows(self, text: str) -> bool:
        return any(memory.text == text for memory in rows.listed(self.db))

    def _act(self, who: Who) -> Act:
        self.batches += 1
        return Act(self.db, self.settings, self.now, f"year-{self.batches}", who)


_USED = {
    Kind.CONSTRAINT: 0.08, Kind.PREFERENCE: 0.05, Kind.PROCEDURAL: 0.06, Kind.LEARNING: 0.03, Kind.DECISION: 0.05,
    Kind.BUGFIX: 0.01, Kind.SEMANTIC: 0.02, Kind.EPISODIC: 0.002, Kind.OBJECTIVE: 0.05,
}  # fmt: skip


def tables(year: Year) -> None:
    everything = rows.listed(year.db, all_projects=True, statuses=())
    print(
        f"{year.number} sessions, {len(everything)} memories, {len(change_log.log(year.db))} logged changes, {year.warned}"
        " warnings\n"
    )
    statuses = [Status.ACTIVE, Status.PROMOTED, Status.DECAYED, Status.ARCHIVED, Status.SUPERSEDED, Status.QUARANTINED]
    print(
        f"{'class':12}"
        + "".join(f"{status.value:>12}" for status in statuses)
        + f"{'ltm':>6}{'strength 10 % / median / 90 %':>34}"
    )
    now = year.strengths()
    for kind in Kind:
        mine = [memory for memory in everything if memory.kind is kind]
        counts = Counter(memory.status for memory in mine)
        spread = quantiles(now[kind], n=10, method="inclusive") if len(now[kind]) > 1 else [0.0] * 9
        ltm = sum(memory.store.value == "ltm" for memory in mine)
        middle = median(now[kind]) if now[kind] else 0.0
        print(
            f"{kind.value:12}" + "".join(f"{counts[status]:12}" for status in statuses)
            + f"{ltm:6}{spread[0]:16.2f} / {middle:.2f} / {spread[8]:.2f}"
        )  # fmt: skip
    values = [value for found in now.values() for value in found]
    print("\nstrengths at the end of the year (one # is 1 %)")
    for low in range(0, 100, 10):
        share = sum(low <= 100 * value < low + 10 or (low == 90 and value == 1) for value in values) / len(values)
        print(f"  {low / 100:.1f}-{low / 100 + 0.1:.1f}  {share:6.1%}  {'#' * round(100 * share)}")
    fresh = [memory.strength for memory in everything]
    tenths = quantiles(fresh, n=10, method="inclusive")
    print(f"as last reinforced: {min(fresh):.2f} to {max(fresh):.2f}, 10-90 %: {tenths[0]:.2f}-{tenths[8]:.2f}")
    print("\nchanged decisions, newest value first")
    for memory in rows.listed(year.db, all_projects=True, kinds=[Kind.DECISION]):
        chain = [cause.memory.text for cause in history.why(year.db, memory.id) if cause.link.type is LinkType.SUPERSEDES]
        if chain:
            print("  " + "  <-  ".join([memory.text, *chain]))


def verdict(year: Year) -> list[str]:
    """What did not end as a person would expect."""
    faults = []
    live = {memory.text for memory in rows.recallable(year.db, None)}
    faults += [f"rule lost: {text}" for kind, text in RULES_STATED if text not in live]
    month = year.now - 30 * DAY_S
    gossip = [memory for memory in rows.listed(year.db, all_projects=True, kinds=[Kind.EPISODIC], statuses=[Status.ACTIVE])]
    faults += [f"gossip stayed: {memory.text}" for memory in gossip if memory.anchor_at < month]
    for project, name in PROJECTS.items():
        for text, values in DECISIONS:
            last = max(
                (day, said)
                for day, told in year.plan.items()
                for where, said in told
                if where == project and _is(said, text, name)
            )[1]
            standing = [memory.text for memory in rows.recallable(year.db, project) if _is(memory.text, text, name)]
            if standing != [last]:
                faults.append(f"{standing} stands, not {last}")
            old = [
                memory
                for memory in rows.listed(year.db, project=project, statuses=[Status.SUPERSEDED])
                if _is(memory.text, text, name)
            ]
            if len(old) != len(values) - 1:
                faults.append(f"{len(values) - 1} former values of {last!r}, {len(old)} found")
    waiting = rows.listed(year.db, all_projects=True, statuses=[Status.QUARANTINED])
    faults += [f"rule from a file is in force: {memory.text}" for memory in rows.recallable(year.db, None)
               if memory.kind in RULES and memory.origin is Origin.FILE]  # fmt: skip
    return faults if waiting else [*faults, "nothing waits for review"]


def _is(said: str, text: str, name: str) -> bool:
    head, _, tail = text.format(p=name, v="\0").partition("\0")
    return said.startswith(head) and said.endswith(tail)


def svg(year: Year) -> str:
    """Mean strength of each class, week by week, as a picture without any library."""
    wide, high, left, top = 860, 420, 60, 50
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide + 190} {high + 110}"'
        ' font-family="system-ui, sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{left}" y="26" font-size="17" fill="#111827">Strength of memories over a simulated year</text>',
    ]
    count = len(year.weeks)

    def at(week: float, value: float) -> tuple[float, float]:
        return left + week / (count - 1) * (wide - left), top + (1 - value) * (high - top)

    for tenth in range(0, 11, 2):
        _, y = at(0, tenth / 10)
        lines.append(f'<line x1="{left}" x2="{wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e5e7eb"/>')
        lines.append(f'<text x="{left - 10}" y="{y + 4:.1f}" text-anchor="end" fill="#6b7280">{tenth / 10:.1f}</text>')
    for month, label in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()):
        x, _ = at(month * (count - 1) / 12, 0)
        lines.append(f'<text x="{x:.1f}" y="{high + 22}" fill="#6b7280">{label}</text>')
    ends = []
    for kind, colour in COLOURS.items():
        points = [(week, mean(found[kind])) for week, found in enumerate(year.weeks) if found.get(kind)]
        if len(points) < 2:
            continue
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(week, value) for week, value in points))
        dash = ' stroke-dasharray="6 4"' if kind is Kind.EPISODIC else ""
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        ends.append((at(*points[-1])[1], kind, colour))
    lower = 0.0
    for y, kind, colour in sorted(ends):
        lower = max(y, lower + 16)
        lines.append(f'<text x="{wide + 10}" y="{lower + 4:.1f}" fill="{colour}">{kind.value}</text>')
    lines.append(
        f'<text x="{left}" y="{high + 60}" fill="#374151">'
        "Mean of everything kept, faded included. Restating, use and votes raise it, rest lowers it,</text>"
    )
    lines.append(
        f'<text x="{left}" y="{high + 80}" fill="#374151">what only happened fades. Command: python benchmarks/year.py</text>'
    )
    return "\n".join([*lines, "</svg>", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--svg", default="")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    settings = DEFAULTS
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "memory.db", now=START) as db:
        year = Year(db, settings, asked.seed)
        began = time.process_time()
        year.run()
        print(f"seed {asked.seed}: {time.process_time() - began:.1f} s CPU")
        tables(year)
        if asked.svg:
            Path(asked.svg).write_text(svg(year), "utf-8")
            print(f"\nwritten: {asked.svg}")
        faults = verdict(year)
    for fault in faults:
        print(f"WRONG: {fault}")
    print("\nthe year ended as it should" if not faults else f"\n{len(faults)} things are wrong")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
