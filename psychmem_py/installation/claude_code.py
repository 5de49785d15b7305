"""Registers our hooks in Claude Code's settings.json and takes them out again, leaving every other byte of the file alone."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from psychmem_py.agents.claude_memory import claude_folder
from psychmem_py.agents.event import CLAUDE_CODE, EVENTS
from psychmem_py.installation import json_edit, patches
from psychmem_py.installation.json_edit import Node
from psychmem_py.installation.patches import FileEdit, Patch

OWNER = CLAUDE_CODE
# Each event that we ask the client for, as it names that and as psychmem-hook does.
HOOKS = {name: event for event, row in EVENTS.items() if row.client_s for name in row.claude_code}


def settings_file(env: Mapping[str, str]) -> Path:
    """Where the client keeps its settings for all projects."""
    return Path(claude_folder(env)) / "settings.json"


def installing(env: Mapping[str, str], command: list[str], known: Mapping[str, Patch]) -> list[FileEdit]:
    path = settings_file(env)
    entries = [("hooks", name, [entry(event, command)]) for name, event in HOOKS.items()]
    return [patches.with_ours(path, known.get(str(path)), ours, entries), *patches.skills(path.parent / "skills", env)]


def leaving(env: Mapping[str, str], known: Mapping[str, Patch]) -> list[FileEdit]:
    """What changes when we leave: the settings in force, and any others we have registered in."""
    places = patches.places(OWNER, settings_file(env), known, settings_file(env).parent / "skills")
    return [patches.removal(at) if at.name == patches.SKILL else patches.without(at, known.get(str(at)), ours) for at in places]


def entry(event: str, command: list[str]) -> dict[str, object]:
    """One element of the client's list for an event of ours; exec form, so that no shell and no PATH is involved."""
    row = EVENTS[event]
    call = {"type": "command", "command": command[0], "args": [*command[1:], event], "timeout": row.client_s}
    return {"matcher": row.matcher, "hooks": [call]} if row.is_tool_call else {"hooks": [call]}


def is_ours(call: object) -> bool:
    """Whether a hook of the settings is one that we put there, in this or an earlier place."""
    command, *given = words_of(call) or [""]
    program = command if given else command.partition(" ")[0]  # without arguments it is a line for a shell
    return os.path.basename(program) == "psychmem-hook" or "-m psychmem_py.hooks" in " ".join([command, *given])


def words_of(call: object) -> list[str]:
    """The command line that a hook or a server of the client's files stands for; [] for what is none."""
    command, args = (call.get("command"), call.get("args")) if isinstance(call, dict) else (None, None)
    words = [*(command if isinstance(command, list) else [command]), *(args if isinstance(args, list) else [])]
    return [word for word in words if isinstance(word, str)]


def calls_of_ours(text: str | None) -> list[tuple[str, list[str]]]:
    """Each event of the settings with the command line that our entry has for it."""
    calls = _calls(json_edit.object_in(text, Path("settings.json"))) if text else ()
    return [(event, words_of(call)) for event, call, _ in calls if is_ours(call)]


def registered(text: str | None) -> dict[str, int]:
    """How often each event calls us; only events that do."""
    return dict(Counter(event for event, _ in calls_of_ours(text)))


def ours(root: Node) -> list[list[tuple[Node, int]]]:
    """Where our hooks stand in the settings."""
    return [places for _, call, places in _calls(root) if is_ours(call)]


def _calls(root: Node) -> Iterator[tuple[str, Any, list[tuple[Node, int]]]]:
    """Every call of the settings: its event, its value, and where it stands, from the inside out."""
    if not (hooks := root.get("hooks")):
        return
    for event_at, event in enumerate(hooks.children):
        for group_at, group in enumerate(event.children):
            if calls := group.get("hooks"):
                outside = (event, group_at), (hooks, event_at), (root, root.keys.index("hooks"))
                yield from ((hooks.keys[event_at], call.value, [(calls, at), *outside]) for at, call in enumerate(calls.children))
