"""What a session is probably about before anybody has said a word: the branch checked out, and the files changed lately."""

from __future__ import annotations

import sqlite3

from psychmem_py.home.git import branch_of
from psychmem_py.home.project import Project
from psychmem_py.store import sessions

_DAYS_S = 3 * 86_400.0
_FILES = 6
# Words of branch names that say nothing about their subject.
_COMMON = frozenset(
    "main master trunk develop dev development release staging production feature feat fix bugfix hotfix chore wip test tests".split()
)


def focus(db: sqlite3.Connection, here: Project | None, cwd: str, now: float) -> list[str]:
    """Words for `brief(focus_words=…)`; none outside a project."""
    if here is None:
        return []
    branch = [word for word in branch_of(cwd).replace("/", " ").replace("-", " ").replace("_", " ").split() if not word.isdigit()]
    files = sessions.edited(db, here.id, after=now - _DAYS_S, limit=_FILES)
    names = [path.rstrip("/").rpartition("/")[2].partition(".")[0] for path in files]
    return [word for word in dict.fromkeys((*branch, *names)) if word and word.lower() not in _COMMON]
