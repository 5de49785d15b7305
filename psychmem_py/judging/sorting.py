"""What a store has not had judged is put before the judge in one request, and what it says is done.

Called by the detached child and by `psychmem judge --now`, by one process at a time. A call that fails changes nothing but the
record of calls; the rules' own verdicts stand.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from psychmem_py.curation.act import Act, Who
from psychmem_py.errors import JudgeError
from psychmem_py.extraction.wording import names_in
from psychmem_py.home import health, locks
from psychmem_py.judging import calls, clients, protocol, runner
from psychmem_py.judging.instructions import instructions
from psychmem_py.judging.judged import REASON, after, kind_after, text_after
from psychmem_py.judging.protocol import Ruling, Word
from psychmem_py.judging.unsorted import Unsorted, unsorted
from psychmem_py.memory.consolidation import consolidated
from psychmem_py.memory.reconcile import plan
from psychmem_py.model.records import Change, Evidence, Memory, Verdict
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import ChangeType, Gate, Origin, Status
from psychmem_py.store import candidates, rows, tombstones
from psychmem_py.store.alike import neighbours
from psychmem_py.store.candidates import Kept
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.text.tokenizer import digest

METHOD = "judge"  # of the evidence that tells a verdict
_TOLD_AFTER = 3  # failures in a row; a laptop without a network is no failure of ours
_FOLDER = "judge"


class SortingDesk(NamedTuple):
    """Where judging happens."""

    database: str | os.PathLike[str]
    data: str | os.PathLike[str]
    env: Mapping[str, str]
    settings: Settings
    agent: str = ""


class Sorted(NamedTuple):
    """What one call came to."""

    asked: int = 0
    counts: Mapping[str, int] = {}  # keep, maybe, drop, sent, received
    why: str = ""  # why nobody was asked, or what went wrong; "" when all went well


class Prepared(NamedTuple):
    """What the next request asks about; empty when there is nothing to ask."""

    waiting: list[Unsorted]
    request: str
    purged: str  # when something was purged last before it was read


def prepared(desk: SortingDesk, now: float) -> Prepared:
    """The next request."""
    with open_store(desk.database, now=now, timeout_s=20.0) as db:
        purged, waiting = tombstones.last_purge(db), unsorted(db, desk.env)
    if not waiting:
        return Prepared([], "", purged)
    batch = protocol.batches([one.item for one in waiting], instructions(), desk.settings.judge.chars_per_call)[0]
    return Prepared(waiting[: len(batch)], protocol.request(batch, instructions()), purged)


def sort(desk: SortingDesk, clock: Callable[[], float], *, by_hand: bool = False) -> Sorted:
    """One call of the judge, unless there is nothing to ask, the day's calls are used up, or it rests after a failure.

    By hand a resting judge is asked all the same. Raises nothing of the judge's own: `why` tells it.
    """
    with locks.lock(desk.data, "judge", 0.0, kind="judge") as alone:
        if not alone:
            return Sorted(why="another process is judging at this moment")
        now, limits = clock(), desk.settings.judge
        record = calls.read(desk.data)
        if record.on(now) >= limits.calls_per_day:
            return Sorted(why=f"{record.on(now)} calls were made today; judge.calls_per_day allows no more")
        if not by_hand and now < record.rests_until():
            return Sorted(why=f"the judge failed {record.failures} times and rests")
        waiting, request, purged = prepared(desk, now)
        if not waiting:
            return Sorted()
        sent = {"items": len(waiting), "sent": len(request)}
        try:
            reply = _asked(desk, request)
            rulings = protocol.rulings(reply, len(waiting))
            if not rulings:
                raise JudgeError(
                    "the judge's answer holds no verdict that can be read; `psychmem judge --now` shows whether it lasts"
                )
        except JudgeError as exc:
            _failed(desk, exc, calls.note(desk.data, clock(), sent, failure=str(exc)), clock())
            return Sorted(len(waiting), sent, str(exc))
        done = carried_out(desk, waiting, rulings, clock(), purged)
        counts = {**sent, "received": len(reply), **done}
        calls.note(desk.data, clock(), counts)
        health.beat(desk.data, METHOD, clock())
        return Sorted(len(waiting), counts)


def _failed(desk: SortingDesk, exc: JudgeError, record: calls.Calls, now: float) -> None:
    if record.failures >= _TOLD_AFTER:
        health.failed(desk.data, METHOD, exc, now)


def _asked(desk: SortingDesk, request: str) -> str:
    """The judge's answer, asked from a folder of its own that is the same each time: a client may note every folder it is run in."""
    folder = os.path.join(os.fspath(desk.data), _FOLDER)
    os.makedirs(folder, 0o700, exist_ok=True)
    if os.path.islink(folder):
        raise JudgeError(f"{folder} is a symbolic link; remove it, PsychMem makes the folder itself")
    limits = desk.settings.judge
    try:
        program = clients.program(limits.command, limits.small_model, desk.env, folder)
        return runner.answer(program, request, env=desk.env, folder=folder, timeout_s=limits.call_timeout_s)
    finally:
        clients.tidied(folder)


