"""What no reader has seen yet is put before one, a project a request, and what it says is done.

Called by the detached child and by `psychmem judge --now`, by one process at a time. A call that fails, or whose answer lies, changes
nothing but the record of calls, and the same is asked again later.

Where the client's own small model reads (Claude Code's, by `hooks/module.js`) a note says that there is something, and the module asks for the
request and brings the answer back. That request stands in no file: it is signed with the store's secret, and only an answer to one so signed
is taken.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from psychmem_py.briefing.prepared import FOLDER
from psychmem_py.curation.act import Act, Who
from psychmem_py.errors import JudgeError
from psychmem_py.extraction.wording import names_in
from psychmem_py.home import files, health, locks, places
from psychmem_py.home.files import directories
from psychmem_py.home.places import own_folder
from psychmem_py.ingestion.settling import watched
from psychmem_py.judging import calls, clients, protocol, understood
from psychmem_py.judging.protocol import Answer, Keep, Ruling
from psychmem_py.judging.unread import Batch, batch
from psychmem_py.languages.files import own_matcher
from psychmem_py.languages.matcher import Matcher
from psychmem_py.memory.admission import DOUBT
from psychmem_py.memory.compare import Relation, compared
from psychmem_py.memory.forgetting import consolidated
from psychmem_py.memory.strength import corroborated
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Candidate, Change, ChangeType, Evidence, Memory, Origin, Status, Verdict
from psychmem_py.model.settings import Settings
from psychmem_py.store import candidates, change_log, overview, rows, sessions
from psychmem_py.store.candidates import Kept
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.search import neighbours, planned
from psychmem_py.store.sessions import Session
from psychmem_py.store.sqlite import meta
from psychmem_py.text.folding import fold
from psychmem_py.text.tokenizer import digest, subject

# Of 2,071 pairs of what one person had said none is taken for one that is not, and 6 of 15 that are; the reader's own ids tell the others.
_AGAIN, _AGAIN_WORDS = 0.4, 3
_SAME_MATTER = frozenset({Relation.SAME, Relation.WIDER, Relation.RELATED})
METHOD = "reader"  # of the evidence that tells what it said
NAME = "judge"  # of the work, in the record of health
OCCASIONS = frozenset({"session-end", "pre-compact", "inject"})  # an end, what may be lost soon, and what was left before
_TOLD_AFTER = 3  # failures in a row; a laptop without a network is no failure of ours
_FOLDER = "judge"


class ReadingDesk(NamedTuple):
    """Where reading happens."""

    database: str | os.PathLike[str]
    data: str | os.PathLike[str]
    env: Mapping[str, str]
    settings: Settings


class Done(NamedTuple):
    """What one call, or several, came to."""

    asked: int = 0  # turns
    counts: Mapping[str, int] = {}  # `calls.COUNTS`
    why: str = ""  # why nobody was asked, or what went wrong; "" when all went well


def read_apart(desk: ReadingDesk) -> None:
    """Starts reading in a process of its own and returns at once; to be called by a detached process that holds nothing open."""
    if os.fork():
        return
    try:
        read_all(desk, time.time)
    except Exception as exc:  # nobody is there to be told
        health.failed(desk.data, NAME, exc, time.time())
    finally:
        os._exit(0)


def read_all(desk: ReadingDesk, clock: Callable[[], float], *, by_hand: bool = False) -> Done:
    """Calls until nothing is left or something is in the way, as one result."""
    total, asked = Counter[str](), 0
    while True:
        done = read_some(desk, clock, by_hand=by_hand)
        asked += done.asked
        total.update(done.counts)
        if done.why or not done.asked:
            return Done(asked, total, done.why)


def read_some(desk: ReadingDesk, clock: Callable[[], float], *, by_hand: bool = False) -> Done:
    """One call of the reader, unless there is nothing to read, the day's calls are used up, or it rests after a failure.

    By hand a resting reader is asked all the same. Raises nothing of the reader's own: `why` tells it.
    """
    with locks.lock(desk.data, "judge", 0.0, kind="judge") as alone:
        now, record = clock(), calls.read(desk.data)
        if not alone:
            return Done(why="another process is reading at this moment")
        if record.on(now) >= desk.settings.judge.calls_per_day:
            return Done(why=f"judge.calls_per_day allows no more than {desk.settings.judge.calls_per_day} calls a day")
        if not by_hand and now < record.rests_until():
            return Done(why=f"the reader failed {record.failures} times and pauses")
        prepared = prepare(desk, now)
        if prepared is None:
            return Done()
        made, purged = prepared
        made = made._replace(asked=made.asked._replace(nonce=secrets.token_hex(8)))
        return outcome(desk, made, purged, partial(_said, desk), clock)


def outcome(desk: ReadingDesk, made: Batch, purged: str, ask: Callable[[str], str], clock: Callable[[], float]) -> Done:
    """What comes of one request, whoever answers it; a failure goes on record and changes nothing else."""
    request = protocol.request(made.asked)
    sent = {"turns": len(made.typed), "sent": len(request.encode())}
    try:
        return _carry_out(desk, made, ask(request), purged, clock(), sent)
    except JudgeError as exc:
        if calls.note(desk.data, clock(), sent, failure=str(exc)).failures >= _TOLD_AFTER:
            health.failed(desk.data, NAME, exc, clock())
        return Done(len(made.typed), sent, str(exc))


def prepare(desk: ReadingDesk, now: float) -> tuple[Batch, str] | None:
    """What the next request asks, and when something was purged last before it was read."""
    with open_store(desk.database, now=now, timeout_s=20.0) as db:
        purged = change_log.last_purge(db)
        made = batch(db, desk.env, now, desk.settings.judge.chars_per_call)
        return (made, purged) if made else None


def _said(desk: ReadingDesk, request: str) -> str:
    """The reader's answer, asked from a folder of its own that is the same each time: a client may note every folder it is run in."""
    folder = os.path.join(os.fspath(desk.data), _FOLDER)
    os.makedirs(folder, 0o700, exist_ok=True)
    if os.path.islink(folder):
        raise JudgeError(f"{folder} is a symbolic link; remove it, PsychMem makes the folder itself")
    limits = desk.settings.judge
    try:
        program = clients.program(limits.named, limits.small_model, desk.env, folder)
        return clients.answer(program, request, env=desk.env, folder=folder, timeout_s=limits.call_timeout_s)
    finally:
        clients.tidied(folder)


