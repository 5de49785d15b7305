"""OpenCode, the real one: what one session says the next one is told; sub-agents, compaction, forks, kills and a broken hook."""

import json
import os
import signal
import sqlite3
import threading
import time

import pytest

from tests.e2e.machine import QUESTION, RULE
from tests.e2e.model_server import call, system_text
from tests.e2e.opencode import Machine
from tests.hooks import eventually

pytestmark = pytest.mark.long


def rows(machine: Machine) -> list[tuple[str, str, int]]:
    """Text, origin and how many sessions stated it, of every memory."""
    file = machine.memory / "memory.db"
    if not file.exists():
        return []
    with sqlite3.connect(file) as db:
        return db.execute("select text, origin, session_count from memory where status = 'active' order by seq").fetchall()


def known(machine: Machine) -> None:
    """The rule as a person enters it, for what does not ask how it came in."""
    machine.psychmem("remember", RULE, "--class", "constraint", "--project", ".")


def test_every_step_of_a_turn_carries_the_same_brief(open_code: Machine) -> None:
    known(open_code)
    open_code.model.turns = [call("bash", command="ls", description="List")] * 2
    open_code.run("List the files twice.")
    found = open_code.model.of_agent()
    assert (len(found), len({system_text(body) for body in found})) == (3, 1)
    assert "psychmem-memory" in system_text(found[0])
    titles = [body for body in open_code.model.requests if "title generator" in system_text(body)]
    assert all("psychmem-memory" not in json.dumps(body) for body in titles)


def test_a_sub_agents_prompt_is_nobodys_word(open_code: Machine) -> None:
    order = {"description": "count", "prompt": "Always deploy with the blue script. Count lines.", "subagent_type": "general"}
    open_code.model.turns = [call("task", **order), "Two lines.", "Done."]
    open_code.run(f"{RULE} Count the lines of the readme.")
    assert any("blue script" in text for text in open_code.model.texts())  # the sub-agent did run
    learned = [text for text, _, _ in rows(open_code)]
    assert any("always use pnpm" in text for text in learned)
    assert not any("blue script" in text for text in learned)


def test_compaction_keeps_what_is_known_and_what_was_just_said(open_code: Machine) -> None:
    known(open_code)
    with open_code.talking() as talk:
        talk.says("Hello. Never commit generated files under dist/.")
        talk.asks("summarize", providerID="fake", modelID="m")
        after = open_code.model.turn(lambda: talk.says(QUESTION))
    assert after[-1].count("always use pnpm") == 1
    assert any("dist/" in text for text, _, _ in rows(open_code))


def test_what_was_said_before_an_abort_is_kept_once(open_code: Machine) -> None:
    open_code.model.turns = [{"text": "Too late.", "delay_s": 5}]
    with open_code.talking() as talk:
        turn = threading.Thread(target=talk.says, args=(RULE,), daemon=True)
        turn.start()
        eventually(open_code.model.of_agent)
        talk.asks("abort")
        turn.join(20)
        eventually(lambda: len(rows(open_code)) == 1)
        talk.says("Hello")
    assert [(origin, sessions) for _, origin, sessions in rows(open_code)] == [("user_prompt", 1)]


def test_a_forks_copies_are_no_second_statement_and_what_was_reverted_is_withdrawn(open_code: Machine) -> None:
    with open_code.talking() as talk:
        talk.says("Hello")
        said = talk.says(RULE)
        eventually(lambda: len(rows(open_code)) == 1)
        learned = rows(open_code)
        fork = talk._replace(session=talk.asks("fork")["id"])
        fork.says("Hello")
        assert rows(open_code) == learned
        talk.asks("revert", messageID=said["info"]["parentID"])
        talk.says("Something else")
        eventually(lambda: rows(open_code) == [])


def test_the_text_of_a_slash_command_is_nobodys_word(open_code: Machine) -> None:
    folder = open_code.config / "command"
    folder.mkdir()
    (folder / "tidy.md").write_text("---\ndescription: tidy\n---\nNever use tabs here, always use four spaces. Tidy $ARGUMENTS")
    with open_code.talking() as talk:
        talk.asks("command", command="tidy", arguments="readme")
        talk.says("Never use var in this repository.")
    assert any("Tidy readme" in text for text in open_code.model.texts())
    assert [text for text, _, _ in rows(open_code) if "spaces" in text] == []
    assert any("var" in text for text, _, _ in rows(open_code))


def test_killed_right_after_the_answer_the_next_run_makes_it_good(open_code: Machine) -> None:
    process = open_code.start(PSYCHMEM_HOOK=str(open_code.root / "nowhere"))
    assert process.stdin is not None
    process.stdin.write(RULE)
    process.stdin.close()
    eventually(lambda: len(open_code.model.of_agent()) == 1)
    time.sleep(1.0)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    open_code.run("Go on.", "-c")
    assert any("always use pnpm" in text for text, _, _ in rows(open_code))


HOOKS = {"missing": "", "talks nonsense": "#!/bin/sh\necho not json; exit 3\n", "hangs": "#!/bin/sh\nexec sleep 400\n"}


@pytest.mark.parametrize("hook", HOOKS)
def test_a_broken_psychmem_does_not_fail_the_turn(open_code: Machine, hook: str) -> None:
    open_code.hook.unlink()
    if HOOKS[hook]:
        open_code.hook.write_text(HOOKS[hook])
        open_code.hook.chmod(0o755)
    open_code.model.turns = ["Fine."]
    begun = time.monotonic()
    process = open_code.start("--format", "json")
    out, _ = process.communicate("Hello", timeout=600)
    assert time.monotonic() - begun < 300  # less than a hook that hangs
    assert (process.returncode, "Fine." in out) == (0, True)
    assert all(json.loads(line) for line in out.splitlines() if line.strip())


def test_what_was_refused_twice_is_known_in_the_third_session(open_code: Machine) -> None:
    (open_code.shop / "opencode.json").write_text(json.dumps({"permission": {"bash": "ask"}}))  # which a run answers with no
    for _ in range(2):
        open_code.model.turns = [call("bash", command="npm run slow", description="run it"), "Sorry."]
        open_code.run("Run the checks, please.")
    told = open_code.turn("Hello again.")
    assert any("The user refused `npm run slow` 2 of 2 times" in text for text in told)


def test_the_agent_saves_and_finds_by_the_tools_and_a_rule_speaks_at_one(open_code: Machine) -> None:
    fact = "Decided on Kafka for the order events"
    open_code.psychmem("install", "--opencode", "--mcp")
    open_code.model.turns = [call("psychmem_memory_save", text=fact, kind="decision"), "Saved."]
    open_code.run("Note what we chose.")
    open_code.model.turns = [call("psychmem_memory_search", query="which queue for order events"), "Kafka."]
    open_code.run("Which queue do we use?")
    found = [message for message in open_code.model.requests[-1]["messages"] if message["role"] == "tool"]
    assert any(fact in json.dumps(message) for message in found)
    assert [(row["text"], row["origin"]) for row in open_code.listed()] == [(fact, "assistant")]
    open_code.psychmem("remember", "Never use the psychmem MCP")
    open_code.model.turns = [call("psychmem_memory_search", query="which queue"), "Kafka."]
    assert "The user said on" in open_code.turn("Look again.")[-1]
