"""What the detached child does: takes up what was said, brings the client's memory files up to date, and makes good what earlier
conversations left behind.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from functools import cache

from psychmem_py.agents import claude_topics
from psychmem_py.agents.event import Request
from psychmem_py.briefing import memory_files
from psychmem_py.briefing.at_start import known_as_shown
from psychmem_py.briefing.fill_cache import prepare
from psychmem_py.curation.upkeep import small_slice
from psychmem_py.errors import DamagedError
from psychmem_py.handover import claims, detach, journal_reader, locks
from psychmem_py.home import config, early_settings, health, paths, project
from psychmem_py.ingestion import opencode_spans
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import Span, spans_of
from psychmem_py.languages import cache as kept_languages
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import ToolUse
from psychmem_py.model.settings import Settings
from psychmem_py.serving.left_behind import STORE_S, left_behind
from psychmem_py.store import rows, sessions
from psychmem_py.store.care.salvage import put_aside
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.index import rebuild_index

_LOCK_S = 60.0  # a second child of the conversation waits this long for the first


def work(request: Request, env: Mapping[str, str]) -> None:
    """Serves an event handed over by a hook; a conversation is never worked on by two children at once."""
    detach.alone()
    found = paths.places(env)
    settings = config.load(env, found)
    try:
        _take_up(request, settings, env)
    except DamagedError as exc:
        health.failed(found.data, request.event, exc, time.time())  # the next brief tells it
        _begin_anew(request, env)
        _take_up(request, settings, env)
    if request.event == "inject":
        for left in left_behind(request, env):
            _take_up(left, settings, env)
        claims.swept_claims(found.data, time.time())


def _begin_anew(request: Request, env: Mapping[str, str]) -> None:
    """Puts a damaged database aside, where `psychmem doctor --fix` salvages it; of one that is whole only the index is made anew."""
    database = early_settings.database(env, request.agent)
    with locks.lock(paths.data_folder(env), "damaged database", _LOCK_S, kind="store"):
        if not put_aside(database, now=time.time()):
            with open_store(database, now=time.time(), timeout_s=STORE_S) as db, transaction(db):
                rebuild_index(db)


@cache
def _matcher(places: paths.Places) -> Matcher:
    return files.matcher(places.config / "patterns", kept_languages.folder(places.cache))


def _take_up(request: Request, settings: Settings, env: Mapping[str, str]) -> list[SpanResult]:
    """Extracts what a conversation holds that was not taken up, then its memory files; nothing while another process does."""
    places = paths.places(env)
    with locks.lock(places.data, request.session, _LOCK_S) as locked:
        if not locked:
            return []
        pending = journal_reader.pending(places.data, request.session)
        here = project.project_of(request.cwd, env) if request.cwd else None
        now = time.time()
        with open_store(early_settings.database(env, request.agent), now=now, timeout_s=STORE_S) as db:
            known_as_shown(db, pending)
            spans = _spans(sessions.session(db, request.session), request, env, pending.uses)
            done = [
                extract(db, span, project=here, settings=settings, matcher=lambda: _matcher(places), now=now) for span in spans
            ]
            small_slice(db, settings, now=now)
            if request.agent == "opencode":
                opencode_spans.withdraw(db, request.session, env, now=now, batch=next(rows.fresh_ids()))
            journal_reader.discard(places.data, request.session, pending.size)
            if request.cwd and (request.agent == "claude-code" or os.path.isdir(claude_topics.config_folder(env))):
                memory_files.refresh(db, here, settings, env, cwd=request.cwd, now=now)
                prepare(db, request, here, settings, env)
        return done


def _spans(known: sessions.Session | None, request: Request, env: Mapping[str, str], uses: Sequence[ToolUse]) -> list[Span]:
    if request.agent == "opencode":
        return opencode_spans.spans_of(known, request, env, uses)
    return spans_of(
        known,
        session=request.session,
        agent=request.agent,
        path=request.transcript,
        last_message=request.last_message,
        uses=uses,
    )
