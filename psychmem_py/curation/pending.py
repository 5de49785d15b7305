"""What is pending: the one list, and its length the one number, of what a person is asked about; and what each answer does."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import permutations
from typing import NamedTuple

from psychmem_py.curation import actions, history
from psychmem_py.curation.act import PERSON, Act, Outcome, Who
from psychmem_py.errors import NotFoundError, RefusedError, refuse_if
from psychmem_py.memory.admission import AUTHOR, DOUBT, FAULTS, FOR_NOW, PASTED, SPEAKERS
from psychmem_py.memory.forgetting import consolidated, has_expired, has_faded, is_note_gone
from psychmem_py.model import records
from psychmem_py.model.light_record import LIVE, RECALLABLE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import HUMAN, Change, ChangeType, Evidence, LinkType, Memory, Origin, Scope, Status, Store
from psychmem_py.model.settings import Settings
from psychmem_py.store import candidates, change_log, episodes, rows, sessions
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import clip

MOST = 20  # of each kind: more is read by nobody
SOON_D = 7  # what will have faded within so many days is about to


class InboxItem(NamedTuple):
    """One thing to be answered: a memory, or a candidate that waits; with what stands against it."""

    id: str
    text: str
    project: str | None
    said_at: float  # which may be long before it was read
    memory: Memory | None
    against: tuple[Memory, ...] = ()
    candidate: candidates.NotKept | None = None
    words_around: str = ""  # what was typed around it; "" where nothing more was, or is known

    @property
    def rivals(self) -> tuple[Memory, ...]:
        """What contradicts a memory in use, is in use too, and holds in all projects, or in one, as it does: this is dropped."""
        one = self.memory if self.memory and self.memory.status in LIVE else None
        return tuple(other for other in self.against if one and other.status in LIVE and other.scope is one.scope)


def of_memory(one: Memory, against: Iterable[Memory] = ()) -> InboxItem:
    """A memory to be asked about, with what stands against it."""
    return InboxItem(one.id, one.text, one.project, one.created_at, one, tuple(against))


def why_it_waits(memory: Memory) -> str:
    """Why a quarantined memory was not let in, in words: what was doubted about it, else who said it."""
    fields, by = dict(memory.metadata), SPEAKERS.get(memory.origin)
    if why := fields.get(DOUBT, ""):
        return "perhaps somebody else's words" if why == PASTED else why
    return f"{fields[AUTHOR]} said it" if fields.get(AUTHOR) else f"{by} said it, no person" if by else "put there by hand"


def items(
    db: sqlite3.Connection, *, project: str | None, all_projects: bool = False, heard: bool = False, waiting: bool = False
) -> list[InboxItem]:
    """What needs a person's approval; `heard` adds what was said once, `waiting` all that is uncertain, not only the surest."""
    chosen = {one.id: one for one in rows.listed(db, project=project, all_projects=all_projects, statuses=[Status.QUARANTINED])}
    live = {one.id: one for one in rows.listed(db, project=project, all_projects=all_projects)}
    known, against = live | chosen, dict[str, list[Memory]]()
    for link in (one for one in reversed(rows.links(db)) if one.type is LinkType.CONTRADICTS):
        ends = (known.get(key) or rows.get(db, key) for key in (link.source, link.target))
        pair = [end for end in ends if end and (all_projects or end.project in (None, project))]
        for one, other in permutations(pair, 2):
            against.setdefault(one.id, []).append(other)
        if len(pair) == 2 and all(one.id in live for one in pair) and pair[0].scope is pair[1].scope:
            newer = max(pair, key=lambda one: (one.created_at, one.id))
            chosen[newer.id] = newer
    chosen |= {key: one for key, one in live.items() if is_note_gone(one) or (heard and one.store is Store.STM)}
    inbox = [of_memory(one, against.get(one.id, ())) for one in chosen.values()]
    uncertain = candidates.waiting(db, project=project, all_projects=all_projects)
    if not waiting:
        typed = [one for one in uncertain if one.candidate.origin in HUMAN]
        typed.sort(  # first what can be understood alone and was not said for the task at hand, then the more certain
            key=lambda one: (one.reason not in FAULTS, one.reason not in FOR_NOW, one.candidate.confidence, one.at), reverse=True
        )
        uncertain = typed[: max(0, MOST - len(inbox))]
    return [*inbox, *(of_candidate(db, one) for one in uncertain)]


