"""From what was said to what is remembered: a stretch of conversation swept, judged, compared with what is known, and kept.

Everything that changes is written in one transaction together with the watermark, so doing it twice, at once or after a kill
changes nothing.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from psychmem_py.agents import claude_transcript as transcript
from psychmem_py.agents.tool_use import redacted
from psychmem_py.curation import actions
from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.sweep import sweep
from psychmem_py.home import file_versions
from psychmem_py.home.project import Project
from psychmem_py.languages.matcher import Matcher
from psychmem_py.memory.reconcile import DOUBT, doubt, plan
from psychmem_py.model.records import Candidate, Change, ChangeType, Gate, Kind, Message, Origin, Role, ToolUse, Verdict
from psychmem_py.model.settings import Settings
from psychmem_py.safety import control_chars
from psychmem_py.safety.control_chars import OVERRIDE
from psychmem_py.safety.secrets import redact
from psychmem_py.store import change_log, rows, sessions
from psychmem_py.store.connection import transaction
from psychmem_py.text.tokenizer import digest, similarity

LOOK_BACK_BYTES = 1 << 16  # read again before the watermark, for what the assistant had said
MESSAGE_CHARS = 100_000  # of one message that are read; whoever says more has pasted it
SPAN_BYTES = 32 << 20  # most of a transcript taken up at once
# What an assistant says it found or did can be borne out by what its tools then show; a person's wish cannot.
_PROVABLE = frozenset({Kind.BUGFIX, Kind.LEARNING, Kind.DECISION, Kind.SEMANTIC})


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


class Extraction(NamedTuple):
    """What became of a span."""

    kept: tuple[Verdict, ...] = ()
    waiting: tuple[Verdict, ...] = ()
    rejected: tuple[Verdict, ...] = ()
    changes: tuple[Change, ...] = ()


def spans_of(
    known: sessions.Session | None, *, session: str, agent: str, path: str, last_message: str = "", uses: Sequence[ToolUse] = ()
) -> list[Span]:
    """What of the transcript at `path` is to be taken up: a span that failed before, and what stands beyond the watermark.

    A file that is not there yet is empty; one that shrank or was written anew is read from its beginning. `last_message` are the
    assistant's words that the file may not hold yet.
    """
    first, size = _beginning(path)
    same = known is not None and known.watermark <= size and transcript.same_file(known.head, first)
    source = _Source(session, agent, path, first, tuple(uses), known.last_message if known else "")
    found = []
    if known and same and known.failed_from is not None and known.failed_to is not None:
        found.append(_span(source, known.failed_from, known.failed_to))
    mark = known.watermark if known and same else 0
    found.append(_with_last_words(_span(source, mark, mark + SPAN_BYTES), last_message, source.pending))
    return found


class _Source(NamedTuple):
    """A conversation's transcript, and what is known besides."""

    session: str
    agent: str
    path: str
    first: bytes  # of the file; b"" when there is none
    uses: tuple[ToolUse, ...]  # from the journal
    pending: str  # key of words that an event brought before the file had them


def _beginning(path: str) -> tuple[bytes, int]:
    """The file's first bytes and its size; nothing for what is no ordinary file."""
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            return b"", 0
        with open(path, "rb") as file:
            return file.read(transcript.HEAD_BYTES), about.st_size
    except OSError:
        return b"", 0


def _span(source: _Source, start: int, stop: int) -> Span:
    back = min(start, LOOK_BACK_BYTES)
    raw = before = b""
    if source.first:
        with open(source.path, "rb") as file:
            file.seek(start - back)
            before, raw = file.read(back), file.read(stop - start)
    reading = transcript.read(raw, before)
    messages = tuple(message for message in reading.messages if not _is_pending(message, source.pending))
    return Span(
        session=source.session,
        agent=source.agent,
        messages=messages,
        uses=tuple({use.id: use for use in (*reading.uses, *source.uses)}.values()),
        transcript=source.path,
        start=start,
        end=start + reading.consumed,
        head=transcript.head_of(source.first),
        last_words=source.pending if len(messages) == len(reading.messages) else "",
    )


