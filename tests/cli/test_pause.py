"""A pause: hooks tell nothing and keep nothing, and what was said meanwhile stays unread for ever."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from psychmem_py.home import pauses
from psychmem_py.text.dates import iso
from tests.hooks import Conversation, settle
from tests.test_cli import remembered, run, told

RULE = "Please always run the migrations with make migrate, never by hand."


def texts(shop: Path) -> list[str]:
    return [row["text"] for row in told("list", "--json", cwd=shop)]


def types_now(talk: Conversation, text: str) -> None:
    message = {"type": "user", "message": {"role": "user", "content": text}, "promptSource": "typed", "turnOrigin": "human"}
    talk._write({**message, "timestamp": iso(time.time())})


@pytest.mark.parametrize("words", [(), ("--all",), ("--session", "s1")], ids=["project", "all", "session"])
def test_while_paused_nothing_is_told_and_what_is_said_is_never_kept(shop: Path, words: tuple[str, ...]) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    talk = Conversation(shop / "src", "s1")
    assert "8080" in talk.begins()
    settle()
    run("pause", *words, cwd=shop)
    assert Conversation(shop / "src", "s1").begins("resume") == ""
    types_now(talk, RULE)
    talk.stops()
    settle()
    run("resume", *words, cwd=shop)
    types_now(talk, "Remember that the staging host is called kiwi.")
    talk.stops()
    settle()
    assert len(texts(shop)) == 2
    assert not [text for text in texts(shop) if "migrat" in text]
    told("extract", "--transcript", str(talk.transcript), "--json", cwd=shop)
    assert not [text for text in texts(shop) if "migrat" in text]


def test_a_pause_of_one_project_leaves_the_others_alone(shop: Path, tmp_path: Path) -> None:
    remembered(shop, "I like short answers", "--user")
    run("pause", cwd=shop)
    other = tmp_path / "shopping"
    other.mkdir()
    assert "short answers" in Conversation(other, "s2").begins()
    assert told("status", "--json", cwd=shop)["paused"] == [f"in {shop}"]


def test_a_pause_ends_by_itself_when_it_was_said_for_how_long(shop: Path) -> None:
    row = told("pause", "--until", "2 hours", "--json", cwd=shop)
    assert (row["what"], row["key"]) == ("folder", str(shop))
    (pause,) = pauses.read(os.environ["PSYCHMEM_HOME"])
    assert pause.until == pytest.approx(pause.since + 7200)
    assert pause.lasts(pause.since + 7199)
    assert not pause.lasts(pause.since + 7201)


def test_an_agent_may_pause_its_own_conversation_and_nothing_else(shop: Path) -> None:
    for words in ((), ("--all",), ("--session", "other")):
        assert run("pause", *words, cwd=shop, CLAUDECODE="1").returncode == 1
    row = told("pause", "--json", cwd=shop, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="mine")
    assert (row["what"], row["key"]) == ("session", "mine")


def test_a_dry_run_pauses_nothing_and_resuming_twice_says_so(shop: Path) -> None:
    run("pause", "--dry-run", cwd=shop)
    assert "Nothing is paused here" in run("resume", cwd=shop).stdout
    run("pause", "--all", cwd=shop)
    run("resume", "--all", "--dry-run", cwd=shop)
    assert told("status", "--json", cwd=shop)["paused"] == ["everywhere"]
    assert "still paused: everywhere" in run("resume", cwd=shop).stdout
