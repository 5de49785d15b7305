"""The judge as agents meet it: after the hooks, in a process nobody waits for; and not at all where none was switched on."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path

import pytest

from tests.hooks import COMMAND, Conversation, eventually, run, settle
from tests.judging.test_sweeping import judge
from tests.test_cli import run as psychmem

RULE, STEP = "Never commit directly to the main branch.", "We always use pnpm in this repository."
DROP = "print(json.dumps({'verdicts': [{'n': i['n'], 'verdict': 'drop' if 'pnpm' in i['sentence'] else 'keep'} for i in items]}))"


@pytest.fixture
def talk(home: Path) -> Conversation:
    (home / "shop").mkdir()
    return Conversation(home / "shop", "s")


def told(home: Path) -> dict[str, str]:
    with sqlite3.connect(home / "psychmem" / "memory.db") as db:
        return dict(db.execute("select text, status from memory"))


def switched_on(home: Path, folder: Path, code: str) -> None:
    done = psychmem("judge", "--with", judge(folder, code), cwd=home)
    assert done.returncode == 0, done.stderr


def calls(home: Path) -> int:
    file = home / "psychmem" / "judge.json"
    return sum(day["calls"] for day in json.loads(file.read_text())["days"].values()) if file.exists() else 0


def test_without_a_judge_nothing_is_started_and_nothing_written(home: Path, talk: Conversation) -> None:
    talk.says(f"{RULE} {STEP}")
    run("session-end", talk.payload("SessionEnd", reason="other"))
    settle()
    assert calls(home) == 0
    assert not list((home / "psychmem").glob("judge*"))
    assert set(told(home).values()) == {"active"}


def test_at_the_end_of_a_session_one_call_judges_what_was_heard(home: Path, talk: Conversation, tmp_path: Path) -> None:
    switched_on(home, tmp_path, DROP)
    talk.says(f"{RULE} {STEP}")
    assert calls(home) == 0  # not after each answer
    run("session-end", talk.payload("SessionEnd", reason="other"))
    eventually(lambda: calls(home))
    settle()
    assert (calls(home), told(home)) == (1, {RULE: "active", STEP: "archived"})


def test_a_compaction_does_not_wait_for_the_judge(home: Path, talk: Conversation, tmp_path: Path) -> None:
    switched_on(home, tmp_path, f"import time; time.sleep(4)\n{DROP}")
    talk.types(f"{RULE} {STEP}")
    run("pre-compact", talk.payload("PreCompact", trigger="auto"))
    assert set(told(home).values()) == {"active"}  # taken up already, judged later
    assert calls(home) == 0
    eventually(lambda: calls(home))
    settle()
    assert told(home)[STEP] == "archived"


def test_a_judge_that_runs_an_agent_sets_nothing_going(home: Path, talk: Conversation, tmp_path: Path) -> None:
    payload = json.dumps(talk.payload("SessionEnd", reason="other"))
    again = f"import subprocess; subprocess.run({[*COMMAND, 'session-end']!r}, input={payload.encode()!r}, check=True)\n"
    switched_on(home, tmp_path, again + DROP)
    talk.says(f"{RULE} {STEP}")
    run("session-end", talk.payload("SessionEnd", reason="other"))
    eventually(lambda: calls(home))
    settle()
    time.sleep(0.3)
    assert calls(home) == 1


def test_a_judge_that_is_gone_harms_nobody(home: Path, talk: Conversation) -> None:
    (home / "psychmem" / "config").mkdir(parents=True)
    (home / "psychmem" / "config" / "config.toml").write_text('[judge]\nby = "command"\ncommand = "/nowhere/judge"\n')
    talk.says(f"{RULE} {STEP}")
    assert run("session-end", talk.payload("SessionEnd", reason="other")) == b""
    eventually(lambda: calls(home))
    settle()
    assert set(told(home).values()) == {"active"}
    state = json.loads(psychmem("judge", "--json", cwd=home).stdout)
    assert (state["failed"], state["last_failure"].partition(" ")[0]) == (1, "the")


def test_it_is_switched_on_and_off_and_leaves_the_file_as_it_was(home: Path, tmp_path: Path) -> None:
    file = home / "psychmem" / "config" / "config.toml"
    file.parent.mkdir(parents=True)
    before = "# mine\nstm_half_life_d = 5\n\n[classes.episodic]\nttl_d = 3\n"
    file.write_text(before)
    switched_on(home, tmp_path, DROP)
    assert file.read_text().startswith(before)
    assert json.loads(psychmem("judge", "--json", cwd=home).stdout)["by"] == "command"
    assert psychmem("judge", "--off", cwd=home).returncode == 0
    assert json.loads(psychmem("judge", "--json", cwd=home).stdout)["by"] == ""
    assert file.read_text().startswith(before)


def test_a_dry_run_prints_the_request_and_sends_nothing(home: Path, talk: Conversation, tmp_path: Path) -> None:
    talk.says(f"{RULE} {STEP}")
    switched_on(home, tmp_path, DROP)
    asked = json.loads(psychmem("judge", "--dry-run", cwd=home).stdout)
    assert (asked["protocol"], {one["sentence"] for one in asked["items"]}) == (1, {RULE, STEP})
    assert asked["items"][0]["message"] == f"{RULE} {STEP}"
    assert calls(home) == 0


def test_now_judges_and_says_what_it_cost(home: Path, talk: Conversation, tmp_path: Path) -> None:
    talk.says(f"{RULE} {STEP}")
    assert psychmem("judge", "--now", cwd=home).returncode == 1  # nobody is switched on
    switched_on(home, tmp_path, DROP)
    done = json.loads(psychmem("judge", "--now", "--json", cwd=home).stdout)
    assert (done["asked"], done["keep"], done["drop"]) == (2, 1, 1)
    assert done["sent"] > 0
    assert json.loads(psychmem("stats", "--all-projects", "--json", cwd=home).stdout)["judge"]["drop"] == 1
