"""The ready-made judges, with the real clients: one request, no tools, no hooks, no memory, no session left behind."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.judging import clients, protocol, runner
from psychmem_py.judging.instructions import instructions
from psychmem_py.judging.protocol import Proposal, Word
from psychmem_py.model.terms import Kind
from tests.e2e import claude, opencode
from tests.e2e.model_server import Model

pytestmark = pytest.mark.long

RULE = "Never push to the main branch directly."
ANSWER = 'Here it is:\n```json\n{"verdicts": [{"n": 0, "verdict": "keep"}]}\n```'
REQUEST = protocol.request([Proposal("user", "", f"{RULE} Please look.", RULE, Kind.CONSTRAINT)], instructions())


def asked(name: str, model: str, env: dict[str, str], program: Path, folder: Path) -> Word:
    """What the client, run as a judge, rules on one item."""
    folder.mkdir()
    (folder.parent / "bin").mkdir(exist_ok=True)
    (folder.parent / "bin" / name).symlink_to(program)
    env = {**env, "PATH": f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}", "CLAUDECODE": "1"}
    made = clients.program(name, model, env, str(folder))
    reply = runner.answer(made, REQUEST, env=env, folder=str(folder), timeout_s=90)
    clients.tidied(str(folder))
    return protocol.rulings(reply, 1)[0].word


def tools(body: dict[str, Any]) -> list[Any]:
    return list(body.get("tools") or [])


def test_claude_code_judges_in_one_request_and_leaves_no_session(tmp_path: Path) -> None:
    machine = claude.Machine(tmp_path, claude.client(), claude.hook_launcher(tmp_path / "plugin"))
    hooks = json.loads((machine.plugin / "hooks" / "hooks.json").read_text())["hooks"]
    text = json.dumps({"hooks": hooks}).replace("${CLAUDE_PLUGIN_ROOT}", str(machine.plugin))
    (machine.home / ".claude" / "settings.json").write_text(text)  # our own hooks are there, as after `psychmem install`
    (machine.home / ".claude" / "CLAUDE.md").write_text("Speak of turnips.")
    with Model(turns=[ANSWER]) as model:
        word = asked("claude", "", machine.env(model.url), machine.program, tmp_path / "desk")
    (body,) = model.requests
    assert word is Word.KEEP
    assert RULE in json.dumps(body)
    assert tools(body) == []
    assert "haiku" in body["model"]
    assert "turnips" not in json.dumps(body)
    assert list(machine.home.rglob("*.jsonl")) == []
    assert not machine.memory.exists()  # no hook of ours ran
    assert list((tmp_path / "desk").iterdir()) == []


def test_opencode_judges_in_one_request_and_leaves_no_session(tmp_path: Path) -> None:
    machine = opencode.Machine(tmp_path, opencode.client())
    with Model(turns=[ANSWER]) as model:
        machine.configure(model.url)
        word = asked("opencode", "fake/m", machine.env(), machine.program, tmp_path / "desk")
    (body,) = model.requests
    assert word is Word.KEEP
    assert "Never push to the main branch directly." in json.dumps(body)
    assert tools(body) == []
    assert not machine.memory.exists()  # our plugin did not run
    assert list(machine.home.rglob("opencode*.db")) == []
    assert list((tmp_path / "desk").iterdir()) == []
