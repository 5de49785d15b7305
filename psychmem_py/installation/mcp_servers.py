"""Names our tools in the clients' lists of MCP servers and takes them out again, leaving every other byte of the file alone.

Claude Code keeps the person's servers in `.claude.json`, which it writes anew itself; OpenCode in `opencode.json`. On request only.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from psychmem_py.agents.event import CLAUDE_CODE, OPENCODE
from psychmem_py.errors import PsychMemError
from psychmem_py.installation import json_edit, patches
from psychmem_py.installation.opencode import opencode_folder
from psychmem_py.installation.patches import FileEdit, Patch, text_of

NAME = "psychmem"  # of the server


class Tools(StrEnum):
    """Which tools a client finds."""

    SIX = "six"
    STM = "stm"
    SPECKIT = "speckit"
    ALL = "all"


class Server(NamedTuple):
    """One client's list of servers."""

    OWNER: str
    key: str  # the list's name in the file
    file: Callable[[Mapping[str, str]], Path]
    entry: Callable[[list[str]], dict[str, object]]  # from the command

    def installing(self, env: Mapping[str, str], command: list[str], known: Mapping[str, Patch]) -> list[FileEdit]:
        """What changes when our tools are named there, to be started by `command`."""
        path, wanted = self.file(env), self.entry(command)
        text, patch = text_of(path), known.get(str(path))
        if _entry(text, path, self.key) == wanted:
            return [FileEdit(path, text, text)]
        return [patches.with_ours(path, patch, self._cleaner(patch), [(self.key, NAME, wanted)])]

    def leaving(self, env: Mapping[str, str], known: Mapping[str, Patch]) -> list[FileEdit]:
        """What changes when our tools leave: the file in force, and any other we have named them in."""
        found = ((path, known.get(str(path))) for path in patches.places(self.OWNER, self.file(env), known))
        return [patches.without(path, patch, self._cleaner(patch)) for path, patch in found]

    def _cleaner(self, patch: Patch | None) -> Callable[[str, Path], str]:
        """What takes our entry out of a text, with the list that was made for it."""

        def clean(text: str, path: Path) -> str:
            if not _is_ours(_entry(text, path, self.key)):
                return text
            root = json_edit.object_in(text, path)
            at = root.keys.index(self.key)
            whole = [(root, at)] if patch else []  # then the list itself was ours
            return json_edit.cut(text, [(root.children[at], root.children[at].keys.index(NAME)), *whole])

        return clean


def server_command(tools: Tools = Tools.SIX) -> list[str]:
    """The words that start our tools, by an absolute path."""
    words = ["mcp", *(["--tools", tools.value] if tools is not Tools.SIX else [])]
    beside = os.path.join(os.path.dirname(sys.executable), "psychmem")
    program = beside if os.access(beside, os.X_OK) else shutil.which("psychmem")
    start = [os.path.abspath(program)] if program else [sys.executable, "-c", "from psychmem_py.cli import main; main()"]
    return [*start, *words]


def _claude_file(env: Mapping[str, str]) -> Path:
    home = env.get("HOME") or env.get("USERPROFILE") or "~"
    return Path(env.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json"


def _opencode_file(env: Mapping[str, str]) -> Path:
    jsonc, usual = (opencode_folder(env) / name for name in ("opencode.jsonc", "opencode.json"))
    return jsonc if jsonc.exists() else usual


SERVERS = (
    Server(
        f"{CLAUDE_CODE} tools",
        "mcpServers",
        _claude_file,
        lambda words: {"type": "stdio", "command": words[0], "args": words[1:]},
    ),
    Server(f"{OPENCODE} tools", "mcp", _opencode_file, lambda words: {"type": "local", "command": words, "enabled": True}),
)
TOOLS_OF = {CLAUDE_CODE: SERVERS[0].OWNER, OPENCODE: SERVERS[1].OWNER}


def named(env: Mapping[str, str]) -> bool:
    """Whether a client was given our tools; not by a list that cannot be read, of which `install --mcp` says so."""
    for server in SERVERS:
        path = server.file(env)
        with contextlib.suppress(PsychMemError):
            if _entry(text_of(path), path, server.key) is not None:
                return True
    return False


def _entry(text: str | None, path: Path, key: str) -> object:
    """What stands in a file's list of servers under our name; None for nothing."""
    servers = json_edit.object_in(text, path).get(key) if text and text.strip() else None
    found = servers.get(NAME) if servers else None
    return found.value if found else None


def _is_ours(entry: object) -> bool:
    """Whether an entry starts `psychmem ... mcp`, wherever that stands."""
    if not isinstance(entry, dict):
        return False
    words = [entry.get("command"), *(entry.get("args") or [])] if isinstance(entry.get("command"), str) else entry.get("command")
    return isinstance(words, list) and "mcp" in (*words[-1:], *words[-3:-2]) and "psychmem" in " ".join(map(str, words))
