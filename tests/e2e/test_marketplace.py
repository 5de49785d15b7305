"""The plugin for good, as the client's marketplace installs it: it listens and tells, and is gone when it is uninstalled."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.e2e.claude import Machine, client, hook_launcher
from tests.e2e.model_server import Model
from tests.e2e.test_claude_code import RULE, settle, told
from tests.hooks import ROOT


def test_from_the_marketplace_it_works_until_it_is_uninstalled(tmp_path: Path) -> None:
    plugin = hook_launcher(tmp_path / "market place")
    shutil.copy(ROOT / ".claude-plugin" / "marketplace.json", plugin / ".claude-plugin")
    machine = Machine(tmp_path, client(), plugin)
    shop = machine.project("shop")

    def claude(*words: str) -> str:
        printed = machine.command(shop, model.url, *words)
        settle(machine)
        return printed

    def asked() -> list[int]:
        """How often the rule stands in each request of a new session."""
        before = len(model.requests)
        claude("-p", "What is the capital of France?")
        return [told(request) for request in model.texts(before)]

    with Model() as model:
        claude("plugin", "marketplace", "add", str(plugin))
        claude("plugin", "install", "psychmem@psychmem")
        claude("-p", f"{RULE} Please look at the readme.")
        assert asked() == [1]
        claude("plugin", "uninstall", "psychmem@psychmem")
        machine.psychmem(shop, "uninstall", "--all")  # MEMORY.md, which the client reads by itself
        assert asked() == [0]
        assert RULE.rstrip(".") in machine.psychmem(shop, "list", "--json")  # what was kept stays
    assert json.loads((machine.home / ".claude" / "settings.json").read_text()).get("enabledPlugins", {}) == {}
