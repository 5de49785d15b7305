"""The unread span of a conversation; and forgetting what only reverted messages in OpenCode said."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from psychmem_py.agents import claude_transcript as transcript
from psychmem_py.agents import opencode_database
from psychmem_py.agents.event import OPENCODE, Request
from psychmem_py.agents.opencode import created_ms, final_count, messages_of, uses_of
from psychmem_py.home import pauses
from psychmem_py.model.records import HUMAN, Change, ChangeType, Message, Origin, Role, Status, ToolUse
from psychmem_py.store import change_log, episodes, rows, sessions
from psychmem_py.store.connection import transaction

LOOK_BACK_BYTES = 1 << 16  # read again before the watermark, for what the assistant had said
SPAN_BYTES = 32 << 20  # most of a transcript taken up at once
READ_BYTES = 64 << 20  # of a whole transcript, from its end


class Span(NamedTuple):
    """A stretch of one conversation that is to be taken up."""

    session: str
    agent: str
    messages: tuple[Message, ...]
    uses: tuple[ToolUse, ...] = ()
    transcript: str = ""
    start: int = 0  # watermark before: bytes, or messages where the agent counts those
    end: int = 0  # and after
    head: str = ""  # fingerprint of the transcript's beginning
    last_words: str = ""  # key of an assistant's words that the transcript does not hold yet
    passed: int = 0  # lines that were too long to be read


class Transcript(NamedTuple):
    """A conversation's file, and what is known besides."""

    session: str
    agent: str
    path: str
    uses: Sequence[ToolUse] = ()  # from the journal
    not_typed: frozenset[str] = frozenset()  # turns whose prompt no person entered
    believed: bool = True  # False: an agent may have written the file


def spans_of(known: sessions.Session | None, source: Transcript, last_message: str = "") -> list[Span]:
    """What of a transcript to take up: a span that failed before, and what is beyond the watermark; all of a rewritten one.
    `last_message` are the assistant's words it may not hold yet. A file not believed shows no call, and nobody typed in it.
    """
    first, size = b"", 0  # of what is no ordinary file
    with suppress(OSError):
        about = os.stat(source.path)
        if stat.S_ISREG(about.st_mode):
            with open(source.path, "rb") as file:
                first, size = file.read(transcript.HEAD_BYTES), about.st_size
    same = known is not None and known.watermark <= size and transcript.same_file(known.head, first)
    pending = known.last_message if known else ""  # key of words that an event brought before the file had them
    spans = []
    if known and same and known.failed_from is not None and known.failed_to is not None:
        spans.append(_span(source, first, pending, known.failed_from, known.failed_to))
    mark = known.watermark if known and same else 0
    return [*spans, _with_last_words(_span(source, first, pending, mark, mark + SPAN_BYTES), last_message, pending)]


def _span(source: Transcript, first: bytes, pending: str, start: int, stop: int) -> Span:
    back = min(start, LOOK_BACK_BYTES)
    raw = before = b""
    if first:
        with suppress(FileNotFoundError), open(source.path, "rb") as file:  # the client removes old ones when it starts
            file.seek(start - back)
            before, raw = file.read(back), file.read(stop - start)
    reading = transcript.read(raw, before, source.not_typed)
    if not source.believed:
        reading = reading._replace(messages=tuple(_claimed(reading.messages)), uses=())
    too_long = 0 < len(raw) == stop - start and not reading.consumed
    passed_to = _end_of_line(source.path, stop) if too_long else 0
    said = tuple(one for one in reading.messages if one.role is not Role.ASSISTANT or transcript.words_key(one.text) != pending)
    return Span(
        session=source.session,
        agent=source.agent,
        messages=said,
        uses=tuple({use.id: use for use in (*reading.uses, *source.uses)}.values()),
        transcript=source.path,
        start=start,
        end=passed_to or start + reading.consumed,
        head=transcript.head_hash(first),
        last_words=pending if len(said) == len(reading.messages) else "",
        passed=int(passed_to > 0),
    )


def _claimed(messages: Iterable[Message]) -> list[Message]:
    """Messages as a file claims them, under ids of their own: those of the client's record stay to be read."""
    return [one._replace(id=f"file:{one.id}", origin=Origin.FILE if one.origin in HUMAN else one.origin) for one in messages]


def _end_of_line(path: str, at: int) -> int:
    """Where the line ends in which the byte `at` stands; 0 while it is still being written."""
    with open(path, "rb") as file:
        file.seek(at)
        while part := file.readline(1 << 20):
            if part.endswith(b"\n"):
                return file.tell()
    return 0


