"""What real Claude Code conversations leave in a store: python -m benchmarks.native FOLDER [--sheet 60] [--seed 1] [--briefs 5]
[--judge REPLAY.jsonl|COMMAND] [--ask OUT.jsonl]

FOLDER holds gzipped transcripts as the client wrote them (*.jsonl.gz), one folder for each project; each project gets a store of its own
and its conversations are taken up in the order they were written. Prints memories per 100 typed prompts from people and from the
assistant, by scope and store, the most memory used, the brief that the last day would end with, as many memories drawn at
random as wanted, and every line that the briefs behind each so many sessions say, to be read one by one. With --judge everything that is
unsorted behind a conversation is put before that judge; --ask writes what a judge would be asked, for a reader to fill in.
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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import replay
from psychmem_py.agents import claude_transcript
from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.briefing.next_start import focus
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import spans_of
from psychmem_py.judging import protocol
from psychmem_py.judging.instructions import instructions
from psychmem_py.judging.protocol import Proposal, Ruling, Word
from psychmem_py.judging.sorting import SortingDesk, carried_out
from psychmem_py.judging.sweeping import JudgeFunction
from psychmem_py.judging.unsorted import MessagesOf, unsorted
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


class Bench:
    """A judge at work behind each conversation, and what it was asked."""

    def __init__(self, judge: JudgeFunction, work: Path, reader: MessagesOf | None = None) -> None:
        settings = DEFAULTS._replace(judge=DEFAULTS.judge._replace(by="command"))
        self.judge, self.reader, self.asked = judge, reader, list[Proposal]()
        self.desk = SortingDesk(work / "memory.db", work, {"HOME": str(work)}, settings)

    def sort(self, now: float) -> None:
        """Has everything judged that is unsorted."""
        while True:
            with open_store(self.desk.database, now=now) as db:
                waiting = unsorted(db, self.desk.env, reader=self.reader)
            if not waiting:
                return
            items = [one.item for one in waiting]
            self.asked += items
            carried_out(self.desk, waiting, self.judge(items), now, "")


def taken_up(folder: Path, work: Path, every: int, bench: Bench | None = None) -> Result:
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
    settings = bench.desk.settings if bench else DEFAULTS
    with open_store(work / "memory.db", now=0.0) as db:
        for number, (at, path, _) in enumerate(sorted(unpacked), 1):
            last = max(last, at)
            for span in spans_of(None, session=path.stem, agent="claude-code", path=str(path)):
                extract(db, span, project=project, settings=settings, matcher=lambda: matcher, now=at)
            if bench:
                bench.sort(at)
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


def unsure(items: Sequence[Proposal]) -> Mapping[int, Ruling]:
    """A judge that is sure of nothing: the rules' verdicts stand."""
    return {n: Ruling(Word.MAYBE) for n in range(len(items))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sheet", type=int, default=0, metavar="N", help="print N memories of people and N of the assistant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--briefs", type=int, default=0, metavar="N", help="print the lines of the briefs behind every N sessions"
    )
    parser.add_argument("--judge", default="", help="verdicts to replay (FILE.jsonl), or the command of a judge")
    parser.add_argument("--ask", type=Path, help="write here what a judge would be asked")
    args = parser.parse_args()
    replayed = replay.Replayed([Path(args.judge)]) if args.judge.endswith(".jsonl") else None
    judge = replayed or (replay.program(args.judge) if args.judge else unsure)
    asked: list[Proposal] = []
    places = [place for place in (args.folder, *sorted(args.folder.iterdir())) if any(place.glob("*.jsonl.gz"))]
    chance, every = random.Random(args.seed), list[Memory]()
    for place in places:
        with tempfile.TemporaryDirectory() as work:
            bench = Bench(judge, Path(work)) if args.judge or args.ask else None
            result = taken_up(place, Path(work), args.briefs, bench)
        asked += bench.asked if bench else []
        every += result.memories
        print(f"{table(result)}\n\nthe brief after the last day:\n{result.brief}\n")
        if args.briefs:
            print("every line of the briefs\n" + "\n".join(result.lines))
    if asked:
        per_call = DEFAULTS.judge.chars_per_call
        calls = len(protocol.batches(asked, instructions(), per_call))
        print(f"{len(asked)} sentences asked about, {calls} requests of at most {per_call} characters")
    if replayed:
        print(f"{replayed.missing} of them have no verdict in the file and stay as the rules had them")
    if args.ask:
        print(f"{replay.written([('', one) for one in asked], args.ask)} items written to {args.ask}")
    print(f"most memory used: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if args.sheet:
        print("\npeople\n" + sheet([one for one in every if one.origin in HUMAN], args.sheet, chance))
        print("\nassistant\n" + sheet([one for one in every if one.origin not in HUMAN], args.sheet, chance))


if __name__ == "__main__":
    main()
