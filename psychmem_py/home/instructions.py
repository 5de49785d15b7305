"""What a repository tells its agents in files of its own, which a brief need not say again; and where rules that it brings stand."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

RULES_FILE = ".claude/rules/psychmem.md"  # of ours, where a person wants rules in the repository
_NAMES = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", RULES_FILE)
FOLDER = os.path.join(".psychmem", "rules")
CONSTITUTION = "CONSTITUTION.md"
_SKILLS = os.path.join(".opencode", "skill")  # each may have rules in a folder `constitutional` (Spec Kit)
MOST_FILES = 50  # of a repository that are read, in order of their names
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


def watched(root: str) -> list[str]:
    """What a change of these files shows in: the folder, and each file, there or not."""
    return [os.path.join(root, FOLDER), os.path.join(root, _SKILLS), *(os.path.join(root, path) for path in paths(root))]


def paths(root: str) -> Iterator[str]:
    """The files of a repository that may hold a rule, from its root; the first one need not be there."""
    yield CONSTITUTION
    folders = [FOLDER, *(os.path.join(_SKILLS, name, "constitutional") for name in _names(os.path.join(root, _SKILLS)))]
    files_there = [os.path.join(folder, name) for folder in folders for name in _names(os.path.join(root, folder))]
    yield from [path for path in files_there if path.endswith(".md")][:MOST_FILES]


def _names(folder: str) -> list[str]:
    """What stands in a folder, in order; [] where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def any_there(root: str) -> bool:
    """Whether one of them is there."""
    return any(os.path.lexists(os.path.join(root, path)) for path in paths(root))
