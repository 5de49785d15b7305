"""Sends what no reader has seen yet to one, one project per request, and applies its answer: by the detached child or `psychmem
judge --now`, one at a time. A call that fails, or lies, changes nothing but the record of calls, and is made again later.

Where the client's own small model reads (`hooks/module.js`), a note says that there is something; the module asks for the
request, which stands in no file and is signed with the store's secret, and brings the answer back.
"""

from __future__ import annotations

import hmac
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from psychmem_py.briefing.actionable import actionable, trigger_count, with_calls
from psychmem_py.briefing.prepared import folder_beside
from psychmem_py.curation.act import Act, Who, Workplace
from psychmem_py.errors import JudgeError
from psychmem_py.extraction.wording import names_in
from psychmem_py.home import files, health, light_json, locks, places
from psychmem_py.ingestion.settling import with_versions
from psychmem_py.judging import clients, protocol, said, understood
from psychmem_py.judging.unread import Batch, batch
from psychmem_py.languages.files import own_matcher
from psychmem_py.languages.matcher import Matcher, languages_of
from psychmem_py.memory import admission, change_cues, compare, forgetting
from psychmem_py.model import records
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import ENFORCED, RULES, Candidate, Change, ChangeType, Evidence, Memory, Origin, Status, Verdict
from psychmem_py.store import calls, candidates, change_log, connection, read_only, rows, search, sessions, sqlite
from psychmem_py.text.folding import fold
from psychmem_py.text.tokenizer import digest

_FEW_SESSIONS = 3  # in which a glob of the reader may have spoken before it is held against their number
OPPOSITE = "says the opposite of what was entered by hand"
METHOD = "reader"  # of the evidence that tells what it said
NAME = "judge"  # of the work, in the record of health
OCCASIONS = frozenset({"session-end", "pre-compact", "inject"})  # an end, what may be lost soon, and what was left before
_FOLDER = "judge"
NOTE = "judge.json"  # beside the other files for the module


class ReadResult(NamedTuple):
    """What one call, or several, came to."""

    asked: int = 0  # turns
    counts: Mapping[str, int] = {}  # `clients.COUNTS`
    why: str = ""  # why nobody was asked, or what went wrong; "" when all went well


def read_apart(desk: Workplace, afterwards: Callable[[], None]) -> None:
    """Reads in a process of its own, with `afterwards` if something was; for a detached process that holds nothing open."""
    if os.fork():
        return
    try:
        if read_all(desk, time.time).asked:
            afterwards()
    except Exception as exc:  # nobody is there to be told
        health.failed(desk.data, NAME, exc, time.time())
    finally:
        os._exit(0)


def read_all(desk: Workplace, clock: Callable[[], float], *, batch: str = "") -> ReadResult:
    """Calls until nothing is left or something is in the way, as one result; for a command (`batch`) a resting reader, too."""
    total, number = Counter[str](), 0
    while True:
        with locks.lock(desk.data, "judge", 0.0, kind="judge") as alone:
            made = _next(desk, clock(), by_hand=batch != "") if alone else ReadResult(why="another process reads at this moment")
            done = ask_and_apply(desk, made, partial(_ask_reader, desk), clock, batch) if isinstance(made, Batch) else made
        number += done.asked
        total.update(done.counts)
        if done.why or not done.asked:
            return ReadResult(number, total, done.why)


def _next(desk: Workplace, now: float, *, by_hand: bool = False) -> Batch | ReadResult:
    """What is asked next, signed; or why nothing is: all is read, the calls are used up, or the reader rests."""
    record, most = clients.recorded(desk.data), desk.settings.judge.calls_per_day
    if record.on(now) >= most:
        return ReadResult(why=f"judge.calls_per_day allows no more than {most} calls a day")
    if not by_hand and record.rests(now):
        return ReadResult(why=f"the reader failed {record.failures} times and pauses")
    if (made := prepare(desk, now)) is None:
        return ReadResult()
    with connection.open_store(desk.database, now=now, timeout_s=20.0) as db:
        secret = sqlite.meta(db, "nonce_secret").encode()
    nonce = hmac.new(secret, protocol.request(made.asked).encode(), "sha256").hexdigest()[:32]
    return made._replace(asked=made.asked._replace(nonce=nonce))