def carried_out(
    desk: SortingDesk, waiting: list[Unsorted], rulings: Mapping[int, Ruling], now: float, purged: str
) -> dict[str, int]:
    """How often each word was said; what an answer leaves out counts as maybe, so that it is not asked again for ever.

    Nothing is done from where something was purged since `purged`: a wording may be made of what is gone. It is asked again.
    """
    counts: Counter[str] = Counter()
    ids = rows.fresh_ids()
    with open_store(desk.database, now=now, timeout_s=20.0) as db:
        act = Act(db, desk.settings, now, next(ids), Who(Origin.TOOL, desk.agent, ""))
        for n, one in enumerate(waiting):
            ruling = rulings.get(n, Ruling(Word.MAYBE))
            with transaction(db):
                if tombstones.last_purge(db) != purged:
                    break
                counts[ruling.word.value] += 1
                rule_on(act, one.memory, one.candidate, ruling, one.sources)
    return {word.value: counts[word.value] for word in Word}


def rule_on(act: Act, memory: Memory | None, candidate: Kept | None, ruling: Ruling, sources: tuple[str, str] = ("", "")) -> None:
    """Does what a ruling says to a memory that was only heard, or to a candidate; `sources` are what bears a new wording out."""
    if memory is not None:
        _judge_memory(act, memory, ruling, sources)
    elif candidate is not None:
        _judge_candidate(act, candidate, ruling, sources)


def _judge_memory(act: Act, asked: Memory, ruling: Ruling, sources: tuple[str, str]) -> None:
    """Keeps, rewords and settles a memory, or archives it; not one that has changed while the judge was thinking."""
    before = rows.get(act.db, asked.id)
    if before is None or (before.text, before.status, before.pinned) != (asked.text, asked.status, asked.pinned):
        return
    if ruling.word is Word.DROP:
        change(act, ChangeType.STATUS, before, before._replace(status=Status.ARCHIVED), ruling)
    elif ruling.word is Word.MAYBE:
        change(act, ChangeType.REINFORCE, before, before, ruling)
    else:
        after = kept(before, ruling, sources)
        told_anew = (after.text, after.kind) != (before.text, before.kind)
        if told_anew and rows.is_stored(act.db, digest(after.text), after.kind.value, after.project):
            after = consolidated(before)  # another memory already says exactly that
        change(act, ChangeType.EDIT, before, after, ruling)


def kept(memory: Memory, ruling: Ruling, sources: tuple[str, str]) -> Memory:
    """The memory as a judge's `keep` leaves it: consolidated, in a better wording and class where both may be. Never more trusted."""
    text = text_after(memory.text, ruling, sources)
    names = memory.names if text == memory.text else names_in(text)
    return consolidated(memory._replace(text=text, kind=kind_after(memory.kind, ruling, memory.origin), names=names))


def change(act: Act, kind: ChangeType, before: Memory, after: Memory, ruling: Ruling) -> None:
    """Writes what a ruling did to a memory, with the ruling as evidence."""
    voice = Evidence(before.id, act.now, METHOD, Origin.TOOL, signals=(ruling.word.value,))
    step = after if after == before else after._replace(updated_at=act.now)
    act.apply([Change(kind, before.id, before, step, f"{REASON}: {ruling.word.value}", voice)])


def _judge_candidate(act: Act, item: Kept, ruling: Ruling, sources: tuple[str, str]) -> None:
    """Makes a candidate a memory, turns it down, or leaves it as it was."""
    if not candidates.is_there(act.db, item):
        return
    if ruling.word is not Word.KEEP:
        drop = ruling.word is Word.DROP
        gate = Gate.JUDGE.value if drop else item.gate
        reason = REASON if drop else f"{item.reason}, {REASON}: maybe"
        candidates.answer(act.db, [item.seq], gate, reason, batch=act.batch)
        return
    verdict = after(Verdict(item.candidate, waiting=True), ruling, sources, act.settings)
    candidate = verdict.candidate._replace(names=names_in(verdict.candidate.text))
    known = neighbours(act.db, [candidate.text], project=item.project)
    made = plan(
        [candidate], known, act.settings, act.now, project=item.project, session=item.session, agent=act.who.agent,
        ids=rows.fresh_ids(), stated=rows.sessions_of(act.db, [memory.id for memory in known]),
    )  # fmt: skip
    act.apply(made)
    candidates.settle_waiting(act.db, [item.seq], batch=act.batch)
    for fresh in [change.memory_id for change in made if change.type is ChangeType.ADD]:
        memory = rows.get(act.db, fresh)
        if memory is not None and memory.status is Status.ACTIVE:
            change(act, ChangeType.REINFORCE, memory, memory, ruling)
