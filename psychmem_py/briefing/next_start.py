"""For what the brief of the next session in a directory is made: one answer for the brief prepared for it and for whoever looks ahead."""

from __future__ import annotations

from psychmem_py.agents import claude_memory
from psychmem_py.briefing.brief import Occasion
from psychmem_py.briefing.last_session import last_session
from psychmem_py.home.git import branch_of
from psychmem_py.home.places import own_command
from psychmem_py.home.project import Project
from psychmem_py.model.settings import Settings
from psychmem_py.store import overview
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import content_words, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_DAYS_S = 3 * DAY_S
_FILES = 6
_SUBJECTS, _STATEMENTS = 6, 2  # words of the last conversation, each in so many of its statements
# Words of branch names that say nothing about their subject.
_COMMON = frozenset(
    "main master trunk develop dev development release staging production feature feat fix bugfix hotfix chore wip test tests".split()
)


def occasion(
    db: sqlite3.Connection,
    here: Project | None,
    cwd: str,
    *,
    settings: Settings,
    env: Mapping[str, str],
    now: float,
    rules: str = "",
) -> Occasion:
    """The start of a session of Claude Code in `cwd`; `rules` is what `repository_rules.checked` has to tell."""
    return Occasion(
        here,
        now,
        settings,
        shown_in_memory_md=claude_memory.visible(claude_memory.folder_of(cwd, env)),
        focus_words=focus(db, here, cwd, now),
        notices=[rules] if rules else [],
        command=own_command(env),
        last=last_session(db, here, cwd, now) if settings.retrieval.last_session else None,
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