def _is_pending(message: Message, pending: str) -> bool:
    return _assistant(message) and transcript.words_key(message.text) == pending


def _assistant(message: Message) -> bool:
    return message.role is Role.ASSISTANT


def _with_last_words(span: Span, words: str, pending: str) -> Span:
    """The span with the assistant's last words, unless it has them or an earlier event has brought them."""
    key = transcript.words_key(words) if words.strip() else ""
    if not key or key == pending:
        return span
    if any(_assistant(message) and message.text.rstrip().endswith(words.strip()) for message in span.messages):
        return span
    last = Message(id=f"{span.session}:{key}", role=Role.ASSISTANT, origin=Origin.ASSISTANT, text=words)
    return span._replace(messages=(*span.messages, last), last_words=key)


def extract(
    db: sqlite3.Connection,
    span: Span,
    *,
    project: Project | None,
    settings: Settings,
    matcher: Callable[[], Matcher],
    now: float,
    dry_run: bool = False,
) -> Extraction:
    """What was kept, put aside and rejected of a span; with `dry_run` nothing is written.

    `matcher` is asked for only when somebody said something. The span counts as failed until all of it is stored: whatever ends
    this process, it is tried once more and then passed.
    """
    new = sessions.unseen(db, [message.id for message in span.messages])
    fresh = [message for message in span.messages if message.id in new]
    uses = tuple(redacted(use) for use in span.uses)
    if not dry_run:
        with transaction(db):
            known = sessions.session(db, span.session)
            sessions.begin(
                db, span.session, agent=span.agent, project=project.id if project else None, transcript=span.transcript, now=now
            )
            if fresh:
                at_once = known is not None and now - known.seen_at < sessions.AT_ONCE_S
                sessions.record_failure(db, span.session, span.start, span.end, at_once=at_once)
    try:
        return _taken_up(db, span, fresh, uses, project=project, settings=settings, matcher=matcher, now=now, dry_run=dry_run)
    except Exception as exc:
        _weigh_failure(db, span, environment=isinstance(exc, sqlite3.Error))
        raise


def _weigh_failure(db: sqlite3.Connection, span: Span, *, environment: bool) -> None:
    """A full disk or a lock is nobody's failure; anything else is tried once more."""
    try:
        with transaction(db):
            (sessions.excuse_failure if environment else sessions.doubt_failure)(db, span.session)
    except sqlite3.Error:
        return  # it stays counted


def _taken_up(
    db: sqlite3.Connection,
    span: Span,
    fresh: Sequence[Message],
    uses: tuple[ToolUse, ...],
    *,
    project: Project | None,
    settings: Settings,
    matcher: Callable[[], Matcher],
    now: float,
    dry_run: bool,
) -> Extraction:
    cleaned = _without_purged(db, [_cleaned(message) for message in fresh])
    swept = sweep(cleaned, matcher(), settings, uses=uses) if fresh else []
    verdicts = _doubted(swept, cleaned)
    turns = sum(message.role is Role.USER for message in fresh)
    ids = rows.fresh_ids()
    with transaction(db):
        settled = _Settling(db, span, project, settings, now).settled(verdicts, uses, max(1, turns), ids)
        if not dry_run:
            _keep(db, span, settled, fresh=fresh, uses=uses, project=project, settings=settings, now=now, batch=next(ids))
    return settled.extraction


def _cleaned(message: Message) -> Message:
    """The message without secrets, invisible characters and what we ourselves had put there."""
    return message._replace(text=_safe(message.text), previous=_safe(message.previous))


def _safe(text: str) -> str:
    return redact(control_chars.without_our_blocks(text[:MESSAGE_CHARS]))


