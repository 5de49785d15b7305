"""What `psychmem remember` does to what is known: how many pairs in tests/data/pairs.txt that end the older statement do so, and
how many that hold together are told apart wrongly. Each pair in a store of its own, through the command.

    python benchmarks/contradictions.py [--pairs 200]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from itertools import combinations
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent.parent / "tests" / "data" / "pairs.txt"


def main() -> None:
    parser = argparse.ArgumentParser(description="contradicting and compatible pairs through `psychmem remember`")
    parser.add_argument("--pairs", type=int, default=200, help="compatible pairs, drawn at random")
    wanted = parser.parse_args().pairs
    replaced, together = FILE.read_text("utf-8").partition("[said]\n")[0].partition("[replaced]\n")[2].split("[together]\n")
    pairs = [tuple(line.split(" | ")) for line in replaced.splitlines()]
    missed = [pair for pair in pairs if not outcome(*pair).get("replaces")]
    every = [pair for group in together.strip().split("\n\n") for pair in combinations(group.splitlines(), 2)]
    drawn = random.Random(7).sample(every, min(wanted, len(every)))
    flagged = [pair for pair in drawn if {"replaces", "contradicts"} & outcome(*pair).keys()]
    print(f"contradicting pairs: {len(pairs) - len(missed)} of {len(pairs)} replaced the older statement")
    print(f"compatible pairs: {len(flagged)} of {len(drawn)} flagged ({100 * len(flagged) / len(drawn):.1f} %)")
    for name, found in (("missed", missed), ("flagged", flagged)):
        for known, new in found:
            print(f"  {name}: {known} | {new}")


def outcome(known: str, new: str) -> dict[str, Any]:
    """What the command printed for the second of two statements."""
    from typer.testing import CliRunner  # noqa: PLC0415  # after the arguments: --help needs no command line

    from psychmem_py.cli.app import app  # noqa: PLC0415
    from psychmem_py.cli.commands import change  # noqa: F401, PLC0415  # registers the command

    with tempfile.TemporaryDirectory() as home:
        os.environ.update(PSYCHMEM_HOME=f"{home}/psychmem", HOME=home)
        for name in ("CLAUDECODE", "OPENCODE"):
            os.environ.pop(name, None)
        os.chdir(home)
        runner = CliRunner()
        runner.invoke(app, ["remember", known, "--json"])
        said = runner.invoke(app, ["remember", new, "--json"]).stdout
        os.chdir("/")
    found: dict[str, Any] = json.loads(said)
    return found


if __name__ == "__main__":
    main()
