"""Two machines, a real client on each: what a person tells Claude Code on one, OpenCode's model is told on the other, and back."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from tests.e2e import claude, opencode
from tests.e2e.model_server import Model
from tests.e2e.test_claude_code import RULE, told
from tests.e2e.test_claude_code import settle as settle_claude
from tests.e2e.test_opencode import main_requests
from tests.sync.conftest import cluster, hub  # noqa: F401 - fixtures
from tests.sync.server import Server
from tests.test_cli import run

pytestmark = pytest.mark.long

OTHER = "Never use jest in this repository, always use vitest."


def joins(machine: claude.Machine | opencode.Machine, project: Path, remote: str) -> None:
    """The project is a clone of the same remote, and shared through the folder or hub."""
    subprocess.run(
        ["git", "-C", project, "remote", "add", "origin", "git@example.org:team/shop.git"], check=True, capture_output=True
    )
    psychmem(machine, project, "remote", "add", "home", remote, *(() if "://" in remote else ("--mine",)))
    psychmem(machine, project, "share", "--with", "home")


def psychmem(machine: claude.Machine | opencode.Machine, project: Path, *words: str) -> None:
    done = run(
        *words,
        cwd=project,
        HOME=str(machine.home),
        PSYCHMEM_HOME=str(machine.memory),
        CLAUDE_CONFIG_DIR=str(machine.home / ".claude"),
    )
    assert done.returncode == 0, done.stderr


def through_a_folder(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[str, Callable[[], bool]]:
    folder = tmp_path / "carried"
    folder.mkdir()
    return str(folder), lambda: bool(list(folder.rglob("*.gz")))


def through_a_hub(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[str, Callable[[], bool]]:
    server: Server = request.getfixturevalue("hub")

    def holds() -> bool:
        with psycopg.connect(server.url()) as db:
            return db.execute("select exists (select from psychmem.op)").fetchone() == (True,)

    return server.url("kim"), holds


@pytest.mark.parametrize("remote", [through_a_folder, through_a_hub])
def test_what_is_said_to_one_client_is_told_by_the_other_on_the_other_machine(
    tmp_path: Path, request: pytest.FixtureRequest, remote: Callable[..., tuple[str, Callable[[], bool]]]
) -> None:
    url, carried = remote(tmp_path, request)
    laptop = claude.Machine(tmp_path / "laptop", claude.client(), claude.hook_launcher(tmp_path / "plugin dir"))
    tower = opencode.Machine(tmp_path / "tower", opencode.client())
    here, there = laptop.project("shop"), tower.project("shop")
    joins(laptop, here, url)
    joins(tower, there, url)
    with Model() as model:
        laptop.run(here, model.url, f"{RULE} Please look at the readme.")
        settle_claude(laptop)
        assert carried(), "the stop carried it out"
        psychmem(tower, there, "sync")
        before = len(model.requests)
        tower.run(there, model.url, f"{OTHER} What is the capital of France?")
        settle_claude(tower)  # type: ignore[arg-type]
        assert told(json.dumps(main_requests(model, before)[0])) == 1
        psychmem(laptop, here, "sync")
        before = len(model.requests)
        laptop.run(here, model.url, "What is the capital of Spain?")
        settle_claude(laptop)
        assert any("always use vitest" in request for request in model.texts(before))
