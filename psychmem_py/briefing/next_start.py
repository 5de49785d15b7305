"""For what the brief of the next session in a directory is made: one answer for the brief prepared for it and for whoever looks ahead."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from psychmem_py.agents import claude_memory
from psychmem_py.briefing.brief import Occasion
from psychmem_py.briefing.focus import focus
from psychmem_py.briefing.last_session import last_session
from psychmem_py.home.own_command import own_command
from psychmem_py.home.project import Project
from psychmem_py.model.settings import Settings


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
