"""Rules at the tool call: how many violations are caught, and how often a call brings up a rule that has nothing to do with it.

    python benchmarks/guards.py [TABLE ...] [--reader ANSWERS] [--calls FOLDER ...] [--show]

A table has a line for each rule: its language, its words, a call that breaks it and one that comes near and does not. "-" for
the breaking call: the rule names nothing that a call shows, and must wait for nothing. A call is a shell line or the path of an
edit; "PATH <<< TEXT" writes that text, "@TOOL words" or "@TOOL {JSON}" is another tool's; "# on BRANCH" is the branch checked
out, "# on friday" the day, "# exists" that the file is there. The work tree has the files that all the tables' edits name.
With `--reader` a rule also waits for the calls that a reader said break it: {"n": TABLE LINE FROM 1, "calls": ["GLOB"]} a line.
With `--calls` every tool call in the transcripts under these folders is looked up, as if a person with all these rules worked
there: a reminder is said once a rule and transcript.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from psychmem_py.briefing.actionable import actionable, with_calls  # noqa: E402
from psychmem_py.guards.acts import trigger_text  # noqa: E402
from psychmem_py.guards.call import Call, call_of  # noqa: E402
from psychmem_py.guards.trigger import Rule, act, broken  # noqa: E402
from psychmem_py.guards.words import Names  # noqa: E402
from psychmem_py.judging.protocol import calls_of  # noqa: E402

TABLES = [Path(__file__).parent / "guards.tsv"]
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Made(NamedTuple):
    """A call as a table writes it, and what is so around it."""

    call: Call
    weekday: int = 1
    exists: bool = False


def made_of(text: str) -> Made:
    line, _, note = text.partition(" # ")
    if " <<< " in text:  # what is written may have remarks of its own
        line, _, note = (text, "", "") if not text.endswith(" # exists") else text.rpartition(" # ")
    where = note.removeprefix("on ")
    day = DAYS.index(where) if where in DAYS else 1
    path, writes, content = line.partition(" <<< ")
    if line.startswith("@"):
        tool, _, words = line[1:].partition(" ")
        return Made(
            call_of(tool, json.loads(words) if words.startswith("{") else {"file_path" if tool == "Read" else "query": words}),
            day,
        )
    if writes or (" " not in line and ("/" in line or "." in line) and not line.startswith("./")):
        return Made(call_of("Write", {"file_path": path, "content": content}), day, exists=note == "exists")
    return Made(call_of("Bash", {"command": line.replace("\\n", "\n")}, lambda: "" if where in DAYS else where), day)


def spoken(rules: list[Rule], made: Made, before: list[Call]) -> list[Rule]:
    """The rules that a call breaks, after the calls `before` it."""
    found = []
    for rule, place in broken(rules, made.call, weekday=made.weekday, exists=made.exists):
        earlier = [*before, made.call._replace(commands=made.call.commands[:place], edits=())]
        if not rule.needs or not any(act(need, one) >= 0 for need in rule.needs for one in earlier):
            found.append(rule)
    return found


def transcripts(folders: list[Path]) -> Iterator[tuple[Path, list[Call]]]:
    """The tool calls of every transcript, dump or payload below the folders."""
    for folder in folders:
        for path in sorted((*folder.rglob("*.jsonl"), *folder.rglob("*.jsonl.gz"), *folder.rglob("*.json"))):
            try:
                if path.suffix == ".gz":
                    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
                else:
                    lines = path.read_text("utf-8").splitlines() if path.suffix == ".jsonl" else [path.read_text("utf-8")]
            except (OSError, UnicodeDecodeError):
                continue
            found: dict[str, Call] = {}
            for line in lines:
                try:
                    _collect(json.loads(line), found)
                except ValueError:
                    continue
            if found:
                yield path, list(found.values())


def _collect(value: Any, found: dict[str, Call]) -> None:
    """Every tool call anywhere in a record: what has a tool's name and an input."""
    if isinstance(value, list):
        for one in value:
            _collect(one, found)
    elif isinstance(value, dict):
        state = value.get("state") if isinstance(value.get("state"), dict) else {}
        name = value.get("tool_name") or value.get("name") or value.get("tool")
        given = value.get("tool_input") or value.get("input") or value.get("args") or state.get("input")
        if isinstance(name, str) and isinstance(given, dict):
            key = str(value.get("tool_use_id") or value.get("id") or value.get("callID") or len(found))
            made = call_of(name, given)
            if made.commands or made.edits:
                found.setdefault(key, made)
        for one in value.values():
            _collect(one, found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tables", type=Path, nargs="*", default=TABLES)
    parser.add_argument("--reader", type=Path, help="what a reader said of the one table's rules")
    parser.add_argument("--calls", type=Path, nargs="*", default=[], help="folders with transcripts of unrelated work")
    parser.add_argument("--show", action="store_true", help="print what was missed and what was wrong")
    options = parser.parse_args()
    tables = {table: rows_of(table) for table in options.tables}
    rows = [row for table in tables.values() for row in table]
    read = rules_of(rows)
    if options.reader:
        read |= with_reader(rows, read, options.reader)
    for table, lines in tables.items():
        _measured(table.stem, lines, read, show=options.show)
    if len(tables) > 1:
        _measured("all", rows, read)
    if options.calls:
        _unrelated([rule for rule in read.values() if rule], rows, options.calls, show=options.show)
    return 0


def rows_of(table: Path) -> list[list[str]]:
    """The lines of a table: language, rule, a call that breaks it, one that does not."""
    return [line.split("\t") for line in table.read_text("utf-8").splitlines()]


def rules_of(rows: list[list[str]]) -> dict[str, Rule | None]:
    """The rules by their words, read in a work tree that has the files which all the rows' edits name."""
    names = Names({made.call.edits[0] for *_, one, two in rows for made in (made_of(one), made_of(two)) if made.call.edits})
    return {text: actionable(str(number), text, language, names) for number, (language, text, *_) in enumerate(rows)}


def with_reader(rows: list[list[str]], read: dict[str, Rule | None], answers: Path) -> dict[str, Rule | None]:
    """The rules that a reader spoke of, with the calls it named, as they are kept of its answer."""
    said = (json.loads(line) for line in answers.read_text("utf-8").splitlines() if line.strip())
    texts = [(one["n"], rows[one["n"] - 1][1], calls_of(one.get("calls"))) for one in said]
    return {text: with_calls(read[text], str(n - 1), calls) for n, text, calls in texts}


class Figures(NamedTuple):
    """What became of the rules of a table."""

    rules: int
    acting: int  # of them, those that a call can break
    caught: int
    near: int  # reminded at a near miss, or bound to anything where nothing shows
    bound: int
    right: int  # of those bound


def figures(rows: list[list[str]], read: dict[str, Rule | None], *, show: bool = False) -> Figures:
    """How the rules of a table were read; with `show` what was missed and what was wrong is printed."""
    acting = caught = near = bound = wrong = 0
    for language, text, breaks, keeps in rows:
        rule = read[text]
        acts = breaks != "-"
        is_caught = acts and rule is not None and bool(spoken([rule], made_of(breaks), []))
        is_near = rule is not None and (not acts or bool(spoken([rule], made_of(keeps), [])))
        acting, caught, near, bound = acting + acts, caught + is_caught, near + is_near, bound + (rule is not None)
        wrong += is_near + (acts and rule is not None and not is_caught)
        if show and (is_near or (acts and not is_caught)):
            what = "wrong " if is_near else "other " if rule else "missed"
            print(f"  {what} {language}: {text}  <- {keeps if is_near else breaks}   [{trigger_text(rule) if rule else ''}]")
    return Figures(len(rows), acting, caught, near, bound, bound - wrong)


def _measured(name: str, rows: list[list[str]], read: dict[str, Rule | None], *, show: bool = False) -> None:
    number, acting, caught, near, bound, right = figures(rows, read, show=show)
    print(
        f"{name:12} caught {caught:3} of {acting:3} = {100 * caught / acting:3.0f} %;  near misses reminded, or bound to anything at all where"
        f" nothing shows: {near:2} of {number} = {100 * near / number:.0f} %;  of {bound} bound {right} right"
    )


def _unrelated(rules: list[Rule], rows: list[list[str]], folders: list[Path], *, show: bool) -> None:
    calls = said = files = 0
    for path, made in transcripts(folders):
        files += 1
        told: set[str] = set()
        for number, one in enumerate(made):
            calls += 1
            for rule in spoken([rule for rule in rules if rule.id not in told], Made(one, exists=True), made[:number]):
                told.add(rule.id)
                if show:
                    print(
                        f"  {path.name}: {rows[int(rule.id)][1]}  <- {one.edits or [(*c.by, c.program, c.verb) for c in one.commands]}"
                    )
        said += len(told)
    each = 100 * said / calls / len(rules) if calls else 0.0
    print(
        f"unrelated    {calls} calls in {files} files; with all {len(rules)} rules at once {said} reminders; a person with ten of them: {10 * each:.2f} per 100"
    )


if __name__ == "__main__":
    sys.exit(main())
