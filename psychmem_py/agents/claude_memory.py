"""Where the client keeps its memory of a project, by the settings the client itself would read there. Reads only."""

from __future__ import annotations

import os
from _collections_abc import Mapping

from psychmem_py.agents.event import calling_agent
from psychmem_py.errors import RefusedError
from psychmem_py.home import files, light_json, places, project
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.text.front_matter import units, visible_lines

INDEX = "MEMORY.md"
LOOKED_AT_BYTES = 1 << 24  # of a file that we look into


class MemoryFolder(NamedTuple):
    path: str
    loaded: bool  # the client puts MEMORY.md before the model
    by_name: bool = True  # False: a person chose one folder for every project


def claude_folder(env: Mapping[str, str]) -> str:
    return os.path.abspath(env.get("CLAUDE_CONFIG_DIR") or os.path.join(places.home(env), ".claude"))


def counts_as_typed(transcript: str, env: Mapping[str, str]) -> bool:
    """Whether typed text in a transcript counts as typed: an agent may have written one that lies outside the client's folder."""
    if not calling_agent(env):
        return True
    return os.path.realpath(transcript).startswith(os.path.join(os.path.realpath(claude_folder(env)), "projects", ""))


def folder_of(cwd: str, env: Mapping[str, str]) -> MemoryFolder:
    """The memory folder for sessions in `cwd`. A directory's own settings may come with a repository: they can switch it off, not
    choose where we write. What is no whole path of this machine gets one nobody reads: resolved, it would be that of here.
    """
    if not os.path.isabs(cwd):
        return MemoryFolder(os.path.join(claude_folder(env), "projects", slug(cwd) or "nowhere", "memory"), loaded=False)
    settings = [light_json.read_object(path) for path in settings_files(cwd, env)]
    given = [str(one.get("autoMemoryDirectory")) for one in settings]
    own, *repository = (path if path.startswith(("/", "~/")) else "" for path in given)
    moved = places.home(env) + own[1:] if own.startswith("~") else own
    enabled = not any(repository) and all(one.get("autoMemoryEnabled") is not False for one in settings)
    switch = env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "")
    enabled = (enabled or switch == "0") and switch not in ("1", "true")
    name = slug(project.repository_around(cwd).root)
    path = moved or os.path.join(claude_folder(env), "projects", name or "nowhere", "memory")
    loaded = enabled and bool(moved or name) and env.get("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "") not in ("1", "true")
    return MemoryFolder(os.path.normpath(path), loaded=loaded, by_name=not moved)


def input_files(folder: MemoryFolder, cwd: str, env: Mapping[str, str]) -> list[str]:
    """The files, existing or not, that decide what of ours a session in `cwd` sees."""
    return [os.path.join(folder.path, INDEX), *settings_files(cwd, env)]


def settings_files(cwd: str, env: Mapping[str, str]) -> list[str]:
    """The client's own settings, then those of a folder, which go before them."""
    mine = [os.path.join(cwd, ".claude", name) for name in ("settings.json", "settings.local.json")]
    return [os.path.join(claude_folder(env), "settings.json"), *mine]


def text_of(path: str) -> str | None:
    """A file's text with every byte kept, or None where there is none. Raises RefusedError for a link, a folder, too much."""
    if (raw := files.content(path, LOOKED_AT_BYTES)) is not None:
        return raw.decode("utf-8", "surrogateescape")
    try:
        os.lstat(path)
    except FileNotFoundError:
        return None
    raise RefusedError(f"{path} cannot be read; it must be a plain file, no symbolic link, of at most {LOOKED_AT_BYTES >> 20} MB")


def visible(folder: MemoryFolder) -> frozenset[str]:
    """The lines of MEMORY.md that the client puts before the model; none while its memory is off, and of no plain file."""
    raw = files.content(os.path.join(folder.path, INDEX), LOOKED_AT_BYTES) if folder.loaded else None
    return visible_lines(raw.decode("utf-8", "surrogateescape")) if raw else frozenset()


def slug(path: str) -> str:
    """The client's folder name for a path, "-home-dev-my-app"; different paths may share one. "" where it would be too long."""
    name = "".join(char if char.isascii() and char.isalnum() else "-" * units(char) for char in path)
    return name if len(name) <= 200 else ""  # beyond these the client cuts, and adds a hash
