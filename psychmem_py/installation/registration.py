"""Registers with agents and takes it back: each agent's module, and each list of MCP servers, gives the edits for it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.agents.event import CLAUDE_CODE, OPENCODE
from psychmem_py.errors import PsychMemError, refuse_if
from psychmem_py.home import files, health, locks, places
from psychmem_py.home.light_json import object_in, read_object
from psychmem_py.installation import claude_code, json_edit, opencode, patches
from psychmem_py.installation.json_edit import Node
from psychmem_py.installation.patches import FileEdit, Patch, text_of

_SERVER = "psychmem"  # of the server
_RECORD = "installed.json"  # what we changed, in the data directory


def _program(name: str) -> list[str]:
    """A script of ours by its absolute path: the one beside our interpreter, else the one on PATH; [] where neither can run."""
    found = (os.path.join(os.path.dirname(sys.executable), name), shutil.which(name))
    return [os.path.abspath(path) for path in found if path and os.access(path, os.X_OK)][:1]


def launcher() -> list[str]:
    """The words that start the agents' door, the event comes after them; the interpreter where no script can run."""
    return (_program("psychmem-hook") if os.name == "posix" else []) or [sys.executable, "-E", "-P", "-m", "psychmem_py.hooks"]


class Tools(StrEnum):
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
        text = text_of(path) or ""
        there = json_edit.object_in(text, path).value.get(self.key) if text.strip() else None
        if isinstance(there, dict) and there.get(_SERVER) == wanted:
            return [FileEdit(path, text, text)]
        return [patches.with_ours(path, known.get(str(path)), self._ours, [(self.key, _SERVER, wanted)])]

    def leaving(self, env: Mapping[str, str], known: Mapping[str, Patch]) -> list[FileEdit]:
        """What changes when our tools leave: the file in force, and any other we have named them in."""
        found = patches.places(self.OWNER, self.file(env), known)
        return [patches.without(path, known.get(str(path)), self._ours) for path in found]

    def _ours(self, root: Node) -> list[list[tuple[Node, int]]]:
        entry = servers.get(_SERVER) if (servers := root.get(self.key)) else None
        words = claude_code.words_of(entry.value) if entry else []
        if not servers or "mcp" not in (*words[-1:], *words[-3:-2]) or "psychmem" not in " ".join(words):
            return []  # it starts something else than `psychmem ... mcp`, wherever that stands
        return [[(servers, servers.keys.index(_SERVER)), (root, root.keys.index(self.key))]]


def server_command(tools: Tools = Tools.SIX) -> list[str]:
    """The words that start our tools, by an absolute path."""
    words = ["mcp", *(["--tools", tools.value] if tools is not Tools.SIX else [])]
    return [*(_program("psychmem") or [sys.executable, "-c", "from psychmem_py.cli import main; main()"]), *words]


def _opencode_file(env: Mapping[str, str]) -> Path:
    jsonc, usual = (opencode.opencode_folder(env) / name for name in ("opencode.jsonc", "opencode.json"))
    return jsonc if jsonc.exists() else usual


SERVERS = (
    Server(
        f"{CLAUDE_CODE} tools",
        "mcpServers",
        lambda env: Path(os.path.abspath(env.get("CLAUDE_CONFIG_DIR") or places.home(env))) / ".claude.json",
        lambda words: {"type": "stdio", "command": words[0], "args": words[1:]},
    ),
    Server(f"{OPENCODE} tools", "mcp", _opencode_file, lambda words: {"type": "local", "command": words, "enabled": True}),
)
TOOLS_OF = {CLAUDE_CODE: SERVERS[0].OWNER, OPENCODE: SERVERS[1].OWNER}
NAMES: dict[str, Any] = {agent.OWNER: agent for agent in (claude_code, opencode, *SERVERS)}
TITLES = {"claude-code": "Claude Code", "opencode": "OpenCode"}
TITLES |= {f"{name} tools": f"{title}, tools" for name, title in TITLES.items()}


