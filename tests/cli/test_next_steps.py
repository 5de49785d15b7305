"""What is said after an installation: what to do next, and what of it all is left behind by leaving."""

from __future__ import annotations

import json
from pathlib import Path

from tests import hooks
from tests.hooks import Conversation, settle
from tests.test_cli import remembered, run


def said_by(*words: str, cwd: Path, code: int = 0) -> str:
    done = run(*words, cwd=cwd)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_without_an_agent_it_names_both_and_how_to_go_on(home: Path) -> None:
    said = said_by("install", cwd=home)
    assert "neither Claude Code" in said
    assert "OpenCode" in said
    assert "install` registers PsychMem with it" in said


def test_it_ends_with_the_restart_and_with_the_old_conversations(home: Path) -> None:
    folder = home / ".claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    first = "Restart Claude Code, then say to it: From now on run the tests before every commit."
    assert said_by("install", cwd=home).splitlines()[-3] == first
    assert "Nothing is remembered yet" in said_by(cwd=home)
    said_by("remember", "Deploy on Mondays", "--user", cwd=home)
    assert "Nothing is remembered yet" not in said_by(cwd=home)
    for name in ("a", "b"):
        (folder / f"{name}.jsonl").write_text("{}\n")
    said = said_by("install", cwd=home).splitlines()
    assert said[-1].startswith("2 old conversations are here; `")
    assert said[-1].endswith("psychmem import --conversations` reads them.")
    assert said_by("doctor", cwd=home).splitlines()[-2:] == said[-2:]


def test_it_is_not_said_again_once_hooks_have_run(home: Path) -> None:
    (home / ".claude").mkdir()
    said_by("install", cwd=home)
    start = {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup", "cwd": str(home)}
    hooks.run("inject", start)
    hooks.settle()
    assert "Restart" not in said_by("doctor", cwd=home)


def test_a_dry_run_says_nothing_of_what_comes_next(home: Path) -> None:
    (home / ".claude").mkdir()
    assert "Restart" not in said_by("install", "--dry-run", cwd=home)


def test_what_can_be_made_again_is_told_and_goes_with_all(home: Path) -> None:
    cache = home / "psychmem" / "cache" / "languages"
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "xx.json").write_text("x")
    said_by("remember", "Deploy on Mondays", "--user", cwd=home)
    assert f"{cache} stays and holds no memories; --all takes that along." in said_by("uninstall", cwd=home)
    assert f"would remove {cache}" in said_by("uninstall", "--all", "--dry-run", cwd=home)
    assert cache.exists()
    assert f"removed {cache}" in said_by("uninstall", "--all", cwd=home)
    assert not cache.parent.exists()
    assert json.loads(said_by("list", "--json", cwd=home))[0]["text"] == "Deploy on Mondays"


def test_all_and_a_part_are_not_asked_for_together(home: Path) -> None:
    assert "one or the other" in said_by("uninstall", "--all", "--opencode", cwd=home, code=2)


def test_a_home_without_the_client_is_again_without_it(shop: Path, home: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    run("install", "--claude-code", cwd=shop)
    Conversation(shop, "s1").begins()
    settle()
    assert list((home / ".claude").rglob("MEMORY.md"))
    run("uninstall", cwd=shop)
    assert not (home / ".claude").exists()
