"""What help says: plain words for what may be given, every command in one line, and nothing loaded that is not needed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from psychmem_py.cli.command_table import COMMANDS
from tests.test_cli import ROOT, run


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_without_a_command_every_command_is_told_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for name, _, panel, _ in COMMANDS:
        assert [line for line in lines if line.startswith(f"  {name} ")], name
        assert panel in lines


@pytest.mark.parametrize("name", [name for name, _, _, _ in COMMANDS])
def test_help_speaks_of_words_and_not_of_types(tmp_path: Path, name: str) -> None:
    done = run(name, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert not re.search(r"list\[|<bool>|int range|\[x>=|INTEGER|<str>|BOOLEAN", done.stdout)
    assert f"Usage: psychmem {name}" in done.stdout
    assert "…" not in done.stdout.partition("--class CLASS")[2].partition("\n\n")[0]


def test_the_overview_loads_no_command_and_a_command_no_other() -> None:
    code = "import sys; from psychmem_py.cli import main\ntry: main()\nfinally: sys.stderr.write(' '.join(sys.modules))"

    def loaded(*words: str) -> set[str]:
        done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, check=True)
        return set(done.stderr.split())

    assert not {"typer", "rich", "sqlite3", "psychmem_py.cli.app"} & loaded()
    listed = loaded("list", "--json")
    ours = {name.rpartition(".")[2] for name in listed if name.startswith("psychmem_py.cli.commands.")}
    assert ours == {"listing"}
    assert not {"rich.console", "regex", "psychmem_py.extraction", "tomllib"} & listed


def test_a_word_that_is_no_command_is_answered_with_the_nearest(tmp_path: Path) -> None:
    done = run("lst", cwd=tmp_path)
    assert (done.returncode, "Did you mean 'list'?" in done.stderr) == (2, True)
