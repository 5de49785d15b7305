"""What brings a package that an installation lacks: into the Python that runs, by what this one was made with."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from psychmem_py.installation import upgrading

ROOT = Path(__file__).resolve().parents[2]


def test_the_extras_are_those_that_the_package_offers() -> None:
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {extra.name: list(extra.requirements) for extra in upgrading.EXTRAS} == {
        k: v for k, v in offered.items() if k != "dev"
    }


@pytest.mark.parametrize("extra", upgrading.EXTRAS, ids=lambda extra: extra.name)
def test_nobody_is_sent_to_a_package_of_our_name_on_an_index(extra: upgrading.Extra) -> None:
    assert tuple(shlex.split(upgrading.command(extra))[-len(extra.requirements) :]) == extra.requirements
    assert "psychmem[" not in upgrading.mend(extra, "it needs")


def test_an_environment_without_pip_is_filled_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrading, "find_spec", lambda name: None)
    assert shlex.split(upgrading.command(upgrading.MCP, {"PATH": ""}))[:4] == ["pip", "--python", sys.executable, "install"]
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\n")
    uv.chmod(0o755)
    assert upgrading.command(upgrading.MCP, {"PATH": str(tmp_path)}).startswith(f"uv pip install --python {sys.executable} ")


def test_whoever_asks_for_the_tools_without_their_package_is_told_at_once(home: Path) -> None:
    hidden = "import sys, importlib.util as u; f = u.find_spec; u.find_spec = lambda n, *a: None if n == 'mcp' else f(n, *a); "
    code = f"{hidden}sys.path[:0] = {sys.path!r}; from psychmem_py.cli import main; main()"
    words = ["install", "--claude-code", "--mcp", "--tools", "all"]
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=home, capture_output=True, text=True, check=True)
    assert f"this brings it: {sys.executable} -m pip install 'mcp>=" in done.stderr
    assert "--tools" in next(home.rglob(".claude.json")).read_text()
