"""OpenCode, the real one: what one session says the next one is told; sub-agents, compaction, forks, kills and a broken hook."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.model_server import Model, system_text
from tests.e2e.opencode import Machine, client
from tests.e2e.test_claude_code import RULE, settle, told
from tests.hooks import eventually
from tests.test_cli import run as psychmem

pytestmark = pytest.mark.long


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, client())


def rows(machine: Machine) -> list[tuple[str, str, int]]:
    """Text, origin and how many sessions stated it, of every memory."""
    file = machine.memory / "memory.db"
    if not file.exists():
        return []
    with sqlite3.connect(file) as db:
        return db.execute("select text, origin, session_count from memory where status = 'active' order by seq").fetchall()


def main_requests(model: Model, since: int = 0) -> list[dict[str, Any]]:
    """The requests of the agent itself, without those for titles."""
    return [body for body in model.requests[since:] if "title generator" not in system_text(body)]


def known(machine: Machine, project: Path) -> None:
    """The rule as a person enters it, for what does not ask how it came in."""
    done = psychmem("remember", RULE, "--class", "constraint", "--project", ".", cwd=project, **machine.env())
    assert done.returncode == 0, done.stderr


def test_every_step_of_a_turn_carries_the_same_brief(machine: Machine) -> None:
    shop = machine.project("shop")
    steps = [{"text": "Looking.", "tool_use": {"name": "bash", "input": {"command": "ls", "description": "List"}}}] * 2
    known(machine, shop)
    with Model(turns=[*steps, "Done."]) as model:
        machine.run(shop, model.url, "List the files twice.")
        found = main_requests(model)
        settle(machine)
    assert len(found) == 3
    assert len({system_text(body) for body in found}) == 1
    assert "psychmem-memory" in system_text(found[0])
    titles = [body for body in model.requests if "title generator" in system_text(body)]
    assert all("psychmem-memory" not in json.dumps(body) for body in titles)


def test_a_sub_agents_prompt_is_nobodys_word(machine: Machine) -> None:
    shop = machine.project("shop")
    order = {"description": "count", "prompt": "Always deploy with the blue script. Count lines.", "subagent_type": "general"}
    turns = [{"text": "Delegating.", "tool_use": {"name": "task", "input": order}}, "Two lines.", "Done."]
    with Model(turns=turns) as model:
        machine.run(shop, model.url, f"{RULE} Count the lines of the readme.")
        assert any("blue script" in text for text in model.texts())  # the sub-agent did run
        settle(machine)
    learned = [text for text, _, _ in rows(machine)]
    assert any("always use pnpm" in text for text in learned)
    assert not any("blue script" in text for text in learned)


def test_compaction_keeps_what_is_known_and_what_was_just_said(machine: Machine) -> None:
    shop = machine.project("shop")
    known(machine, shop)
    with Model() as model:
        with machine.serve(shop, model.url) as api:
            session = api("POST", "/session", {})["id"]

            def say(text: str) -> None:
                api("POST", f"/session/{session}/message", {"parts": [{"type": "text", "text": text}]})

            say("Hello. Never commit generated files under dist/.")
            api("POST", f"/session/{session}/summarize", {"providerID": "fake", "modelID": "m"})
            before = len(model.requests)
            say("What is the capital of France?")
            after = main_requests(model, before)
        settle(machine)
    assert told(json.dumps(after[-1])) == 1
    assert any("dist/" in text for text, _, _ in rows(machine))


def test_what_was_said_before_an_abort_is_kept_once(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model(turns=[{"text": "Too late.", "delay_s": 5}]) as model:
        with machine.serve(shop, model.url) as api:
            session = api("POST", "/session", {})["id"]
            message = {"parts": [{"type": "text", "text": RULE}]}
            turn = threading.Thread(target=api, args=("POST", f"/session/{session}/message", message), daemon=True)
            turn.start()
            eventually(lambda: main_requests(model))
            api("POST", f"/session/{session}/abort")
            turn.join(20)
            eventually(lambda: len(rows(machine)) == 1)
            api("POST", f"/session/{session}/message", {"parts": [{"type": "text", "text": "Hello"}]})
        settle(machine)
    assert [(origin, sessions) for _, origin, sessions in rows(machine)] == [("user_prompt", 1)]


def test_a_forks_copies_are_no_second_statement(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model() as model:
        with machine.serve(shop, model.url) as api:
            session = api("POST", "/session", {})["id"]
            api("POST", f"/session/{session}/message", {"parts": [{"type": "text", "text": RULE}]})
            eventually(lambda: len(rows(machine)) == 1)
            learned = rows(machine)
            fork = api("POST", f"/session/{session}/fork", {})["id"]
            api("POST", f"/session/{fork}/message", {"parts": [{"type": "text", "text": "Hello"}]})
        settle(machine)
    assert rows(machine) == learned


def test_what_a_reverted_message_taught_is_withdrawn(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model() as model:
        with machine.serve(shop, model.url) as api:
            session = api("POST", "/session", {})["id"]
            api("POST", f"/session/{session}/message", {"parts": [{"type": "text", "text": "Hello"}]})
            said = api("POST", f"/session/{session}/message", {"parts": [{"type": "text", "text": RULE}]})
            eventually(lambda: len(rows(machine)) == 1)
            api("POST", f"/session/{session}/revert", {"messageID": said["info"]["parentID"]})
            api("POST", f"/session/{session}/message", {"parts": [{"type": "text", "text": "Something else"}]})
            eventually(lambda: rows(machine) == [])
        settle(machine)


def test_the_text_of_a_slash_command_is_nobodys_word(machine: Machine) -> None:
    shop = machine.project("shop")
    folder = machine.config / "command"
    folder.mkdir()
    (folder / "tidy.md").write_text("---\ndescription: tidy\n---\nNever use tabs here, always use four spaces. Tidy $ARGUMENTS")
    with Model() as model:
        with machine.serve(shop, model.url) as api:
            session = api("POST", "/session", {})["id"]
            api("POST", f"/session/{session}/command", {"command": "tidy", "arguments": "readme"})
            message = {"parts": [{"type": "text", "text": "Never use var in this repository."}]}
            api("POST", f"/session/{session}/message", message)
            assert any("Tidy readme" in text for text in model.texts())
        settle(machine)
    assert [text for text, _, _ in rows(machine) if "spaces" in text] == []
    assert any("var" in text for text, _, _ in rows(machine))


def test_killed_right_after_the_answer_the_next_run_makes_it_good(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model(turns=["Noted."]) as model:
        process = machine.start(shop, model.url, PSYCHMEM_HOOK=str(machine.root / "nowhere"))
        assert process.stdin is not None
        process.stdin.write(RULE)
        process.stdin.close()
        eventually(lambda: len(main_requests(model)) == 1)
        time.sleep(1.0)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        machine.run(shop, model.url, "Go on.", "-c")
        settle(machine)
    assert any("always use pnpm" in text for text, _, _ in rows(machine))


@pytest.mark.parametrize(
    "hook",
    [
        pytest.param("/nowhere/psychmem-hook", id="missing"),
        pytest.param("#!/bin/sh\necho not json; exit 3\n", id="talks nonsense"),
        pytest.param("#!/bin/sh\nexec sleep 400\n", id="hangs"),
    ],
)
def test_a_broken_psychmem_does_not_fail_the_turn(machine: Machine, hook: str) -> None:
    shop = machine.project("shop")
    if hook.startswith("#!"):
        machine.hook.write_text(hook)
    else:
        machine.hook.unlink()
    with Model(turns=["Fine."]) as model:
        begun = time.monotonic()
        out = machine.run(shop, model.url, "Hello", "--format", "json")
        took = time.monotonic() - begun
    assert "Fine." in out
    assert all(json.loads(line) for line in out.splitlines() if line.strip())
    assert took < 300  # less than a hook that hangs
