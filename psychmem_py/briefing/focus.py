"""What a session is probably about before anybody has said a word: the branch checked out, the files changed lately, and what the
last conversation kept coming back to.
"""

from __future__ import annotations

from psychmem_py.home.git import branch_of
from psychmem_py.home.project import Project
from psychmem_py.store import overview
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import content_words, counted

_DAYS_S = 3 * DAY_S
_FILES = 6
_SUBJECTS, _STATEMENTS = 6, 2  # words of the last conversation, each in so many of its statements
# Words of branch names that say nothing about their subject.
_COMMON = frozenset(
    "main master trunk develop dev development release staging production feature feat fix bugfix hotfix chore wip test tests".split()
)


def focus(db: sqlite3.Connection, here: Project | None, cwd: str, now: float) -> list[str]:
    """Words for `brief(focus_words=…)`; none outside a project."""
    if here is None:
        return []
    branch = [word for word in branch_of(cwd).replace("/", " ").replace("-", " ").replace("_", " ").split() if not word.isdigit()]
    files = overview.lately_changed(db, here.id, after=now - _DAYS_S, limit=_FILES)
    names = [path.rstrip("/").rpartition("/")[2].partition(".")[0] for path in files]
    counts = counted(
        word for text in overview.lately_said(db, here.id, after=now - _DAYS_S) for word in dict.fromkeys(content_words(text))
    )
    often = sorted(counts, key=lambda word: -counts[word])[:_SUBJECTS]
    again = [word for word in often if counts[word] >= _STATEMENTS and len(word) > 1]
    return [word for word in dict.fromkeys((*branch, *names, *again)) if word and word.lower() not in _COMMON]
