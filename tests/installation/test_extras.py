"""What is offered beside the package, and what to type for it."""

import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from psychmem_py.installation import registration
from tests.hooks import ROOT


def test_the_extras_are_those_that_the_package_offers_and_nobody_is_sent_to_a_package_of_our_name() -> None:
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    ours = {"embeddings": registration.EMBEDDINGS, "hub": registration.HUB}
    assert {"dev": offered["dev"], **{name: list(extra.requirements) for name, extra in ours.items()}} == offered
    for extra in ours.values():
        assert tuple(shlex.split(registration.bringing(extra))[-len(extra.requirements) :]) == extra.requirements
        assert "psychmem[" not in registration.bringing(extra)


def test_an_environment_without_pip_is_filled_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    assert shlex.split(registration.bringing(registration.EMBEDDINGS))[:4] == ["pip", "--python", sys.executable, "install"]
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert registration.bringing(registration.EMBEDDINGS).startswith(f"uv pip install --python {sys.executable} ")
