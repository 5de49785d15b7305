"""Which agents call us, what a person calls them, and what to do next after an installation."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from psychmem_py.agents import opencode_database
from psychmem_py.agents.claude_memory import claude_folder
from psychmem_py.cli.context import Workspace
from psychmem_py.home import health
from psychmem_py.home.places import own_command
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


def next_steps(workspace: Workspace) -> list[str]:
    """Sentences, each with what to type where there is something to type; none once hooks have run."""
    if health.beats(workspace.directories.data):
        return []
    command = own_command(workspace.env)
    calling = [TITLES[owner] for owner, events in registered(workspace.env).items() if events]
    if as_plugin(workspace.env) and TITLES[claude_code.OWNER] not in calling:
        calling.insert(0, TITLES[claude_code.OWNER])
    if not calling:
        return [f"Once Claude Code or OpenCode is here, `{command} setup install` registers PsychMem with it."]
    told = [
        f"Restart {' and '.join(calling)}, then say to it: From now on run the tests before every commit.",
        "The next session knows it; `psychmem list` shows it, `psychmem forget ID` takes it back, `psychmem demo` plays a sample.",
        "`psychmem judge` lets a small model read what you type and find more, at the price of a call a session; it is off.",
    ]
    if past := conversations(workspace):
        them = (
            "old conversation is here; `{} import --conversations` reads it"
            if past == 1
            else "old conversations are here; `{} import --conversations` reads them"
        )
        told.append(f"{past} {them.format(command)}.")
    return told


def conversations(workspace: Workspace) -> int:
    """How many conversations of the past the agents have on this machine; counted, not read."""
    transcripts = sum(1 for _ in Path(claude_folder(workspace.env), "projects").glob("*/*.jsonl"))
    database = opencode_database.database(workspace.env)
    return transcripts + (len(opencode_database.past(database)) if os.path.exists(database) else 0)
