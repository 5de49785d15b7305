"""What new statements do to what is known (docs/lifecycle.md). Pure; nothing is deleted, or replaced by what is trusted less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from psychmem_py.memory.admission import DOUBT, NO_PROJECT, admitted, doubt, new_memory
from psychmem_py.memory.change_cues import clash, is_negative
from psychmem_py.memory.compare import Comparison, Relation, compared_across
from psychmem_py.memory.forgetting import clamped, consolidated, corroborated, interference, novelty, rescored
from psychmem_py.model import records
from psychmem_py.model.light_record import KEPT
from psychmem_py.model.records import HUMAN, TRUST, Candidate, Change, ChangeType, LinkType, Memory, Scope, Status, Store
from psychmem_py.model.settings import Settings
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import content_words, digest

MOST_NEIGHBOURS = 200  # compared with one statement
Near = Sequence[tuple[Memory, Comparison]]  # known memories, each with how a new one compares, most alike first


def plan(how: Planning, candidates: Sequence[Candidate], known: Sequence[Memory], replaces: Memory | None = None) -> list[Change]:
    """The changes that make `candidates` known, in order; planning again only counts. `known`: neighbours, forgotten ones too."""
    planned = _Plan(how, {one.id: one for one in known}, [], {key: set(sessions) for key, sessions in how.stated.items()})
    for candidate in candidates:
        planned.take(candidate, replaces)
    return planned.changes


def forgotten_before(how: Planning, candidates: Sequence[Candidate], known: Sequence[Memory]) -> list[Candidate]:
    """Those of which `plan` makes nothing, for a person has forgotten them on purpose."""
    if all(memory.status is not Status.FORGOTTEN for memory in known):
        return []
    planned = _Plan(how, {one.id: one for one in known}, [], {})
    drafts = [(one, planned.draft(one)) for one in candidates]
    return [one for one, draft in drafts if _was_forgotten(draft, planned.near(draft))]


def warnings(changes: Sequence[Change]) -> list[str]:
    """What a person should be told about these changes: rules that contradict each other. One reason each."""
    return [change.reason for change in changes if change.link is not None and change.link.type is LinkType.CONTRADICTS]


def changed_elsewhere(candidate: Candidate, known: Sequence[Memory], settings: Settings) -> Memory | None:
    """What a statement, whose place nobody named, says it replaces in another place: it holds where that held."""
    for memory in known:
        alike = TRUST[memory.origin] == TRUST[candidate.origin] and memory.status in KEPT and memory.scope is not candidate.scope
        if alike and compared_across(candidate, memory, settings.reconcile).relation is Relation.CHANGED:
            return memory
    return None


def rivals(how: Planning, made: Memory, known: Sequence[Memory]) -> list[Change]:
    """The links from a memory that is let in to what competes with it."""
    planned = _Plan(how, {one.id: one for one in known if one.id != made.id}, [], {})
    planned._link_rivals(made, planned.near(made))
    return planned.changes


class Planning(NamedTuple):
    """Where, when and by whom statements are made that become memories."""

    settings: Settings
    now: float
    project: str | None
    session: str = ""
    agent: str = ""
    method: str = "sweep"  # of the evidence
    ids: Iterator[str] = iter(())  # for new memories
    rewords: bool = False  # they are put better than what says the same
    stated: Mapping[str, Set[str]] = MappingProxyType({})  # by memory its sessions; where unknown all but the first are news


class _Plan(NamedTuple):
    """The known memories as they become, while one candidate after another is taken up."""

    how: Planning
    known: dict[str, Memory]
    changes: list[Change]
    stated: dict[str, set[str]]

    def take(self, candidate: Candidate, replaces: Memory | None) -> None:
        draft = self.draft(candidate)
        near = self.near(draft)
        changed = [one for one, comparison in near if comparison.relation is Relation.CHANGED and _same_place(one, draft)]
        if replaces and _may_replace(draft, replaces):
            self.known[replaces.id] = replaces
            untrue = [memory for memory in changed if memory.id != replaces.id and _may_replace(draft, memory)]
            self._add(_inherit_from(draft, replaces), candidate, near, [replaces, *untrue])
            return
        if _was_forgotten(draft, near):
            return
        found = _best(near, draft, Relation.SAME)
        same = found or _best(near, draft, Relation.WIDER)
        pending = same and same.status is Status.QUARANTINED and draft.status is not Status.QUARANTINED
        if same and not pending and TRUST[draft.origin] <= TRUST[same.origin]:
            self._reinforce(same, draft, candidate, says_more=found is None)
        elif same:
            self._add(draft, candidate, near, [same, *changed])  # a person says it now: their words stand
        else:
            self._change(self._said_twice(draft, candidate, near), candidate, near, changed)

    def _said_twice(self, draft: Memory, candidate: Candidate, near: Near) -> Memory:
        """The draft, long-term where it says again what is known and more; where it says less, that is confirmed."""
        again = _best(near, draft, Relation.AGAIN) if draft.origin in HUMAN else None
        if again and len(again.text) > len(draft.text):
            self._reinforce(again, draft, candidate, says_more=False)
        elif again and TRUST[again.origin] <= TRUST[draft.origin] and self._another_session(again):
            return consolidated(draft)._replace(session_count=again.session_count + 1, confidence=corroborated(draft.confidence))
        return draft

    def draft(self, candidate: Candidate) -> Memory:
        """The memory a candidate would become if nothing were known."""
        why = dict(candidate.metadata).get(DOUBT) or doubt(candidate.text, candidate.origin)
        if not why and candidate.scope is Scope.PROJECT and self.how.project is None and candidate.origin in HUMAN:
            why = NO_PROJECT
        project, status = admitted(candidate.kind, candidate.scope, self.how.project, candidate.origin, doubted=bool(why))
        made = new_memory(
            candidate.text, kind=candidate.kind, policy=self.how.settings.policy(candidate.kind), project=project,
            origin=candidate.origin, importance=clamped(candidate.importance), confidence=clamped(candidate.confidence),
            now=self.how.now, created_at=self._said_at(candidate),
        )  # fmt: skip
        return made._replace(
            status=status, language=candidate.language, agent=self.how.agent, session=self.how.session,
            names=candidate.names, context=candidate.context,
            metadata=tuple((dict(candidate.metadata) | {DOUBT: why}).items()) if why else candidate.metadata,
            store=Store.LTM if self.how.settings.stores.at_once(candidate.kind) else candidate.store,
        )  # fmt: skip

    def _said_at(self, candidate: Candidate) -> float:
        return min(self.how.now, candidate.at) if candidate.at else self.how.now

    def near(self, draft: Memory) -> Near:
        """Known memories this one may have to do with, never those of another project."""
        known = (one for one in self.known.values() if Scope.USER in (one.scope, draft.scope) or one.project == draft.project)
        near = [(memory, compared_across(draft, memory, self.how.settings.reconcile)) for memory in known]
        return sorted(near, key=lambda pair: (-pair[1].similarity, pair[0].created_at, pair[0].id))[:MOST_NEIGHBOURS]

    def _reinforce(self, known: Memory, draft: Memory, candidate: Candidate, *, says_more: bool) -> None:
        """Said again: corroborated, its anchor moved, its wording the fuller one."""
        after = known._replace(
            importance=max(known.importance, draft.importance),
            anchor_at=max(known.anchor_at, draft.anchor_at),
            updated_at=self.how.now,
            status=Status.ACTIVE if known.status is Status.DECAYED else known.status,
            names=tuple(dict.fromkeys((*known.names, *draft.names))),
            worked_d=0,
        )
        trusted = TRUST[draft.origin] >= TRUST[known.origin]  # who is less so moves the anchor and confirms nothing
        after = consolidated(after) if draft.store is Store.LTM and trusted else after
        typed = {draft.origin, known.origin} <= HUMAN
        if typed and draft.kind in records.ENFORCED and known.kind not in records.ENFORCED:  # a fact, said again as a rule
            after = after._replace(kind=draft.kind)
        after = after if known.expires_at is None else after._replace(expires_at=self._end(known.expires_at, known, draft))
        if trusted and self._another_session(known):
            after = consolidated(after)._replace(session_count=known.session_count + 1, confidence=corroborated(known.confidence))
        fuller = draft.text != known.text and (self.how.rewords or (says_more and len(draft.text) > len(known.text)))
        if wider := fuller and TRUST[draft.origin] == TRUST[known.origin]:
            after = after._replace(text=draft.text, context=draft.context or known.context)
        kind, reason = (ChangeType.MERGE, "said again, in more words") if wider else (ChangeType.REINFORCE, "said again")
        self._do(kind, known, rescored(after, self.how.settings.scoring), reason, candidate)

    def _end(self, end: float, known: Memory, draft: Memory) -> float | None:
        """The end of what is said again: the later one; none where a person says it for good, or when it was over."""
        if draft.expires_at is not None or self.how.settings.policy(known.kind).ttl_d is not None:
            return max(end, draft.expires_at or end)
        lasts = draft.store is Store.LTM or end <= self.how.now
        return None if lasts and draft.origin in HUMAN and draft.anchor_at >= known.anchor_at else end

    def _another_session(self, known: Memory) -> bool:
        sessions = self.stated.setdefault(known.id, {known.session} if known.session else set())
        if not self.how.session:  # said in a terminal: another day is another occasion
            return self.how.now - known.updated_at >= DAY_S
        another = self.how.session not in sessions
        sessions.add(self.how.session)
        return another

    def _change(self, draft: Memory, candidate: Candidate, near: Near, changed: Sequence[Memory]) -> None:
        """Another value for what is known: the newer statement stands, if it is trusted as much and really is newer."""
        below = [one for one in changed if TRUST[one.origin] <= TRUST[draft.origin] and one.status is not Status.FORGOTTEN]
        below = [one for one in below if draft.status is not Status.QUARANTINED or one.status is draft.status]
        if newer := [memory for memory in below if draft.created_at < memory.anchor_at <= self.how.now]:  # none of a wrong clock
            old = self._add(draft._replace(status=Status.SUPERSEDED), candidate, near)
            self._link(newer[0], old, LinkType.SUPERSEDES, "an older statement, read later")
            return
        if below and (draft.origin in HUMAN or below[0].kind not in records.RULES):
            draft = _inherit_from(draft, below[0])
        self._add(draft, candidate, near, below)

    def _add(self, draft: Memory, candidate: Candidate, near: Near, replaced: Sequence[Memory] = ()) -> Memory:
        gone = {memory.id for memory in replaced}
        beside = [pair for pair in near if pair[0].id not in gone and pair[0].status in KEPT]
        alike = [comparison.similarity for _, comparison in beside]
        made = draft._replace(id=next(self.how.ids), novelty=novelty(alike), interference=interference(alike))
        if replaced and made.origin in HUMAN:  # what a person decided about the old one goes for its successor
            made = made._replace(pinned=replaced[0].pinned, tier=replaced[0].tier)
        made = rescored(made, self.how.settings.scoring)
        for old in replaced:
            after = old._replace(status=Status.SUPERSEDED, updated_at=self.how.now)
            self._do(ChangeType.SUPERSEDE, old, after, f"superseded by {made.id[:8]}")
        why = dict(made.metadata).get(DOUBT, "")
        self._do(ChangeType.ADD, None, made, why and f"doubted: {why}", candidate)
        for old in replaced:
            self._link(made, old, LinkType.SUPERSEDES, "a changed value")
        if made.status is not Status.SUPERSEDED:
            self._link_rivals(made, beside)
        return made

    def _link_rivals(self, made: Memory, beside: Near) -> None:
        """Links to what competes with it: contradictions are told, the nearest relation is kept."""
        clashing = [pair for pair in beside if pair[1].relation in (Relation.OPPOSITE, Relation.CHANGED)]
        for memory, comparison in clashing[:3]:
            if memory.status is Status.ACTIVE or _same_place(memory, made):
                self._link(made, memory, LinkType.CONTRADICTS, f"contradicts {memory.id[:8]} ({comparison.cue}): {memory.text}")
        related = [
            one
            for one, comparison in beside
            if comparison.relation is Relation.AGAIN or (comparison.relation is Relation.RELATED and comparison.similarity >= 0.5)
        ]
        if related and not clashing:
            self._link(made, related[0], LinkType.RELATES_TO, "the same subject")

    def _link(self, source: Memory, target: Memory, kind: LinkType, reason: str) -> None:
        link = records.Link(source.id, target.id, kind, self.how.now)
        there = self.known.get(source.id, source)
        self.changes.append(Change(ChangeType.LINK, source.id, there, there, reason, link=link))

    def _do(self, kind: ChangeType, before: Memory | None, after: Memory, reason: str, said: Candidate | None = None) -> None:
        """Notes a change, with the statement that it comes of as evidence."""
        evidence = said and records.Evidence(
            memory_id=after.id, at=self._said_at(said), method=self.how.method, origin=said.origin, session=self.how.session,
            message_id=said.message_id, quote=said.quote,
            signals=tuple(dict.fromkeys(signal.family for signal in said.signals)),
        )  # fmt: skip
        self.known[after.id] = after
        self.changes.append(Change(kind, after.id, before, after, reason, evidence=evidence))


def _was_forgotten(draft: Memory, near: Near) -> bool:
    """Whether a person has rejected this. Only their new words that ask for it bring it back, not what rules hear later."""
    words = set(content_words(draft.text))
    for memory, comparison in near:
        same = comparison.relation is Relation.SAME or set(content_words(memory.text)) == words != set()
        if same and memory.status is Status.FORGOTTEN:
            older = draft.created_at < min(memory.updated_at, draft.updated_at)  # the clock may have been set right since
            return draft.origin not in HUMAN or older or draft.store is Store.STM
    return False


def _best(near: Near, draft: Memory, relation: Relation) -> Memory | None:
    """The memory to reinforce: of the same place first; one of the user's covers a project's statement, never the reverse."""
    doubted = DOUBT in dict(draft.metadata)
    fits = [
        memory
        for memory, comparison in near
        if comparison.relation is relation
        and memory.status in KEPT
        and (_same_place(memory, draft) or (memory.scope is Scope.USER and relation is Relation.SAME))
        and (memory.status is not Status.QUARANTINED or draft.status is Status.QUARANTINED or draft.origin in HUMAN)
        and (not doubted or memory.status is Status.QUARANTINED or digest(memory.text) == digest(draft.text))
    ]
    return min(fits, key=lambda memory: (memory.kind is not draft.kind, not _same_place(memory, draft)), default=None)


def _may_replace(draft: Memory, known: Memory) -> bool:
    """Whether a statement may take another's place because somebody says so: another one, of no higher trust."""
    trusted = TRUST[known.origin] <= TRUST[draft.origin] and draft.status is not Status.QUARANTINED
    return trusted and known.status in KEPT and digest(known.text) != digest(draft.text)


def _inherit_from(draft: Memory, old: Memory) -> Memory:
    """The draft with class, tags, guard, calls (unless turned) and end to come of what it replaces, and no weaker store."""
    is_over = old.expires_at is not None and old.expires_at <= draft.updated_at
    turned = is_negative(draft.text) != is_negative(old.text) or clash(draft.text, old.text)
    held = {name: value for name, value in old.metadata if name == "guard" or (name == "on" and not turned)}
    return draft.marked(held | dict(draft.metadata))._replace(
        kind=old.kind, tags=old.tags, expires_at=draft.expires_at if is_over else old.expires_at,
        store=Store.LTM if old.store is Store.LTM else draft.store,
    )  # fmt: skip


def _same_place(memory: Memory, draft: Memory) -> bool:
    return memory.scope is draft.scope and memory.project == draft.project
