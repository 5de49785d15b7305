"""The reply when a session starts without a cached brief, is resumed, or was compacted."""

from __future__ import annotations

import os

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.briefing.brief import Occasion, compose, compose_and_record
from psychmem_py.briefing.focus import focus
from psychmem_py.briefing.last_session import last_session
from psychmem_py.briefing.repository_rules import checked
from psychmem_py.errors import UnwritableError
from psychmem_py.handover import journal_reader
from psychmem_py.home import health, project
from psychmem_py.home.own_command import own_command
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.safety.control_chars import as_name
from psychmem_py.store import sessions
from psychmem_py.store.connection import open_store

_STORE_S = 1.0  # an agent waits: a database in use is a reason to say nothing


def answer(request: Request, around: Surroundings) -> str:
    """The text to put into the conversation, "" for nothing."""
    env, now = around.env, around.now
    settings = around.settings()
    here = project.project_of(request.cwd, env) if request.cwd else None
    notice = health.notice(around.data)
    foreign = project.refused_name(request.cwd, env) if request.cwd else ""
    notices = [notice] if notice else []
    if foreign:
        notices.append(
            f"The project name {as_name(foreign)} of this directory belongs to another one; if it is the same, `psychmem trust`."
        )
    source, visible = request.source or "startup", _visible(request, around)
    occasion = Occasion(here, now, settings, source, visible, notices=notices, command=own_command(env))
    database = around.database_file(request.agent)
    try:
        with open_store(database, now=now, timeout_s=_STORE_S) as db:
            pending = journal_reader.pending(around.data, request.session)
            sessions.file_shown(db, pending.shown, agent=pending.agent)
            if rules := checked(db, here, now):
                occasion = occasion._replace(notices=[*occasion.notices, rules])
            last = last_session(db, here, request.cwd, now, but=request.session) if settings.retrieval.last_session else None
            occasion = occasion._replace(focus_words=focus(db, here, request.cwd, now), last=last)
            brief = compose_and_record(db, occasion, request.session, request.agent)
    except UnwritableError as exc:
        if not os.path.exists(database):
            raise
        return _only_read(database, occasion, exc)
    if notice:
        health.told(around.data)
    return brief.text


def _only_read(database: str, occasion: Occasion, trouble: UnwritableError) -> str:
    """The brief from a store that cannot be written, which it says first."""
    with open_store(database, now=occasion.now, timeout_s=_STORE_S, readonly=True) as db:
        return compose(db, occasion._replace(notices=[health.at_hand("inject", trouble), *occasion.notices])).text


def _visible(request: Request, around: Surroundings) -> frozenset[str]:
    """The lines of MEMORY.md this conversation sees; none in an agent that does not read it."""
    if request.agent != CLAUDE_CODE or not request.cwd:
        return frozenset()
    return claude_memory.visible(claude_memory.folder_of(request.cwd, around.env))
