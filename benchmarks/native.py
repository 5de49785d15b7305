"""What real Claude Code conversations leave in a store:
    python -m benchmarks.native FOLDER [--sheet 60] [--seed 1] [--briefs 5] [--reminders]

FOLDER holds gzipped transcripts as the client wrote them (*.jsonl.gz), a folder per project; each project gets its own store,
filled answer by answer in order. Prints memories per 100 typed prompts from people and from the assistant, by scope and store,
peak memory use, the last day's brief, memories drawn at random, and every line of the briefs behind each so many sessions, to be
read. --reminders asks at each call what earlier sessions left to be said beside and behind it, and prints that call by call.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import resource
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from psychmem_py.agents import claude_code, claude_transcript
from psychmem_py.agents.event import Request
from psychmem_py.briefing import at_call, ready_files
from psychmem_py.briefing.brief import Occasion, compose, focus
from psychmem_py.home import journal
from psychmem_py.home.project import Project
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Transcript, spans_of
from psychmem_py.languages import files
from psychmem_py.model.records import HUMAN, Memory, Role
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import candidates, rows, sessions
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
    reminders: list[str]  # what was said at tool calls, with the call


def taken_up(folder: Path, work: Path, every: int, *, with_calls: bool) -> Result:
    """One project's conversations in the order of their last record, the brief of the last day, and what was said on the way."""
    matcher = files.matcher()
    around = Surroundings({"HOME": str(work), "PSYCHMEM_HOME": str(work)}, 1.0)
    tree = work / "tree" / folder.name
    (tree / ".git").mkdir(parents=True)
    project = Project(f"dir:/{folder.name}", folder.name, str(tree))
    unpacked, reminders = [], list[str]()
    texts = {packed: gzip.decompress(packed.read_bytes()).decode() for packed in sorted(folder.glob("*.jsonl.gz"))}
    for packed, text in texts.items():
        path = work / packed.name.removesuffix(".gz")
        path.write_text(moved(text, tree))
        messages = claude_transcript.read(path.read_bytes()).messages
        unpacked.append(
            (max((one.at or 0.0 for one in messages), default=0.0), path, sum(one.role is Role.USER for one in messages))
        )
    begin, last = time.process_time(), 0.0
    lines: dict[str, None] = {}
    with open_store(around.database_file("claude-code"), now=0.0) as db:
        for number, (at, path, _) in enumerate(sorted(unpacked), 1):
            last = max(last, at)
            if with_calls:
                reminders += said_at_calls(path, tree, around)
                pending = journal.pending(around.data, path.stem)
                sessions.record_shown(db, pending.shown, agent="claude-code")
            text = path.read_bytes()
            for end in stops(text):
                path.write_bytes(text[:end])
                known = sessions.session(db, path.stem)
                for span in spans_of(known, Transcript(path.stem, "claude-code", str(path))):
                    extract(db, span, project=project, settings=DEFAULTS, matcher=lambda: matcher, now=at)
            if with_calls:
                ready_files.fill_rules(db, Request("stop", "claude-code", path.stem, str(tree)), project, around)
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
            reminders,
        )


def stops(transcript: bytes) -> list[int]:
    """Where each answer of a transcript ends, in bytes: before the next prompt, as the client stops there."""
    at, ends = 0, list[int]()
    for line in transcript.splitlines(keepends=True):
        record = json.loads(line)
        parts = (record.get("message") or {}).get("content") if record.get("type") == "user" else ()
        kinds = {"text"} if isinstance(parts, str) else {part.get("type") for part in parts}
        if at and "text" in kinds:
            ends.append(at)
        at += len(line)
    return [*ends, at]


def moved(text: str, tree: Path) -> str:
    """A transcript as if it had been led in `tree`, where the files that it edits are."""
    cwds = {one for one in re.findall(r'"cwd": ?"((?:[^"\\]|\\.)*)"', text) if "worktrees" not in one}
    if not cwds:
        return text
    below = re.compile(re.escape(min(cwds, key=len)) + r"((?:(?:/|\\\\)[\w.@-]+)*)", re.IGNORECASE)
    text = below.sub(lambda one: f"{tree}{one[1].replace(chr(92) * 2, '/')}", text)
    for name in re.findall(rf'"file_path": ?"{re.escape(str(tree))}/([^"\\]+)"', text):
        with suppress(OSError):  # a folder that was read as a file
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).touch()
    return text


def said_at_calls(path: Path, tree: Path, around: Surroundings) -> list[str]:
    """What is said beside and behind each tool call of a transcript, with the call."""
    said, made = list[str](), dict[str, dict[str, Any]]()
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        message = record.get("message")
        parts = message.get("content") if isinstance(message, dict) else None
        for part in parts if isinstance(parts, list) else ():
            before, known = part.get("type") == "tool_use", made.get(str(part.get("tool_use_id")))
            if before:
                known = made[part["id"]] = part
            if known is None or known["name"] in {"Agent", "Task"}:
                continue
            failed, result = bool(part.get("is_error")), record.get("toolUseResult")
            payload = {
                "hook_event_name": "PreToolUse" if before else "PostToolUseFailure" if failed else "PostToolUse",
                "session_id": path.stem, "cwd": str(tree), "tool_name": known["name"], "tool_use_id": known["id"], "tool_input": known["input"],
                "tool_response": result if isinstance(result, dict) else {}, "error": str(part.get("content")) if failed else "",
            }  # fmt: skip
            request = claude_code.parse("", json.dumps(payload).encode(), 1.0)
            if request is None:
                continue
            if before:
                note = at_call.reminder_before(request, around)
                text = (note.text or note.ask) if note else ""
            else:
                speaks = known["name"] == "Read" if (request.use or {})["ok"] else (request.use or {})["error_class"] == "usage"
                text = at_call.reply_after(request, around) if speaks else ""
            if text:
                given = known["input"].get("command") or known["input"].get("file_path")
                lines = [one for one in text.splitlines() if one.startswith(("The user", "A rule", "`"))]
                said.append(f"{path.stem[:8]} {known['name']} {str(given)[:200]!r}\n  " + "\n  ".join(lines))
    return said


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
    parser.add_argument("--reminders", action="store_true", help="print what would be said at tool calls")
    args = parser.parse_args()
    places = [place for place in (args.folder, *sorted(args.folder.iterdir())) if any(place.glob("*.jsonl.gz"))]
    chance, every = random.Random(args.seed), list[Memory]()
    for place in places:
        with tempfile.TemporaryDirectory() as work:
            result = taken_up(place, Path(work), args.briefs, with_calls=args.reminders)
        every += result.memories
        print(f"{table(result)}\n\nthe brief after the last day:\n{result.brief}\n")
        if args.briefs:
            print("every line of the briefs\n" + "\n".join(result.lines))
        if args.reminders:
            number = len(result.reminders)
            print("\n".join(result.reminders))
            print(f"{number} reminders in {result.sessions} sessions: {100 * number / result.sessions:.1f} per 100\n")
    print(f"most memory used: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if args.sheet:
        print("\npeople\n" + sheet([one for one in every if one.origin in HUMAN], args.sheet, chance))
        print("\nassistant\n" + sheet([one for one in every if one.origin not in HUMAN], args.sheet, chance))


if __name__ == "__main__":
    main()
