"""One story with each real client, from installing to uninstalling; what they do beside it stands in the files marked `long`."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

from psychmem_py.installation.opencode import FILE
from tests.e2e import claude, opencode
from tests.e2e.machine import QUESTION, Machine
from tests.e2e.model_server import call
from tests.hooks import ROOT

RULE = "From now on never push to main in this repository."
SETTLED = "We settled on a lease of ninety seconds, because two workers had taken the same file."


def told(requests: list[str]) -> list[int]:
    """How often each request says the rule."""
    return [request.count("never push to main") for request in requests]


def story(machine: Machine) -> None:
    """What is said once is known in the next session, not elsewhere; forget and undo; an earlier exchange is found on request."""

    def look(body: dict[str, Any]) -> dict[str, Any]:
        """The agent looks up an earlier conversation, with the command that its brief names."""
        named = re.search(r"past sessions: (\S+) search", json.dumps(body))
        assert named
        return call(machine.tool["run"], command=f'{named[1]} search "importer lease"', description="look")

    def turn(prompt: str, *answers: Any, at: Path | None = None) -> list[str]:
        machine.model.turns = list(answers)
        return machine.turn(prompt, *machine.leave, at=at)

    blog = machine.project("blog")
    turn(f"{RULE} Please look at the readme.")
    assert told(turn(QUESTION)) == [1]
    assert told(turn(QUESTION, at=blog)) == [0]
    (rule,) = machine.listed()
    machine.psychmem("forget", rule["id"])
    assert told(turn(QUESTION)) == [0]
    machine.psychmem("undo")
    turn("How long should the lease of the importer be, so that no two workers take one file?", SETTLED)
    looked_up = turn("How did we settle that lease?", look, "Ninety seconds.")
    assert ["lease of ninety seconds" in request for request in looked_up] == [False, True]
    push = call(machine.tool["run"], command="git push origin HEAD:main", description="push")
    requests = turn("Publish it.", push, "Sorry.")
    assert [request.count("The user said on") for request in requests] == [0, 1]
    assert RULE in requests[1]


def test_a_life_with_claude_code(tmp_path: Path) -> None:
    """As the client's marketplace installs it."""
    plugin = claude.plugin_folder(tmp_path / "market place")
    shutil.copy(ROOT / ".claude-plugin" / "marketplace.json", plugin / ".claude-plugin")
    with claude.Machine(tmp_path, plugin) as machine:
        machine.flags = ()
        assert "warning" not in machine.command("plugin", "validate", str(ROOT))
        machine.command("plugin", "marketplace", "add", str(plugin))
        machine.command("plugin", "install", "psychmem@psychmem")
        story(machine)
        machine.command("plugin", "uninstall", "psychmem@psychmem")
        machine.psychmem("uninstall", "--all")  # MEMORY.md, which the client reads by itself
        assert told(machine.turn(QUESTION)) == [0]
        assert RULE.rstrip(".") in machine.psychmem("list", "--json")  # what was kept stays
    assert json.loads((machine.home / ".claude" / "settings.json").read_text()).get("enabledPlugins", {}) == {}


def test_a_life_with_opencode(open_code: opencode.Machine) -> None:
    assert len(list(open_code.config.rglob(FILE))) == 1
    story(open_code)
    open_code.psychmem("uninstall")
    assert told(open_code.turn(QUESTION)) == [0]
    assert RULE.rstrip(".") in open_code.psychmem("list", "--json")
    assert list(open_code.config.rglob(FILE)) == []
