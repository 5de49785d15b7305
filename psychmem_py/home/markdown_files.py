"""The Markdown files of a project, as somebody would look for them: not in hidden folders, not in what others installed or a build made."""

from __future__ import annotations

import os
from collections.abc import Iterator

from psychmem_py.home import plain_file

MOST_FILES = 2_000
MOST_BYTES = 262_144  # of one file
_NOT_OURS = frozenset({"node_modules", "vendor", "target", "build", "dist", "venv", "env", "__pycache__", "site-packages"})
_SHOWN = frozenset({".opencode", ".claude", ".github", ".psychmem"})  # hidden folders in which people keep documents


def markdown_files(root: str) -> list[tuple[str, tuple[int, int]]]:
    """Path below the root, with "/", and a mark that changes with the file: when it was written and its size. In order of the path."""
    return sorted(_walk(root))[:MOST_FILES]


def _walk(root: str) -> Iterator[tuple[str, tuple[int, int]]]:
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if _looked_into(name)]
        for name in files:
            if name.lower().endswith((".md", ".mdx")) or name.lower() == "readme.txt":
                path = os.path.join(folder, name)
                try:
                    about = os.stat(path, follow_symlinks=False)
                except OSError:  # removed just now
                    continue
                yield os.path.relpath(path, root).replace(os.sep, "/"), (about.st_mtime_ns, about.st_size)


def _looked_into(folder: str) -> bool:
    return folder in _SHOWN if folder.startswith(".") else folder not in _NOT_OURS


def text_of(root: str, path: str) -> str | None:
    """The text of one of them; None for a link, for what is no plain file, and for what is too long to be a document."""
    whole = os.path.join(root, path)
    if os.path.realpath(os.path.dirname(whole)) != os.path.normpath(os.path.join(os.path.realpath(root), os.path.dirname(path))):
        return None
    raw = plain_file.content(whole, MOST_BYTES)
    return None if raw is None else raw.decode("utf-8", "replace")
