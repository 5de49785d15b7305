"""What a repository tells its agents in files of its own: a brief need not say it again."""

from __future__ import annotations

import os

_NAMES = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md")
_LARGEST = 1 << 18  # bytes of one file that are read


def files(root: str) -> list[str]:
    """Where such files of a repository stand, there or not."""
    return [os.path.join(root, name) for name in _NAMES]


def lines(root: str) -> list[str]:
    """The lines of a repository's instructions that say something."""
    return [line for path in files(root) for line in _text(path).splitlines() if line.strip(" #-*>`")]


def _text(path: str) -> str:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
