"""One is told as one, and what to do next is told once."""

import json
import re
from pathlib import Path

import pytest

from tests.hooks import Conversation, settle
from tests.test_cli import RULE, remembered, run

SEVERAL = "line time event change row rule check request project remote operation call file".replace(" ", "s|")
WRONG = re.compile(rf"\b1 (?:memories|conversations|copies|{SEVERAL}s)\b")
READERS = (
    ["list", "--pinned"], ["show", "ID"], ["explain", "ID"], ["stats"], ["status"], ["context"], ["review"], ["doctor"],
    ["sessions"], ["clusters"], ["decay"], ["gc"], ["maintain"], ["project", "list"], ["checkpoint", "create", "before"], ["backfill"],
    ["forget", "--about", "release", "--dry-run"], ["forget", "ID", "--purge", "--yes"],
)  # fmt: skip


def test_with_one_memory_nothing_is_told_as_several_and_nothing_to_do_is_said_in_words(shop: Path) -> None:
    remembered(shop, RULE, "--project", ".")
    assert "0 of 0" not in run("decay", cwd=shop).stdout + run("gc", cwd=shop).stdout + run("maintain", cwd=shop).stdout
    memory_id = remembered(shop, RULE, "--project", ".")
    for words in READERS:
        done = run(*(memory_id if word == "ID" else word for word in words), cwd=shop)
        assert done.returncode == 0, done.stderr
        assert not WRONG.search(done.stdout + done.stderr), done.stdout


def line(cwd: Path, folder: Path) -> str:
    return run("statusline", cwd=cwd, stdin=json.dumps({"workspace": {"current_dir": str(folder)}})).stdout.strip()


def test_the_line_of_status_counts_what_is_known_and_says_a_pause_and_a_fault(shop: Path, tmp_path: Path, home: Path) -> None:
    for given in (None, "", "[]", "{"):  # no reason to fail
        done = run("statusline", cwd=shop, stdin=given)
        assert (done.returncode, done.stdout) == (0, "memory: 0\n")
    remembered(shop, "The port is 8080", "--project", ".")
    assert line(tmp_path, shop) == "memory: 1 · 1 kept today"
    (tmp_path / "elsewhere").mkdir()
    assert line(shop, tmp_path / "elsewhere") == "memory: 0"
    run("pause", cwd=shop)
    assert line(shop, shop) == "memory: paused"
    run("resume", cwd=shop)
    (home / "psychmem" / "memory.db").write_bytes(b"no database" * 100)
    assert line(shop, shop) == "memory: run psychmem doctor"


def said_by(*words: str, cwd: Path, code: int = 0) -> str:
    done = run(*words, cwd=cwd)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_without_an_agent_it_names_both(home: Path) -> None:
    said = said_by("install", cwd=home)
    assert [text for text in ("neither Claude Code", "OpenCode") if text not in said] == []
    assert "install` registers PsychMem with it" in said


def test_it_ends_with_the_restart_and_with_the_old_conversations_until_hooks_have_run(home: Path) -> None:
    folder = home / ".claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    first = "Restart Claude Code, then say there: From now on run the tests before every commit."
    assert said_by("install", cwd=home).splitlines()[-3] == first
    assert "Nothing is remembered yet" in said_by(cwd=home)
    said_by("remember", "Deploy on Mondays", "--user", cwd=home)
    assert "Nothing is remembered yet" not in said_by(cwd=home)
    for name in ("a", "b"):
        (folder / f"{name}.jsonl").write_text("{}\n")
    said = said_by("install", cwd=home).splitlines()
    assert said[-1].startswith("Old conversations: 2; `")
    assert said[-1].endswith("psychmem import --conversations` reads them.")
    assert said_by("doctor", cwd=home).splitlines()[-2:] == said[-2:]
    Conversation(home, "s").begins()
    settle()
    assert "Restart" not in said_by("doctor", cwd=home)


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


@pytest.mark.parametrize("made_by_us", [True, False])
def test_a_cache_of_the_system_s_goes_with_uninstalling_where_we_made_it(home: Path, made_by_us: bool) -> None:
    above = home / ".cache"
    if not made_by_us:
        above.mkdir()
    env = {"PSYCHMEM_HOME": "", "XDG_CACHE_HOME": "", "XDG_DATA_HOME": ""}
    assert run("remember", RULE, "--user", cwd=home, **env).returncode == 0
    assert (above / "psychmem" / "languages").is_dir()
    plugins = home / ".local" / "share" / "psychmem"
    for name in ("venv/made-by-plugin", "plugin-setup/failed", "plugin-environment.json"):
        (plugins / name).parent.mkdir(exist_ok=True)
        (plugins / name).touch()
    assert run("uninstall", "--all", cwd=home, **env).returncode == 0
    assert [*home.glob(".cache/*"), *plugins.glob("plugin-*"), *plugins.glob("venv")] == []
    assert above.is_dir() is not made_by_us


def test_a_home_without_the_client_is_again_without_it(shop: Path, home: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    run("install", "--claude-code", cwd=shop)
    Conversation(shop, "s1").begins()
    settle()
    assert list((home / ".claude").rglob("MEMORY.md"))
    run("uninstall", cwd=shop)
    assert not (home / ".claude").exists()
