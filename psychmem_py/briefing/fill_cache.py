"""Makes the brief of the next session ready, after everything else the detached child does."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Mapping

from psychmem_py.agents import claude_code, claude_topics
from psychmem_py.agents.event import Request
from psychmem_py.briefing import brief_cache
from psychmem_py.briefing.brief import IN_MEMORY_MD, chosen
from psychmem_py.briefing.focus import focus
from psychmem_py.home import config, early_settings, git, paths, project
from psychmem_py.home.file_versions import PREFIX
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import Settings
from psychmem_py.store.state import state


def prepare(
    db: sqlite3.Connection, request: Request, here: project.Project | None, settings: Settings, env: Mapping[str, str]
) -> None:
    """Puts the brief a session starting in the same directory would be told where its hook finds it."""
    if request.agent != claude_code.AGENT:
        return
    database, now = early_settings.database_file(env, request.agent), time.time()
    at = state(database)  # before reading: what changes meanwhile makes the brief stale, not wrong
    folder = claude_topics.folder_of(request.cwd, env)
    made = chosen(
        db,
        project=here,
        settings=settings,
        now=now,
        shown_in_memory_md=claude_topics.visible(folder),
        focus_words=focus(db, here, request.cwd, now),
    )
    there = [miss.memory.id for miss in made.choice.near_misses if miss.reason == IN_MEMORY_MD]
    watched = [
        config.file_of(paths.places(env)),
        *claude_topics.depends_on(folder, request.cwd, env),
        *project.depends_on(request.cwd),
    ]
    watched += [git.head_of(request.cwd), *_named(here.root, made.choice.shown)] if here else []
    ready = brief_cache.Ready(made.text, made.shown, there)
    brief_cache.keep(database, request.cwd, env, now, at=at, made=ready, watched=watched)


def _named(root: str, memories: Iterable[Memory]) -> list[str]:
    """The files these memories speak of, whose change the brief mentions."""
    return [os.path.join(root, key.removeprefix(PREFIX)) for one in memories for key, _ in one.metadata if key.startswith(PREFIX)]