def ask_and_apply(
    desk: Workplace, made: Batch, ask: Callable[[str], str], clock: Callable[[], float], batch: str = ""
) -> ReadResult:
    """What comes of one request, whoever answers it, in one step that can be undone, a command's own where that is its `batch`; a
    failure is recorded alone. Nothing is done where something was purged meanwhile: a wording may be made of what is gone.
    """
    request = protocol.request(made.asked)
    counts = {"turns": len(made.typed), "sent": len(request.encode())}
    try:
        reply = ask(request)
        answer = protocol.believed(reply, made.asked)
    except JudgeError as exc:
        if clients.note(desk.data, clock(), counts, failure=str(exc)).failures >= 3:  # in a row; without a network it is no fault
            health.failed(desk.data, NAME, exc, clock())
        return ReadResult(len(made.typed), counts, str(exc))
    now = clock()
    with connection.open_store(desk.database, now=now, timeout_s=20.0) as db, connection.transaction(db):
        if change_log.last_purge(db) != made.purged:
            clients.note(desk.data, now, counts)  # it was paid for
            return ReadResult(why="something was purged meanwhile; it is asked again")
        act = Act(db, desk.settings, now, batch or next(rows.fresh_ids()), Who(Origin.TOOL, METHOD))
        done = _Outcome(act, made, own_matcher(files.directories(desk.env), desk.settings.extraction.languages))
        done.take(answer)
        sessions.mark_read(db, [*(one.message.id for one in made.typed), *made.gone])
    counts |= {"received": len(reply.encode("utf-8", "replace")), **done.counts}
    clients.note(desk.data, now, counts)
    places.beat(desk.data, NAME, now)
    return ReadResult(len(made.typed), counts)


def prepare(desk: Workplace, now: float) -> Batch | None:
    """What the next request asks; None where there is nothing to read."""
    with connection.open_store(desk.database, now=now, timeout_s=20.0) as db:
        return batch(db, desk, now)


def _ask_reader(desk: Workplace, request: str) -> str:
    """The reader's answer, asked from the same folder of its own each time: a client may note every folder it is run in."""
    folder = places.own_folder(os.path.join(desk.data, _FOLDER))
    limits = desk.settings.judge
    try:
        program = clients.program(limits.named, limits.small_model, desk.env, folder)
        return clients.answer(program, request, env=desk.env, folder=folder, timeout_s=limits.call_timeout_s)
    finally:
        clients.clean_up(folder)


