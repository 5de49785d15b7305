"""The detached child: extracts memories from new messages, updates memory files, catches up on conversations left unread."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import NamedTuple

from psychmem_py.agents import claude_memory, claude_transcript
from psychmem_py.agents.event import CLAUDE_CODE, OPENCODE, Request
from psychmem_py.briefing import ready_files
from psychmem_py.briefing.prepared import MadeReady, kept_path
from psychmem_py.curation.act import Act, Who, Workplace
from psychmem_py.curation.actions import bring_along
from psychmem_py.curation.upkeep import hourly_upkeep
from psychmem_py.errors import ConfigError, DamagedError, OvertakenError, PsychMemError, RefusedError
from psychmem_py.home import detach, files, health, journal, locks, project
from psychmem_py.home.places import changed_at, encoder_folder
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.ingestion.exchanges import take_up_notes
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import Transcript, forget_reverted, opencode_spans_of, spans_of, without_paused
from psychmem_py.languages.files import own_matcher
from psychmem_py.model.records import ChangeType, Journal, Origin, Status
from psychmem_py.model.settings import Settings
from psychmem_py.store import change_log, rows, search, sessions
from psychmem_py.store.connection import is_intact, open_store, transaction
from psychmem_py.store.sqlite import meta

STORE_S = 20.0  # wait for the database; nobody waits for us
_QUIET_S = 600.0  # after so long another project's conversation counts as abandoned
_LOCK_S = 60.0  # a second child of the conversation waits this long for the first


class _Task(NamedTuple):
    """An event from a hook, or a conversation to catch up on."""

    request: Request
    settings: Settings
    around: Surroundings

    @property
    def database(self) -> str:
        return self.around.database_file(self.request.agent)

    @property
    def workplace(self) -> Workplace:
        return Workplace(self.database, self.around.data, self.around.env, self.settings)

    def here(self, db: sqlite3.Connection) -> project.Project | None:
        """The project of the folder; where that is gone, as a removed worktree is, the one the conversation was in before."""
        cwd, known = self.request.cwd, sessions.session(db, self.request.session)
        if known and known.project and not os.path.isdir(cwd) and (was := sessions.projects(db).get(known.project)):
            return project.Project(was.id, was.name, was.root)
        return project.project_of(cwd, self.around.env) if cwd else None

    def store(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_store(self.database, now=time.time(), timeout_s=STORE_S)


def work(request: Request, around: Surroundings) -> None:
    """Processes an event from a hook; never two children at once on one conversation."""
    detach.alone()
    task = _Task(request, around.settings(), around)
    try:
        _process(task)
    except DamagedError as exc:
        health.failed(around.data, request.event, exc, time.time())  # the next brief reports it
        if not is_intact(task.database):
            return  # only a person may set it aside; new messages stay in transcript and journal
        with locks.lock(task.around.data, "damaged database", _LOCK_S, kind="store"), task.store() as db, transaction(db):
            rows.rebuild_index(db)
        _process(task)
    # What fails from here on ends the child; the next one repeats it.
    event, by = request.event, task.settings.judge.by
    if event == "inject":
        for left in unfinished(request, around):
            with suppress(ConfigError, RefusedError):  # bad configuration elsewhere, reported to the next session there
                _process(task._replace(request=left))
    if os.path.isdir(encoder_folder(around.data)):
        with task.store() as db:
            search.add_vectors(db, database=task.database, data=around.data, most=search.IN_THE_BACKGROUND)
    if by:
        from psychmem_py.judging import clients, reading  # noqa: PLC0415  # brings `subprocess`; only where one is switched on

        if event in reading.OCCASIONS and by == clients.CLIENT:
            reading.leave_note(task.workplace, time.time())
        elif event in reading.OCCASIONS:
            reading.read_apart(task.workplace, partial(_show_anew, task))
    if event in ("stop", "session-end", "inject") and os.path.exists(f"{task.database}.device"):
        from psychmem_py.sync import exchange  # noqa: PLC0415  # only where there is a remote: it leaves that file

        if exchange.run(task.workplace):
            _show_anew(task)


def _process(task: _Task) -> None:
    """Extracts new messages of a conversation, then updates its memory files; nothing if another process is at it."""
    request, settings, around = task
    with locks.lock(around.data, request.session, _LOCK_S) as locked:
        if not locked:
            return
        now = time.time()
        with task.store() as db:
            if here := task.here(db):
                with transaction(db):
                    bring_along(Act(db, settings, now, next(rows.fresh_ids())), here)
            purged, pending, done = _read(db, task, here, now)
            if here and here.root and not os.path.isdir(request.cwd):
                request.cwd = here.root  # whose files are brought up to date; pauses were for the folder itself
            if request.agent == CLAUDE_CODE and here:
                who = Who(Origin.ASSISTANT, request.agent, request.session)
                act = Act(db, settings, now, next(rows.fresh_ids()), who, files.directories(around.env).languages)
                take_up_notes(act, here, around.env, request.cwd)
            if number := sum(one.given_up for one in done):
                what = "one message" if number == 1 else f"{number} messages"
                told = f"{what} of conversation {request.session} took too long to read and will not be read again"
                health.failed(around.data, f"{request.event} (background)", PsychMemError(told), time.time())
            hourly_upkeep(Act(db, settings, now, ""))
            if request.agent == OPENCODE:
                forget_reverted(db, request.session, around.env, now=now, batch=next(rows.fresh_ids()))
            journal.discard(around.data, request.session, pending.taken)
            start = _show(db, task, here)
            if ready_files.has_module(around.env) or request.agent == OPENCODE:
                new = (change.after for one in done for change in one.changes if change.type is ChangeType.ADD)
                ready_files.write_kept(around, request, [memory for memory in new if memory and memory.status is Status.ACTIVE])
                if change_log.last_purge(db) != purged:
                    files.remove(kept_path(around.database_file(request.agent), request.session))
        if start:
            ready_files.write_start(around, request, start)
        numbers = [sum(len(getattr(one, field)) for one in done) for field in ("kept", "waiting", "rejected")]
        what = "{} kept, {} waiting, {} not kept".format(*numbers)
        where = f"{request.event} {request.agent} {request.session}"
        health.log(around.env, f"{where}: {what}, {time.time() - now:.2f} s", around.now)


def _read(db: sqlite3.Connection, task: _Task, here: project.Project | None, now: float) -> tuple[str, Journal, list[SpanResult]]:
    """Takes up what was not yet; anew when a purge came between. The last purge, the journal's notes, what came of it."""
    request, settings, around = task
    while True:
        purged, pending = change_log.last_purge(db), journal.pending(around.data, request.session)
        with transaction(db):
            sessions.record_shown(db, pending.shown, agent=pending.agent)
        cwd, known = os.path.realpath(request.cwd) if request.cwd else "", sessions.session(db, request.session)
        if request.agent == OPENCODE:
            spans = opencode_spans_of(known, request, around.env, pending.uses)
        else:
            believed = claude_memory.counts_as_typed(request.transcript, around.env)
            source = Transcript(request.session, request.agent, request.transcript, pending.uses, pending.not_typed, believed)
            spans = spans_of(known, source, request.last_message)
        with suppress(OvertakenError):
            return purged, pending, [
                extract(
                    db, without_paused(span, around.data, cwd, now), project=here, settings=settings, now=now, purged=purged,
                    matcher=lambda: own_matcher(files.directories(around.env), settings.extraction.languages),
                )
                for span in spans
            ]  # fmt: skip


