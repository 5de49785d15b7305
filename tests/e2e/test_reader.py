"""Half a sentence that no rule keeps, typed to the real client, stands in the next session's brief: the same client read it, headless."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import claude, opencode
from tests.e2e.model_server import Model, last_user_text
from tests.hooks import eventually
from tests.test_cli import run as psychmem

pytestmark = pytest.mark.long

HALF = "no, one log per worktree please, while you're at it"
QUOTE, TEXT = "one log per worktree", "There is one log for each worktree."


def reads(body: dict[str, Any]) -> str:
    """What a careful reader answers to the request it is given."""
    assert not body.get("tools")
    (request,) = re.findall(r'\{"protocol":2.*\}', last_user_text(body), re.DOTALL)
    asked = json.JSONDecoder().raw_decode(request)[0]
    keep = [{"n": one["n"], "quote": QUOTE, "text": TEXT, "class": "decision"} for one in asked["turns"] if QUOTE in one["typed"]]
    return json.dumps({"nonce": asked["nonce"], "keep": keep, "proposals": []})


def lies(body: dict[str, Any]) -> str:
    return reads(body).replace(QUOTE, "never write logs at all")


@pytest.fixture(params=["claude", "opencode"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> claude.Machine | opencode.Machine:
    if request.param == "claude":
        return claude.Machine(tmp_path, claude.client(), claude.hook_launcher(tmp_path / "plugin dir"))
    return opencode.Machine(tmp_path, opencode.client())


def state(project: Path, env: dict[str, str], *words: str) -> dict[str, Any]:
    done = psychmem("judge", *words, "--json", cwd=project, **env)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("answer", [reads, lies], ids=["careful", "lying"])
def test_half_a_sentence_is_in_the_next_brief_as_the_reader_understood_it(machine: Any, answer: Any) -> None:
    way, shop = machine.program.name, machine.project("shop")
    with Model(rules={'"protocol":2': answer}) as model:
        path = f"{machine.program.parent}{os.pathsep}{os.environ['PATH']}"
        env = machine.env(model.url, PATH=path) if way == "claude" else machine.env(PATH=path)
        state(shop, env, "--with", way)
        machine.run(shop, model.url, HALF, PATH=path)
        counted = "keep" if answer is reads else "failed"
        eventually(lambda: state(shop, env)[counted] == 1, limit_s=120)
        since = len(model.requests)
        machine.run(shop, model.url, "What is the capital of France?", PATH=path)
        shown = "\n".join(model.texts(since))
        assert (TEXT in shown) is (answer is reads)
        assert "never write logs" not in shown