def of_candidate(db: sqlite3.Connection, one: candidates.NotKept) -> InboxItem:
    """A candidate to be asked about, with the exchange that says when it was said and in which words."""
    led, found = episodes.kept(db, session=one.session), one.candidate
    exchange = next((said for said in led if said.message_id == found.message_id), None)
    around = exchange.typed if exchange and exchange.typed != found.text else ""
    at = next((said.at for said in (exchange, *led) if said), one.at)  # what was too little to be kept was said about then
    return InboxItem(one.key, found.text, one.project, at, None, (), one, around)


def today(
    db: sqlite3.Connection, project: str | None, settings: Settings, now: float, *, all_projects: bool = False
) -> tuple[list[Memory], list[InboxItem], list[Memory]]:
    """What was kept since the person's day began, newest first; all that is pending; what is no longer shown in SOON_D days."""
    began = datetime.fromtimestamp(now).astimezone().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    live = rows.listed(db, project=project, all_projects=all_projects, statuses=LIVE)
    kept, older = ([one for one in live if (one.created_at >= began) is wanted] for wanted in (True, False))
    later = now + SOON_D * DAY_S
    unused = ((one, one._replace(worked_d=one.worked_d + SOON_D)) for one in older if one.status in RECALLABLE)
    fading = [one for one, then in unused if has_faded(then, later, settings) or has_expired(then, later, settings)]
    return kept[:MOST], items(db, project=project, all_projects=all_projects), fading[:MOST]


def names_candidate(key: str) -> bool:
    return key.startswith("w") and key[1:].isdecimal()


def item_of(db: sqlite3.Connection, key: str, who: Who = PERSON) -> InboxItem:
    """What an id of `items` names. Raises NotFoundError for a candidate that is not there or belongs to another project."""
    if names_candidate(key):
        for one in candidates.by_key(db, key):
            if who.may(Action.ELSEWHERE) or one.project in (None, who.here):
                return of_candidate(db, one)
        raise NotFoundError(f"{key} is no longer pending; `psychmem review --waiting` shows what is")
    memory = who.find(db, key)
    against = (step.memory for step in history.steps(db, memory.id) if step.link.type is LinkType.CONTRADICTS)
    return of_memory(memory, (other for other in against if other.status in LIVE and who.may(Action.LOOK, other)))


def recheck(db: sqlite3.Connection, shown: InboxItem) -> InboxItem:
    """The item as it is now. Raises RefusedError where its text is no longer what was shown: to that nobody has answered."""
    now = item_of(db, shown.id)
    refuse_if(now.text != shown.text, f"{shown.id[:8]} says by now: {now.text}; `psychmem review` shows it again")
    return now


def answer(act: Act, chosen: Sequence[InboxItem], dropped: Iterable[InboxItem] = ()) -> list[Outcome]:
    """Accepts some and drops others. Of a pair that contradict each other the other goes, unless both are accepted."""
    named = {one.id for one in chosen}
    for one in chosen:
        if any(other.id in named for other in one.against):
            keep_both(act, one)
    kept = [keep(act, one._replace(against=tuple(other for other in one.against if other.id not in named))) for one in chosen]
    for one in dropped:
        drop(act, one)
    return kept


