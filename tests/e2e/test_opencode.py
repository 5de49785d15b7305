"""OpenCode, the real one: what one session says the next one is told; sub-agents, compaction, forks, kills and a broken hook."""

import json
import os
import signal
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from tests.e2e.model_server import Model, call, system_text
from tests.e2e.opencode import Machine, client
from tests.e2e.test_claude_code import RULE, told
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


def known(machine: Machine, project: Path) -> None:
    """The rule as a person enters it, for what does not ask how it came in."""
    done = psychmem("remember", RULE, "--class", "constraint", "--project", ".", cwd=project, **machine.env())
    assert done.returncode == 0, done.stderr


def test_every_step_of_a_turn_carries_the_same_brief(machine: Machine) -> None:
    shop = machine.project("shop")
    known(machine, shop)
    with Model(turns=[call("bash", command="ls", description="List")] * 2) as model:
        machine.run(shop, model.url, "List the files twice.")
        found = model.of_agent()
    assert (len(found), len({system_text(body) for body in found})) == (3, 1)
    assert "psychmem-memory" in system_text(found[0])
    titles = [body for body in model.requests if "title generator" in system_text(body)]
    assert all("psychmem-memory" not in json.dumps(body) for body in titles)


def test_a_sub_agents_prompt_is_nobodys_word(machine: Machine) -> None:
    shop = machine.project("shop")
    order = {"description": "count", "prompt": "Always deploy with the blue script. Count lines.", "subagent_type": "general"}
    with Model(turns=[call("task", **order), "Two lines.", "Done."]) as model:
        machine.run(shop, model.url, f"{RULE} Count the lines of the readme.")
        assert any("blue script" in text for text in model.texts())  # the sub-agent did run
    learned = [text for text, _, _ in rows(machine)]
    assert any("always use pnpm" in text for text in learned)
    assert not any("blue script" in text for text in learned)


def test_compaction_keeps_what_is_known_and_what_was_just_said(machine: Machine) -> None:
    shop = machine.project("shop")
    known(machine, shop)
    with Model() as model, machine.talking(shop, model.url) as talk:
        talk.says("Hello. Never commit generated files under dist/.")
        talk.asks("summarize", providerID="fake", modelID="m")
        after = model.turn(lambda: talk.says("What is the capital of France?"))
    assert told(after[-1]) == 1
    assert any("dist/" in text for text, _, _ in rows(machine))


def test_what_was_said_before_an_abort_is_kept_once(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model(turns=[{"text": "Too late.", "delay_s": 5}]) as model, machine.talking(shop, model.url) as talk:
        turn = threading.Thread(target=talk.says, args=(RULE,), daemon=True)
        turn.start()
        eventually(model.of_agent)
        talk.asks("abort")
        turn.join(20)
        eventually(lambda: len(rows(machine)) == 1)
        talk.says("Hello")
    assert [(origin, sessions) for _, origin, sessions in rows(machine)] == [("user_prompt", 1)]


def test_a_forks_copies_are_no_second_statement(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model() as model, machine.talking(shop, model.url) as talk:
        talk.says(RULE)
        eventually(lambda: len(rows(machine)) == 1)
        learned = rows(machine)
        talk._replace(session=talk.asks("fork")["id"]).says("Hello")
    assert rows(machine) == learned


def test_what_a_reverted_message_taught_is_withdrawn(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model() as model, machine.talking(shop, model.url) as talk:
        talk.says("Hello")
        said = talk.says(RULE)
        eventually(lambda: len(rows(machine)) == 1)
        talk.asks("revert", messageID=said["info"]["parentID"])
        talk.says("Something else")
        eventually(lambda: rows(machine) == [])


def test_the_text_of_a_slash_command_is_nobodys_word(machine: Machine) -> None:
    shop = machine.project("shop")
    folder = machine.config / "command"
    folder.mkdir()
    (folder / "tidy.md").write_text("---\ndescription: tidy\n---\nNever use tabs here, always use four spaces. Tidy $ARGUMENTS")
    with Model() as model, machine.talking(shop, model.url) as talk:
        talk.asks("command", command="tidy", arguments="readme")
        talk.says("Never use var in this repository.")
        assert any("Tidy readme" in text for text in model.texts())
    assert [text for text, _, _ in rows(machine) if "spaces" in text] == []
    assert any("var" in text for text, _, _ in rows(machine))


def test_killed_right_after_the_answer_the_next_run_makes_it_good(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model(turns=["Noted."]) as model:
        process = machine.start(shop, model.url, PSYCHMEM_HOOK=str(machine.root / "nowhere"))
        assert process.stdin is not None
        process.stdin.write(RULE)
        process.stdin.close()
        eventually(lambda: len(model.of_agent()) == 1)
        time.sleep(1.0)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        machine.run(shop, model.url, "Go on.", "-c")
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
        process = machine.start(shop, model.url, "--format", "json")
        out, _ = process.communicate("Hello", timeout=600)
        took = time.monotonic() - begun
    assert (process.returncode, "Fine." in out) == (0, True)
    assert all(json.loads(line) for line in out.splitlines() if line.strip())
    assert took < 300  # less than a hook that hangs
