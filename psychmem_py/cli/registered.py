"""Which agents call us, and what a person calls them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from psychmem_py.installation import claude_code, opencode
from psychmem_py.installation.patches import text_of

TITLES = {"claude-code": "Claude Code", "opencode": "OpenCode"} | {
    "claude-code tools": "Claude Code, tools",
    "opencode tools": "OpenCode, tools",
}


def registered(env: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """For each agent the events that call us, and how often; OpenCode's are all in one plugin file."""
    settings = claude_code.registered(text_of(claude_code.settings_file(env)))
    return {claude_code.OWNER: settings, opencode.OWNER: {"plugin": 1} if opencode.registered(env) else {}}


def as_plugin(env: Mapping[str, str]) -> bool:
    try:
        enabled = json.loads(claude_code.settings_file(env).read_text("utf-8"))["enabledPlugins"]
        return any(name.startswith("psychmem@") and on for name, on in enabled.items())
    except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError):
        return False
