"""For what the brief of the next session in a directory is made: one answer for the brief prepared for it and for whoever looks ahead."""

from __future__ import annotations

import os
from _collections_abc import Iterable, Mapping

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import CLAUDE_CODE
from psychmem_py.briefing.brief import LastSession, Occasion
from psychmem_py.home.places import own_command
from psychmem_py.home.project import Project, branch_of, head_of
from psychmem_py.model.settings import Settings
from psychmem_py.safety.control_chars import as_name
from psychmem_py.store import overview
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import content_words, counted

_DAYS_S = 3 * DAY_S
_LAST_S = 7 * DAY_S  # a week-end and a few days away
_SLACK_S = 60.0  # between a client's last word and what we noted of it
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
    agent: str = CLAUDE_CODE,
    notices: Iterable[str] = (),
    but: str = "",
) -> Occasion:
    """The start of a session in `cwd`, whose last conversation is another than `but`; of `notices` those that say something are told."""
    reads_memory_md = agent == CLAUDE_CODE and cwd
    return Occasion(
        here,
        now,
        settings,
        shown_in_memory_md=claude_memory.visible(claude_memory.folder_of(cwd, env)) if reads_memory_md else (),
        focus_words=focus(db, here, cwd, now),
        notices=[notice for notice in notices if notice],
        command=own_command(env),
        last=last_session(db, here, cwd, now, but=but) if settings.retrieval.last_session else None,
    )


def focus(db: sqlite3.Connection, here: Project | None, cwd: str, now: float) -> list[str]:
    """Words for `brief(focus_words=…)`; none outside a project."""
    if here is None:
        return []
    branch = [word for word in branch_of(cwd).replace("/", " ").replace("-", " ").replace("_", " ").split() if not word.isdigit()]
    files = overview.files_changed(db, project=here.id, after=now - _DAYS_S, limit=_FILES)
    names = [path.rstrip("/").rpartition("/")[2].partition(".")[0] for path in files]
    counts = counted(
        word for text in overview.lately_said(db, here.id, after=now - _DAYS_S) for word in dict.fromkeys(content_words(text))
    )
    often = sorted(counts, key=lambda word: -counts[word])[:_SUBJECTS]
    again = [word for word in often if counts[word] >= _STATEMENTS and len(word) > 1]
    return [word for word in dict.fromkeys((*branch, *names, *again)) if word and word.lower() not in _COMMON]


def last_session(db: sqlite3.Connection, here: Project | None, cwd: str, now: float, *, but: str = "") -> LastSession | None:
    """The last conversation here in which files were changed, other than `but`; None for none of this week, and where the branch was
    changed since: then something else is worked at.
    """
    if here is None:
        return None
    latest = overview.last_with_changes(db, here.id, after=now - _LAST_S, but=but)
    if latest is None:
        return None
    session, at = latest
    head = head_of(cwd)
    try:
        if head and os.stat(head).st_mtime > at + _SLACK_S:
            return None
    except OSError:
        return None
    files = tuple(name for path in overview.files_changed(db, session=session) if (name := _inside(path, here.root)))
    return LastSession(session, at, files) if files else None


def _inside(path: str, root: str) -> str:
    """The path below the root, as one word that no reader takes for a sentence; "" for a file elsewhere."""
    name = os.path.relpath(path, root) if os.path.isabs(path) else path
    return "" if name.startswith("..") or os.path.isabs(name) else as_name(name)
