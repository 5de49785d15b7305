"""Our files in the client's memory folder: the block in MEMORY.md and one topic file for each kind of knowledge.

Written through no symlink, replaced as a whole or not at all, and never a file that is not ours: a topic file is ours by its
first line, in MEMORY.md only what stands between our marks is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from psychmem_py import paths, project
from psychmem_py.core import memory_md
from psychmem_py.errors import RefusedError

INDEX = "MEMORY.md"
FILES = ("constraints.md", "preferences.md", "learnings.md", "decisions.md", "bugfixes.md")
MARK = "<!-- psychmem:topic"  # begins the first line of a topic file of ours
_FIRST_LINE = f"{MARK} written by PsychMem; change it with `psychmem edit`, `forget`, `pin`; this file is replaced -->\n"


class Folder(NamedTuple):
    """The client's memory folder for a project."""

    path: str
    loaded: bool  # the client puts MEMORY.md before the model


def config_folder(env: Mapping[str, str]) -> str:
    """The client's configuration directory."""
    return env.get("CLAUDE_CONFIG_DIR") or os.path.join(paths.home(env), ".claude")


def folder_of(cwd: str, env: Mapping[str, str]) -> Folder:
    """The memory folder for sessions in `cwd`, by the settings the client would read there.

    A directory's own settings may come with a repository: they can switch the folder off, not choose where we write. Where they
    choose another one the client reads that, so ours is not loaded.
    """
    moved, enabled = "", True
    for place, found in enumerate(map(_settings, _settings_files(cwd, env))):
        given = found.get("autoMemoryDirectory")
        if isinstance(given, str) and given.startswith(("/", "~/")):
            if place:
                enabled = False
            else:
                moved = paths.home(env) + given[1:] if given.startswith("~") else given
        if isinstance(found.get("autoMemoryEnabled"), bool):
            enabled = enabled and bool(found["autoMemoryEnabled"])
    switch = env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "")
    enabled = (enabled or switch == "0") and switch not in ("1", "true")
    path = moved or os.path.join(config_folder(env), "projects", memory_md.slug(project.main_root(cwd)), "memory")
    return Folder(os.path.normpath(path), loaded=enabled and env.get("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "") not in ("1", "true"))


def depends_on(folder: Folder, cwd: str, env: Mapping[str, str]) -> list[str]:
    """The files, there or not, on which it depends what of ours a session in `cwd` sees."""
    return [os.path.join(folder.path, INDEX), *_settings_files(cwd, env)]


def _settings_files(cwd: str, env: Mapping[str, str]) -> list[str]:
    mine = [os.path.join(cwd, ".claude", name) for name in ("settings.json", "settings.local.json")]
    return [os.path.join(config_folder(env), "settings.json"), *mine]


def _settings(path: str) -> dict[str, object]:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}  # none, or one the client itself would not read
    return found if isinstance(found, dict) else {}


def visible(folder: Folder) -> frozenset[str]:
    """The lines of MEMORY.md that the client puts before the model; none while its memory is switched off."""
    if not folder.loaded:
        return frozenset()
    try:
        text = _read(os.path.join(folder.path, INDEX))
    except RefusedError:
        return frozenset()
    return memory_md.visible_lines(text) if text else frozenset()


def write(folder: Folder, index: Sequence[str], topics: Mapping[str, str]) -> None:
    """Brings block and files up to date: `index` lines for MEMORY.md, a text for each name of FILES that has something to say.

    With nothing to say our block and files go; while the client's memory is switched off nothing is touched. Raises RefusedError
    where a symlink stands in the way.
    """
    if not folder.loaded:
        return
    if not os.path.isdir(folder.path):
        if not index and not topics:
            return
        os.makedirs(folder.path, 0o700, exist_ok=True)
    if os.path.islink(folder.path):
        raise RefusedError(f"{folder.path} is a symbolic link; PsychMem writes only to a memory folder that is one itself")
    for name in FILES:
        _write_topic(os.path.join(folder.path, name), topics.get(name, ""))
    path = os.path.join(folder.path, INDEX)
    before = _read(path)
    _replace(path, before, memory_md.with_block(before, index))


def names_ours(folder: Folder) -> list[str]:
    """The topic files in the folder that are ours."""
    return [name for name in FILES if (_read(os.path.join(folder.path, name)) or "").startswith(MARK)]


def remove(folder: Folder) -> None:
    """Takes our block and our topic files out again; everything else stays as it is."""
    if os.path.isdir(folder.path) and not os.path.islink(folder.path):
        write(folder._replace(loaded=True), (), {})


def drop(folder: Folder, touches: Callable[[str], bool]) -> None:
    """Takes single lines out of our block and our topic files; a topic file without any line left goes."""
    if os.path.islink(folder.path):
        raise RefusedError(f"{folder.path} is a symbolic link; PsychMem writes only to a memory folder that is one itself")
    for name in names_ours(folder):
        path = os.path.join(folder.path, name)
        lines = (_read(path) or "").splitlines(keepends=True)
        kept = [line for line in lines if not (line.startswith("- ") and touches(line))]
        if kept != lines:
            _replace(path, "".join(lines), "".join(kept) if any(line.startswith("- ") for line in kept) else None)
    path = os.path.join(folder.path, INDEX)
    text = _read(path)
    lines = memory_md.block_lines(text or "")
    kept = [line for line in lines if not touches(line)]
    if kept != lines:
        _replace(path, text, memory_md.with_block(text, kept))


def _write_topic(path: str, body: str) -> None:
    before = _read(path)
    if before is not None and not before.startswith(MARK):
        return  # somebody else's file of the same name
    _replace(path, before, _FIRST_LINE + body if body else None)


def _read(path: str) -> str | None:
    """The file's text with every byte kept, or None where there is none. Raises RefusedError for a symlink."""
    if os.path.islink(path):
        raise RefusedError(f"{path} is a symbolic link; PsychMem writes only to the file itself")
    try:
        with open(
            os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="utf-8", errors="surrogateescape", newline=""
        ) as file:
            return file.read()
    except FileNotFoundError:
        return None


def _replace(path: str, before: str | None, after: str | None) -> None:
    """Makes the file's text `after`, at once or not at all; None removes it."""
    if before == after:
        return
    if after is None:
        os.unlink(path)
        return
    mode = os.stat(path, follow_symlinks=False).st_mode & 0o777 if before is not None else 0o600
    fresh = f"{path}.psychmem-{os.getpid()}"
    raw = after.encode("utf-8", "surrogateescape")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as file:
            file.write(raw)
        os.replace(fresh, path)
    except OSError:
        if os.path.exists(fresh):
            os.unlink(fresh)
        raise
