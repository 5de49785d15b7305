"""The client as judge: the request is left for its module, and the answer is taken for what was asked."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from pathlib import Path

import pytest

from psychmem_py.home import files
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.judging import in_client
from psychmem_py.judging.sorting import SortingDesk
from tests.hooks import Conversation, run, settle
from tests.judging.test_apart import RULE, STEP, calls, talk, told
from tests.test_cli import run as psychmem

__all__ = ["talk"]


def waiting(home: Path) -> dict[str, str]:
    path = home / "psychmem" / "briefs" / "judge.json"
    found: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    return found


def answered(home: Path, request: str, *words: str) -> None:
    reply = json.dumps({"verdicts": [{"n": n, "verdict": word} for n, word in enumerate(words)]})
    done = psychmem("judge", "--verdicts", cwd=home, stdin=json.dumps({"request": request, "reply": reply}))
    assert done.returncode == 0, done.stderr


@pytest.fixture
def asked(home: Path, talk: Conversation) -> str:
    """The request that a session's end leaves."""
    assert psychmem("judge", "--with", "client", cwd=home).returncode == 0
    talk.says(f"{RULE} {STEP}")
    run("session-end", talk.payload("SessionEnd", reason="other"))
    settle()
    return waiting(home)["request"]


def test_nothing_is_left_for_a_client_that_was_not_asked_to_judge(home: Path, talk: Conversation) -> None:
    talk.says(f"{RULE} {STEP}")
    run("session-end", talk.payload("SessionEnd", reason="other"))
    settle()
    assert waiting(home) == {}


def test_what_the_client_drops_is_archived_and_the_call_is_counted(home: Path, asked: str) -> None:
    sentences = [one["sentence"] for one in json.loads(asked)["items"]]
    answered(home, asked, *("drop" if "pnpm" in one else "keep" for one in sentences))
    assert told(home) == {RULE: "active", STEP: "archived"}
    assert (calls(home), waiting(home)) == (1, {})


def test_what_was_said_since_the_request_is_left_as_it_is(home: Path, talk: Conversation, asked: str) -> None:
    later = "We never deploy this shop on a Friday."
    talk.says(later)
    answered(home, asked, "drop", "drop")
    with sqlite3.connect(home / "psychmem" / "memory.db") as db:
        assert db.execute("select status from memory where text = ?", (later,)).fetchall() == [("active",)]
    assert told(home)[STEP] == "archived"


def test_an_answer_without_a_verdict_is_a_failure_and_changes_nothing(home: Path, asked: str) -> None:
    answered(home, asked)
    assert set(told(home).values()) == {"active"}
    assert calls(home) == 1


def test_a_request_made_before_a_purge_is_not_left_after_it(home: Path, asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (key,) = [
        row["id"] for row in json.loads(psychmem("list", "--json", "--all-projects", cwd=home).stdout) if row["text"] == STEP
    ]
    write = files.leave

    def meanwhile(path: str, content: bytes) -> None:
        assert psychmem("forget", key, "--purge", "--yes", cwd=home).returncode == 0
        write(path, content)

    around = Surroundings(os.environ, time.time())
    desk = SortingDesk(around.database_file("claude-code"), around.data, os.environ, around.settings(), "claude-code")
    monkeypatch.setattr(files, "leave", meanwhile)
    in_client.leave_request(desk, around.now)
    assert waiting(home) == {}
