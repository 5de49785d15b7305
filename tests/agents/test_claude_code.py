"""The door that Claude Code calls, and the events of both clients as one table has them."""

import json
import re
from typing import Any

import pytest

from psychmem_py.agents import claude_code, opencode
from psychmem_py.agents.event import CLAUDE_CODE, EVENTS, OPENCODE
from psychmem_py.errors import PayloadError
from psychmem_py.model.settings import keys
from psychmem_py.text.front_matter import units
from tests.data import cases
from tests.hooks import PAYLOADS, ROOT


def parsed(name: str, event: str = "stop") -> Any:
    return claude_code.parse(event, (PAYLOADS / f"claude-code-2.1.329-{name}.json").read_bytes(), 5.0)


@pytest.mark.parametrize(("name", "event", "source"), cases("agents", "the payload says which event it is"))
def test_the_payload_says_which_event_it_is(name: str, event: str, source: str) -> None:
    request = parsed(name, "tool-after")
    assert (request.event, request.source, request.cwd) == (event, source, "/home/dev/project")


@pytest.mark.parametrize(
    "name", ["SubagentStop", "SubagentStop-compaction", "StopFailure", "Setup", "PostToolBatch", "MessageDisplay"]
)
def test_other_events_are_not_ours(name: str) -> None:
    assert parsed(name) is None


def test_a_payload_without_a_name_is_what_the_argument_says() -> None:
    request = claude_code.parse("prompt", b'{"session_id": "s", "prompt": "Hello"}')
    assert request is not None
    assert (request.event, request.prompt) == ("prompt", "Hello")


def test_a_written_file_leaves_only_its_path_and_a_failed_command_its_line() -> None:
    use = parsed("PostToolUseFailure-Bash").use
    assert (use["tool"], use["ok"], use["command"], use["error_class"]) == ("Bash", False, "npm test", "usage")
    assert use["error_line"] == 'npm error Missing script: "test"'
    use = parsed("PostToolUse-Write").use
    assert use["paths"] == ("/home/dev/project/NOTES.md",)
    assert "pnpm" not in repr(use)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 100_000])
def test_what_no_client_sends_is_an_error(raw: bytes) -> None:
    with pytest.raises(PayloadError):
        claude_code.parse("stop", raw)


def test_a_reply_is_one_json_object_no_longer_than_the_client_takes() -> None:
    found = json.loads(claude_code.reply("inject", 'line\n"quoted" 漢字 \ud800'))
    assert found["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert found["hookSpecificOutput"]["additionalContext"].startswith('line\n"quoted" 漢字')
    text = "\n".join(["<open>", *("😀" * 100 for _ in range(80)), "<close>"])
    found = json.loads(claude_code.reply("inject", text))["hookSpecificOutput"]["additionalContext"]
    assert units(found) <= claude_code.REPLY_UNITS
    assert found.startswith("<open>\n")
    assert found.endswith("\n<close>")


PLUGIN = (ROOT / "hooks" / "opencode" / "psychmem.js").read_text("utf-8")


def test_every_event_has_its_time_its_name_and_settings_that_exist() -> None:
    for name, event in EVENTS.items():
        assert 0 < event.deadline_s < (event.client_s or event.deadline_s + 1), name
        assert event.wait_s < event.deadline_s, name
    assert {event.off_by for event in EVENTS.values()} - {""} <= keys().keys()
    assert [name for name, event in EVENTS.items() if event.off_by and not event.hands_over] == []
    names = [name for event in EVENTS.values() for name in event.claude_code]
    assert len(names) == len(set(names))
    assert all({*event.noted_for} <= {CLAUDE_CODE, OPENCODE} for event in EVENTS.values())


def test_the_plugin_sends_the_events_of_the_table_and_waits_as_long() -> None:
    limits = re.search(r"const LIMIT_MS = \{(.*?)\}", PLUGIN)
    assert limits
    written = {name.strip('" '): int(value) for name, value in (entry.split(":") for entry in limits[1].split(","))}
    assert written == {name: event.plugin_s * 1000 for name, event in EVENTS.items() if event.plugin_s}
    assert set(re.findall(r'\b(?:ask|reply)\("([\w-]+)"', PLUGIN)) == written.keys()
    assert set(re.findall(r'\btell\("([\w-]+)"', PLUGIN)) == {
        "tool-after",  # waited for behind a file that was read and a command that failed
        *(name for name, event in EVENTS.items() if event.plugin_s == 0),
    }


@pytest.mark.parametrize("event", EVENTS)
def test_each_dialect_reads_the_events_its_client_sends_and_answers_those_that_are_answered(event: str) -> None:
    for name in EVENTS[event].claude_code:
        request = claude_code.parse("", json.dumps({"session_id": "s", "hook_event_name": name}).encode())
        assert request
        assert request.event == event
    request = opencode.parse(event, b'{"session": "s"}')
    assert (request is not None) == (EVENTS[event].plugin_s is not None)
    answers = EVENTS[event].answers
    assert bool(opencode.reply(event, "text")) == answers
    assert bool(claude_code.reply(event, "text")) == (answers and bool(EVENTS[event].claude_code))
