"""Takes our block and topic files out of every memory folder of Claude Code that may hold them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from pathlib import Path

from psychmem_py.agents import claude_topics
from psychmem_py.errors import RefusedError
from psychmem_py.home import files, locks

_LOCK_S = 5.0


def with_ours(env: Mapping[str, str], roots: Iterable[str]) -> list[claude_topics.MemoryFolder]:
    """The folders where something of ours stands: those of the projects at `roots`, and every one of the client's own."""
    places = {claude_topics.folder_of(root, env).path for root in roots}
    places |= {str(memory_path) for memory_path in Path(claude_topics.claude_folder(env), "projects").glob("*/memory")}
    return [folder for path in sorted(places) if holds_ours(folder := claude_topics.MemoryFolder(path, loaded=True))]


def holds_ours(folder: claude_topics.MemoryFolder) -> bool:
    """Whether our block or a topic file of ours is in it; what cannot be read is not ours."""
    try:
        text = Path(folder.path, claude_topics.INDEX).read_text("utf-8", errors="replace")
    except OSError:
        text = ""
    try:
        return "psychmem:start" in text or bool(claude_topics.names_ours(folder))
    except (OSError, RefusedError):
        return False


def cleared(folder: claude_topics.MemoryFolder, data: str) -> None:
    """Removes what is ours, and the folders it stands in when nothing else is in them; the client makes them anew."""
    # Whoever writes there finishes first; without data nobody does, and a lock would leave a folder.
    with locks.lock(data, folder.path, _LOCK_S, kind="folder") if os.path.isdir(data) else nullcontext():
        claude_topics.remove(folder)
        files.sweep(folder.path)
    project = os.path.dirname(folder.path)
    everybody = os.path.dirname(project)
    for path in (folder.path, project, *([everybody] if os.path.basename(everybody) == "projects" else [])):
        try:
            os.rmdir(path)
        except OSError:
            return
