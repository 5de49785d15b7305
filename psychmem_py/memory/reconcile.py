"""What new statements do to what is known: reinforce, merge, supersede, contradict, or stand beside it. Pure; the rules as one
table: docs/lifecycle.md.

Nothing is deleted here. A statement only replaces one it is trusted as much as, in the same place (scope and project), and the
old one stays, linked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.memory.admission import DOUBT, NO_PROJECT, admitted, doubt, new_memory
from psychmem_py.memory.compare import Comparison, Relation, compared, compared_across
from psychmem_py.memory.forgetting import consolidated, store_of
from psychmem_py.memory.strength import clamped, corroborated, interference, novelty, rescored
from psychmem_py.model.light_record import KEPT
from psychmem_py.model.records import (
    HUMAN,
    RULES,
    TRUST,
    Candidate,
    Change,
    ChangeType,
    Evidence,
    Link,
    LinkType,
    Memory,
    Scope,
    Status,
    Store,
)
from psychmem_py.model.settings import Reconcile, Settings
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import content_words, digest

MOST_NEIGHBOURS = 200  # compared with one statement


class Provenance(NamedTuple):
    """Where and by whom something was stated."""

    project: str | None
    session: str
    agent: str
    method: str = "sweep"


def plan(
    candidates: Sequence[Candidate],
    known: Sequence[Memory],
    settings: Settings,
    now: float,
    *,
    project: str | None,
    session: str,
    agent: str,
    ids: Iterator[str] | Callable[[], str],
    stated: Mapping[str, Collection[str]] | None = None,
    method: str = "sweep",
    replaces: Memory | None = None,
) -> list[Change]:
    """The changes that make `candidates` known, in order. Planning again with the result known changes only counts.

    `known` are neighbours: those of the user and of this project, forgotten ones among them. `stated` gives the sessions that
    stated each of them (`memories.sessions_of`); without it every session but a memory's first counts as a new one.
    """
    planning = _Planning(
        known, settings, now, Provenance(project, session, agent, method), ids if callable(ids) else ids.__next__, stated or {}
    )
    for candidate in candidates:
        planning.take(candidate, replaces)
    return planning.changes


def forgotten_before(
    candidates: Sequence[Candidate], known: Sequence[Memory], settings: Settings, now: float, *, project: str | None
) -> list[Candidate]:
    """Those of which `plan` makes nothing, for a person has forgotten them on purpose."""
    if all(memory.status is not Status.FORGOTTEN for memory in known):
        return []
    planning = _Planning(known, settings, now, Provenance(project, "", ""), str, {})
    return [one for one in candidates if planning.was_forgotten(one)]


def warnings(changes: Sequence[Change]) -> list[str]:
    """What a person should be told about these changes: rules that contradict each other. One reason each."""
    return [change.reason for change in changes if change.link is not None and change.link.type is LinkType.CONTRADICTS]


def turned_by(candidate: Candidate, known: Sequence[Memory], settings: Settings) -> Memory | None:
    """What a statement, whose place nobody named, says it replaces in another place: it holds where that held."""
    for memory in known:
        alike = TRUST[memory.origin] == TRUST[candidate.origin] and memory.status in KEPT
        comparable = alike and memory.scope is not candidate.scope
        if comparable and _comparison(candidate, memory, settings.reconcile).relation is Relation.CHANGED:
            return memory
    return None


def _comparison(new: Candidate | Memory, known: Memory, limits: Reconcile) -> Comparison:
    """What a statement is to a known one; across classes only by what it asserts."""
    if new.kind is known.kind:
        return compared(new.text, known.text, known.kind, limits)
    return compared_across(new.text, known.text, (new.kind, known.kind), limits)


class _Planning:
    """The known memories as they become, while one candidate after another is taken up."""

    def __init__(  # noqa: PLR0917
        self,
        known: Sequence[Memory],
        settings: Settings,
        now: float,
        provenance: Provenance,
        fresh: Callable[[], str],
        stated: Mapping[str, Collection[str]],
    ) -> None:
        self.settings, self.now, self.provenance, self.fresh = settings, now, provenance, fresh
        self.known = {memory.id: memory for memory in known}
        self.stated = {key: set(sessions) for key, sessions in stated.items()}
        self.changes: list[Change] = []

    def take(self, candidate: Candidate, replaces: Memory | None = None) -> None:
        draft = self._draft(candidate)
        near = self._near(draft)
        changed = [
            memory for memory, comparison in near if comparison.relation is Relation.CHANGED and _same_place(memory, draft)
        ]
        if replaces and self._may_replace(draft, named := replaces):
            self.known[named.id] = named
            untrue = [memory for memory in changed if memory.id != named.id and self._may_replace(draft, memory)]
            draft = _living_like(draft, named)
            self._add(draft, candidate, near, replaced=[named, *untrue])
            return
        if self._was_forgotten(draft, near):
            return
        same = self._best(near, draft, Relation.SAME) or self._best(near, draft, Relation.WIDER)
        pending = same and same.status is Status.QUARANTINED and draft.status is not Status.QUARANTINED
        if same and not pending and TRUST[draft.origin] <= TRUST[same.origin]:
            self._reinforce(same, draft, candidate)
        elif same:
            self._add(draft, candidate, near, replaced=[same, *changed])  # a person says it now: their words stand
        elif changed:
            self._change(draft, candidate, near, changed)
        else:
            self._add(draft, candidate, near)

    def _may_replace(self, draft: Memory, known: Memory) -> bool:
        """Whether a statement may take another's place because somebody says so: another one, of no higher trust."""
        trusted = TRUST[known.origin] <= TRUST[draft.origin] and draft.status is not Status.QUARANTINED
        return trusted and known.status in KEPT and digest(known.text) != digest(draft.text)

    def was_forgotten(self, candidate: Candidate) -> bool:
        draft = self._draft(candidate)
        return self._was_forgotten(draft, self._near(draft))

    def _draft(self, candidate: Candidate) -> Memory:
        """The memory a candidate would become if nothing were known."""
        at = min(self.now, candidate.at) if candidate.at else self.now
        policy = self.settings.policy(candidate.kind)
        why = dict(candidate.metadata).get(DOUBT) or doubt(candidate.text, candidate.origin)
        if not why and candidate.scope is Scope.PROJECT and self.provenance.project is None and candidate.origin in HUMAN:
            why = NO_PROJECT
        project, status = admitted(candidate.kind, candidate.scope, self.provenance.project, candidate.origin, doubted=bool(why))
        memory = new_memory(
            candidate.text,
            kind=candidate.kind,
            policy=policy,
            project=project,
            origin=candidate.origin,
            importance=clamped(candidate.importance),
            confidence=clamped(candidate.confidence),
            now=self.now,
            created_at=at,
        )
        return memory._replace(
            status=status,
            language=candidate.language,
            agent=self.provenance.agent,
            session=self.provenance.session,
            names=candidate.names,
            context=candidate.context,
            metadata=tuple((dict(candidate.metadata) | {DOUBT: why}).items()) if why else candidate.metadata,
            store=store_of(candidate, self.settings),
        )

    def _near(self, draft: Memory) -> list[tuple[Memory, Comparison]]:
        """Known memories this one may have to do with, each with how the two compare, most alike first."""
        limits = self.settings.reconcile
        near = []
        for memory in self.known.values():
            if not _within_reach(memory, draft):
                continue
            near.append((memory, _comparison(draft, memory, limits)))
        return sorted(near, key=lambda pair: (-pair[1].similarity, pair[0].created_at, pair[0].id))[:MOST_NEIGHBOURS]

    def _was_forgotten(self, draft: Memory, near: Sequence[tuple[Memory, Comparison]]) -> bool:
        """Whether this is something a person has rejected. Only a person's new words that ask for it to be kept bring it back: what
        rules merely hear in a later conversation does not.
        """
        for memory, comparison in near:
            if memory.status is Status.FORGOTTEN and (
                comparison.relation is Relation.SAME or _same_words(draft.text, memory.text)
            ):
                old = draft.created_at <= memory.updated_at
                return draft.origin not in HUMAN or old or draft.store is Store.STM
        return False

    def _best(self, near: Sequence[tuple[Memory, Comparison]], draft: Memory, relation: Relation) -> Memory | None:
        """The memory to reinforce: of the same place first; one of the user's covers a project's statement, never the reverse."""
        fits = [
            memory
            for memory, comparison in near
            if comparison.relation is relation
            and memory.status in KEPT
            and (_same_place(memory, draft) or (memory.scope is Scope.USER and relation is Relation.SAME))
            and (memory.status is not Status.QUARANTINED or draft.status is Status.QUARANTINED or draft.origin in HUMAN)
            and (not _doubted(draft) or memory.status is Status.QUARANTINED or digest(memory.text) == digest(draft.text))
        ]
        return min(fits, key=lambda memory: (memory.kind is not draft.kind, not _same_place(memory, draft)), default=None)

    def _reinforce(self, known: Memory, draft: Memory, candidate: Candidate) -> None:
        """Said again: corroborated, its anchor moved, its wording the fuller one."""
        after = known._replace(
            importance=max(known.importance, draft.importance),
            anchor_at=max(known.anchor_at, draft.anchor_at),
            updated_at=self.now,
            status=Status.ACTIVE if known.status is Status.DECAYED else known.status,
            names=tuple(dict.fromkeys((*known.names, *draft.names))),
            worked_d=0,
        )
        trusted = TRUST[draft.origin] >= TRUST[known.origin]  # who is less so moves the anchor and confirms nothing
        if draft.store is Store.LTM and trusted:
            after = consolidated(after)
        if known.expires_at is not None and draft.expires_at is not None:
            after = after._replace(expires_at=max(known.expires_at, draft.expires_at))
        if trusted and self._another_session(known):
            after = consolidated(after)._replace(session_count=known.session_count + 1, confidence=corroborated(known.confidence))
        merged = TRUST[draft.origin] == TRUST[known.origin] and len(draft.text) > len(known.text) and self._is_wider(draft, known)
        if merged:
            after = after._replace(text=draft.text, context=draft.context or known.context)
        self._do(
            ChangeType.MERGE if merged else ChangeType.REINFORCE,
            known,
            rescored(after, self.settings.scoring),
            "said again, in more words" if merged else "said again",
            evidence=self._evidence(known.id, candidate),
        )

    def _is_wider(self, draft: Memory, known: Memory) -> bool:
        return compared(draft.text, known.text, draft.kind, self.settings.reconcile).relation is Relation.WIDER

    def _another_session(self, known: Memory) -> bool:
        sessions = self.stated.setdefault(known.id, {known.session} if known.session else set())
        if not self.provenance.session:  # said in a terminal: another day is another occasion
            return self.now - known.updated_at >= DAY_S
        if self.provenance.session in sessions:
            return False
        sessions.add(self.provenance.session)
        return True

    def _change(
        self, draft: Memory, candidate: Candidate, near: Sequence[tuple[Memory, Comparison]], changed: Sequence[Memory]
    ) -> None:
        """Another value for what is known: the newer statement stands, if it is trusted as much and really is newer."""
        below = [
            memory for memory in changed if TRUST[memory.origin] <= TRUST[draft.origin] and memory.status is not Status.FORGOTTEN
        ]
        if draft.status is Status.QUARANTINED:
            below = [memory for memory in below if memory.status is Status.QUARANTINED]
        newer = [memory for memory in below if memory.anchor_at > draft.created_at]
        if newer:
            old = self._add(draft._replace(status=Status.SUPERSEDED), candidate, near)
            self._link(newer[0], old, LinkType.SUPERSEDES, "an older statement, read later")
        else:
            if below and (draft.origin in HUMAN or below[0].kind not in RULES):  # what replaces holds as long as what it replaces
                draft = _living_like(draft, below[0])
            self._add(draft, candidate, near, replaced=below)

    def _add(
        self, draft: Memory, candidate: Candidate, near: Sequence[tuple[Memory, Comparison]], replaced: Sequence[Memory] = ()
    ) -> Memory:
        gone = {memory.id for memory in replaced}
        beside = [
            (memory, comparison)
            for memory, comparison in near
            if memory.id not in gone and memory.status in KEPT and comparison.relation is not Relation.OTHER
        ]
        alike = [comparison.similarity for memory, comparison in near if memory.id not in gone and memory.status in KEPT]
        made = draft._replace(id=self.fresh(), novelty=novelty(alike), interference=interference(alike))
        for old in replaced[:1]:  # what a person decided about the old one goes for its successor
            if made.origin in HUMAN:
                made = made._replace(pinned=old.pinned, tier=old.tier)
        made = rescored(made, self.settings.scoring)
        for old in replaced:
            self._do(
                ChangeType.SUPERSEDE,
                old,
                old._replace(status=Status.SUPERSEDED, updated_at=self.now),
                f"superseded by {made.id[:8]}",
            )
        why = dict(made.metadata).get(DOUBT, "")
        self._do(ChangeType.ADD, None, made, why and f"doubted: {why}", evidence=self._evidence(made.id, candidate))
        for old in replaced:
            self._link(made, old, LinkType.SUPERSEDES, "a changed value")
        self._tie(made, beside)
        return made

    def _tie(self, made: Memory, beside: Sequence[tuple[Memory, Comparison]]) -> None:
        """Links to what competes with it: contradictions are told, the nearest relation is kept."""
        if made.status is Status.SUPERSEDED:
            return
        clashing = [
            (memory, comparison) for memory, comparison in beside if comparison.relation in (Relation.OPPOSITE, Relation.CHANGED)
        ]
        for memory, comparison in clashing[:3]:
            if {memory.status, made.status} == {Status.ACTIVE} or _same_place(memory, made):
                self._link(made, memory, LinkType.CONTRADICTS, f"contradicts {memory.id[:8]} ({comparison.cue}): {memory.text}")
        related = [
            memory for memory, comparison in beside if comparison.relation is Relation.RELATED and comparison.similarity >= 0.5
        ]
        if related and not clashing:
            self._link(made, related[0], LinkType.RELATES_TO, "the same subject")

    def _link(self, source: Memory, target: Memory, kind: LinkType, reason: str) -> None:
        link = Link(source.id, target.id, kind, self.now)
        there = self.known.get(source.id, source)
        self.changes.append(Change(ChangeType.LINK, source.id, there, there, reason, link=link))

    def _evidence(self, memory_id: str, candidate: Candidate) -> Evidence:
        return Evidence(
            memory_id=memory_id,
            at=min(self.now, candidate.at) if candidate.at else self.now,
            method=self.provenance.method,
            origin=candidate.origin,
            session=self.provenance.session,
            message_id=candidate.message_id,
            quote=candidate.quote,
            signals=tuple(dict.fromkeys(signal.family for signal in candidate.signals)),
        )

    def _do(self, kind: ChangeType, before: Memory | None, after: Memory, reason: str, evidence: Evidence | None = None) -> None:
        self.known[after.id] = after
        self.changes.append(Change(kind, after.id, before, after, reason, evidence=evidence))


def _living_like(draft: Memory, old: Memory) -> Memory:
    """What replaces is of the class of what it replaces and lives as long."""
    store = Store.LTM if old.store is Store.LTM else draft.store
    return draft._replace(kind=old.kind, expires_at=old.expires_at, store=store)


def _same_words(one: str, other: str) -> bool:
    """Whether two texts have the same telling words, in any order."""
    return set(content_words(one)) == set(content_words(other)) != set()


def _within_reach(memory: Memory, draft: Memory) -> bool:
    """Whether the two may have to do with each other: never across projects."""
    return memory.scope is Scope.USER or draft.scope is Scope.USER or memory.project == draft.project


def _doubted(memory: Memory) -> bool:
    return DOUBT in dict(memory.metadata)


def _same_place(memory: Memory, draft: Memory) -> bool:
    return memory.scope is draft.scope and memory.project == draft.project
