"""One table says what holds for an event; whoever else has to say it says the same."""

from __future__ import annotations

import json
import re

import pytest

from psychmem_py.agents import claude_code, opencode
from psychmem_py.agents.event import CLAUDE_CODE, EVENTS, OPENCODE
from psychmem_py.model.settings import keys
from tests.hooks import ROOT

PLUGIN = (ROOT / "hooks" / "opencode" / "psychmem.js").read_text("utf-8")


def test_a_hook_ends_before_its_client_loses_patience() -> None:
    for name, event in EVENTS.items():
        assert 0 < event.deadline_s < (event.client_s or event.deadline_s + 1), name
        assert event.wait_s < event.deadline_s, name


def test_a_child_is_kept_away_by_settings_that_exist() -> None:
    assert {event.off_by for event in EVENTS.values()} - {""} <= keys().keys()
    assert [name for name, event in EVENTS.items() if event.off_by and not event.hands_over] == []


def test_no_two_events_have_the_same_name_at_a_client() -> None:
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
def test_each_dialect_reads_the_events_its_client_sends(event: str) -> None:
    for name in EVENTS[event].claude_code:
        request = claude_code.parse("", json.dumps({"session_id": "s", "hook_event_name": name}).encode())
        assert request
        assert request.event == event
    request = opencode.parse(event, b'{"session": "s"}')
    assert (request is not None) == (EVENTS[event].plugin_s is not None)


@pytest.mark.parametrize("event", EVENTS)
def test_only_events_that_answer_get_a_reply(event: str) -> None:
    answers = EVENTS[event].answers
    assert bool(opencode.reply(event, "text")) == answers
    assert bool(claude_code.reply(event, "text")) == (answers and bool(EVENTS[event].claude_code))