def _with_last_words(span: Span, words: str, pending: str) -> Span:
    """The span with the assistant's last words, unless it has them or an earlier event has brought them."""
    key = transcript.words_key(words) if words.strip() else ""
    has_them = any(one.role is Role.ASSISTANT and one.text.rstrip().endswith(words.strip()) for one in span.messages)
    if has_them or key in ("", pending):
        return span
    last = Message(id=f"{span.session}:{key}", role=Role.ASSISTANT, origin=Origin.ASSISTANT, text=words)
    return span._replace(messages=(*span.messages, last), last_words=key)


def without_paused(span: Span, data: str, folder: str, now: float) -> Span:
    """The span without what was said and called in paused times, also before a message; its ends stay: it is not read again."""
    known = [pause for pause in pauses.read(data) if pause.is_for(span.session, folder)]

    def ours(at: float | None) -> bool:
        return not any(pause.holds(now if at is None else at) for pause in known)

    messages, heard = list[Message](), True  # whether the agent's last words are of no pause
    for one in span.messages:
        heard = ours(one.at) if one.role is Role.ASSISTANT else heard
        messages += [one if heard else one._replace(previous="")] if ours(one.at) else []
    return span._replace(messages=tuple(messages), uses=tuple(use for use in span.uses if ours(use.at)))


def opencode_spans_of(
    known: sessions.Session | None, request: Request, env: Mapping[str, str], uses: Sequence[ToolUse]
) -> list[Span]:
    """The stretches to take up: one that failed before, and what is beyond the watermark; none for a sub-agent. The watermark is
    the time in ms of the last complete turn: an open one is read again. What an agent's shell hands over it may have written.
    """
    turns = opencode_database.conversation(env, request.session)
    if turns == ():
        return []
    in_a_shell = env.get("CLAUDECODE") or env.get("OPENCODE_SESSION_ID")  # the client itself has neither
    messages = messages_of(turns) if turns else _claimed(request.messages) if in_a_shell else list(request.messages)
    every = tuple({use.id: use for use in (*uses_of(turns or ()), *uses)}.values())
    written = map(created_ms, turns[: final_count(turns)]) if turns else map(_ms, messages)
    mark = known.watermark if known else 0
    stretches = []
    if known and known.failed_from is not None and known.failed_to is not None:
        failed = [message for message in messages if _ms(message) <= known.failed_to]
        stretches.append(_opencode_span(request.session, failed, every, known.failed_from, known.failed_to))
    return [*stretches, _opencode_span(request.session, messages, every, mark, max(written, default=0))]


def messages_kept(agent: str, session: str, transcripts: Iterable[str], env: Mapping[str, str]) -> Sequence[Message]:
    """The messages of a conversation, from OpenCode's database or the first readable transcript; none of a sub-agent's."""
    if agent == OPENCODE:
        return messages_of(opencode_database.conversation(env, session) or ())
    for path in filter(os.path.isfile, transcripts):
        with suppress(OSError), open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - READ_BYTES))
            return transcript.read(file.read()).messages
    return ()


def forget_reverted(db: sqlite3.Connection, session: str, env: Mapping[str, str], *, now: float, batch: str) -> None:
    """Forgets what only reverted messages said; `undo` brings it back. Pinned memories stay."""
    seen = sessions.seen_in(db, session)  # first: what another process takes up meanwhile may be newer than what is read now
    turns = opencode_database.conversation(
        env, session, whole=True
    )  # until the next prompt deletes them, a redo brings them back
    there_now = seen if turns is None else {message.id for message in messages_of(turns)}
    gone = seen - there_now
    if not gone or (turns and not there_now):  # turns of a form that we cannot read
        return
    with transaction(db):
        made = [
            Change(ChangeType.STATUS, one.id, one, one._replace(status=Status.FORGOTTEN, updated_at=now), "reverted")
            for one in rows.several(db, rows.stated_only_in(db, gone)).values()
            if one.status in (Status.ACTIVE, Status.QUARANTINED) and not one.pinned
        ]
        change_log.apply(db, made, batch=batch, now=now, agent="opencode", session=session)
        sessions.forget_seen(db, gone)
        episodes.drop(db, [one.id for one in episodes.kept(db, session=session) if one.message_id in gone])


def _opencode_span(session: str, messages: Sequence[Message], uses: tuple[ToolUse, ...], start: int, end: int) -> Span:
    said = tuple(message for message in messages if _ms(message) > start)
    return Span(session, OPENCODE, said, tuple(use for use in uses if use.at * 1000 > start), start=start, end=max(start, end))


def _ms(message: Message) -> int:
    return round((message.at or 0.0) * 1000)
