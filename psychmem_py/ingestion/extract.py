"""From what was said to what is remembered, in one transaction with the watermark: twice, at once or after a kill is once."""

from __future__ import annotations

import re
import signal
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from psychmem_py.agents.tool_traces import redacted
from psychmem_py.curation import actions
from psychmem_py.curation.act import Act, Who
from psychmem_py.errors import OvertakenError
from psychmem_py.extraction.clauses import QUESTION_MARKS, clauses
from psychmem_py.extraction.prepared_message import cleaned, own_words
from psychmem_py.extraction.sweep import sweep
from psychmem_py.home.project import Project
from psychmem_py.ingestion import exchanges, proof
from psychmem_py.ingestion.settling import Settling, SpanResult
from psychmem_py.ingestion.spans import Span
from psychmem_py.languages.matcher import Matcher
from psychmem_py.memory.admission import DOUBT, PASTED, doubt
from psychmem_py.memory.compare import refers_back
from psychmem_py.model.records import Message, Origin, Role, ToolUse, Verdict
from psychmem_py.model.settings import Settings
from psychmem_py.safety import suspicion
from psychmem_py.safety.secrets import redact_typed
from psychmem_py.store import candidates, change_log, episodes, rows, sessions
from psychmem_py.store.calls import BINDING
from psychmem_py.store.connection import transaction

T = TypeVar("T")
SHARE_S = 10.0  # 100,000 characters of prose take 0.3 s
_PAST_S = 3_600.0  # after which what was said is the past
_LINE = re.compile(r"[^\n]+")


class _OutOfTimeError(Exception):
    """The share is used up."""


class TimeShares:
    """Gives every message its share of CPU time; `given_up` counts those that were not read within it."""

    def __init__(self, share_s: float = SHARE_S) -> None:
        self.share_s, self.given_up = share_s, 0

    def read(self, act: Callable[[], T], otherwise: T) -> T:
        """What `act` returns, or `otherwise` when it takes too long; without a timer (not in the main thread) it just runs."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGVTALRM"):
            return act()
        before = signal.signal(signal.SIGVTALRM, _out_of_time)
        signal.setitimer(signal.ITIMER_VIRTUAL, self.share_s)
        try:
            return act()
        except _OutOfTimeError:
            self.given_up += 1
            return otherwise
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


def _out_of_time(_number: int, _frame: object) -> None:
    raise _OutOfTimeError


def extract(
    db: sqlite3.Connection,
    span: Span,
    *,
    project: Project | None,
    settings: Settings,
    matcher: Callable[[], Matcher],
    now: float,
    dry_run: bool = False,
    purged: str | None = None,
    batch: str = "",
) -> SpanResult:
    """What was kept, put aside and rejected of a span; `dry_run` writes nothing. A span counts as failed until all is stored: it
    is tried once more, then passed. Raises OvertakenError for a purge since `purged` (`last_purge`) or when another took it up.
    """
    purged = change_log.last_purge(db) if purged is None else purged
    new = sessions.unseen(db, [message.id for message in span.messages])
    fresh = [message for message in span.messages if message.id in new]
    uses, here = tuple(map(redacted, span.uses)), project.id if project else None
    if not dry_run:
        with transaction(db):
            known = sessions.session(db, span.session)
            first, _ = _time_span(span, known, now)
            sessions.begin(db, span.session, agent=span.agent, project=here, transcript=span.transcript, now=first)
            if fresh:
                at_once = known is not None and now - known.seen_at < sessions.AT_ONCE_S
                sessions.record_failure(db, span.session, span.start, span.end, at_once=at_once)
    try:
        shares = TimeShares()
        readable = [cleaned_message for message in fresh if (cleaned_message := shares.read(partial(cleaned, message), None))]
        messages = without_purged(db, readable)
        again = {  # where a message says what the person typed on another occasion, and on how many
            one.id: said
            for one in messages
            if project and one.origin is Origin.USER_PROMPT
            if (said := episodes.said_again(db, one.text, project=project.id, session=span.session, at=one.at or now))[1]
        }
        before = episodes.typed_last(db, span.session, settings.extraction.message_window_size) if fresh else []
        swept = sweep(messages, matcher(), settings, earlier=before, uses=uses, again=again, attempt=shares.read) if fresh else []
        planted = {message.id for message in messages if doubt(message.text, message.origin) == suspicion.OVERRIDE}
        verdicts = [_doubted(verdict, planted) for verdict in swept]
        agreed_answers = proof.agreed_answers(messages, matcher()) if messages else []
        ids, keys = rows.fresh_ids(), {message.id for message in fresh}
        with transaction(db):
            if change_log.last_purge(db) != purged or sessions.unseen(db, list(keys)) != keys:
                raise OvertakenError(f"conversation {span.session} was changed by another process while it was read; try again")
            act = Act(db, settings, now, batch or next(ids), Who(Origin.ASSISTANT, span.agent, span.session))
            settling = Settling(act, span, project, uses, agreed=agreed_answers, said=_sentences(messages))
            settled = settling.settled(verdicts, max(1, sum(message.role is Role.USER for message in fresh)), ids)
            if not dry_run:
                is_rule = partial(_is_rule, matcher=matcher, settings=settings)
                _keep(act, span, settled, project, fresh=fresh, messages=messages, uses=uses, is_rule=is_rule)
        return settled._replace(given_up=shares.given_up + span.passed)
    except Exception as exc:  # a failure of the span: a full disk or a lock is nobody's, anything else is tried once more
        with suppress(sqlite3.Error), transaction(db):  # where that cannot be written it stays counted
            sessions.weigh_failure(db, span.session, excused=isinstance(exc, (sqlite3.Error, OvertakenError)))
        raise


def _time_span(span: Span, known: sessions.Session | None, now: float) -> tuple[float, float]:
    """First and last moment of the span: now for both, unless an old conversation is read only now."""
    moments = [at for at in (*(message.at for message in span.messages), *(use.at for use in span.uses)) if at]
    if not moments:
        return (known.seen_at, known.seen_at) if known else (now, now)
    return (min(moments), max(moments)) if max(moments) < now - _PAST_S else (now, now)


def _sentences(messages: Sequence[Message]) -> list[tuple[Message, str]]:
    """The sentences of short typed messages that refer to what was said before, and are no questions."""
    short = (one for one in messages if one.origin is Origin.USER_PROMPT and episodes.is_brief(one.text))
    said = ((message, clause.text) for message in short for clause in clauses(message.text, ()))
    return [(message, text) for message, text in said if refers_back(text) and not text.rstrip().endswith(QUESTION_MARKS)]


def _doubted(verdict: Verdict, planted: Collection[str]) -> Verdict:
    """The verdict, marked where a person is to be asked: its message overrides the agent, or may be somebody else's words."""
    candidate, pasted = verdict.candidate, verdict.waiting and verdict.reason == PASTED
    if not pasted and candidate.message_id not in planted:
        return verdict
    why = suspicion.OVERRIDE if candidate.message_id in planted else PASTED
    doubted = candidate._replace(metadata=(*candidate.metadata, (DOUBT, why)))
    return verdict._replace(waiting=verdict.waiting and not pasted, candidate=doubted)


