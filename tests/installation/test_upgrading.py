"""`psychmem upgrade` says from what to what, and where another way of upgrading belongs; what is offered beside the package."""

import json
import os
import shlex
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from psychmem_py.errors import RefusedError
from psychmem_py.installation import upgrading
from tests.hooks import ROOT
from tests.installation.test_own_environment import shipped
from tests.test_install import environment


class Origin:
    """A distribution that says it came from here."""

    def __init__(self, **about: object) -> None:
        self.text = json.dumps(about) if about else None

    def read_text(self, _name: str) -> str | None:
        return self.text


@pytest.mark.parametrize(
    ("about", "mend"),
    [
        pytest.param({}, "pipx upgrade psychmem", id="from an index"),
        pytest.param({"url": "https://example.org/p.whl"}, "pipx upgrade psychmem", id="from an address"),
        pytest.param({"url": "file:///here/it%20is", "dir_info": {"editable": True}}, "git -C /here/it is pull", id="editable"),
        pytest.param({"url": "file:///gone", "dir_info": {}}, "/gone is gone; clone it again", id="a checkout that is gone"),
    ],
)
def test_what_it_cannot_upgrade_it_says_how_to(about: dict[str, object], mend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda _name: Origin(**about))
    with pytest.raises(RefusedError, match=r"psychmem|git|clone") as told:
        upgrading.source(os.environ)
    assert mend in str(told.value)


def test_what_git_cannot_update_is_told_and_pipx_left_to_pipx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "remote", "add", "origin", str(tmp_path / "nowhere")], check=True)
    with pytest.raises(RefusedError, match=r"could not bring .* up to date"):
        upgrading.pulled(tmp_path)
    (tmp_path / "install.sh").touch()
    monkeypatch.setattr(metadata, "distribution", lambda _name: Origin(url=tmp_path.as_uri(), dir_info={}))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "pipx" / "venvs" / "psychmem"))
    with pytest.raises(RefusedError, match="pipx install --force"):
        upgrading.source(os.environ)


@pytest.mark.long
def test_a_newer_checkout_becomes_what_runs_and_its_commit_is_named(tmp_path: Path) -> None:
    home, checkout = tmp_path / "home", tmp_path / "checkout"
    (home / ".claude").mkdir(parents=True)
    shipped(checkout)
    env = environment(home, PYTHON=sys.executable) | {"GIT_CONFIG_GLOBAL": os.devnull}

    def ran(*words: str) -> str:
        done = subprocess.run(words, env=env, cwd=checkout, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def committed() -> str:
        ran("git", "add", "-A")
        ran("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x")
        return ran("git", "rev-parse", "--short", "HEAD").strip()

    ran("git", "init", "-q")
    old = committed()
    assert "PsychMem 0.1.0" in ran("./install.sh", "--environment")
    program = str(home / ".local" / "share" / "psychmem" / "venv" / "bin" / "psychmem")
    ran(program, "install", "--claude-code")
    assert f"(({old}) is what" in ran(program, "upgrade").replace(f"0.1.0 ({old})", f"(({old})")

    module = checkout / "psychmem_py" / "__init__.py"
    module.write_text(module.read_text().replace('"0.1.0"', '"0.2.0"'))
    project = checkout / "pyproject.toml"
    project.write_text(project.read_text().replace('version = "0.1.0"', 'version = "0.2.0"'))
    new = committed()
    before = (home / ".claude" / "settings.json").read_text()
    assert f"would become 0.2.0 ({new})" in ran(program, "upgrade", "--dry-run")
    assert ran(program, "--version") == "psychmem 0.1.0\n"
    assert f"PsychMem 0.1.0 ({old}) became 0.2.0 ({new})" in ran(program, "upgrade")
    assert ran(program, "--version") == "psychmem 0.2.0\n"
    assert (home / ".claude" / "settings.json").read_text() == before


def test_the_extras_are_those_that_the_package_offers_and_nobody_is_sent_to_a_package_of_our_name() -> None:
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    extras = {"embeddings": upgrading.EMBEDDINGS, "hub": upgrading.HUB}
    assert {"dev": offered["dev"], **{name: list(extra.requirements) for name, extra in extras.items()}} == offered
    for extra in extras.values():
        assert tuple(shlex.split(upgrading.command(extra))[-len(extra.requirements) :]) == extra.requirements
        assert "psychmem[" not in upgrading.command(extra)


def test_an_environment_without_pip_is_filled_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrading, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    assert shlex.split(upgrading.command(upgrading.EMBEDDINGS))[:4] == ["pip", "--python", sys.executable, "install"]
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert upgrading.command(upgrading.EMBEDDINGS).startswith(f"uv pip install --python {sys.executable} ")
