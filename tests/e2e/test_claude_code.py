"""The main job with the real client: what one session says, the next session's model is told, once, and no other project's is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.e2e.claude import Machine, client, hook_launcher
from tests.e2e.model_server import Model
from tests.hooks import eventually

pytestmark = pytest.mark.long

RULE = "Never use npm in this repository, always use pnpm."
MARK = "always use pnpm"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, client(), hook_launcher(tmp_path / "plugin dir"))


def working(machine: Machine) -> list[str]:
    """Command lines of processes that still belong to the machine."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if f"PSYCHMEM_HOME={machine.memory}".encode() in (entry / "environ").read_bytes():
                    found.append(line)
            except OSError:
                continue
    return found


def settle(machine: Machine) -> None:
    eventually(lambda: not working(machine))


def told(request: str) -> int:
    """How often a request says the rule."""
    return len(re.findall(MARK, request))


def test_with_the_clients_memory_off_the_brief_tells_it(machine: Machine) -> None:
    shop = machine.project("shop")
    off = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    with Model() as model:
        machine.run(shop, model.url, RULE, **off)
        settle(machine)
        machine.run(shop, model.url, "What is the capital of France?", **off)
        settle(machine)
        (request,) = model.texts(1)
    assert told(request) == 1
    assert "psychmem-memory nonce=" in request
    assert list((machine.home / ".claude").rglob("MEMORY.md")) == []


def test_a_resumed_session_is_told_once(machine: Machine) -> None:
    shop = machine.project("shop")
    off = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    with Model() as model:
        machine.run(shop, model.url, RULE, **off)
        settle(machine)
        session = json.loads(machine.run(shop, model.url, "Hello", "--output-format", "json", **off))["session_id"]
        settle(machine)
        machine.run(shop, model.url, "Hello again", "--resume", session, **off)
        settle(machine)
        assert [told(request) for request in model.texts(1)] == [1, 1]


def test_compaction_keeps_it(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model() as model:
        machine.run(shop, model.url, RULE)
        settle(machine)
        session = json.loads(machine.run(shop, model.url, "Hello", "--output-format", "json"))["session_id"]
        machine.run(shop, model.url, "/compact", "--resume", session)
        settle(machine)
        before = len(model.requests)
        machine.run(shop, model.url, "What is the capital of France?", "--resume", session)
        settle(machine)
        assert [told(request) for request in model.texts(before)] == [1]


def test_what_was_said_before_an_automatic_compaction_is_not_lost(machine: Machine) -> None:
    shop = machine.project("shop")
    full = {
        "text": "Working on it.",
        "tool_use": {"name": "Bash", "input": {"command": "echo hi"}},
        "usage": {"input_tokens": 195_000},
    }
    window = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000"}
    with Model(turns=["Noted.", full, "Carrying on."]) as model:
        session = json.loads(machine.run(shop, model.url, "Hello", "--output-format", "json"))["session_id"]
        machine.run(shop, model.url, f"{RULE} Now do the big job.", "--resume", session, "--allowedTools", "Bash", **window)
        settle(machine)
        assert any("detailed summary" in request for request in model.texts())
        after = model.texts()[-1]
    assert told(after) >= 1
