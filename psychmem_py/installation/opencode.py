"""Puts our plugin file where OpenCode looks for plugins, and takes it away again.
A client that finds a plugin npm-installs `@opencode-ai/plugin` at every start and waits for it: 5 s, 70 s without a network.
Our plugin imports nothing, so where no other plugin can need that package a lock file that names it makes the client skip this.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from psychmem_py.errors import refuse_if
from psychmem_py.home.places import home
from psychmem_py.installation import json_edit, patches
from psychmem_py.installation.patches import FileEdit, Patch, text_of

OWNER = "opencode"
FILE = "psychmem.js"
_PLACE = "/* psychmem:command */ []"  # stands in the plugin file for the command that starts our hook
_NOTE = "Made by PsychMem: with this folder and the lock file beside it, the client need not install a package it does not use.\n"


def opencode_folder(env: Mapping[str, str]) -> Path:
    """Where the client reads its settings and plugins for all projects."""
    return Path(os.path.abspath(env.get("XDG_CONFIG_HOME") or os.path.join(home(env), ".config"))) / "opencode"


def plugin_file(env: Mapping[str, str]) -> Path:
    return opencode_folder(env) / "plugins" / FILE


def installing(
    env: Mapping[str, str], command: list[str], known: Mapping[str, Patch], project: Path | None = None
) -> list[FileEdit]:
    """What changes when we register, for all projects or one. Raises RefusedError where a plugin of our name is another's."""
    folder = project / ".opencode" if project else opencode_folder(env)
    path = folder / "plugins" / FILE
    before = text_of(path)
    then = "move it away, then run `psychmem setup install --opencode` again"
    refuse_if(before is not None and "PsychMem" not in before, f"{path} is not PsychMem's; {then}")
    text = patches.shipped_text("hooks", "opencode", FILE).replace(_PLACE, json.dumps(command, ensure_ascii=False))
    edits = [patches.whole(path, text, before), *_sparing(folder, known)]
    return edits if project else [*edits, *patches.skills(folder / "skills", env)]


def leaving(env: Mapping[str, str], known: Mapping[str, Patch]) -> list[FileEdit]:
    """What changes when we leave: every file we made goes, unless somebody has written into it since."""
    places = patches.places(OWNER, plugin_file(env), known, opencode_folder(env) / "skills")
    return [patches.removal(path) for path in reversed(places)]


def registered(env: Mapping[str, str]) -> list[str]:
    """The command our plugin file starts, [] when it is not installed."""
    found = re.search(r"const INSTALLED = (\[.*\])", text_of(plugin_file(env)) or "")
    with suppress(ValueError, RecursionError):
        return [str(word) for word in json.loads(found[1])] if found else []
    return []


def small_model(env: Mapping[str, str]) -> str:
    """The model the client's settings name for small work, "" where they name none or cannot be read."""
    with suppress(ValueError):
        models = [settings.get("small_model") for settings in _settings(opencode_folder(env))]
        return next((one.value for one in models if one and isinstance(one.value, str)), "")
    return ""


def _settings(folder: Path) -> list[json_edit.Node]:
    """The client's settings in a folder, in the order it reads them. Raises ValueError where they are no JSON."""
    names = ("opencode.jsonc", "opencode.json", "config.json")
    return [json_edit.parse(text) for name in names if (text := text_of(folder / name))]


def _sparing(folder: Path, known: Mapping[str, Patch]) -> list[FileEdit]:
    """The lock file and the folder that keep the client from npm; nothing where another plugin may need the package."""
    lock, modules = folder / patches.LOCK_FILE, folder / "node_modules" / ".psychmem"
    if str(lock) in known and lock.exists():
        return []
    theirs = [folder / "package.json", lock, folder / "node_modules", folder / "bun.lock", folder / "bun.lockb"]
    if any(path.exists() for path in theirs) or _others(folder):
        return []
    return [patches.whole(lock, f"{patches.LOCK}\n"), patches.whole(modules, _NOTE)]


def _others(folder: Path) -> bool:
    """Whether other plugins are discovered here or named in the settings."""
    found = (path for name in ("plugins", "plugin") for path in (folder / name).glob("*"))
    if any(path.suffix in (".js", ".ts") and path.name != FILE for path in found):
        return True
    with suppress(ValueError):
        return any(plugins.value for settings in _settings(folder) if (plugins := settings.get("plugin")))
    return True  # unreadable: better leave npm to the client
