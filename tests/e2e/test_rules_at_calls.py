"""The real clients: a rule is said at the call that breaks it, a sub-agent is told, a summariser is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e import claude, opencode
from tests.e2e.claude import hook_launcher
from tests.e2e.model_server import Model
from tests.e2e.test_claude_code import settle
from tests.test_cli import run as psychmem

pytestmark = pytest.mark.long

RULE = "From now on never push to main."
PUSH = {
    "text": "Pushing.",
    "tool_use": {"name": "Bash", "input": {"command": "git push origin HEAD:main", "description": "push"}},
}
BASH_PUSH = {
    "text": "Pushing.",
    "tool_use": {"name": "bash", "input": {"command": "git push origin HEAD:main", "description": "push"}},
}
TASK = {"description": "look", "prompt": "Say how a branch gets to main and who may push it.", "subagent_type": "general-purpose"}
QUOTED = "The user said on"


@pytest.fixture
def claude_machine(tmp_path: Path) -> claude.Machine:
    return claude.Machine(tmp_path, claude.client(), hook_launcher(tmp_path / "plugin"))


def test_a_rule_with_ask_is_refused_where_nobody_can_be_asked(claude_machine: claude.Machine) -> None:
    shop = claude_machine.project("shop")
    with Model() as model:
        claude_machine.run(shop, model.url, RULE)
        settle(claude_machine)
        place = {"PSYCHMEM_HOME": str(claude_machine.memory), "HOME": str(claude_machine.home)}
        (rule,) = json.loads(psychmem("list", "--json", cwd=shop, **place).stdout)
        assert psychmem("guard", rule["id"], "--ask", cwd=shop, **place).returncode == 0
        model.turns = [PUSH, "Sorry."]
        before = len(model.requests)
        claude_machine.run(shop, model.url, "Publish it.", "--allowedTools", "Bash")
        settle(claude_machine)
        last = model.texts(before)[-1]
    assert "You said on" in last
    assert "is_error" in last


def test_claude_code_s_sub_agent_is_told_what_its_task_calls_for(claude_machine: claude.Machine) -> None:
    shop = claude_machine.project("shop")
    with Model() as model:
        claude_machine.run(shop, model.url, RULE)
        settle(claude_machine)
        model.turns = [{"text": "Delegating.", "tool_use": {"name": "Agent", "input": TASK}}, "Nobody.", "Done."]
        before = len(model.requests)
        claude_machine.run(shop, model.url, "Find out.", CLAUDE_CODE_DISABLE_AUTO_MEMORY="1")
        settle(claude_machine)
        first = [json.dumps(body["messages"][:1]) for body in model.requests[before:]]
    of_agent = [text for text in first if TASK["prompt"] in text]
    assert of_agent
    assert "Perhaps of use" in of_agent[0]
    assert "never push to main" in of_agent[0]


@pytest.fixture
def opencode_machine(tmp_path: Path) -> opencode.Machine:
    return opencode.Machine(tmp_path, opencode.client())


def test_opencode_s_summariser_reads_nothing_of_ours(opencode_machine: opencode.Machine) -> None:
    shop = opencode_machine.project("shop")
    with Model() as model:
        opencode_machine.run(shop, model.url, RULE)
        settle(opencode_machine)
        with opencode_machine.serve(shop, model.url) as api:
            session = api("POST", "/session", {})["id"]
            text = {"parts": [{"type": "text", "text": "Who may push a branch to main?"}]}
            model.turns = [BASH_PUSH, "Sorry."]
            api("POST", f"/session/{session}/message", text)
            assert any(QUOTED in body for body in model.texts())  # the client has it in its conversation
            api("POST", f"/session/{session}/summarize", {"providerID": "fake", "modelID": "m"})
            summaries = [text for text in model.texts() if "context summarization agent" in text]
            before = len(model.requests)
            api("POST", f"/session/{session}/message", text)
            after = model.texts(before)
        settle(opencode_machine)
    assert summaries
    assert not any("psychmem-memory" in text for text in summaries)
    assert any("psychmem-memory" in text for text in after)
