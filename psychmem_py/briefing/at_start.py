"""The reply when a session starts without a cached brief, is resumed, or was compacted."""

from __future__ import annotations

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.briefing.brief import Occasion, compose_and_record
from psychmem_py.briefing.focus import focus
from psychmem_py.handover import journal_reader
from psychmem_py.home import health, project
from psychmem_py.home.surroundings import Surroundings
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
            f"The project name {foreign!r} of this directory belongs to another one; if it is the same, `psychmem trust`."
        )
    with open_store(around.database_file(request.agent), now=now, timeout_s=_STORE_S) as db:
        pending = journal_reader.pending(around.data, request.session)
        sessions.file_shown(db, pending.shown, agent=pending.agent)
        occasion = Occasion(
            here,
            now,
            settings,
            request.source or "startup",
            shown_in_memory_md=_visible(request, around),
            focus_words=focus(db, here, request.cwd, now),
            notices=notices,
        )
        brief = compose_and_record(db, occasion, request.session, request.agent)
    if notice:
        health.told(around.data)
    return brief.text


def _visible(request: Request, around: Surroundings) -> frozenset[str]:
    """The lines of MEMORY.md this conversation sees; none in an agent that does not read it."""
    if request.agent != CLAUDE_CODE or not request.cwd:
        return frozenset()
    return claude_memory.visible(claude_memory.folder_of(request.cwd, around.env))
