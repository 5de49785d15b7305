"""Where rules that a repository brings stand. Apart from reading them, which loads what finds secrets: 12 ms of CPU at a start."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = os.path.join(".psychmem", "rules")
CONSTITUTION = "CONSTITUTION.md"
MOST_FILES = 50  # of a repository that are read, in order of their names


def watched(root: str) -> list[str]:
    """What a change of these files shows in: the folder, and each file, there or not."""
    return [os.path.join(root, FOLDER), *(os.path.join(root, path) for path in paths(root))]


def paths(root: str) -> Iterator[str]:
    """The files of a repository that may hold a rule, from its root; the first one need not be there."""
    yield CONSTITUTION
    try:
        names = sorted(os.listdir(os.path.join(root, FOLDER)))
    except OSError:
        return
    yield from [os.path.join(FOLDER, name) for name in names if name.endswith(".md")][:MOST_FILES]


def any_there(root: str) -> bool:
    """Whether one of them is there."""
    return any(os.path.lexists(os.path.join(root, path)) for path in paths(root))