def _show(db: sqlite3.Connection, task: _Task, here: project.Project | None) -> MadeReady | None:
    """Brings rules for calls and memory files up to date, each whatever becomes of the other; the brief for the next start."""
    request, settings, around = task
    start = None
    try:
        if request.cwd:  # without reminders, too: some rules ask
            ready_files.fill_rules(db, request, here, around)
    finally:
        if request.cwd and (request.agent == CLAUDE_CODE or os.path.isdir(claude_memory.claude_folder(around.env))):
            ready_files.refresh(db, here, settings, around.env, cwd=request.cwd, now=time.time())
            start = ready_files.brief_of(db, request, here, settings, around)
    return start


def _show_anew(task: _Task) -> None:
    with task.store() as db:
        start = _show(db, task, task.here(db))
    if start:
        ready_files.write_start(task.around, task.request, start)


def unfinished(request: Request, around: Surroundings) -> list[Request]:
    """Conversations with work left in journal or transcript; of other projects those so long quiet that no child will come."""
    data = around.data
    here = project.project_of(request.cwd, around.env) if request.cwd else None
    journaled: dict[str, Request] = {}
    for name in journal.left(data, but=request.session):
        pending = journal.pending(data, name.removesuffix(".jsonl"))
        is_ours = False
        with suppress(ConfigError):
            is_ours = bool(pending.cwd) and project.project_of(pending.cwd, around.env) == here
        if is_ours or time.time() - changed_at(journal.path_of(data, pending.session)) > _QUIET_S:
            agent = pending.agent or request.agent
            journaled[pending.session] = Request("stop", agent, pending.session, pending.cwd, pending.transcript)
    return [*journaled.values(), *(left for left in _unread(request, around) if left.session not in journaled)]


def _unread(request: Request, around: Surroundings) -> list[Request]:
    """Transcripts in the same folder that grew since they were read, or were not read to the end."""
    if not request.transcript.endswith(".jsonl") or not os.path.isdir(folder := os.path.dirname(request.transcript)):
        return []
    unread = []
    with open_store(around.database_file(request.agent), now=time.time(), timeout_s=STORE_S) as db:
        born = float(meta(db, "created_at") or 0)
        for entry in os.scandir(folder):
            session = entry.name.removesuffix(".jsonl")
            if session in {entry.name, request.session} or not entry.is_file(follow_symlinks=False):
                continue
            known = sessions.session(db, session)
            try:
                about = entry.stat()
                if known.failed_from is not None or about.st_size > known.watermark if known else about.st_mtime >= born:
                    with open(entry.path, "rb") as file:
                        cwd = claude_transcript.cwd_of(file.read(1 << 18))
                    if not around.ignores(cwd):
                        unread.append(Request("stop", request.agent, session, cwd, entry.path))
            except OSError:
                continue  # the client removes old ones when it starts, and one run as root leaves some that only root reads
    return unread