def registered(env: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """For each agent the events that call us, and how often; a plugin brings all of them."""
    settings, plugin = claude_code.registered(text_of(claude_code.settings_file(env))), {"plugin": 1}
    by_plugin = plugin if plugin_enabled(env) else {}
    return {claude_code.OWNER: settings or by_plugin, opencode.OWNER: plugin if opencode.registered(env) else {}}


def plugin_enabled(env: Mapping[str, str]) -> bool:
    enabled = read_object(str(claude_code.settings_file(env))).get("enabledPlugins")
    return isinstance(enabled, dict) and any(name.startswith("psychmem@") and on for name, on in enabled.items())


def hooks_disabled(cwd: str, env: Mapping[str, str]) -> str:
    """Claude Code's settings file, in force in `cwd`, by which it runs nobody's hooks; "" for none."""
    given = ((read_object(path).get("disableAllHooks"), path) for path in claude_memory.settings_files(cwd, env))
    *_, (value, last) = (None, ""), *(one for one in given if one[0] is not None)
    return last if value is True else ""


def present(env: Mapping[str, str]) -> list[str]:
    """The agents on this machine: their configuration is there, or their command on PATH."""
    of_agents = (CLAUDE_CODE, "claude", claude_memory.claude_folder(env)), (OPENCODE, "opencode", opencode.opencode_folder(env))
    return [owner for owner, program, place in of_agents if os.path.isdir(place) or shutil.which(program, path=env.get("PATH"))]


def register(
    owners: Sequence[str], env: Mapping[str, str], data: Path, *, command: Sequence[str] = (), project: Path | None = None,
    dry_run: bool = False,
) -> list[FileEdit]:  # fmt: skip
    """The edits that make these agents' files (in a `project` OpenCode's alone) call us once, done unless `dry_run`."""
    words = list(command) or launcher()
    with locks.command_lock(env):
        if claude_code.OWNER in owners and not dry_run:
            (data / places.LEFT).unlink(missing_ok=True)
        known = patches.recorded(data / _RECORD)
        where = [project] if project else []
        edits = [(owner, edit) for owner in owners for edit in NAMES[owner].installing(env, words, known, *where)]
        changed = [(owner, edit) for owner, edit in edits if edit.before != edit.after]
        for owner, edit in changed if not dry_run else ():
            _check_unchanged(edit)
            old, new = known.get(str(edit.path)), patches.prepared(edit, owner)
            if old is not None:  # what was there before the first of the two
                new = new._replace(made=old.made or new.made, folders=old.folders or new.folders)
            known[str(edit.path)] = new
            patches.record(data / _RECORD, known)  # before each write, so that a kill leaves no change unrecorded
            patches.write(edit.path, edit.after or "")
        return [edit for _, edit in changed]


def unregister(owners: Sequence[str], env: Mapping[str, str], data: Path, *, dry_run: bool = False) -> list[FileEdit]:
    """The edits that take us out of these agents' files, done unless `dry_run`."""
    with locks.command_lock(env):
        known = patches.recorded(data / _RECORD)
        edits = [edit for owner in owners for edit in NAMES[owner].leaving(env, known)]
        folders: set[str] = set()
        for edit in edits if not dry_run else ():
            _check_unchanged(edit)
            patch = known.pop(str(edit.path), None)
            folders.update(patch.folders if patch else ())
            if edit.after is None and edit.before is not None:  # where nothing is, a link of the person's may lead
                patches.remove(edit.path, patch.folders if patch else [str(edit.path.parent)])
            elif edit.after is not None and edit.after != edit.before:
                patches.write(edit.path, edit.after)
            patches.record(data / _RECORD, known)
            files.remove_stale(edit.path.parent)
        patches.remove_empty(folders)  # one that was made for the first file may have held the second
        return [edit for edit in edits if edit.before != edit.after]


def _check_unchanged(edit: FileEdit) -> None:
    """Raises RefusedError where anybody has written the file since it was read: an old text must not replace a newer one."""
    refuse_if(text_of(edit.path) != edit.before, f"{edit.path} was changed by another program just now; run this again")


def leftovers(env: Mapping[str, str]) -> list[str]:
    """Their paths, as far as they are there; no symbolic link among them."""
    owned, plugins = files.directories(env), Path(places.standard("data", env, xdg=True))
    paths = [owned.languages, owned.log / health.LOG, owned.log / health.FORMER_LOG]
    made = (plugins / "venv" / "made-by-plugin").exists()  # not by a person who ran install.sh
    paths += [plugins / name for name in ("plugin-setup", "plugin-environment.json", *["venv"] * made)]
    return [str(path) for path in paths if path.exists() and not path.is_symlink()]


def remove_leftover(path: str) -> None:
    """Removes one of them, the folder it stood in where that is empty now, and the one above if made for it."""
    (shutil.rmtree if os.path.isdir(path) else os.unlink)(path)
    folder = os.path.dirname(path)
    with suppress(OSError):  # something else stands there
        if made_above := os.listdir(folder) == [places.MADE_ABOVE]:
            os.unlink(os.path.join(folder, places.MADE_ABOVE))
        patches.remove_empty([folder, *[os.path.dirname(folder)] * made_above])


def with_ours(env: Mapping[str, str], roots: Iterable[str]) -> list[claude_memory.MemoryFolder]:
    """The folders where something of ours stands: those of the projects at `roots`, and every one of the client's own."""
    paths = {claude_memory.folder_of(root, env).path for root in roots}
    paths |= {str(path) for path in Path(claude_memory.claude_folder(env), "projects").glob("*/memory")}
    return [*filter(claude_topics.holds_ours, (claude_memory.MemoryFolder(path, loaded=True) for path in sorted(paths)))]


def clear_folder(folder: claude_memory.MemoryFolder, data: str, *, dry_run: bool = False) -> str:
    """Removes our files, and their folders if empty then; the client recreates them. Why not all of them, or ""."""
    try:
        if dry_run:
            claude_memory.text_of(os.path.join(folder.path, claude_memory.INDEX))
            return ""
        # Whoever writes there finishes first; without data nobody does, and a lock would leave a folder.
        with locks.lock(data, folder.path, 5.0, kind="folder") if os.path.isdir(data) else nullcontext():
            claude_topics.remove(folder)
            files.remove_stale(folder.path)
    except (OSError, PsychMemError) as exc:  # one of them keeps us in no other file
        return health.sentence(exc)
    above = [str(path) for path in Path(folder.path).parents[:2]]
    patches.remove_empty([folder.path, *above[: 2 if os.path.basename(above[1]) == "projects" else 1]])
    return ""


# Extras of `pyproject.toml`, as pip is told; the first package is the one that is imported.
EMBEDDINGS = ("onnxruntime>=1.17", "tokenizers>=0.15")
HUB = ("psycopg[binary]>=3.1",)


def missing(extra: Sequence[str], what: str) -> str:
    """What is missing: "a hub needs the package `psycopg`, which …"; "" where it is there."""
    package = re.split(r"[\[>]", extra[0])[0]
    return "" if find_spec(package) else f"{what} the package `{package}`, which is not installed"


def bringing(extra: Sequence[str]) -> str:
    """What to type so that this interpreter finds the package: whoever only says `pip install` reaches another Python."""
    if shutil.which("uv"):
        return shlex.join(["uv", "pip", "install", "--python", sys.executable, *extra])
    return shlex.join(["pip", "--python", sys.executable, "install", *extra])


CONVERSATION = Path(__file__).with_name("conversation.jsonl")
FOLDER = partial(tempfile.TemporaryDirectory, prefix="psychmem-trial-", ignore_cleanup_errors=True)  # for one, and gone after it
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")  # all the rest might point to the person's own store


class Trial(NamedTuple):
    brief: str  # "" when none came
    trouble: str  # what went wrong, "" when nothing did
    env: Mapping[str, str]  # the surroundings it ran in, for a look at its store while it lasts


def trial(folder: Path, env: Mapping[str, str], command: Sequence[str] = ()) -> Trial:
    """What comes of a sample conversation that goes through `command` (usual: our launcher), in a home of its own in a FOLDER."""
    project, transcript, words = folder / "webshop", folder / "conversation.jsonl", [*(command or launcher())]
    project.mkdir()
    transcript.write_bytes(CONVERSATION.read_bytes())
    around = {name: env[name] for name in _KEPT if name in env} | {
        "HOME": str(folder / "home"),
        "PSYCHMEM_HOME": str(folder / "psychmem"),
        "CLAUDE_CONFIG_DIR": str(folder / "home" / ".claude"),
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",  # so that the brief tells everything itself
    }
    payload = {"transcript_path": str(transcript), "cwd": str(project), "session_id": "sample-session"}
    # `work` is what a Stop hook leaves to its child. `compact` starts none, which might make the folder anew.
    trouble, reply = _ran([*words, "work", "stop"], {**payload, "hook_event_name": "Stop"}, around)
    start = {"session_id": "next-session", "transcript_path": "", "hook_event_name": "SessionStart", "source": "compact"}
    if not trouble:
        trouble, reply = _ran([*words, "inject"], {**payload, **start}, around)
    if trouble:
        return Trial("", f"{words[0]} {trouble}", around)
    said = object_in(reply).get("hookSpecificOutput")
    brief = str(said.get("additionalContext", "")) if isinstance(said, dict) else ""
    return Trial(brief, "" if "\n- " in brief else brief or "no brief came back", around)


def _ran(command: Sequence[str], payload: Mapping[str, object], env: Mapping[str, str]) -> tuple[str, bytes]:
    """What went wrong, "" for nothing, and what the command payload on stdout."""
    given = json.dumps(payload).encode()
    try:
        done = subprocess.run(list(command), input=given, env=env, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as exc:
        return f"cannot be run: {exc}", b""
    if done.returncode or done.stderr:
        stderr = done.stderr.decode(errors="replace").strip()[-300:]
        return f"ended with {done.returncode}{f': {stderr}' if stderr else ''}", b""
    return "", done.stdout
