"""What is prepared for the module inside the client, and when it is not."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.hooks import Conversation, settle

RULE = "Never use npm in this repository, always use pnpm."


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Conversation:
    """A conversation in a client that has a data folder for us."""
    (tmp_path / "plugin data").mkdir()
    monkeypatch.setenv("CLAUDE_PLUGIN_DATA", str(tmp_path / "plugin data"))
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")  # otherwise MEMORY.md says it
    (tmp_path / "a project").mkdir()
    return Conversation(tmp_path / "a project", "s1")


def briefs() -> Path:
    return Path(os.environ["PSYCHMEM_HOME"]) / "briefs"


def prepared() -> list[dict[str, Any]]:
    """What the module may say, and by what it goes."""
    both = [[json.loads(line) for line in path.read_text().split("\n")] for path in briefs().glob("start-*.json")]
    return [{**made, "watched": [*head["watched"], *made["module"]["watched"]]} for head, made in both if made["module"]]


def test_the_module_finds_by_its_data_folder_what_the_next_start_is_told(talk: Conversation) -> None:
    talk.says(RULE)
    (record,) = prepared()
    pointer = json.loads((Path(os.environ["CLAUDE_PLUGIN_DATA"]) / "prepared.json").read_text())
    name = f"start-{str(talk.project).replace('/', '%2F').replace(' ', '%20')}.json"
    assert (Path(pointer["folder"]) / name).exists()
    assert "pnpm" in record["startup"][0]
    assert "pnpm" in record["compact"][0]
    assert str(briefs().parent / "memory.db") in record["watched"]


def test_a_setting_in_the_environment_leaves_the_start_to_the_command_hook_and_the_module_what_was_kept(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PSYCHMEM_MAX_SESSION_MEMORIES", "1")
    talk.says(RULE)
    assert prepared() == []
    pointer = json.loads((Path(os.environ["CLAUDE_PLUGIN_DATA"]) / "prepared.json").read_text())
    assert (Path(pointer["folder"]) / "kept-s1.json").exists()


def test_what_was_kept_is_left_for_one_notice_and_goes_after_a_day(talk: Conversation) -> None:
    talk.says(RULE)
    record = json.loads((briefs() / "kept-s1.json").read_text())
    assert record["told"] == f"kept: {RULE} (rule, this project)"
    talk.says("What is the time?")
    assert json.loads((briefs() / "kept-s1.json").read_text()) == record
    long_ago = (briefs() / "kept-s1.json").stat().st_mtime - 90_000
    os.utime(briefs() / "kept-s1.json", (long_ago, long_ago))
    Conversation(talk.project, "s2").says("Always run the linter before a commit.")
    Conversation(talk.project, "s3").says("Never push to main without a review.")
    assert sorted(path.name for path in briefs().glob("kept-*")) == ["kept-s2.json", "kept-s3.json"]


def test_what_waits_is_no_notice(talk: Conversation) -> None:
    talk.types("Have a look at the tests.")
    talk.answers(RULE)
    talk.stops(RULE)
    settle()
    assert not (briefs() / "kept-s1.json").exists()