def without_purged(db: sqlite3.Connection, messages: Sequence[Message]) -> list[Message]:
    """The messages with every clause blanked that says what was purged: not even as context of another one may it come back."""
    if not change_log.any_erased(db):
        return list(messages)
    return [message._replace(text=_blanked(db, message.text), previous=_blanked(db, message.previous)) for message in messages]


def _blanked(db: sqlite3.Connection, text: str) -> str:
    parts = [(clause.start, clause.end) for clause in clauses(text, ())]
    parts += [(match.start(), match.end()) for match in _LINE.finditer(text)]
    gone = change_log.erased(db, [text[start:end] for start, end in parts])
    for start, end in parts:
        if text[start:end] in gone:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _is_rule(reason: str, matcher: Callable[[], Matcher], settings: Settings) -> bool:
    """Whether what somebody typed in refusing a call has the words of a rule."""
    message = Message("refusal", Role.USER, Origin.USER_PROMPT, redact_typed(own_words(reason)))
    found = (verdict.candidate for verdict in sweep([message], matcher(), settings))
    return any(signal.family in BINDING for candidate in found for signal in candidate.signals)


def _keep(
    act: Act,
    span: Span,
    settled: SpanResult,
    project: Project | None,
    *,
    fresh: Sequence[Message],
    messages: Sequence[Message],
    uses: Sequence[ToolUse],
    is_rule: Callable[[str], bool],
) -> None:
    """Writes everything that came of the span, in the caller's transaction; `messages` are the `fresh` ones without secrets."""
    db, now, batch, here = act.db, act.now, act.batch, project.id if project else None
    act.apply(settled.changes)
    if project:
        act.apply(exchanges.learn(act, project, fresh, uses, is_rule))
    work = [message.text for message in fresh if message.role is Role.ASSISTANT]
    work += [" ".join((use.command, *use.paths)) for use in uses]
    actions.echo(act, work, prompts=[message.text for message in fresh if message.role is Role.USER])
    candidates.settle_waiting(db, settled.answered, batch=batch)
    candidates.keep_verdicts(db, (*settled.waiting, *settled.rejected), session=span.session, project=here, batch=batch, now=now)
    if project:
        sessions.note_project(db, project.id, project.name, project.root, now)
        sessions.note_worked(db, project.id, [message.at or now for message in fresh])
    if act.settings.general.episodes:
        episodes.add(db, exchanges.exchanges(messages, uses, project=here, session=span.session, now=now))
    else:
        episodes.drop(db, [one.id for one in episodes.kept(db)])
    sessions.add_events(db, span.session, uses)
    typed = {message.id: message.at or now for message in fresh if message.origin is Origin.USER_PROMPT}
    sessions.note_seen(db, [message.id for message in fresh], span.session, now, typed)
    known = sessions.session(db, span.session)
    mark = max(span.end, known.watermark) if known and known.head == span.head else span.end
    _, last = _time_span(span, known, now)
    sessions.advance(db, span.session, mark, now=last, head=span.head, last_message=span.last_words)
