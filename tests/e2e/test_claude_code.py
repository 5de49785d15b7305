"""The main job with the real client: what one session says, the next session's model is told, once, and no other project's is."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.e2e.claude import Machine, client, hook_launcher
from tests.e2e.model_server import Model, call
from tests.hooks import ROOT

pytestmark = pytest.mark.long

RULE = "Never use npm in this repository, always use pnpm."
MARK = "always use pnpm"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, client(), hook_launcher(tmp_path / "plugin dir"))


def told(request: str) -> int:
    """How often a request says the rule."""
    return len(re.findall(MARK, request))


def test_compaction_keeps_it(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model() as model:
        machine.run(shop, model.url, RULE)
        session = json.loads(machine.run(shop, model.url, "Hello", "--output-format", "json"))["session_id"]
        machine.run(shop, model.url, "/compact", "--resume", session)
        before = len(model.requests)
        machine.run(shop, model.url, "What is the capital of France?", "--resume", session)
        assert [told(request) for request in model.texts(before)] == [1]


def test_what_was_said_before_an_automatic_compaction_is_not_lost(machine: Machine) -> None:
    shop = machine.project("shop")
    full = {**call("Bash", command="echo hi"), "usage": {"input_tokens": 195_000}}
    window = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000"}
    with Model(turns=["Noted.", full, "Carrying on."]) as model:
        session = json.loads(machine.run(shop, model.url, "Hello", "--output-format", "json"))["session_id"]
        machine.run(shop, model.url, f"{RULE} Now do the big job.", "--resume", session, "--allowedTools", "Bash", **window)
        assert any("detailed summary" in request for request in model.texts())
        after = model.texts()[-1]
    assert told(after) >= 1


def test_what_the_agent_saves_with_a_true_quote_is_the_person_s_word(machine: Machine) -> None:
    """The client names its session and has written what was typed before a tool runs; what is no true quote: `tests/test_cli.py`."""
    shop, program = machine.project("shop"), machine.root / "psychmem-command"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -c "from psychmem_py.cli import main; main()" "$@"\n'
    )
    program.chmod(0o755)
    command = f"{program} remember 'Release notes are written in German' --class constraint --quote 'the release notes go out in German here'"
    with Model(turns=[call("Bash", command=command, description="Save a memory"), "Done."]) as model:
        said = "Could you look at the readme? By the way the release notes go out in German here."
        machine.run(shop, model.url, said, "--allowedTools", "Bash", PATH=os.environ["PATH"])
    (row, *_) = [one for one in json.loads(machine.psychmem(shop, "list", "--json")) if "German" in one["text"]]
    assert (row["origin"], row["status"]) == ("user_prompt", "active")