def _doubted(verdicts: Sequence[Verdict], messages: Sequence[Message]) -> list[Verdict]:
    """The verdicts, those from a message that tells the agent to ignore what it was told marked: one clause does not show it."""
    why = {message.id: OVERRIDE for message in messages if doubt(message.text, message.origin) == OVERRIDE}
    if not why:
        return list(verdicts)
    return [
        verdict._replace(candidate=found._replace(metadata=(*found.metadata, (DOUBT, OVERRIDE))))
        if (found := verdict.candidate).message_id in why
        else verdict
        for verdict in verdicts
    ]


def _without_purged(db: sqlite3.Connection, messages: Sequence[Message]) -> list[Message]:
    """The messages with every clause blanked that says what was purged: not even as context of another one may it come back."""
    if not sessions.any_buried(db):
        return list(messages)
    return [message._replace(text=_blanked(db, message.text), previous=_blanked(db, message.previous)) for message in messages]


def _blanked(db: sqlite3.Connection, text: str) -> str:
    parts = [(clause.start, clause.end) for clause in clauses(text, ())]
    parts += [(found.start(), found.end()) for found in _LINE.finditer(text)]
    gone = sessions.buried(db, [text[start:end] for start, end in parts])
    for start, end in parts:
        if text[start:end] in gone:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


_LINE = re.compile(r"[^\n]+")


class _Settled(NamedTuple):
    extraction: Extraction
    answered: tuple[int, ...]  # waiting candidates of earlier sessions that became memories now


class _Settling:
    """Verdicts compared with the store: what waited and is said again is kept, what is known is no news, too much is too much."""

    def __init__(self, db: sqlite3.Connection, span: Span, project: Project | None, settings: Settings, now: float) -> None:
        self.db, self.span, self.settings, self.now = db, span, settings, now
        self.project = project.id if project else None
        self.root = project.root if project else ""

    def settled(self, verdicts: Sequence[Verdict], uses: Sequence[ToolUse], turns: int, ids: Iterator[str]) -> _Settled:
        purged = sessions.buried(
            self.db, [text for verdict in verdicts for text in (verdict.candidate.text, verdict.candidate.quote)]
        )
        live = [verdict for verdict in verdicts if purged.isdisjoint((verdict.candidate.text, verdict.candidate.quote))]
        answered: list[int] = []
        live = [self._second_look(verdict, uses, answered) for verdict in live]
        answered += (late := self._borne_out_late(uses))[1]
        live += late[0]
        kept = [verdict for verdict in live if verdict.gate is None and not verdict.waiting]
        changes, over = self._planned(kept, self.settings.extraction.max_memories_per_stop * turns, ids)
        live = [
            verdict._replace(gate=Gate.LIMIT, reason="limit") if verdict.candidate.text in over else verdict for verdict in live
        ]
        return _Settled(
            Extraction(
                kept=tuple(verdict for verdict in live if verdict.gate is None and not verdict.waiting),
                waiting=tuple(verdict for verdict in live if verdict.waiting),
                rejected=tuple(verdict for verdict in live if verdict.gate is not None),
                changes=tuple(changes),
            ),
            tuple(answered),
        )

    def _second_look(self, verdict: Verdict, uses: Sequence[ToolUse], answered: list[int]) -> Verdict:
        """A waiting verdict kept after all, when another session said the same or a tool bore it out."""
        if not verdict.waiting:
            return verdict
        text = verdict.candidate.text
        again = [
            item
            for item in sessions.waiting_like(self.db, [text], project=self.project)
            if item.session != self.span.session
            and (item.hash == digest(text) or similarity(item.candidate.text, text) >= self._same)
        ]
        if again:
            answered += [item.seq for item in again]
            return verdict._replace(waiting=False, reason="second mention")
        return verdict._replace(waiting=False, reason="borne out") if _borne_out(verdict, uses) else verdict

    @property
    def _same(self) -> float:
        return self.settings.reconcile.deduplication_threshold

    def _borne_out_late(self, uses: Sequence[ToolUse]) -> tuple[list[Verdict], list[int]]:
        """What this conversation left waiting earlier and its tools have borne out since."""
        if not uses:
            return [], []
        mine = [item for item in sessions.waiting(self.db, project=self.project) if item.session == self.span.session]
        proved = [
            (Verdict(item.candidate, reason="borne out"), item.seq) for item in mine if _borne_out(Verdict(item.candidate), uses)
        ]
        return [verdict for verdict, _ in proved], [seq for _, seq in proved]

    def _planned(self, kept: Sequence[Verdict], limit: int, ids: Iterator[str]) -> tuple[list[Change], set[str]]:
        """The changes, and the texts that would be more than `limit` new memories: the least important of them."""
        changes = self._plan(kept, ids)
        added = [change.after for change in changes if change.type is ChangeType.ADD and change.after]
        if len(added) <= limit:
            return changes, set()
        over = {memory.text for memory in sorted(added, key=lambda memory: -memory.importance)[limit:]}
        return self._plan([verdict for verdict in kept if verdict.candidate.text not in over], ids), over

    def _plan(self, kept: Sequence[Verdict], ids: Iterator[str]) -> list[Change]:
        if not kept:
            return []
        candidates = [self._watched(verdict.candidate) for verdict in kept]
        known = rows.neighbours(
            self.db,
            [candidate.text for candidate in candidates],
            project=self.project,
            limit=self.settings.reconcile.max_neighbours,
        )
        return plan(
            candidates,
            known,
            self.settings,
            self.now,
            project=self.project,
            session=self.span.session,
            agent=self.span.agent,
            ids=ids,
            stated=rows.sessions_of(self.db, [memory.id for memory in known]),
        )

    def _watched(self, candidate: Candidate) -> Candidate:
        """The candidate with the state of the files it names, so that a brief can say when they have changed."""
        if not self.root or not candidate.names:
            return candidate
        return candidate._replace(metadata=(*candidate.metadata, *file_versions.recorded(self.root, candidate.names)))


