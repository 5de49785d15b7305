"""What a person does after an installation: in sentences, for `install` and `doctor`."""

from __future__ import annotations

import os
from pathlib import Path

from psychmem_py.agents import opencode_database
from psychmem_py.agents.claude_topics import claude_folder
from psychmem_py.cli.context import Workspace
from psychmem_py.cli.registered import TITLES, as_plugin, registered
from psychmem_py.home import health
from psychmem_py.home.own_command import own_command
from psychmem_py.installation import claude_code


def next_steps(workspace: Workspace) -> list[str]:
    """Sentences, each with what to type where there is something to type; none once hooks have run."""
    if health.beats(workspace.directories.data):
        return []
    command = own_command(workspace.env)
    calling = [TITLES[owner] for owner, events in registered(workspace.env).items() if events]
    if as_plugin(workspace.env) and TITLES[claude_code.OWNER] not in calling:
        calling.insert(0, TITLES[claude_code.OWNER])
    if not calling:
        return [f"Once Claude Code or OpenCode is here, `{command} install` registers PsychMem with it."]
    told = [f"Restart {' and '.join(calling)}: from the next start on it listens and remembers."]
    if past := conversations(workspace):
        them = (
            "old conversation is here; `{} backfill` reads it"
            if past == 1
            else "old conversations are here; `{} backfill` reads them"
        )
        told.append(f"{past} {them.format(command)}.")
    return told


def conversations(workspace: Workspace) -> int:
    """How many conversations of the past the agents have on this machine; counted, not read."""
    transcripts = sum(1 for _ in Path(claude_folder(workspace.env), "projects").glob("*/*.jsonl"))
    database = opencode_database.database(workspace.env)
    return transcripts + (len(opencode_database.past(database)) if os.path.exists(database) else 0)
