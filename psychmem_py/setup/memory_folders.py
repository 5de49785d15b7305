"""Takes our block and topic files out of every memory folder of Claude Code that may hold them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from psychmem_py import topics
from psychmem_py.errors import RefusedError


def with_ours(env: Mapping[str, str], roots: Iterable[str]) -> list[topics.Folder]:
    """The folders where something of ours stands: those of the projects at `roots`, and every one of the client's own."""
    places = {topics.folder_of(root, env).path for root in roots}
    places |= {str(found) for found in Path(topics.config_folder(env), "projects").glob("*/memory")}
    return [folder for path in sorted(places) if holds_ours(folder := topics.Folder(path, loaded=True))]


def holds_ours(folder: topics.Folder) -> bool:
    """Whether our block or a topic file of ours is in it; what cannot be read is not ours."""
    try:
        text = Path(folder.path, topics.INDEX).read_text("utf-8", errors="replace")
    except OSError:
        text = ""
    try:
        return "psychmem:start" in text or bool(topics.names_ours(folder))
    except (OSError, RefusedError):
        return False


def cleared(folder: topics.Folder) -> None:
    """Removes what is ours, and the folder itself when nothing else is in it; the client makes it anew when it starts."""
    topics.remove(folder)
    for place in (folder.path, os.path.dirname(folder.path)):
        try:
            os.rmdir(place)
        except OSError:
            return
