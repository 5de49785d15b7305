"""What the detached child does: takes up what was said, brings the client's memory files up to date, and makes good what earlier
conversations left behind.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from functools import cache

from psychmem_py.agents import claude_topics, claude_transcript
from psychmem_py.agents.event import Request
from psychmem_py.briefing import memory_files
from psychmem_py.briefing.at_start import known_as_shown
from psychmem_py.briefing.fill_cache import prepare
from psychmem_py.curation.upkeep import small_slice
from psychmem_py.errors import DamagedError
from psychmem_py.handover import detach, journal_reader
from psychmem_py.home import config, health, paths, project
from psychmem_py.ingestion import opencode_spans
from psychmem_py.ingestion.extract import Extraction, Span, extract, spans_of
from psychmem_py.languages import cache as kept_languages
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import ToolUse
from psychmem_py.model.settings import Settings
from psychmem_py.store import rows, sessions
from psychmem_py.store.care.salvage import put_aside
from psychmem_py.store.change_log import rebuild_index
from psychmem_py.store.connection import meta, open_store, transaction

_LOCK_S = 60.0  # a second child of the conversation waits this long for the first
_QUIET_S = 600.0  # another project's conversation that was quiet so long has been left
_STORE_S = 20.0  # nobody waits for us, so we may wait for the database


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
        for left in _left_behind(request, env):
            _take_up(left, settings, env)
        detach.swept_claims(found.data, time.time())


def _begin_anew(request: Request, env: Mapping[str, str]) -> None:
    """Puts a damaged database aside, where `psychmem doctor --fix` salvages it; of one that is whole only the index is made anew."""
    database = paths.database(env, request.agent)
    with detach.lock(paths.data_folder(env), "damaged database", _LOCK_S, kind="store"):
        if not put_aside(database, now=time.time()):
            with open_store(database, now=time.time(), timeout_s=_STORE_S) as db, transaction(db):
                rebuild_index(db)


@cache
def _matcher(places: paths.Places) -> Matcher:
    return files.matcher(places.config / "patterns", kept_languages.folder(places.cache))


def _take_up(request: Request, settings: Settings, env: Mapping[str, str]) -> list[Extraction]:
    """Extracts what a conversation holds that was not taken up, then its memory files; nothing while another process does."""
    places = paths.places(env)
    with detach.lock(places.data, request.session, _LOCK_S) as locked:
        if not locked:
            return []
        pending = journal_reader.pending(places.data, request.session)
        here = project.project_of(request.cwd, env) if request.cwd else None
        now = time.time()
        with open_store(paths.database(env, request.agent), now=now, timeout_s=_STORE_S) as db:
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


def _left_behind(request: Request, env: Mapping[str, str]) -> list[Request]:
    """Conversations with work left: a journal nobody took up, or a transcript that grew beyond its watermark.

    Of other projects only those that have been quiet for long: a child of their own may be about to begin.
    """
    data = paths.data_folder(env)
    here = project.project_of(request.cwd, env) if request.cwd else None
    found: dict[str, Request] = {}
    for name in journal_reader.left(data, but=request.session):
        pending = journal_reader.read(data, name)
        if (
            _is_ours(pending.cwd, here, env)
            or time.time() - _changed_at(journal_reader.path_of(data, pending.session)) > _QUIET_S
        ):
            found[pending.session] = Request(
                "stop", pending.agent or request.agent, pending.session, pending.cwd, pending.transcript
            )
    return [*found.values(), *(left for left in _unread(request, env) if left.session not in found)]


def _is_ours(cwd: str, here: project.Project | None, env: Mapping[str, str]) -> bool:
    return bool(cwd) and project.project_of(cwd, env) == here


def _unread(request: Request, env: Mapping[str, str]) -> list[Request]:
    """Transcripts beside this conversation's that grew since they were read, and since there is a store."""
    folder = os.path.dirname(request.transcript)
    if not request.transcript.endswith(".jsonl") or not os.path.isdir(folder):
        return []
    found = []
    with open_store(paths.database(env, request.agent), now=time.time(), timeout_s=_STORE_S) as db:
        born = float(meta(db, "created_at") or 0)
        for entry in os.scandir(folder):
            session = entry.name.removesuffix(".jsonl")
            if session in {entry.name, request.session} or not entry.is_file(follow_symlinks=False):
                continue
            known = sessions.session(db, session)
            about = entry.stat()
            if about.st_size > known.watermark if known else about.st_mtime >= born:
                found.append(Request("stop", request.agent, session, _cwd_in(entry.path), entry.path))
    return found


def _cwd_in(path: str) -> str:
    with open(path, "rb") as file:
        return claude_transcript.cwd_of(file.read(1 << 18))


def _changed_at(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
