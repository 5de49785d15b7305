"""What each answer to something pending does."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from psychmem_py.curation import actions
from psychmem_py.curation.act import PERSON, Act, Outcome, Who
from psychmem_py.curation.actions import Edit, unlink
from psychmem_py.curation.pending import InboxItem, of_candidate
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.memory.forgetting import consolidated
from psychmem_py.memory.reconcile import plan
from psychmem_py.model.light_values import LIVE
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Change, Evidence
from psychmem_py.model.terms import HUMAN, ChangeType, LinkType, Origin, Scope, Status, Store
from psychmem_py.store import candidates, rows
from psychmem_py.store.alike import neighbours


def item(db: sqlite3.Connection, key: str, who: Who = PERSON) -> InboxItem:
    """What an id of `items` names. Raises NotFoundError for a candidate that is not there, or is another project's and not to be seen."""
    if candidates.is_key(key):
        one = candidates.by_key(db, key)
        if one and (who.may(Deed.ELSEWHERE) or one.project in (None, who.here)):
            return of_candidate(db, one)
        raise NotFoundError(f"{key} is no longer pending; `psychmem review --waiting` shows what is")
    memory = who.one(db, key)
    ends = {end for tie in rows.links(db, memory.id) if tie.type is LinkType.CONTRADICTS for end in (tie.source, tie.target)}
    known = rows.several(db, sorted(ends - {memory.id}))
    return InboxItem(memory, None, tuple(other for other in known.values() if other.status in LIVE))


def must_be_for_agents(one: InboxItem) -> None:
    """Raises RefusedError for what a person answers by themselves: an agent may only sort what rules alone picked out."""
    memory = one.memory
    if memory and (memory.status not in LIVE or memory.pinned or (memory.store is not Store.STM and memory.origin in HUMAN)):
        raise RefusedError(f"{one.id} is the user's to answer; `psychmem review` in a terminal of their own does it")


def as_shown(db: sqlite3.Connection, shown: InboxItem) -> InboxItem:
    """The item as it is now. Raises RefusedError where it says something else than it was shown to say: that nobody has answered."""
    now = item(db, shown.id)
    if now.text != shown.text:
        raise RefusedError(f"{shown.id[:8]} says by now: {now.text}; `psychmem review` shows it again")
    return now


def keep_all(act: Act, chosen: Sequence[InboxItem]) -> list[Outcome]:
    """Lets several in. Of a pair that contradict each other the other goes out of use, unless both are named: then they stand together."""
    named = {one.id for one in chosen}
    for one in chosen:
        if any(other.id in named for other in one.against):
            keep_both(act, one)
    return [keep(act, one._replace(against=tuple(other for other in one.against if other.id not in named))) for one in chosen]


def keep(act: Act, one: InboxItem, *, text: str | None = None, scope: Scope | None = None, project: str | None = None) -> Outcome:
    """Lets it in as it is, or worded or placed anew. Of a pair the other goes out of use."""
    if one.memory is None:
        return _kept_candidate(act, one, text, scope, project)
    outcome = Outcome(one.memory, ())
    if one.is_pair:
        actions.forget(act, [other.id for other in one.against if other.status in LIVE], reason="contradicted")
    if one.memory.status is Status.QUARANTINED or one.memory.store is Store.STM:
        outcome = actions.accept(act, one.memory.id)
    if text is not None or scope is not None:
        outcome = actions.edit(act, one.memory.id, Edit(text=text, scope=scope, project=project))
    return outcome


def keep_both(act: Act, one: InboxItem) -> None:
    """Says that a pair is no contradiction."""
    if one.memory is None:
        return
    for link in rows.links(act.db, one.memory.id):
        if link.type is LinkType.CONTRADICTS:
            unlink(act, link.source, link.target, LinkType.CONTRADICTS)


def drop(act: Act, one: InboxItem) -> list[Outcome]:
    """Takes it out of use; a candidate is not proposed again unless it is said again."""
    if one.memory is not None:
        return actions.forget(act, [one.memory.id])
    if one.candidate is not None:
        candidates.settle_waiting(act.db, [one.candidate.seq], batch=act.batch, reason=candidates.DROPPED)
    return []


def answered_by_quote(act: Act, one: InboxItem, *, keep: bool) -> None:
    """Writes down what the person answered in a conversation of what rules alone picked out: confirmed, or put away; no more trusted."""
    if one.memory is not None:
        memory = one.memory
        after = consolidated(memory) if keep else memory._replace(status=Status.ARCHIVED)
        word, kind = ("keep", ChangeType.EDIT) if keep else ("drop", ChangeType.STATUS)
        voice = Evidence(memory.id, act.now, "review", Origin.TOOL, act.who.session, signals=(word,))
        act.apply([Change(kind, memory.id, memory, after._replace(updated_at=act.now), f"answered: {word}", voice)])
    elif one.candidate is not None:
        if keep:
            stated_once = one.candidate
            candidate = stated_once.candidate._replace(store=Store.LTM)
            near = neighbours(act.db, [candidate.text], project=stated_once.project)
            act.apply(
                plan(
                    [candidate], near, act.settings, act.now, project=stated_once.project, session=stated_once.session, agent=act.who.agent,
                    ids=rows.fresh_ids(), stated=rows.sessions_of(act.db, [other.id for other in near]),
                )
            )  # fmt: skip
        why = candidates.KEPT if keep else candidates.DROPPED
        candidates.settle_waiting(act.db, [one.candidate.seq], batch=act.batch, reason=why)


def _kept_candidate(act: Act, one: InboxItem, text: str | None, scope: Scope | None, project: str | None) -> Outcome:
    if one.candidate is None:
        raise NotFoundError("there is nothing to keep")
    candidate = one.candidate.candidate
    wanted = scope or candidate.scope
    at_home = project or one.candidate.project
    if wanted is Scope.PROJECT and at_home is None:
        wanted = Scope.USER
    entry = Entry(
        text or candidate.text,
        candidate.kind,
        wanted,
        at_home if wanted is Scope.PROJECT else None,
        candidate.quote,
        names=candidate.names,
    )
    outcome = remember(act, entry)
    candidates.settle_waiting(act.db, [one.candidate.seq], batch=act.batch)
    return outcome
