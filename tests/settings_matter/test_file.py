"""What config.toml says holds in hooks and commands alike."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from psychmem_py.cli.tree import app
from tests.hooks import Conversation, run, settle


def test_hooks_and_commands_use_the_database_the_file_names(home: Path) -> None:
    written(home, 'db_path = "moved/{agentType}.db"')
    Conversation(project(home), "s").says("Never commit directly to the main branch, always open a pull request.")
    told = CliRunner().invoke(app, ["list", "main branch", "--all-projects", "--json"])
    assert [row["class"] for row in json.loads(told.stdout)] == ["constraint"]
    assert [path.relative_to(home).as_posix() for path in home.rglob("*.db")] == ["psychmem/moved/claude-code.db"]


def test_what_a_stop_leaves_is_taken_up_at_the_end(home: Path) -> None:
    written(home, "[extraction]\nextract_on_message = false")
    talk = Conversation(project(home), "s")
    talk.says("Never commit directly to the main branch, always open a pull request.")
    assert not list(home.rglob("memory.db"))
    run("session-end", talk.payload("SessionEnd", reason="exit"))
    settle()
    told = CliRunner().invoke(app, ["list", "main branch", "--all-projects", "--json"])
    assert len(json.loads(told.stdout)) == 1


def written(home: Path, text: str) -> None:
    (home / "psychmem" / "config").mkdir(parents=True)
    (home / "psychmem" / "config" / "config.toml").write_text(text, "utf-8")


def project(home: Path) -> Path:
    (home / "shop").mkdir()
    return home / "shop"
