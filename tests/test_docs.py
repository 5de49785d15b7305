"""What the documents say is so: generated tables are fresh, links lead somewhere, commands are understood, versions agree."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from psychmem_py import __version__
from tests.test_cli import run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
COMMANDS = [line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines() if line.startswith("psychmem ")]


@pytest.mark.parametrize("made_by", ["tables.py", "picture.py"])
def test_what_is_generated_is_fresh(made_by: str) -> None:
    done = subprocess.run([sys.executable, str(ROOT / "docs" / made_by), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_versions_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    plugin = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert __version__ == project["version"] == plugin["version"]


def test_links_lead_somewhere() -> None:
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name} points to {target}"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_in_the_readme_is_understood(command: str, tmp_path: Path) -> None:
    identity = json.loads(run("remember", "We deploy on Mondays only, never later", "--json", cwd=tmp_path).stdout)["id"]
    words = [identity if word == "3f2a91cc" else word for word in shlex.split(command.partition(" > ")[0])[1:]]
    if "--purge" in words:
        words.append("--yes")
    done = run(*words, cwd=tmp_path, stdin="")
    assert done.returncode in (0, 1), done.stderr  # 2 would be wrong usage
    assert done.returncode == 0 or words[:2] in (["explain", "--last"], ["import", "--exact"]), done.stderr


@pytest.mark.parametrize(
    "path", [path for path in (ROOT / "psychmem_py").rglob("*.py") if path.name != "__init__.py"], ids=lambda path: path.name
)
def test_every_module_says_what_it_is(path: Path) -> None:
    assert path.read_text("utf-8").startswith('"""')