def keep(act: Act, one: InboxItem, *, text: str | None = None, scope: Scope | None = None, project: str | None = None) -> Outcome:
    """Lets it in as it is, or worded or placed anew. Of a pair the other goes out of use."""
    if one.candidate:
        home = (project or one.project) if (scope or one.candidate.candidate.scope) is Scope.PROJECT else None
        one, scope = of_memory(_taken_up(act, one, home)), None
    assert one.memory is not None
    outcome = Outcome(one.memory, ())
    if one.rivals:
        actions.forget(act, [other.id for other in one.rivals], reason="contradicted")
    if one.memory.status is Status.QUARANTINED or one.memory.store is Store.STM:
        outcome = actions.accept(act, one.memory.id)
        if one.memory.origin is Origin.IMPORT:  # what was heard was compared then
            from psychmem_py.memory.reconcile import rivals  # noqa: PLC0415  # as below
            from psychmem_py.store.search import neighbours  # noqa: PLC0415

            act.apply(rivals(act.planning(one.project), outcome.memory, neighbours(act.db, [one.text], project=one.project)))
    if text is not None or scope is not None:
        outcome = actions.edit(act, one.memory.id, actions.Edit(text=text, scope=scope, project=project))
    return outcome


def _taken_up(act: Act, one: InboxItem, home: str | None) -> Memory:
    """The memory of a candidate that was kept: said by whom, when and where it was heard. Raises RefusedError for one purged."""
    from psychmem_py.store.search import neighbours, planned  # noqa: PLC0415  # a status line that counts needs none

    assert one.candidate is not None
    found = one.candidate.candidate._replace(scope=Scope.USER if home is None else Scope.PROJECT, at=one.said_at)
    found = found._replace(context=found.context or clip(one.words_around, records.CONTEXT_CHARS))
    known = sessions.session(act.db, one.candidate.session)
    how = act.planning(home)._replace(session=one.candidate.session, agent=known.agent if known else "")
    changes = planned(act.db, how, [found], neighbours(act.db, [one.text], project=home))
    if not changes or change_log.erased(act.db, [one.text]):
        raise RefusedError("this was forgotten or purged on purpose; word it anew with `psychmem remember`")
    act.apply(changes)
    candidates.settle_waiting(act.db, [one.candidate.seq], batch=act.batch)
    made = next((change for change in changes if change.type is not ChangeType.SUPERSEDE), changes[-1])
    return rows.by_id(act.db, made.memory_id)


def keep_both(act: Act, one: InboxItem) -> None:
    """Says that a pair is no contradiction."""
    for link in rows.links(act.db, one.id) if one.memory else ():
        if link.type is LinkType.CONTRADICTS:
            actions.unlink(act, link.source, link.target, LinkType.CONTRADICTS)


def drop(act: Act, one: InboxItem) -> list[Outcome]:
    """Takes it out of use; a candidate is not proposed again unless it is said again."""
    if one.memory is not None:
        return actions.forget(act, [one.memory.id])
    if one.candidate is not None:
        candidates.settle_waiting(act.db, [one.candidate.seq], batch=act.batch, reason=candidates.DROPPED)
    return []


def record_answer(act: Act, one: InboxItem, *, keep: bool) -> None:
    """Records a person's answer to what rules alone picked out. Raises RefusedError for what a person must answer directly."""
    memory, waiting = one.memory, one.candidate
    if memory and (memory.status not in LIVE or memory.pinned or (memory.store is not Store.STM and memory.origin in HUMAN)):
        raise RefusedError(f"{one.id} is the user's to answer; `psychmem review` in a terminal of their own does it")
    if memory:
        after = consolidated(memory) if keep else memory._replace(status=Status.ARCHIVED)
        word, kind = ("keep", ChangeType.EDIT) if keep else ("drop", ChangeType.STATUS)
        voice = Evidence(memory.id, act.now, "review", Origin.TOOL, act.who.session, signals=(word,))
        act.apply([Change(kind, memory.id, memory, after._replace(updated_at=act.now), f"answered: {word}", voice)])
    elif waiting and keep:
        waiting = waiting._replace(candidate=waiting.candidate._replace(store=Store.LTM))
        _taken_up(act, one._replace(candidate=waiting), one.project)
    else:
        drop(act, one)