class _Outcome:
    """What an answer does to a store, in the caller's transaction; `counts` says how often what was done."""

    def __init__(self, act: Act, made: Batch, matcher: Matcher) -> None:
        self.act, self.made, self.matcher = act, made, matcher
        self.counts = Counter[str]()
        self.fresh: list[str] = []  # ids of what this answer added
        keys = {one.message.id for one in made.typed}
        self.settled = candidates.settled_by_a_person(act.db, keys)
        made_of_them = candidates.from_messages(act.db, keys)  # by rules, of the same words
        self.rules = [one for one in made_of_them if (one[1].message_id, one[1].quote) not in self.settled]

    def take(self, answer: protocol.Answer) -> None:
        """Takes an answer about all of it. What rules made of these words goes first, unless kept, outliving that or settled."""
        keeps = [*filter(None, map(self._of_its_matter, answer.keeps))]
        quoted = [(self.made.typed[keep.n].message.id, keep.quote) for keep in keeps]
        own = [(keep, self._own(keep)) for keep in keeps]
        reworded = [None if keep.same_as or keep.replaces else mine for keep, mine in own]
        stay = {one.id for one in reworded if one} | {known.id for keep, _ in own if (known := self._live(keep.same_as))}
        for memory, evidence in self.rules:
            of_it = (quote for key, quote in quoted if key == evidence.message_id)
            lasts = memory.status is Status.ACTIVE and understood.outlives(memory, evidence.quote, of_it)
            if memory.id not in stay and not lasts and memory.store is records.Store.STM:
                self._change(ChangeType.STATUS, memory, memory._replace(status=Status.ARCHIVED), "drop")
        candidates.drop_typed(self.act.db, [one.message.id for one in self.made.typed], batch=self.act.batch)
        for (keep, mine), same in zip(own, reworded, strict=True):
            self._keep(keep, same)
            # What rules had settled at once goes where what the reader named or kept says it.
            at_once = mine and not same and mine.store is records.Store.LTM and self._live(mine.id)
            if mine and at_once and (other := self._again(mine, keep.same_as)) and other.id != mine.id:
                self._change(ChangeType.STATUS, mine, mine._replace(status=Status.ARCHIVED), "drop")
        for n, one in enumerate(self.made.stated):
            ruling = answer.proposals.get(n)
            self._rule_on_pending(one, ruling) if isinstance(one, candidates.NotKept) else self._rule_on(one, ruling)

    def _of_its_matter(self, keep: protocol.Keep) -> protocol.Keep | None:
        """What is kept, without ids of memories in its language that share no telling word with it; None for what is settled."""
        spoken = self.made.typed[keep.n].message.id
        if any(key == spoken and understood.same_words(quote, keep.quote) for key, quote in self.settled):
            return None
        languages = languages_of(fold(keep.quote), tuple(self.matcher.languages.values()))
        words = said.words_that_carry(f"{keep.quote} {keep.text}")

        def meant(key: str) -> str:
            known = self._live(key)
            apart = known and known.language in (*languages, "") and not said.share(said.words_that_carry(known.text), words)
            return "" if apart else key

        found = keep._replace(same_as=meant(keep.same_as), replaces=meant(keep.replaces))
        return found if found.same_as == keep.same_as or self._own(keep) else None  # rules made nothing of what is called known

    def _own(self, keep: protocol.Keep) -> Memory | None:
        """What rules alone made of the words that are kept."""
        spoken = self.made.typed[keep.n].message.id
        stated = ((memory, one.quote) for memory, one in self.rules if one.message_id == spoken)
        same = (memory for memory, quote in stated if understood.same_words(quote, keep.quote))
        return next((memory for memory in same if memory.status is Status.ACTIVE), None)

    def _keep(self, keep: protocol.Keep, mine: Memory | None) -> None:
        typed, db = self.made.typed[keep.n], self.act.db
        message = typed.message._replace(previous=typed.turn.previous)
        here = sessions.projects(db).get(typed.session.project or "")
        if (told := understood.candidate(keep, message, self.matcher, self.made.asked.typed)) is None:
            return
        made_of = self._bound(with_versions(told, here.root if here else ""), typed.session.project, here.root if here else "")
        if change_log.erased(db, [made_of.text, made_of.quote]):
            return
        if (named := self._live(keep.replaces)) and self._turns(made_of, named):
            made_of = made_of._replace(metadata=(*made_of.metadata, (admission.DOUBT, OPPOSITE)))
        if admission.DOUBT in dict(made_of.metadata):
            self._add(made_of, typed.session)
        elif known := self._live(keep.same_as) or self._again(made_of):
            self._confirm(known, made_of, typed.session)
        elif mine:
            self._reword(mine, made_of, typed.session)
        else:
            of_here = made_of.kind not in RULES or change_cues.is_of_here(f"{made_of.quote} {made_of.text}")
            widely = _tells_change(made_of) and not of_here  # a rule for all projects may end by one said in this
            ends = named and not named.pinned and (named.scope is made_of.scope or widely)
            self._add(made_of, typed.session, named if ends else None)

    def _bound(self, made_of: Candidate, project: str | None, root: str) -> Candidate:
        """The candidate without the reader's globs that match calls of most sessions, where its own words name no such calls."""
        fields = dict(made_of.metadata)
        if not (globs := fields.pop(read_only.CALLS, "").splitlines()):
            return made_of
        events = calls.lately(self.act.db, project)
        own = actionable("", made_of.text, made_of.language, files.files_below(root) if root else ())
        most = max(_FEW_SESSIONS, trigger_count(own, events, root) if own else 0, len({session for session, *_ in events}) // 2)
        kept = [one for one in globs if (rule := with_calls(None, "", [one])) and trigger_count(rule, events, root) <= most]
        return made_of._replace(metadata=tuple((fields | ({read_only.CALLS: "\n".join(kept)} if kept else {})).items()))

    def _turns(self, made_of: Candidate, known: Memory) -> bool:
        """Whether it is the opposite of what a person entered or pinned, or allows that, in words that tell of no change."""
        alike = compare.compared(made_of.text, known.text, made_of.kind, self.act.settings.reconcile)
        turned = known.scope is made_of.scope and _is_turned(made_of, known)
        firm = known.pinned or known.origin is Origin.USER_CLI
        return firm and (turned or alike.relation is compare.Relation.OPPOSITE) and not _tells_change(made_of)

    def _live(self, key: str) -> Memory | None:
        """The memory behind an id that was sent, where it is still in use."""
        memory = rows.by_id(self.act.db, key) if key else None
        return memory if memory and memory.status in LIVE else None

    def _again(self, made_of: Candidate | Memory, *keys: str) -> Memory | None:
        """What this answer kept before, or is behind `keys`, and says all that `made_of` says; no id could name it."""
        for one in filter(None, map(self._live, (*keys, *self.fresh))):
            alike = compare.compared(made_of.text, one.text, made_of.kind, self.act.settings.reconcile)
            is_of_it = alike.relation in (compare.Relation.RELATED, compare.Relation.AGAIN)
            told = is_of_it and compare.stems(made_of.text) < compare.stems(one.text)
            if alike.relation is compare.Relation.SAME or (told and not _is_turned(made_of, one)):
                return one
        return None

    def _confirm(self, known: Memory, made_of: Candidate, session: sessions.Session) -> None:
        again = session.id not in rows.sessions_of(self.act.db, [known.id])[known.id]
        after = forgetting.consolidated(known)._replace(
            session_count=known.session_count + again,
            confidence=forgetting.corroborated(known.confidence) if again else known.confidence,
            anchor_at=max(known.anchor_at, made_of.at or self.act.now),
        )
        if read_only.CALLS in dict(made_of.metadata) and known.kind in ENFORCED:  # it is said again because it was broken
            after = after.marked({read_only.CALLS: dict(made_of.metadata)[read_only.CALLS]})
        self._change(ChangeType.REINFORCE, known, after, "same", (made_of, session))

    def _reword(self, mine: Memory, made_of: Candidate, session: sessions.Session) -> None:
        """What rules had made of the same words, as the reader has understood it."""
        fields = tuple((dict(mine.metadata) | dict(made_of.metadata)).items())
        kept = forgetting.consolidated(mine)
        after = kept._replace(text=made_of.text, kind=made_of.kind, names=made_of.names, metadata=fields)
        if (after.text, after.kind) != (mine.text, mine.kind) and self._is_stored(after):
            after = kept
        self._change(ChangeType.EDIT, mine, after, "keep", (made_of, session))

    def _is_stored(self, one: Memory) -> bool:
        return bool(rows.stored(self.act.db, (digest(one.text), one.kind.value, one.project)))

    def _add(self, made_of: Candidate, session: sessions.Session, old: Memory | None = None) -> None:
        """A new memory, or what the words do to what is known; in place of `old` with its class, scope, tier and end."""
        db = self.act.db
        made_of = made_of._replace(scope=old.scope) if old else made_of
        how = self.act.planning(session.project, METHOD)._replace(session=session.id, agent=session.agent, rewords=True)
        made = search.planned(db, how, [made_of], search.neighbours(db, [made_of.text], project=session.project), old)
        self.act.apply(made)
        self.fresh += [one.memory_id for one in made if one.type is ChangeType.ADD]
        self.counts["replace" if old else "keep"] += bool(made)

    def _rule_on_pending(self, one: candidates.NotKept, ruling: protocol.Ruling | None) -> None:
        """Keeps, drops or leaves a statement of the agent that is pending still."""
        db = self.act.db
        if (session := sessions.session(db, one.session)) is None or not candidates.is_there(db, one):
            return
        if ruling and ruling.keep:
            candidates.settle_waiting(db, [one.seq], batch=self.act.batch)
            self._add(understood.of_agent(Verdict(one.candidate, waiting=True), ruling).candidate, session)
        else:
            self.counts["drop"] += ruling is not None
            candidates.mark_read(db, one, dropped=ruling is not None, batch=self.act.batch)

    def _rule_on(self, one: Memory, ruling: protocol.Ruling | None) -> None:
        """The same of one that the rules keep; not where it has changed while the reader was thinking."""
        now = rows.get(self.act.db, one.id)
        if now is None or (now.text, now.status, now.pinned) != (one.text, one.status, one.pinned):
            return
        if ruling is None:
            self._change(ChangeType.REINFORCE, now, now, "unsure")
        elif not ruling.keep:
            self._change(ChangeType.STATUS, now, now._replace(status=Status.ARCHIVED), "drop")
        else:
            text = understood.better(ruling.text, now.text, now.context)
            text = now.text if text != now.text and self._is_stored(now._replace(text=text)) else text
            self._change(ChangeType.EDIT, now, forgetting.consolidated(now)._replace(text=text, names=names_in(text)), "keep")

    def _change(self, kind: ChangeType, old: Memory, new: Memory, word: str, *heard: tuple[Candidate, sessions.Session]) -> None:
        """Writes what was done to a memory, with the reader's word as evidence, and what was said where that is why."""
        self.counts[word] += 1
        voice = Evidence(old.id, self.act.now, METHOD, Origin.TOOL, signals=(word,))
        for one, session in heard:
            voice = voice._replace(origin=one.origin, session=session.id, message_id=one.message_id, quote=one.quote)
        step = new if new == old else new._replace(updated_at=self.act.now)
        self.act.apply([Change(kind, old.id, old, step, f"read: {word}", voice)])


def _is_turned(one: Candidate | Memory, other: Memory) -> bool:
    return len({change_cues.is_negative(change_cues.without_denial(each.text)) for each in (one, other)}) > 1


def _tells_change(made_of: Candidate) -> bool:
    return change_cues.has_change_word(made_of.quote) or change_cues.is_from_now(made_of.quote)


def leave_note(desk: Workplace, now: float) -> None:
    """Leaves a note where the module looks, of when; none where there is nothing to read, or no call is left."""
    folder = folder_beside(desk.database)
    path = os.path.join(folder, NOTE)
    if isinstance(_next(desk, now), Batch):
        places.own_folder(folder)
        files.leave(path, json.dumps({"at": now}).encode())
    else:
        files.remove(path)


def next_request(desk: Workplace, now: float) -> str:
    """The next request; "" where there is nothing to read, or no call is left."""
    made = _next(desk, now)
    return protocol.request(made.asked) if isinstance(made, Batch) else ""


def take_answer(desk: Workplace, text: str, clock: Callable[[], float] = time.time) -> ReadResult:
    """What comes of the client's `reply` to a `request`, if that would be asked now. Raises JudgeError for no such object."""
    if not {"request", "reply"} <= (given := light_json.object_in(text.encode("utf-8", "replace"))).keys():
        raise JudgeError("the client's answer is no JSON object with `request` and `reply`")
    request, reply = str(given["request"]), str(given["reply"])
    with locks.lock(desk.data, "judge", 5.0, kind="judge") as alone:
        made = _next(desk, clock(), by_hand=True) if alone else ReadResult()
        if not isinstance(made, Batch):
            return ReadResult(why=made.why or "there is nothing to read now")
        if not hmac.compare_digest(protocol.request(made.asked).encode(), request.encode("utf-8", "replace")):
            return ReadResult(why="that request is not the one that waits; it is asked anew")
        return ask_and_apply(desk, made, lambda _request: reply, clock)