def _carry_out(desk: ReadingDesk, made: Batch, reply: str, purged: str, now: float, sent: Mapping[str, int]) -> Done:  # noqa: PLR0917
    """Does what an answer says, in one step that can be taken back. Raises JudgeError where it says nothing that can be believed.

    Nothing is done where something was purged since `purged`: a wording may be made of what is gone. It is asked again.
    """
    answer = protocol.answer(reply, made.asked)
    if answer is None:
        raise JudgeError("the reader's answer holds nothing that can be read; `psychmem judge --now` shows whether it lasts")
    if answer.is_lie:
        raise JudgeError(f"the reader quoted what nobody typed, {answer.untrue} times; its answer was discarded")
    with open_store(desk.database, now=now, timeout_s=20.0) as db, transaction(db):
        if change_log.last_purge(db) != purged:
            return Done(why="something was purged meanwhile; it is asked again")
        act = Act(db, desk.settings, now, next(rows.fresh_ids()), Who(Origin.TOOL, METHOD))
        done = _Outcome(act, made, own_matcher(directories(desk.env), desk.settings.extraction.languages))
        done.take(answer)
        sessions.mark_read(db, [*(one.message.id for one in made.typed), *made.gone])
    counts = {**sent, "received": len(reply.encode("utf-8", "replace")), **done.counts}
    calls.note(desk.data, now, counts)
    places.beat(desk.data, NAME, now)
    return Done(len(made.typed), counts)


