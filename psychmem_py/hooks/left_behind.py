"""What earlier conversations of a project left unread."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from psychmem_py.agents import claude_transcript
from psychmem_py.agents.event import Request
from psychmem_py.home import journal_reader, project
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.store import sessions
from psychmem_py.store.connection import open_store
from psychmem_py.store.sqlite import meta

_QUIET_S = 600.0  # another project's conversation that was quiet so long has been left


STORE_S = 20.0  # nobody waits for us, so we may wait for the database


def left_behind(request: Request, around: Surroundings) -> list[Request]:
    """Conversations with work left: a journal nobody took up, or a transcript that grew beyond its watermark.

    Of other projects only those that have been quiet for long: a child of their own may be about to begin.
    """
    data = around.data
    here = project.project_of(request.cwd, around.env) if request.cwd else None
    journaled: dict[str, Request] = {}
    for name in journal_reader.left(data, but=request.session):
        pending = journal_reader.read(data, name)
        if (
            _is_ours(pending.cwd, here, around.env)
            or time.time() - _changed_at(journal_reader.path_of(data, pending.session)) > _QUIET_S
        ):
            journaled[pending.session] = Request(
                "stop", pending.agent or request.agent, pending.session, pending.cwd, pending.transcript
            )
    return [*journaled.values(), *(left for left in _unread(request, around) if left.session not in journaled)]


def _is_ours(cwd: str, here: project.Project | None, env: Mapping[str, str]) -> bool:
    return bool(cwd) and project.project_of(cwd, env) == here


def _unread(request: Request, around: Surroundings) -> list[Request]:
    """Transcripts beside this conversation's that grew since they were read, and since there is a store; and those whose reading was
    cut off.
    """
    folder = os.path.dirname(request.transcript)
    if not request.transcript.endswith(".jsonl") or not os.path.isdir(folder):
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
                is_left = known.failed_from is not None or about.st_size > known.watermark if known else about.st_mtime >= born
                if is_left:
                    unread.append(Request("stop", request.agent, session, _cwd_in(entry.path), entry.path))
            except FileNotFoundError:
                continue  # the client removes old ones when it starts
    return unread


def _cwd_in(path: str) -> str:
    with open(path, "rb") as file:
        return claude_transcript.cwd_of(file.read(1 << 18))


def _changed_at(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
