"""The table of what other systems do: each test it names exists, each command answers, each other row has its reason."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import typer

from psychmem_py.cli.app import whole
from psychmem_py.cli.overview import renamed

ROOT = Path(__file__).resolve().parent.parent
ROWS = [line.split("\t") for line in (ROOT / "docs" / "seeds.tsv").read_text("utf-8").splitlines()]
DONE = [row for row in ROWS if row[3] not in ("otherwise", "partly", "open")]
COMMANDS = set(typer.main.get_command(whole()).commands)  # type: ignore[attr-defined]


def named(test: str) -> bool:
    path, _, name = test.partition("::")
    file = ROOT / "tests" / path
    return file.exists() and bool(re.search(rf"^(?:async )?def {name}\(", file.read_text("utf-8"), re.MULTILINE))


def test_the_tests_that_the_table_names_are_there() -> None:
    assert [test for test in sorted({row[4] for row in DONE}) if not named(test)] == []


def test_the_commands_and_files_that_the_table_names_are_there() -> None:
    found = {by: by.removeprefix("psychmem ") for _, _, _, by, _ in DONE}
    assert [
        by for by, name in found.items() if not (renamed(name.split())[0] in COMMANDS if name != by else (ROOT / by).exists())
    ] == []


def test_what_is_not_there_says_why() -> None:
    assert all(len(row) == 5 and len(row[4]) > 7 for row in ROWS)


def test_every_row_has_its_line() -> None:
    assert [int(row[1]) for row in ROWS] == list(range(1, 306))


def test_the_page_is_fresh() -> None:
    assert subprocess.run([sys.executable, str(ROOT / "docs" / "seeds.py"), "--check"], check=False).returncode == 0
