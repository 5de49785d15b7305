"""The tools in the real clients, registered by `psychmem install --mcp`: what one agent saves by them, the other client's agent finds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e import claude, opencode
from tests.e2e.claude import hook_launcher
from tests.e2e.model_server import Model
from tests.e2e.test_claude_code import settle
from tests.test_cli import run as psychmem

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
FACT = "Decided on Kafka for the order events"


@pytest.fixture
def claude_machine(tmp_path: Path) -> claude.Machine:
    return claude.Machine(tmp_path, claude.client(), hook_launcher(tmp_path / "plugin"))


@pytest.fixture
def opencode_machine(tmp_path: Path) -> opencode.Machine:
    return opencode.Machine(tmp_path, opencode.client())


def use(name: str, **arguments: object) -> dict[str, object]:
    return {"text": "One moment.", "tool_use": {"name": name, "input": arguments}}


def test_opencode_s_agent_saves_and_finds_by_the_tools(
    opencode_machine: opencode.Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = opencode_machine.project("shop")
    place = {key: value for key, value in opencode_machine.env().items() if key.startswith(("HOME", "XDG_", "PSYCHMEM_"))}
    with Model() as model:
        opencode_machine.configure(model.url)
        assert psychmem("install", "--opencode", "--mcp", cwd=shop, **place).returncode == 0
        servers = json.loads((opencode_machine.config / "opencode.json").read_text())["mcp"]
        own = opencode_machine.configure

        def with_tools(url: str, *, context: int = 200_000) -> None:
            own(url, context=context)
            file = opencode_machine.config / "opencode.json"
            file.write_text(json.dumps({**json.loads(file.read_text()), "mcp": servers}))

        monkeypatch.setattr(opencode_machine, "configure", with_tools)
        model.turns = [use("psychmem_memory_save", text=FACT, kind="decision"), "Saved."]
        opencode_machine.run(shop, model.url, "Note what we chose.")
        settle(opencode_machine)
        model.turns = [use("psychmem_memory_search", query="which queue for order events"), "Kafka."]
        opencode_machine.run(shop, model.url, "Which queue do we use?")
        settle(opencode_machine)
        found = [message for message in model.requests[-1]["messages"] if message["role"] == "tool"]
    assert any(FACT in json.dumps(message) for message in found)
    (row,) = json.loads(psychmem("list", "--json", cwd=shop, **place).stdout)
    assert (row["text"], row["origin"]) == (FACT, "assistant")


def test_the_plugin_brings_the_tools_along(claude_machine: claude.Machine) -> None:
    shop = claude_machine.project("shop")
    claude_machine.people()
    shutil.copy(ROOT / ".mcp.json", claude_machine.plugin)
    with Model() as model:
        model.turns = [use("mcp__plugin_psychmem_psychmem__memory_save", text=FACT, kind="decision"), "Saved."]
        claude_machine.run(shop, model.url, "Note it.", "--allowedTools", "mcp__plugin_psychmem_psychmem__memory_save")
        settle(claude_machine)
    (row,) = json.loads(claude_machine.psychmem(shop, "list", "--json"))
    assert (row["text"], row["origin"]) == (FACT, "assistant")