class _Outcome:
    """What an answer does to a store, in the caller's transaction; `counts` says how often what was done."""

    def __init__(self, act: Act, made: Batch, matcher: Matcher) -> None:
        self.act, self.made, self.matcher = act, made, matcher
        self.counts = Counter[str]()
        self.fresh: list[str] = []  # ids of what this answer added
        self.rules = candidates.from_messages(act.db, {one.message.id for one in made.typed})  # what they made of the same words

    def take(self, answer: Answer) -> None:
        """The reader has read all of it: what rules made of these words and it does not keep goes out of use first."""
        mine = {n: self._mine(keep) for n, keep in enumerate(answer.keeps)}
        kept = {memory.id for memory in mine.values() if memory}
        for memory, _ in self.rules:
            if memory.id not in kept:
                self._change(ChangeType.STATUS, memory, memory._replace(status=Status.ARCHIVED), "drop")
        candidates.drop_typed(self.act.db, [one.message.id for one in self.made.typed], batch=self.act.batch)
        for n, keep in enumerate(answer.keeps):
            self._keep(keep, mine[n])
        for n, one in enumerate(self.made.stated):
            self._rule_on(one, answer.proposals.get(n))

    def _mine(self, keep: Keep) -> Memory | None:
        """What rules alone made of the words that are kept; none where they say what is known, or replace it."""
        if keep.same_as or keep.replaces:
            return None
        spoken, quote = self.made.typed[keep.n].message.id, fold(keep.quote)
        of_it = [
            memory
            for memory, evidence in self.rules
            if evidence.message_id == spoken
            and memory.status is Status.ACTIVE
            and (fold(evidence.quote) in quote or quote in fold(evidence.quote))
        ]
        return of_it[0] if of_it else None

    def _keep(self, keep: Keep, mine: Memory | None) -> None:
        typed, db = self.made.typed[keep.n], self.act.db
        message = typed.message._replace(previous=typed.turn.previous)
        here = overview.projects(db).get(typed.session.project or "")
        told = understood.candidate(keep, message, self.matcher, self.made.asked.typed)
        if told is None:
            return
        made_of = watched(told, here.root if here else "")
        if change_log.buried(db, [made_of.text, made_of.quote]):
            return
        doubted = DOUBT in dict(made_of.metadata)
        known = None if doubted else self._live(keep.same_as) or self._again(made_of)
        old = None if doubted else self._live(keep.replaces)
        if known:
            self._confirm(known, made_of, typed.session)
        elif mine and not doubted:
            self._reword(mine, made_of, typed.session)
        else:
            self._add(made_of, typed.session, old if old and not old.pinned else None)

    def _live(self, key: str) -> Memory | None:
        """The memory behind an id that was sent, where it is still in use."""
        memory = rows.by_id(self.act.db, key) if key else None
        return memory if memory and memory.status in LIVE else None

    def _again(self, made_of: Candidate) -> Memory | None:
        """What this answer kept before and `made_of` says again in other words; no id could name it."""
        for one in filter(None, map(self._live, self.fresh)):
            alike = compared(made_of.text, one.text, made_of.kind, self.act.settings.reconcile)
            shared = len(subject(one.text) & subject(made_of.text))
            if alike.relation in _SAME_MATTER and alike.similarity >= _AGAIN and shared >= _AGAIN_WORDS:
                return one
        return None

    def _confirm(self, known: Memory, made_of: Candidate, session: Session) -> None:
        """Said again, in whatever words."""
        again = session.id not in rows.sessions_of(self.act.db, [known.id])[known.id]
        after = consolidated(known)._replace(
            session_count=known.session_count + again,
            confidence=corroborated(known.confidence) if again else known.confidence,
            anchor_at=max(known.anchor_at, made_of.at or self.act.now),
        )
        self._change(ChangeType.REINFORCE, known, after, "same", self._voice(known, made_of, session, "same"))

    def _voice(self, memory: Memory, made_of: Candidate, session: Session, word: str) -> Evidence:
        return Evidence(
            memory.id, self.act.now, METHOD, made_of.origin, session.id, made_of.message_id, made_of.quote, signals=(word,)
        )

    def _reword(self, mine: Memory, made_of: Candidate, session: Session) -> None:
        """What rules had made of the same words, as the reader has understood it."""
        after = consolidated(mine)._replace(
            text=made_of.text,
            kind=made_of.kind,
            names=made_of.names,
            metadata=tuple((dict(mine.metadata) | dict(made_of.metadata)).items()),
        )
        if (after.text, after.kind) != (mine.text, mine.kind) and rows.is_stored(
            self.act.db, digest(after.text), after.kind.value, after.project
        ):
            after = consolidated(mine)  # another memory already says exactly that
        self._change(ChangeType.EDIT, mine, after, "keep", self._voice(mine, made_of, session, "keep"))

    def _add(self, made_of: Candidate, session: Session, old: Memory | None) -> None:
        """A new memory, or what the words do to what is known; in the place of `old` it inherits class, scope, tier and end from it."""
        db = self.act.db
        if old:
            made_of = made_of._replace(scope=old.scope)
        near = neighbours(db, [made_of.text], project=session.project)
        made = planned(
            db, [made_of], near, self.act.settings, self.act.now, project=session.project, session=session.id, agent=session.agent,
            method=METHOD, replaces=old,
        )  # fmt: skip
        self.act.apply(made)
        self.fresh += [one.memory_id for one in made if one.type is ChangeType.ADD]
        self.counts["replace" if old else "keep"] += bool(made)

    def _rule_on(self, one: Memory | Kept, ruling: Ruling | None) -> None:  # noqa: PLR0911
        """Keeps, drops or leaves a statement of the agent; not one that has changed while the reader was thinking."""
        db = self.act.db
        if isinstance(one, Kept):
            session = sessions.session(db, one.session)
            if not candidates.is_there(db, one) or session is None:
                return None
            if ruling is None or not ruling.keep:
                return candidates.mark_read(db, one, dropped=ruling is not None, batch=self.act.batch)
            candidates.settle_waiting(db, [one.seq], batch=self.act.batch)
            return self._add(understood.of_agent(Verdict(one.candidate, waiting=True), ruling).candidate, session, None)
        now = rows.get(db, one.id)
        if now is None or (now.text, now.status, now.pinned) != (one.text, one.status, one.pinned):
            return None
        if ruling is None:
            return self._change(ChangeType.REINFORCE, now, now, "unsure")
        if not ruling.keep:
            self._change(ChangeType.STATUS, now, now._replace(status=Status.ARCHIVED), "drop")
            return None
        text = understood.better(ruling.text, now.text, now.context)
        if text != now.text and rows.is_stored(db, digest(text), now.kind.value, now.project):
            text = now.text
        return self._change(ChangeType.EDIT, now, consolidated(now)._replace(text=text, names=names_in(text)), "keep")

    def _change(self, kind: ChangeType, before: Memory, after: Memory, word: str, voice: Evidence | None = None) -> None:
        """Writes what was done to a memory, with the reader's word as evidence."""
        self.counts[word] += 1
        voice = voice or Evidence(before.id, self.act.now, METHOD, Origin.TOOL, signals=(word,))
        step = after if after == before else after._replace(updated_at=self.act.now)
        self.act.apply([Change(kind, before.id, before, step, f"read: {word}", voice)])


