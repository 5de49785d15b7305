"""Runs the checks one after the other, all of them whatever fails, and says at the end what each took: see `run` beside it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
CORES = os.cpu_count() or 1
PYTEST = (sys.executable, "-m", "pytest", "-rfE", "-rs")
STEPS: dict[str, tuple[str | Path, ...]] = {
    "lint": (BIN / "ruff", "check", "."),
    "format": (BIN / "ruff", "format", "--check", "."),
    "types": (BIN / "mypy",),
    "tables of the documents": (sys.executable, "docs/tables.py", "--check"),
    "picture of the packages": (sys.executable, "docs/picture.py", "--check"),
}
WORKING = ("-n", str(CORES))
WAITING = ("-n", str(CORES + min(CORES, 4)))  # a third of their time these wait: for a client, a disk, a process that is to end
QUICK = {"tests of what is pure": (*PYTEST, *WORKING, "--part", "pure")}
WHOLE = {"tests": (*PYTEST, *WAITING)}
ALL = {
    "tests of what is pure, with coverage": (*PYTEST, *WORKING, "--part", "pure", "--cov", "--cov-report="),
    "all other tests": (*PYTEST, *WAITING, "--part", "rest", "--all"),
    "coverage-guided fuzzing, ten seconds": (sys.executable, "tests/security/fuzz.py", "all", "10"),
}
_COUNTS = re.compile(r"(\d+) (passed|failed|skipped|errors?)\b")
_COVERAGE = re.compile(r"Total coverage: ([\d.]+%)")


class Done(NamedTuple):
    """What came of a step."""

    name: str
    ok: bool
    took_s: float
    counts: dict[str, int]
    coverage: str


def ran(name: str, command: tuple[str | Path, ...]) -> Done:
    """The outcome of a command, whose output is passed on as it comes."""
    print(f"== {name}: {' '.join(map(str, command))}", flush=True)
    begun, last, coverage = time.monotonic(), "", ""
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            last = line if line.strip() else last
            coverage = found[1] if (found := _COVERAGE.search(line)) else coverage
    counts = {what.removesuffix("s"): int(number) for number, what in _COUNTS.findall(last)} if "pytest" in command else {}
    return Done(name, process.returncode == 0, time.monotonic() - begun, counts, coverage)


def line_of(done: Done) -> str:
    """A line of the summary."""
    more = [f"{number} {what}" for what, number in done.counts.items()] + ([f"coverage {done.coverage}"] if done.coverage else [])
    return f"{'ok    ' if done.ok else 'FAILED'} {done.took_s:6.0f} s  {done.name}{': ' * bool(more)}{', '.join(more)}"


def main(arguments: list[str]) -> int:
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each worker translates all tests anew: 4 s of CPU, eight times
    known = {(): WHOLE, ("--quick",): QUICK, ("--all",): ALL}
    tests = known.get(tuple(arguments)) or {"tests": (*PYTEST, *WORKING, *arguments)}
    done = [ran(name, command) for name, command in {**STEPS, **tests}.items()]
    print("== summary")
    for one in done:
        print(line_of(one))
    total = {what: sum(one.counts.get(what, 0) for one in done) for what in ("passed", "failed", "error", "skipped")}
    failed = total["failed"] + total["error"] + sum(not one.ok and not one.counts for one in done)
    print(f"{'ok    ' if all(one.ok for one in done) else 'FAILED'} {sum(one.took_s for one in done):6.0f} s  in all")
    print(f"{total['passed']} passed, {failed} failed, {total['skipped']} skipped")
    return 0 if all(one.ok for one in done) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
