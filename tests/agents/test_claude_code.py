"""Claude Code's dialect."""

from __future__ import annotations

import json
from typing import Any

import pytest

from psychmem_py.agents import claude_code
from psychmem_py.errors import PayloadError
from psychmem_py.text.front_matter import units
from tests.data import cases
from tests.hooks import PAYLOADS


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


def test_a_failed_command_is_told_by_its_line_not_its_output() -> None:
    use = parsed("PostToolUseFailure-Bash").use
    assert (use["tool"], use["ok"], use["command"], use["error_class"]) == ("Bash", False, "npm test", "usage")
    assert use["error_line"] == 'npm error Missing script: "test"'


def test_a_written_file_leaves_only_its_path() -> None:
    use = parsed("PostToolUse-Write").use
    assert use["paths"] == ("/home/dev/project/NOTES.md",)
    assert "pnpm" not in repr(use)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 100_000])
def test_what_no_client_sends_is_an_error(raw: bytes) -> None:
    with pytest.raises(PayloadError):
        claude_code.parse("stop", raw)


@pytest.mark.parametrize("event", ["stop", "session-end", "pre-compact", "unheard"])
def test_events_that_must_not_speak_do_not(event: str) -> None:
    assert claude_code.reply(event, "text") == b""


def test_a_reply_is_one_json_object() -> None:
    found = json.loads(claude_code.reply("inject", 'line\n"quoted" 漢字 \ud800'))
    assert found["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert found["hookSpecificOutput"]["additionalContext"].startswith('line\n"quoted" 漢字')


def test_no_reply_is_longer_than_the_client_takes() -> None:
    text = "\n".join(["<open>", *("😀" * 100 for _ in range(80)), "<close>"])
    found = json.loads(claude_code.reply("inject", text))["hookSpecificOutput"]["additionalContext"]
    assert units(found) <= claude_code.REPLY_UNITS
    assert found.startswith("<open>\n")
    assert found.endswith("\n<close>")