NOTE = "judge.json"  # beside the other files for the module


def leave_note(desk: ReadingDesk, now: float) -> None:
    """Leaves a note where the module looks, of when; none where there is nothing to read, or no call is left."""
    folder = os.path.join(os.path.dirname(desk.database), FOLDER)
    path = os.path.join(folder, NOTE)
    if _may(desk, now) and prepare(desk, now):
        own_folder(folder)
        return files.leave(path, json.dumps({"at": now}).encode())
    with suppress(FileNotFoundError):
        os.unlink(path)
    return None


def _may(desk: ReadingDesk, now: float) -> bool:
    record = calls.read(desk.data)
    return record.on(now) < desk.settings.judge.calls_per_day and now >= record.rests_until()


def asked(desk: ReadingDesk, now: float) -> str:
    """The next request, signed; "" where there is nothing to read, or no call is left."""
    prepared = prepare(desk, now) if _may(desk, now) else None
    return protocol.request(_signed(desk, prepared[0].asked, now)) if prepared else ""


def _signed(desk: ReadingDesk, one: protocol.Asked, now: float) -> protocol.Asked:
    with open_store(desk.database, now=now, timeout_s=20.0) as db:
        secret = meta(db, "nonce_secret").encode()
    return one._replace(nonce=hmac.new(secret, protocol.request(one._replace(nonce="")).encode(), "sha256").hexdigest()[:32])


def take_answer(desk: ReadingDesk, text: str, clock: Callable[[], float] = time.time) -> Done:
    """What the client's answer comes to; `text` is a JSON object with the `request` it was given and the `reply`.

    It is taken for what would be asked at this moment: what was typed, changed or read meanwhile makes another request, which is asked
    anew. Raises JudgeError for what is no such object.
    """
    try:
        given = json.loads(text)
        request, reply = str(given["request"]), str(given["reply"])
    except (ValueError, KeyError, TypeError, RecursionError) as exc:
        raise JudgeError("the client's answer is no JSON object with `request` and `reply`") from exc
    with locks.lock(desk.data, "judge", 5.0, kind="judge") as alone:
        now = clock()
        prepared = prepare(desk, now) if alone else None
        if prepared is None:
            return Done(why="there is nothing to read now")
        made, purged = prepared
        signed = _signed(desk, made.asked, now)
        if not hmac.compare_digest(protocol.request(signed).encode(), request.encode("utf-8", "replace")):
            return Done(why="that request is not the one that waits; it is asked anew")
        return outcome(desk, made._replace(asked=signed), purged, lambda _request: reply, clock)
