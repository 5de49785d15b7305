"""Exchanges of earlier conversations: written at a stop, found when asked, gone when they must go."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.curation import upkeep
from psychmem_py.ingestion.exchanges import exchanges
from psychmem_py.model.records import Message, Origin, Role, ToolUse
from psychmem_py.store import episodes, purge, sessions
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.copies import salvage
from psychmem_py.store.episodes import Episode
from psychmem_py.text.dates import DAY_S
from tests.forks import psychmem, told
from tests.hooks import Conversation, holding, repository

NOW = 1_790_000_000.0
ASKED = "Why does the invoice exporter skip rows whose currency is empty?"
SETTLED = "We settled on zloty as the fallback, set in exporter/currency.py."
ANSWER = f"Here is why. {'The exporter reads them lazily. ' * 8}{SETTLED}"


@pytest.fixture
def earlier(project: Path) -> Conversation:
    """A conversation of another day."""
    one = Conversation(project, "s1")
    one.types(ASKED)
    one.calls("Edit", file_path=f"{project}/exporter/currency.py")
    one.calls("Bash", command="pytest tests/exporter", error="Exit code 1\nfailed")
    one.says("go on", ANSWER)
    return one


def found(words: str, cwd: Path) -> list[str]:
    return [row["typed"] for row in told("search", words, "--conversations", cwd=cwd)]


def test_an_exchange_is_found_with_its_conversation_and_exported_where_asked_for(earlier: Conversation, tmp_path: Path) -> None:
    (row,) = told("search", "which currency is the fallback", "--conversations", "-n", "1", cwd=earlier.project)
    expected = {"kind": "conversation", "session": "s1", "project": "git:example.org/team/shop"}
    assert {key: row[key] for key in expected} == expected
    assert (row["typed"], row["files"], row["at"]) == ("go on", ["currency.py"], "2026-11-21T00:36:21Z")
    assert "We settled on zloty" in row["answer"]
    assert set(row) == {*expected, "id", "at", "typed", "answer", "files", "score"}
    assert found("which currency is the fallback", repository(tmp_path / "other")) == []
    assert told("search", "turtle fallback gardening", "--conversations", cwd=earlier.project)[0]["weak"] is True
    outline = told("show", row["id"][:8], cwd=earlier.project)["outline"]
    assert [turn["typed"] for turn in outline] == [ASKED, "go on"]
    assert "You said it, 2026-11-21 00:36, and it was not kept" in psychmem("why", ASKED, cwd=earlier.project).stdout
    screen = psychmem("search", "fallback", "currency", cwd=earlier.project).stdout
    assert [text for text in ("Earlier conversations", "zloty") if text not in screen] == []
    here, said = earlier.project, [ASKED, "go on"]
    assert (set(found("currency", here)), set(found("currency after:2026-11-20", here))) == (set(said), set(said))
    assert (found("currency after:2026-11-22", here), found("file:exporter/Currency.py", here)) == ([], ["go on"])
    assert found("currency file:invoice.py", here) == []
    screen = psychmem("search", "fallback", "file:currency.py", "--conversations", cwd=here).stdout
    assert "go on" in screen
    assert "zloty" not in psychmem("export", cwd=earlier.project).stdout
    lines = psychmem("export", "--conversations", cwd=earlier.project).stdout.splitlines()
    assert [json.loads(one)["typed"] for one in lines] == [ASKED, "go on"]


def test_a_memory_is_also_found_by_the_words_of_its_exchange(project: Path) -> None:
    rule = "Always pin the exporter's version in the lock file."
    Conversation(project, "s1").says(rule, f"Done. {ANSWER}")
    assert [row["text"] for row in told("search", "zloty fallback", cwd=project)] == [rule]
    assert told("search", "zloty fallback class:decision", cwd=project) == []


def _message(key: str, role: Role, text: str, at: float) -> Message:
    return Message(key, role, Origin.USER_PROMPT if role is Role.USER else Origin.ASSISTANT, text, at)


def test_of_an_exchange_stay_its_ends_the_files_edited_and_what_failed() -> None:
    messages = [
        _message("a1", Role.ASSISTANT, "The end of an exchange that began in an earlier stretch. " * 3, 1.0),
        _message("u1", Role.USER, "Look at this log:\n" + "\n".join(f"ERROR at line {n}: {{}}" for n in range(90)), 2.0),
        _message("a2", Role.ASSISTANT, "Looking.", 3.0),
        _message("a3", Role.ASSISTANT, "A [link](http://x.y/z).\n```\ncode\n```\n" + "It was the cache. " * 60 + "Done.", 4.0),
        _message("u2", Role.USER, "yes", 5.0),
        _message("a4", Role.ASSISTANT, "Committed.", 6.0),
    ]
    uses = [
        ToolUse("1", "Edit", 3.1, ok=True, paths=("/shop/src/cache.py",)),
        ToolUse("2", "Bash", 3.2, ok=False, command="make " + "x" * 200),
        ToolUse("3", "Read", 3.3, ok=True, paths=("/shop/read.py",)),
    ]
    before, whole = exchanges(messages, uses, project="p", session="s", now=9.0)
    assert (before.message_id, before.typed) == ("", "")
    assert (whole.message_id, whole.at, whole.files) == ("u1", 2.0, ("cache.py",))
    assert whole.failed == ("make " + "x" * 75,)
    assert ("line 0" in whole.typed, "line 89" in whole.typed, "line 44" in whole.typed) == (True, True, False)
    assert whole.answer.startswith("A link. It was")
    assert whole.answer.endswith("Done.")
    assert "code" not in whole.answer
    assert len(whole.answer) <= 503


def _episode(number: int, at: float, **more: Any) -> Episode:
    usual = Episode(f"{number:032x}", "p", "s", f"m{number}", at, f"prompt {number} about fish", "an answer", (), ())
    return usual._replace(**more)


def test_a_turn_read_before_its_answer_gets_it_later(tmp_path: Path) -> None:
    rest = _episode(0, 2.0, message_id="", answer="the lease is ninety seconds")
    with open_store(tmp_path / "memory.db", now=NOW) as db, transaction(db):
        assert episodes.add(db, [_episode(1, 1.0, answer=""), rest, rest._replace(answer="Committed.")]) == 1
        (hit,) = episodes.search(db, "lease seconds", "p")
        assert hit.episode.answer == "the lease is ninety seconds"


def test_what_is_old_goes_by_days_of_work(tmp_path: Path) -> None:
    with open_store(tmp_path / "memory.db", now=NOW) as db, transaction(db):
        sessions.note_worked(db, "p", [day * DAY_S for day in range(0, 200 * 7, 7)])  # once a week
        episodes.add(db, [_episode(day, day * DAY_S) for day in (0, 7, 500, 1393)])
        upkeep.expire(db, now=1_400 * DAY_S)
        assert sorted(int(one.id, 16) for one in episodes.kept(db, session="s")) == [500, 1393]


def test_a_damaged_store_gives_back_its_exchanges_and_a_secret_found_late_leaves_them(tmp_path: Path) -> None:
    damaged, whole = tmp_path / "old.db", tmp_path / "memory.db"
    key = "AKIA" + "Z7QH5NPLM3RT9WXK"
    with open_store(damaged, now=NOW) as db, transaction(db):
        episodes.add(db, [_episode(1, 1.0, answer=f"the bucket's key is {key}")])
    with open_store(whole, now=NOW) as db:
        salvage(db, str(damaged))
        assert [hit.episode.id for hit in episodes.search(db, "bucket key", "p")] == [f"{1:032x}"]
        assert purge.rewrite(db, whole, lambda text: text.replace(key, "…"), NOW) == []
        (hit,) = episodes.search(db, "bucket key", "p")
        assert key not in hit.episode.answer
    assert key.encode() not in whole.read_bytes()
    assert key.lower().encode() not in whole.read_bytes()


@pytest.mark.parametrize("command", ["forget --about zloty --purge", "forget --about zloty", "project forget shop"])
def test_what_is_taken_back_is_gone_and_reading_again_does_not_bring_it_back(earlier: Conversation, command: str) -> None:
    earlier.says("Then make the button of the front page green, please.")  # found by the words of the exchange before
    assert psychmem(*command.split(), "--yes", cwd=earlier.project).returncode == 0
    if "--purge" in command:
        assert holding([Path(os.environ["PSYCHMEM_HOME"])], "zloty") == []
        assert found("invoice exporter rows", earlier.project)[0] == ASKED
    earlier.typed()
    assert psychmem("backfill", cwd=earlier.project).returncode == 0
    left = told("search", "fallback currency", "--conversations", cwd=earlier.project)
    assert not any("zloty" in row["answer"] for row in left)


def test_where_none_are_wanted_those_there_are_go(earlier: Conversation) -> None:
    assert psychmem("config", "set", "general.episodes", "false", cwd=earlier.project).returncode == 0
    earlier.says("And now?", ANSWER)
    with sqlite3.connect(Path(os.environ["PSYCHMEM_HOME"], "memory.db")) as db:
        assert db.execute("select count(*) from episode").fetchone() == (0,)
