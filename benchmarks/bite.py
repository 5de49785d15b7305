"""Rules at the tool call: how many violations are caught, and how often a call is reminded of a rule that has nothing to do with it.

    python benchmarks/bite.py [--rules FILE ...] [--calls FOLDER ...] [--show]

`bite_rules.tsv`: rules of our own in eight languages, each with a call that breaks it and one that comes near and does not; a call is a
shell line or the path of an edit, "# on BRANCH" says what is checked out. With `--calls` every tool call in the transcripts under these
folders is looked up, as if a person with all these rules worked there: a reminder is said once a rule and transcript. Read with `--show`
which of them are right (the call does what the rule forbids) and which have nothing to do with the call.
The other tables, `bite_first_sight.tsv`, `bite_second_sight.tsv` and `bite_third_sight.tsv`, were each measured once before anything was mended
after them: 22, 24 and 27 of 30 were caught.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from psychmem_py.briefing.actionable import actionable  # noqa: E402
from psychmem_py.guards.call import Call, call_of  # noqa: E402
from psychmem_py.guards.trigger import Rule, act, broken  # noqa: E402

RULES = Path(__file__).with_name("bite_rules.tsv")


def call(text: str) -> Call:
    """A call as the table writes it."""
    line, _, branch = text.partition(" # on ")
    is_path = " " not in line and ("/" in line or "." in line) and not line.startswith("./")
    return call_of("Edit", {"file_path": line}) if is_path else call_of("Bash", {"command": line}, lambda: branch)


def bites(rules: list[Rule], made: Call, before: list[Call]) -> list[Rule]:
    """The rules that a call breaks, after the calls `before` it."""
    found = []
    for rule, place in broken(rules, made):
        earlier = [*before, made._replace(commands=made.commands[:place], edits=())]
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
    parser.add_argument("--rules", type=Path, nargs="*", default=[RULES], help="tables of rules")
    parser.add_argument("--calls", type=Path, nargs="*", default=[], help="folders with transcripts of unrelated work")
    parser.add_argument("--show", action="store_true", help="print what was missed and what was wrong")
    options = parser.parse_args()
    rows = [line.split("\t") for table in options.rules for line in table.read_text("utf-8").splitlines()]
    rules = [actionable(str(number), text, language) for number, (language, text, _, _) in enumerate(rows)]
    caught = wrong = 0
    for rule, (language, text, breaks, keeps) in zip(rules, rows, strict=True):
        is_caught = rule is not None and bool(bites([rule], call(breaks), []))
        is_wrong = rule is not None and bool(bites([rule], call(keeps), []))
        caught, wrong = caught + is_caught, wrong + is_wrong
        if options.show and (is_wrong or not is_caught):
            print(f"  {'missed' if not is_caught else 'wrong '} {language}: {text}  <- {keeps if is_wrong else breaks}")
    count = len(rows)
    print(f"violations caught       {caught:4} of {count} = {100 * caught / count:.0f} %, at least 85")
    print(f"near misses reminded    {wrong:4} of {count} = {100 * wrong / count:.0f} %")
    if options.calls:
        _unrelated([rule for rule in rules if rule], rows, options.calls, show=options.show)
    return 0


def _unrelated(rules: list[Rule], rows: list[list[str]], folders: list[Path], *, show: bool) -> None:
    calls = said = files = 0
    for path, made in transcripts(folders):
        files += 1
        told: set[str] = set()
        for number, one in enumerate(made):
            calls += 1
            for rule in bites([rule for rule in rules if rule.id not in told], one, made[:number]):
                told.add(rule.id)
                if show:
                    print(
                        f"  {path.name}: {rows[int(rule.id)][1]}  <- {one.edits or [(*c.by, c.program, c.verb) for c in one.commands]}"
                    )
        said += len(told)
    each = 100 * said / calls / len(rules) if calls else 0.0
    print(
        f"unrelated calls         {calls} in {files} files; reminders with all {len(rules)} rules at once {said} = {100 * said / calls:.2f} per 100"
    )
    print(f"                        a person with ten of them: {10 * each:.2f} per 100, at most 0.5")


if __name__ == "__main__":
    sys.exit(main())
