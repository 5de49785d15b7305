"""What is pending: the one list, and its length the one number, of what a person is asked about. Reads only; `inbox` does the answers."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.memory.admission import DOUBT, FAULTS, FOR_NOW
from psychmem_py.memory.forgetting import is_note_gone, retrievability_in
from psychmem_py.model.light_values import LIVE
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import HUMAN, LinkType, Origin, Status, Store
from psychmem_py.recall.selection import FADED
from psychmem_py.store import candidates, episodes, overview, rows
from psychmem_py.store.candidates import Kept
from psychmem_py.store.episodes import Episode

MOST = 20  # of each kind: more is read by nobody


class InboxItem(NamedTuple):
    """One thing to be answered: a memory, or a candidate that waits; with what stands against it."""

    memory: Memory | None
    candidate: Kept | None
    against: tuple[Memory, ...] = ()
    exchange: Episode | None = None  # in which it was said, or its conversation began; None: no longer kept

    @property
    def id(self) -> str:
        return self.memory.id if self.memory else self.candidate.key if self.candidate else ""

    @property
    def text(self) -> str:
        return self.memory.text if self.memory else self.candidate.candidate.text if self.candidate else ""

    @property
    def said_at(self) -> float:
        """When it was said, which may be long before it was read."""
        if self.memory:
            return self.memory.created_at
        return self.exchange.at if self.exchange else self.candidate.at if self.candidate else 0.0

    @property
    def words_around(self) -> str:
        """What was typed around it; "" where nothing more was, or is known."""
        one = self.exchange
        here = one and self.candidate and one.message_id == self.candidate.candidate.message_id
        return one.typed if one and here and one.typed != self.text else ""

    @property
    def project(self) -> str | None:
        return self.memory.project if self.memory else self.candidate.project if self.candidate else None

    @property
    def is_pair(self) -> bool:
        """Whether it is a memory in use that another one in use contradicts."""
        return self.memory is not None and self.memory.status in LIVE and bool(self.against)


_NOT_YOURS = {
    Origin.ASSISTANT: "the agent said it, no person",
    Origin.TOOL: "a tool said it, no person",
    Origin.FILE: "a file says it, no person",
    Origin.IMPORT: "it was imported, and may be anybody's",
    Origin.SYNC: "it came from elsewhere",
}


def why_it_waits(memory: Memory) -> str:
    """Why a quarantined memory was not let in, in words: what was doubted about it, else who said it."""
    return dict(memory.metadata).get(DOUBT, "") or _NOT_YOURS.get(memory.origin, "put there by hand")


def items(
    db: sqlite3.Connection, *, project: str | None, all_projects: bool = False, heard: bool = False, waiting: bool = False
) -> list[InboxItem]:
    """What needs a person's approval: quarantined memories, pairs that contradict each other, what came from a note that the client
    deleted; then, up to MOST in all, what a person said and the rules are not sure of, the surest first. With `heard` also what was said
    once, with `waiting` all that is uncertain; what nobody answers goes by itself.
    """
    memories = rows.listed(db, project=project, all_projects=all_projects, statuses=[Status.QUARANTINED])
    live = {one.id: one for one in rows.listed(db, project=project, all_projects=all_projects)}
    known = {**live, **{one.id: one for one in memories}}
    against: dict[str, list[Memory]] = {}
    pairs: dict[str, Memory] = {}
    for link in overview.links(db):
        if link.type is not LinkType.CONTRADICTS:
            continue
        source, target = (known.get(end) or rows.get(db, end) for end in (link.source, link.target))
        if source is None or target is None:
            continue
        against.setdefault(source.id, []).append(target)
        against.setdefault(target.id, []).append(source)
        if source.id in live and target.id in live:
            newer = max(source, target, key=lambda one: (one.created_at, one.id))
            pairs[newer.id] = newer
    chosen = [*memories, *pairs.values(), *(one for one in live.values() if is_note_gone(one) and one.id not in pairs)]
    if heard:
        chosen += [one for one in live.values() if one.store is Store.STM and one not in chosen]
    inbox = [InboxItem(one, None, tuple(against.get(one.id, ()))) for one in chosen]
    uncertain = candidates.waiting(db, project=project, all_projects=all_projects)
    if not waiting:
        typed = [one for one in uncertain if one.candidate.origin in HUMAN]
        typed.sort(key=_promise, reverse=True)
        uncertain = typed[: max(0, MOST - len(inbox))]
    return [*inbox, *(of_candidate(db, one) for one in uncertain)]


def _promise(one: Kept) -> tuple[int, float, float, float]:
    """What is likelier to be worth a person's key: what can be read alone and was not said for the task at hand; then the surer."""
    alone = one.reason not in FAULTS
    return alone + (alone and one.reason not in FOR_NOW), one.candidate.confidence, one.candidate.importance, one.at


def of_candidate(db: sqlite3.Connection, one: Kept) -> InboxItem:
    """A candidate to be asked about, with the exchange that says when it was said and in which words."""
    return InboxItem(None, one, (), episodes.said_in(db, one.session, one.candidate.message_id))


SOON_D = 7  # what will have faded within so many days is about to


class Today(NamedTuple):
    """Memories of the person and of one project."""

    kept: tuple[Memory, ...]  # since the day began, newest first
    pending: tuple[InboxItem, ...]  # all of it
    fading: tuple[Memory, ...]  # no longer told within SOON_D days unless said or used again


def today(
    db: sqlite3.Connection, project: str | None, settings: Settings, *, began: float, now: float, all_projects: bool = False
) -> Today:
    """What there is to look at; `began` is when the person's day began."""
    live = rows.listed(db, project=project, all_projects=all_projects, statuses=LIVE)
    kept = [one for one in live if one.created_at >= began]
    fading = [
        one
        for one in live
        if one not in kept and retrievability_in(one, 0, now, settings) >= FADED > retrievability_in(one, SOON_D, now, settings)
    ]
    return Today(tuple(kept[:MOST]), tuple(items(db, project=project, all_projects=all_projects)), tuple(fading[:MOST]))