def _borne_out(verdict: Verdict, uses: Sequence[ToolUse]) -> bool:
    """Whether a later tool call concerns a thing named in an assistant's finding: an edit of it, or an error that names it."""
    candidate = verdict.candidate
    if candidate.kind not in _PROVABLE or not candidate.names:
        return False
    for use in uses:
        if use.at < (candidate.at or 0.0):
            continue
        traces = " ".join((*use.paths, use.error_line)) if use.paths or use.error_line else use.command
        if any(name in traces for name in candidate.names):
            return True
    return False


def _keep(
    db: sqlite3.Connection,
    span: Span,
    settled: _Settled,
    *,
    fresh: Sequence[Message],
    uses: Sequence[ToolUse],
    project: Project | None,
    settings: Settings,
    now: float,
    batch: str,
) -> None:
    """Writes everything that came of the span, in the caller's transaction."""
    found = settled.extraction
    change_log.apply(db, found.changes, batch=batch, now=now, agent=span.agent, session=span.session)
    actions.echo(
        db,
        [message.text for message in fresh if message.role is Role.ASSISTANT],
        asked=[message.text for message in fresh if message.role is Role.USER],
        now=now,
        batch=batch,
        settings=settings,
        who=actions.Who(Origin.ASSISTANT, span.agent, span.session),
    )
    sessions.settle_waiting(db, settled.answered)
    sessions.keep_verdicts(
        db, (*found.waiting, *found.rejected), session=span.session, project=project.id if project else None, batch=batch, now=now
    )
    if project:
        sessions.see_project(db, project.id, project.name, project.root, now)
    sessions.add_events(db, span.session, uses)
    sessions.see_messages(db, [message.id for message in fresh], span.session, now)
    known = sessions.session(db, span.session)
    mark = max(span.end, known.watermark) if known and known.head == span.head else span.end
    sessions.advance(db, span.session, mark, now=now, head=span.head, last_message=span.last_words)
