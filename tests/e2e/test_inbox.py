"""What rules alone were unsure of, sorted in the real clients by the user, whom the agent asks.

The model of these stories does what it is told to the letter: it takes ids and commands from what it is sent.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import claude
from tests.e2e.model_server import Model, call, last_user_text

PUSH, LINT = "Never push to the release branch.", "We always run the linter before a commit."
STAGING = "The staging server is called atlas."

pytestmark = pytest.mark.long
SAID = f"{PUSH} Please rebuild the docs. {LINT} {STAGING}"
ENTRY = re.compile(r"^(w?[0-9a-f]+) .*\n +(.+)$", re.MULTILINE)


@pytest.fixture
def machine(tmp_path: Path) -> claude.Machine:
    found = claude.Machine(tmp_path, claude.client(), claude.hook_launcher(tmp_path / "plugin dir"))
    found.people()
    return found


def text_of(body: dict[str, Any]) -> str:
    """All that a request says, as the model reads it."""

    def texts(part: object) -> list[str]:
        if isinstance(part, str):
            return [part]
        members = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        return [text for member in members for text in texts(member)]

    return "\n".join(texts([body.get("messages"), body.get("system")]))


def fetches(tool: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A model that runs the first command of the skill it was given."""

    def turn(body: dict[str, Any]) -> dict[str, Any]:
        asked = re.search(r"^ +(\S*psychmem review .*)$", text_of(body), re.MULTILINE)
        assert asked, text_of(body)
        return call(tool, command=asked[1], description="Memory")

    return turn


def results(body: dict[str, Any]) -> str:
    """What the last tool call came to."""
    last = body["messages"][-1]
    return text_of({"messages": [last]})


def shows(body: dict[str, Any]) -> str:
    """A model that shows what it fetched, numbered."""
    entries = ENTRY.findall(results(body))
    return "\n".join([*(f"{n}. {text}" for n, (_, text) in enumerate(entries, 1)), "Which shall I keep?"])


def writes_down(tool: str, keep: str, drop: tuple[str, ...]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A model that writes down what the user answered, with the command of the skill."""

    def turn(body: dict[str, Any]) -> dict[str, Any]:
        told = text_of(body)
        command = re.search(r"^ +(\S*psychmem sort) KEEP-ID KEEP-ID", told, re.MULTILINE)
        assert command, told
        ids = {text: key for key, text in ENTRY.findall(told)}
        words = last_user_text(body).strip().splitlines()[-1].strip('"')
        answer = f'{command[1]} {ids[keep]} {" ".join(f"--drop {ids[one]}" for one in drop)} --quote "{words}"'
        return call(tool, command=answer, description="Memory")

    return turn


@pytest.mark.parametrize("answer", ["keep 1, drop the others", "yes"])
def test_asked_for_the_inbox_the_agent_shows_it_and_writes_the_answer_down(machine: claude.Machine, answer: str) -> None:
    shop = machine.project("shop")
    alone = {"PATH": "/usr/bin:/bin"}  # where no `psychmem` is: the plugin brings it
    with Model() as model:
        machine.run(shop, model.url, SAID, **alone)
        model.turns[:] = [fetches("Bash"), shows]
        out = json.loads(machine.run(shop, model.url, "/psychmem:inbox", "--output-format", "json", **alone))
        assert sorted(re.findall(r"(?m)^\d\. (.*)$", out["result"])) == sorted([PUSH, LINT, STAGING])
        model.turns[:] = [writes_down("Bash", PUSH, (LINT, STAGING)), f"Kept: {PUSH} Dropped: {LINT} {STAGING}"]
        leave = ("--allowedTools", "Bash(psychmem sort:*)")  # at a terminal the client asks the user
        machine.run(shop, model.url, answer, "--resume", out["session_id"], *leave, **alone)
        assert "dropped" in results(model.requests[-1])
    assert [(row["text"], row["store"]) for row in json.loads(machine.psychmem(shop, "list", "--json"))] == [(PUSH, "ltm")]
    assert "Nothing is pending" in machine.psychmem(shop, "review", "--heard", "--waiting")
