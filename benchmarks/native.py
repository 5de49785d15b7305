"""What real Claude Code conversations leave in a store: python -m benchmarks.native FOLDER [--sheet 60] [--seed 1] [--briefs 5]

FOLDER holds gzipped transcripts as the client wrote them (*.jsonl.gz), one folder for each project; each project gets a store of its own
and its conversations are taken up in the order they were written. Prints memories per 100 typed prompts from people and from the
assistant, by scope and store, the most memory used, the brief that the last day would end with, as many memories drawn at
random as wanted, and every line that the briefs behind each so many sessions say, to be read one by one.
"""

from __future__ import annotations

import argparse
import gzip
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from psychmem_py.agents import claude_transcript
from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.briefing.next_start import focus
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import spans_of
from psychmem_py.languages import files
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import HUMAN, Role
from psychmem_py.store import candidates, rows
from psychmem_py.store.connection import open_store


class Result(NamedTuple):
    """What one project's conversations came to."""

    project: str
    sessions: int
    prompts: int
    megabytes: float
    cpu_s: float
    memories: list[Memory]
    waiting: int
    brief: str
    lines: list[str]  # of all briefs on the way, each once


def taken_up(folder: Path, work: Path, every: int) -> Result:
    """One project's conversations in the order of their last record, the brief of the last day, and what briefs said on the way."""
    matcher = files.matcher()
    project = Project(f"dir:/{folder.name}", folder.name, str(work))
    unpacked = []
    for packed in sorted(folder.glob("*.jsonl.gz")):
        path = work / packed.name.removesuffix(".gz")
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        messages = claude_transcript.read(path.read_bytes()).messages
        unpacked.append(
            (max((one.at or 0.0 for one in messages), default=0.0), path, sum(one.role is Role.USER for one in messages))
        )
    begin, last = time.process_time(), 0.0
    lines: dict[str, None] = {}
    with open_store(work / "memory.db", now=0.0) as db:
        for number, (at, path, _) in enumerate(sorted(unpacked), 1):
            last = max(last, at)
            for span in spans_of(None, session=path.stem, agent="claude-code", path=str(path)):
                extract(db, span, project=project, settings=DEFAULTS, matcher=lambda: matcher, now=at)
            if every and (number % every == 0 or number == len(unpacked)):
                lines |= dict.fromkeys(line for line in brief(db, project, last).split("\n") if line.startswith("- "))
        return Result(
            folder.name,
            len(unpacked),
            sum(prompts for *_, prompts in unpacked),
            sum(path.stat().st_size for _, path, _ in unpacked) / 1e6,
            time.process_time() - begin,
            rows.listed(db, all_projects=True),
            len(candidates.waiting(db, project=None, all_projects=True)),
            brief(db, project, last),
            list(lines),
        )


def brief(db: sqlite3.Connection, project: Project, last: float) -> str:
    """What a session is told that starts an hour after the last one."""
    now = last + 3600.0
    return compose(db, Occasion(project, now, focus_words=focus(db, project, project.root, now))).text


def table(result: Result) -> str:
    """Counts for people and the assistant."""
    lines = [
        f"{result.project}: {result.sessions} sessions, {result.prompts} typed prompts, {result.megabytes:.1f} MB in"
        f" {result.cpu_s:.1f} s CPU; {result.waiting} wait",
        f"{'':10} {'stored':>6} {'per 100 prompts':>16}  by scope and store",
    ]
    for name, wanted in (("people", True), ("assistant", False)):
        found = [one for one in result.memories if (one.origin in HUMAN) is wanted]
        groups = Counter(f"{one.scope.value} {one.store.value}" for one in found)
        told = ", ".join(f"{group} {number}" for group, number in groups.most_common())
        lines.append(f"{name:10} {len(found):6} {100 * len(found) / max(1, result.prompts):16.1f}  {told}")
    return "\n".join(lines)


def sheet(memories: list[Memory], number: int, chance: random.Random) -> str:
    """Memories drawn at random, to be read."""
    drawn = chance.sample(memories, min(number, len(memories)))
    return "\n".join(f"[ ] {one.kind.value}, {one.scope.value}, {one.store.value}: {one.text}" for one in drawn)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sheet", type=int, default=0, metavar="N", help="print N memories of people and N of the assistant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--briefs", type=int, default=0, metavar="N", help="print the lines of the briefs behind every N sessions"
    )
    args = parser.parse_args()
    places = [place for place in (args.folder, *sorted(args.folder.iterdir())) if any(place.glob("*.jsonl.gz"))]
    chance, every = random.Random(args.seed), list[Memory]()
    for place in places:
        with tempfile.TemporaryDirectory() as work:
            result = taken_up(place, Path(work), args.briefs)
        every += result.memories
        print(f"{table(result)}\n\nthe brief after the last day:\n{result.brief}\n")
        if args.briefs:
            print("every line of the briefs\n" + "\n".join(result.lines))
    print(f"most memory used: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if args.sheet:
        print("\npeople\n" + sheet([one for one in every if one.origin in HUMAN], args.sheet, chance))
        print("\nassistant\n" + sheet([one for one in every if one.origin not in HUMAN], args.sheet, chance))


if __name__ == "__main__":
    main()
