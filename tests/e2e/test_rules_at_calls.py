"""Both real clients: what their calls teach, and what they read, headless, of what was typed."""

import json
import os
import re
from typing import Any

import pytest

from tests.e2e import claude
from tests.e2e.machine import QUESTION, Machine
from tests.e2e.model_server import call, last_user_text
from tests.hooks import eventually

pytestmark = pytest.mark.long


def test_a_client_is_taught_by_its_calls(machine: Machine) -> None:
    """A rule is shown where the file that was changed then is read; a missing program is told, with what worked in its place."""
    file = machine.shop / "price.py"
    path = {machine.path_key: str(file)}

    def turn(prompt: str, *answers: Any) -> list[str]:
        machine.model.turns = list(answers)
        return machine.turn(prompt, *machine.leave)

    write = call(machine.tool["write"], content="PRICE = 1\n", **path)
    turn("Put the price there, and never round it to whole cents.", write, "Done.")
    read = call(machine.tool["read"], **path)
    asked, behind = turn("Have a look at where the price is made.", read, "Read.")
    assert "never round it" in behind
    assert behind.count("It was said of this file, or when it was last worked on") == asked.count("It was said of") + 1
    lines = [call(machine.tool["run"], command=line, description="run") for line in ("pyhton3 -c pass", "python3 -c pass")]
    for _ in range(2):
        assert "pyhton3` failed" not in turn("Run it once.", *lines, "Done.")[0]
    assert "`pyhton3` failed in 2 sessions (command not found); `python3 -c pass` worked." in turn("What now?", "Hello.")[0]
    rule = next(one for one in machine.listed() if "never round" in one["text"])
    machine.psychmem("edit", rule["id"], "--to-repository")
    assert '  - "price.py"' in (machine.shop / ".claude" / "rules" / "psychmem.md").read_text()
    assert ("never round it" in turn(QUESTION)[0]) is not isinstance(machine, claude.Machine)  # OpenCode does not read that file
    if isinstance(machine, claude.Machine):
        machine.model.turns = [read, "Read."]
        told = machine.turn("Look again.", *machine.leave, PSYCHMEM_DISABLE="1")
        assert ["never round it" in text for text in told] == [False, True]  # by the client, without us


HALF = "no, one log per worktree please, while you're at it"
QUOTE, TEXT, LINE = "one log per worktree", "There is one log for each worktree.", "echo >> shared.log"
KEEP = {"quote": QUOTE, "text": TEXT, "class": "decision", "calls": ["shared.log"]}


def reads(body: dict[str, Any]) -> str:
    """What a careful reader answers to the request it is given."""
    assert not body.get("tools")
    (request,) = re.findall(r'\{"protocol":2.*\}', last_user_text(body), re.DOTALL)
    asked = json.JSONDecoder().raw_decode(request)[0]
    keep = [{"n": one["n"], **KEEP} for one in asked["turns"] if QUOTE in one["typed"]]
    return json.dumps({"nonce": asked["nonce"], "keep": keep, "proposals": []})


def lies(body: dict[str, Any]) -> str:
    return reads(body).replace(QUOTE, "never write logs at all")


@pytest.mark.parametrize("answer", [reads, lies], ids=["careful", "lying"])
def test_half_a_sentence_is_in_the_next_brief_and_at_the_call_as_the_reader_understood_it(machine: Machine, answer: Any) -> None:
    """No rule keeps it, and none knows which call breaks it: the same client read it, headless."""
    machine.model.rules = {'"protocol":2': answer}
    path = {"PATH": f"{machine.program.parent}{os.pathsep}{os.environ['PATH']}"}
    machine.psychmem("judge", "--with", machine.program.name, **path)
    machine.run(HALF, **path)
    counted = "keep" if answer is reads else "failed"
    eventually(lambda: json.loads(machine.psychmem("judge", "--json", **path))[counted] == 1, limit_s=120)
    machine.model.turns = [call(machine.tool["run"], command=LINE, description="log"), "Paris."]
    sent = machine.turn(QUESTION, *machine.leave, **path)
    assert {1, 2}.issubset(text.count(TEXT) for text in sent) is (answer is reads)  # in the brief, and behind the call, too
    assert "never write logs" not in "".join(sent)
