"""Registers our hooks in Claude Code's settings.json and takes them out again, leaving every other byte of the file alone."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from psychmem_py.agents.claude_memory import claude_folder
from psychmem_py.agents.event import CLAUDE_CODE, EVENTS
from psychmem_py.errors import RefusedError
from psychmem_py.installation import json_edit, patches
from psychmem_py.installation.json_edit import Insertion, Node
from psychmem_py.installation.patches import FileEdit, Patch, text_of

OWNER = CLAUDE_CODE


class Hook(NamedTuple):
    event: str  # as the client names it
    ours: str  # as psychmem-hook names it
    timeout_s: int
    matcher: str | None = None


HOOKS = tuple(
    Hook(name, event, row.client_s, row.matcher if row.is_tool_call else None)
    for event, row in EVENTS.items()
    if row.client_s
    for name in row.claude_code
)


def settings_file(env: Mapping[str, str]) -> Path:
    """Where the client keeps its settings for all projects."""
    return Path(claude_folder(env)) / "settings.json"


def found(env: Mapping[str, str]) -> bool:
    """Whether the client is on this machine: its configuration is there, or its command on PATH."""
    return os.path.isdir(claude_folder(env)) or shutil.which("claude", path=env.get("PATH")) is not None


def installing(env: Mapping[str, str], command: list[str], known: Mapping[str, Patch]) -> list[FileEdit]:
    """What changes when we register."""
    path = settings_file(env)
    return [install(path, command, known.get(str(path))), *patches.skills(path.parent / "skills", env)]


def leaving(env: Mapping[str, str], known: Mapping[str, Patch]) -> list[FileEdit]:
    """What changes when we leave: the settings in force, and any others we have registered in."""
    places = patches.places(OWNER, settings_file(env), known)
    return [patches.without_skill(one) if patches.is_skill(one) else uninstall(one, known.get(str(one))) for one in places]


def entry(hook: Hook, command: list[str]) -> dict[str, object]:
    """One element of the client's list for an event; exec form, so that no shell and no PATH is involved."""
    call = {"type": "command", "command": command[0], "args": [*command[1:], hook.ours], "timeout": hook.timeout_s}
    return {"hooks": [call]} if hook.matcher is None else {"matcher": hook.matcher, "hooks": [call]}


def is_ours(call: object) -> bool:
    """Whether a hook of the settings is one that we put there, in this or an earlier place."""
    if not isinstance(call, dict):
        return False
    args = call.get("args")
    words = [call.get("command"), *(args if isinstance(args, list) else ())]
    return any(isinstance(word, str) and ("psychmem-hook" in word or "psychmem_py.hooks" in word) for word in words)


def registered(text: str | None) -> dict[str, int]:
    """How often each event calls us; only events that do."""
    calls = _calls(json_edit.object_in(text, Path("settings.json")) if text else None)
    return dict(Counter(event for event, call in calls if is_ours(call)))


def calls_of_ours(path: Path) -> list[tuple[str, list[str]]]:
    """Each event with the command line that our entry in these settings has for it."""
    text = text_of(path)
    ours = [(event, call) for event, call in _calls(json_edit.object_in(text, path) if text else None) if is_ours(call)]
    return [(event, [str(call["command"]), *map(str, call.get("args") or ())]) for event, call in ours if isinstance(call, dict)]


def commands(path: Path) -> set[str]:
    """The programs that our entries in these settings start."""
    return {words[0] for _, words in calls_of_ours(path)}


def install(path: Path, command: list[str], patch: Patch | None) -> FileEdit:
    """The settings with exactly our hooks in them, whatever of ours was in them before."""
    return patches.with_ours(path, patch, _without_ours, lambda text, where: _pieces(text, where, command))


def uninstall(path: Path, patch: Patch | None) -> FileEdit:
    """The settings without our hooks: byte for byte as before us if nobody else wrote since, else only our entries gone."""
    return patches.without(path, patch, _without_ours)


def _pieces(text: str, path: Path, command: list[str]) -> list[Insertion]:
    """The insertions, one after the other, each into the text the ones before have made."""
    root = json_edit.object_in(text, path)
    hooks = root.get("hooks")
    if hooks is None:
        return [json_edit.member(text, root, "hooks", {hook.event: [entry(hook, command)] for hook in HOOKS})]
    pieces: list[Insertion] = []
    for hook in HOOKS:
        hooks = json_edit.object_in(text, path).get("hooks")
        if hooks is None or not isinstance(hooks.value, dict):
            raise RefusedError(f"{path}: `hooks` is not an object; correct it, then run `psychmem setup install` again")
        event = hooks.get(hook.event)
        if event is None:
            piece = json_edit.member(text, hooks, hook.event, [entry(hook, command)])
        elif isinstance(event.value, list):
            piece = json_edit.item(text, event, entry(hook, command))
        else:
            raise RefusedError(f"{path}: `hooks.{hook.event}` is not a list; correct it, then run `psychmem setup install` again")
        pieces.append(piece)
        text = piece.into(text)
    return pieces


def _without_ours(text: str, path: Path) -> str:
    """Our entries cut out one by one, and what they leave empty with them."""
    while text.strip():
        root = json_edit.object_in(text, path)
        entry = _first_of_ours(root)
        if entry is None:
            return text
        text = json_edit.without(text, *entry)
    return text


def _first_of_ours(root: Node) -> tuple[Node, int] | None:
    """The largest part of the document that holds nothing but one entry of ours: its parent and its index there."""
    hooks = root.get("hooks")
    for event_index, event in enumerate(hooks.children if hooks else ()):
        for index, group in enumerate(event.children):
            calls = group.get("hooks")
            for at, call in enumerate(calls.children if calls else ()):
                if not is_ours(call.value) or hooks is None or calls is None:
                    continue
                if len(calls.children) > 1:
                    return calls, at
                if len(event.children) > 1:
                    return event, index
                if len(hooks.children) > 1:
                    return hooks, event_index
                return root, root.keys.index("hooks")
    return None


def _calls(root: Node | None) -> Iterator[tuple[str, object]]:
    """Every call of the settings with its event."""
    hooks = root.get("hooks") if root else None
    for event, groups in zip(hooks.keys, hooks.children, strict=True) if hooks else ():
        for group in groups.children:
            calls = group.get("hooks")
            yield from ((event, call.value) for call in (calls.children if calls else ()))
