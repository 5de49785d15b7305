"""One story with each real client, from installing to uninstalling; what they do beside it stands in the files marked `long`."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from psychmem_py.installation.opencode import FILE
from tests.e2e import claude, opencode
from tests.e2e.model_server import Model, call
from tests.forks import psychmem
from tests.hooks import ROOT

RULE = "From now on never push to main in this repository."
QUOTED = "The user said on"
QUESTION = "What is the capital of France?"


def told(request: str) -> int:
    """How often a request says the rule."""
    return request.count("never push to main")


def push(tool: str) -> list[object]:
    """A turn whose call breaks the rule."""
    return [call(tool, command="git push origin HEAD:main", description="push"), "Sorry."]


SETTLED = "We settled on a lease of ninety seconds, because two workers had taken the same file."


def ask(tool: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A turn in which the agent looks up an earlier conversation, with the command that its brief names."""

    def look(body: dict[str, Any]) -> dict[str, Any]:
        named = re.search(r"past sessions: (\S+) search", json.dumps(body))
        assert named
        return call(tool, command=f'{named[1]} search "importer lease"', description="look")

    return look


def person(machine: claude.Machine | opencode.Machine, project: Path, *words: str) -> str:
    """What `psychmem WORDS` prints in a terminal beside the client."""
    env = machine.env("") if isinstance(machine, claude.Machine) else machine.env()
    done = psychmem(*words, cwd=project, **{**env, "CLAUDE_CONFIG_DIR": f"{machine.home}/.claude"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def story(machine: claude.Machine | opencode.Machine, model: Model, turn: Callable[[Path, str], list[str]], tool: str) -> Path:
    """What is said once is known in the next session, elsewhere not; forgotten it is gone, and by undo it is back and said at the call; an
    exchange of another session is found when the agent asks.
    """
    shop, blog = machine.project("shop"), machine.project("blog")
    turn(shop, f"{RULE} Please look at the readme.")
    assert [told(request) for request in turn(shop, QUESTION)] == [1]
    assert [told(request) for request in turn(blog, QUESTION)] == [0]
    (rule,) = json.loads(person(machine, shop, "list", "--json"))
    person(machine, shop, "forget", rule["id"])
    assert [told(request) for request in turn(shop, QUESTION)] == [0]
    person(machine, shop, "undo")
    model.turns = [SETTLED]
    turn(shop, "How long should the lease of the importer be, so that no two workers take one file?")
    model.turns = [ask(tool), "Ninety seconds."]
    looked_up = turn(shop, "How did we settle that lease?")
    assert ["lease of ninety seconds" in request for request in looked_up] == [False, True]
    model.turns = push(tool)
    requests = turn(shop, "Publish it.")
    assert [request.count(QUOTED) for request in requests] == [0, 1]
    assert RULE in requests[1]
    model.turns = []
    return shop


def test_a_life_with_claude_code(tmp_path: Path) -> None:
    """As the client's marketplace installs it."""
    plugin = claude.hook_launcher(tmp_path / "market place")
    shutil.copy(ROOT / ".claude-plugin" / "marketplace.json", plugin / ".claude-plugin")
    machine = claude.Machine(tmp_path, claude.client(), plugin)

    def turn(project: Path, prompt: str) -> list[str]:
        said = model.turn(lambda: machine.command(project, model.url, "-p", prompt, "--allowedTools", "Bash"))
        claude.settle(machine)
        return said

    with Model() as model:
        assert "warning" not in machine.command(tmp_path, model.url, "plugin", "validate", str(ROOT))
        machine.command(tmp_path, model.url, "plugin", "marketplace", "add", str(plugin))
        machine.command(tmp_path, model.url, "plugin", "install", "psychmem@psychmem")
        shop = story(machine, model, turn, "Bash")
        machine.command(tmp_path, model.url, "plugin", "uninstall", "psychmem@psychmem")
        person(machine, shop, "uninstall", "--all")  # MEMORY.md, which the client reads by itself
        assert [told(request) for request in turn(shop, QUESTION)] == [0]
        assert RULE.rstrip(".") in person(machine, shop, "list", "--json")  # what was kept stays
    assert json.loads((machine.home / ".claude" / "settings.json").read_text()).get("enabledPlugins", {}) == {}


def test_a_life_with_opencode(tmp_path: Path) -> None:
    machine = opencode.Machine(tmp_path, opencode.client())

    def turn(project: Path, prompt: str) -> list[str]:
        return model.turn(lambda: machine.run(project, model.url, prompt))

    with Model() as model:
        assert len(list(machine.config.rglob(FILE))) == 1
        shop = story(machine, model, turn, "bash")
        person(machine, shop, "uninstall")
        assert [told(request) for request in turn(shop, QUESTION)] == [0]
        assert RULE.rstrip(".") in person(machine, shop, "list", "--json")
    assert list(machine.config.rglob(FILE)) == []
