"""What is kept of prompts people typed: python -m benchmarks.typed FOLDER [--judge COMMAND | --answers FILE] [--show] [--twice]

FOLDER holds typed.jsonl ({"id", "session", "previous", "text"}, in order) and gold.jsonl ({"id", "quote", "sure"}: each statement
that a good colleague would write down). A prompt something is kept of is right when a stored memory touches one of its quotes,
and right for sure when it touches a sure one; recall is the share of prompts with a sure quote of which one is touched. With
--judge a reader reads each session whole (`psychmem sweep --judge`), and what it quotes is compared. --answers gives what it
answered before ({"id", "quote", "statement", "class"} a line) to today's requests, and counts its sentences that stand. --show
prints each prompt that something is kept of, with its verdict. --twice reads second_mentions.json ([[later, earlier]]): how many
pairs end as a long-term memory of the later prompt, each pair as two sessions of a new store and all prompts in order, and how
many other pairs do, of 200 of one person drawn at random and of all; of a file of pairs ({"first", "second", "same"} a line), how
many of which both are kept count as said twice.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.levels import touches
from psychmem_py.extraction.sweep_lines import results
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Span
from psychmem_py.judging import protocol, understood
from psychmem_py.judging.clients import BYTES_PER_TOKEN
from psychmem_py.judging.protocol import TypedTurn
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message, Origin, Role, Store
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows as store
from psychmem_py.store.connection import open_store

NOW, DRAWN = 1_790_000_000.0, 200
HERE = Project("dir:/w", "w", "/w")
Row = dict[str, Any]


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "none"


def swept(lines: list[str], judge: str) -> list[str]:
    """What `psychmem sweep` prints for these lines, by the rules alone or with a reader."""
    if not judge:
        return list(results(lines, Matcher(files.load())))
    command = [str(Path(sys.executable).with_name("psychmem")), "sweep", "-", "--judge", judge]
    done = subprocess.run(command, input="\n".join(lines), stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode and not done.stdout:  # of a request that failed alone it tells on stderr, and the rules' verdicts stand
        raise SystemExit(done.returncode)
    return done.stdout.splitlines()


def answered(typed: Sequence[Row], answers: Sequence[Row]) -> list[str]:
    """What is kept with a reader's recorded answers, as `psychmem sweep` prints it; what was sent, and which sentences stand."""
    matcher, tokens, told = Matcher(files.load()), list[int](), defaultdict[str, list[Row]](list)
    for row in answers:
        told[row["id"]].append({"quote": row["quote"], "text": row["statement"], "class": row["class"]})
    messages = [Message(t["id"], Role.USER, Origin.USER_PROMPT, t["text"], previous=t.get("previous", "")) for t in typed]
    turn_of = {protocol.turn(one.text, one.previous): one.id for one in messages}

    def ask(request: str) -> str:
        turns = [(t["n"], turn_of[TypedTurn(t["previous"], t["typed"])]) for t in json.loads(request)["turns"]]
        reply = json.dumps({"keep": [{"n": n, **entry} for n, key in turns for entry in told[key]]}, ensure_ascii=False)
        tokens.append(len((request + reply).encode()) // BYTES_PER_TOKEN)
        return reply

    sessions = [t["session"] for t in typed]
    kept = [
        [verdict.candidate for verdict in verdicts if verdict.reason == understood.REASON and verdict.gate is None]
        for verdicts in understood.read(messages, sessions, ask, matcher)[0]
    ]
    sentences = {row["statement"] for row in answers}
    whole = sum(one.text in sentences for found in kept for one in found)
    print(
        f"{len(tokens)} requests, tokens {statistics.median(tokens):.0f} at the median, {statistics.mean(tokens):.0f} on average;",
        end=" ",
    )
    print(
        f"{share(sum(map(len, kept)), len(answers))} of the quotations kept, {share(whole, len(answers))} in the reader's sentence"
    )
    return [json.dumps({"memories": [{"text": one.text, "quote": one.quote} for one in found]}) for found in kept]


def settled(folder: Path, prompts: Sequence[Row], matcher: Matcher) -> dict[str, str]:
    """What becomes long-term of prompts that are read one after another: the text by the prompt; sessions are a day apart."""
    found = dict[str, str]()
    sessions = list(dict.fromkeys(prompt["session"] for prompt in prompts))
    folder.mkdir()
    with open_store(folder / "memory.db", now=NOW) as db:
        for number, prompt in enumerate(prompts):
            at = NOW + 86_400.0 * sessions.index(prompt["session"]) + 600.0 * number
            said = Message(
                prompt["id"], Role.USER, Origin.USER_PROMPT, prompt["text"], previous=prompt.get("previous", ""), at=at
            )
            span = Span(session=prompt["session"], agent="claude-code", messages=(said,))
            for change in extract(db, span, project=HERE, settings=DEFAULTS, matcher=lambda: matcher, now=at).changes:
                if change.after and change.after.store is Store.LTM:
                    found[prompt["id"]] = change.after.text
    return found


def twice(folder: Path, typed: Sequence[Row], matcher: Matcher, work: Path) -> Iterator[str]:
    """How many second mentions are found, and what else."""
    by_id, people = {row["id"]: row for row in typed}, defaultdict(list)
    for row in typed:
        people[row["id"].split("/")[0]].append(row)
    gold = [tuple(pair) for pair in json.loads((folder / "second_mentions.json").read_text("utf-8"))]
    every = [(late["id"], early["id"]) for rows in people.values() for at, late in enumerate(rows) for early in rows[:at]]
    drawn = random.Random(1).sample([pair for pair in every if pair not in gold], DRAWN)

    def alone(number: int, pair: Sequence[str]) -> str:
        first, second = (dict(by_id[key], session=key) for key in reversed(pair))
        if not settled(work / f"first{number}", [dict(second, session="only")], matcher):  # a rule told as lasting is so at once
            return settled(work / f"both{number}", [first, second], matcher).get(pair[0], "")
        return ""

    found = [text for number, pair in enumerate([*gold, *drawn]) if (text := alone(number, pair)) or number < len(gold)]
    yield f"pairs alone: {share(sum(map(bool, found[: len(gold)])), len(gold))}; of {DRAWN} other pairs {len(found) - len(gold)}"
    yield from (f"  other: {text}" for text in found[len(gold) :])
    later = {late for late, _ in gold}
    for number, rows_of in enumerate(people.values()):
        for key, text in settled(work / f"all{number}", rows_of, matcher).items():
            yield f"  in order, {'pair' if key in later else 'other'} {key}: {text}"


def said_again(file: Path, matcher: Matcher, work: Path) -> str:
    """Of pairs of which both are kept, how many count as said in two sessions: of those that say the same, and of the others."""
    counted = Counter[tuple[bool, bool]]()
    for number, pair in enumerate(rows(file)):
        kept = []
        with open_store(work / f"{number}.db", now=NOW) as db:
            for key, at in (("first", NOW), ("second", NOW + 7 * 86_400.0)):
                said = Message(key, Role.USER, Origin.USER_PROMPT, pair[key], at=at)
                span = Span(session=key, agent="claude-code", messages=(said,))
                found = extract(db, span, project=HERE, settings=DEFAULTS, matcher=lambda: matcher, now=at)
                kept.append(any(change.after for change in found.changes))
            twice = any(one.session_count > 1 for one in store.recallable(db, HERE.id))
        counted[pair["same"], twice] += all(kept)
    same, other = ((counted[kind, True], counted[kind, True] + counted[kind, False]) for kind in (True, False))
    return f"said again: {share(*same)}; of {other[1]} that only look alike {other[0]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judge", default="", help="a reader: a program that speaks protocol 2")
    parser.add_argument("--answers", type=Path, help="what a reader answered before")
    parser.add_argument("--show", action="store_true", help="print every prompt that something is kept of")
    parser.add_argument("--twice", action="store_true", help="what is said twice, by the rules alone")
    chosen = parser.parse_args()
    if chosen.twice and chosen.folder.is_file():
        with tempfile.TemporaryDirectory() as work:
            print(said_again(chosen.folder, Matcher(files.load()), Path(work)))
        return 0
    gold: dict[str, list[Row]] = defaultdict(list)
    for row in rows(chosen.folder / "gold.jsonl"):
        gold[row["id"]].append(row)
    typed = rows(chosen.folder / "typed.jsonl")
    if chosen.twice:
        with tempfile.TemporaryDirectory() as work:
            print("\n".join(twice(chosen.folder, typed, Matcher(files.load()), Path(work))))
        return 0
    lines = [
        json.dumps(
            {"id": t["id"], "role": "user", "text": t["text"], "prev_assistant": t.get("previous", ""), "session": t["session"]}
        )
        for t in typed
    ]
    kept, any_right, sure_right = 0, 0, 0
    found = answered(typed, rows(chosen.answers)) if chosen.answers else swept(lines, chosen.judge)
    for prompt, line in zip(typed, found, strict=True):
        texts = [memory["text"] for memory in json.loads(line)["memories"]]
        said = [memory["quote" if chosen.judge or chosen.answers else "text"] for memory in json.loads(line)["memories"]]
        hits = [row for row in gold[prompt["id"]] if any(touches(text, row["quote"]) for text in said)]
        kept, any_right = kept + bool(texts), any_right + bool(hits)
        sure_right += any(row["sure"] for row in hits)
        if chosen.show and texts:
            verdict = "sure " if any(row["sure"] for row in hits) else "right" if hits else "wrong"
            print(f"{verdict} {prompt['id']}: {' | '.join(texts)}")
    wanted = sum(any(row["sure"] for row in found) for found in gold.values())
    print(f"{len(typed)} prompts, something kept of {kept}: right {share(any_right, kept)}, for sure {share(sure_right, kept)}")
    print(f"of prompts that hold something sure: {share(sure_right, wanted)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
