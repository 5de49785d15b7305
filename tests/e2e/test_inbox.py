"""What rules were unsure of, sorted in the real client by the user, whom an agent asks that takes ids and commands as sent."""

import json
import re
from typing import Any

import pytest

from tests.e2e.claude import Machine
from tests.e2e.model_server import call, last_user_text

pytestmark = pytest.mark.long

PUSH, LINT = "Never push to the release branch.", "We always run the linter before a commit."
STAGING = "The staging server is called atlas."
SAID = f"{PUSH} Please rebuild the docs. {LINT} {STAGING}"
ENTRY = re.compile(r"^(w?[0-9a-f]+) .*\n +(.+)$", re.MULTILINE)


def text_of(part: object) -> str:
    """All that a part of a request says, as the model reads it."""
    if isinstance(part, str):
        return part
    members = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return "\n".join(map(text_of, members))


def named(pattern: str, body: dict[str, Any]) -> str:
    """What the skill that the model was given names so."""
    said = text_of([body.get("messages"), body.get("system")])
    found = re.search(pattern, said, re.MULTILINE)
    assert found, said
    return found[1]


def fetches(body: dict[str, Any]) -> dict[str, Any]:
    """Runs the first command of the skill."""
    return call("Bash", command=named(r"^ +(\S*psychmem review .*)$", body), description="Memory")


def shows(body: dict[str, Any]) -> str:
    """Shows what was fetched, numbered."""
    entries = ENTRY.findall(text_of(body["messages"][-1]))
    return "\n".join([*(f"{n}. {text}" for n, (_, text) in enumerate(entries, 1)), "Which shall I keep?"])


def writes_down(body: dict[str, Any]) -> dict[str, Any]:
    """Writes down what the user answered, with the command of the skill: the first is kept."""
    command = named(r"^ +(\S*psychmem review) KEEP-ID KEEP-ID", body)
    ids = {text: key for key, text in ENTRY.findall(text_of(body["messages"]))}
    words = last_user_text(body).strip().splitlines()[-1].strip('"')
    answer = f'{command} {ids[PUSH]} --drop {ids[LINT]} --drop {ids[STAGING]} --quote "{words}"'
    return call("Bash", command=answer, description="Memory")


@pytest.mark.parametrize("answer", ["keep 1, drop the others", "yes"])
def test_asked_for_the_inbox_the_agent_shows_it_and_writes_the_answer_down(claude_code: Machine, answer: str) -> None:
    claude_code.people()
    alone = {"PATH": "/usr/bin:/bin"}  # where no `psychmem` is: the plugin brings it
    claude_code.run(SAID, **alone)
    claude_code.model.turns = [fetches, shows]
    out = json.loads(claude_code.run("/psychmem:inbox", "--output-format", "json", **alone))
    assert sorted(re.findall(r"(?m)^\d\. (.*)$", out["result"])) == sorted([PUSH, LINT, STAGING])
    claude_code.model.turns = [writes_down, f"Kept: {PUSH} Dropped: {LINT} {STAGING}"]
    leave = ("--allowedTools", "Bash(psychmem review:*)")  # at a terminal the client asks the user
    claude_code.run(answer, "--resume", out["session_id"], *leave, **alone)
    assert "dropped" in text_of(claude_code.model.requests[-1]["messages"][-1])
    assert [(row["text"], row["store"]) for row in claude_code.listed()] == [(PUSH, "ltm")]
    assert "Nothing is pending" in claude_code.psychmem("review", "--heard", "--waiting")
