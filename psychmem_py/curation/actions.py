"""Single steps in a memory's life, for people and agents: edit, forget, pin, set a tier, accept, vote, touch, echo, link; and the chain of
causes that links make.

Each step checks who may take it, writes one logged batch, and prints nothing.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act, Outcome
from psychmem_py.curation.rule_wording import commands
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.memory import admission, strength
from psychmem_py.memory.clusters import echoed
from psychmem_py.memory.forgetting import consolidated
from psychmem_py.model import records
from psychmem_py.model.classes import metadata_faults
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Link, LinkType, Memory, Scope, Status, Store, Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import read_only, rows
from psychmem_py.store.care import checkpoints
from psychmem_py.store.connection import transaction
from psychmem_py.store.read_only import GUARD, ON


class Edit(NamedTuple):
    """What is to change in a memory; None leaves a field as it is."""

    text: str | None = None
    kind: Kind | None = None
    scope: Scope | None = None
    project: str | None = None  # of a memory whose scope becomes a project's; None: the one it had
    tags: Sequence[str] | None = None
    metadata: Mapping[str, str] | None = None  # fields to set; an empty value takes a field out
    expires_at: float | None = None


def edit(act: Act, memory_id: str, wanted: Edit, *, reason: str = "edited") -> Outcome:
    """Changes what is given. A person's words become a person's; nobody else may change what a person said."""
    with transaction(act.db):
        before = act.who.one(act.db, memory_id, Deed.CHANGE)
        after = before if wanted.text is None else _reworded(act, before, wanted.text)
        ends = after.expires_at if wanted.expires_at is None else wanted.expires_at
        after = after._replace(kind=wanted.kind or after.kind, expires_at=ends)
        if wanted.scope is not None:
            act.who.must(Deed.WIDEN)
            project = (wanted.project or after.project) if wanted.scope is Scope.PROJECT else None
            if wanted.scope is Scope.PROJECT and not project:
                raise RefusedError("a project memory needs a project; run this inside one or give --project")
            after = after._replace(scope=wanted.scope, project=project)
        restated = (wanted.kind or wanted.text is not None) and not act.who.may(Deed.RULE)
        if restated and (after.kind in records.RULES or after.scope is Scope.USER or commands(after.text, act.languages)):
            act.who.must(Deed.RULE)
        if wanted.tags is not None:
            after = after._replace(tags=tuple(clean(tag) for tag in wanted.tags))
        faults: list[str] = []
        if wanted.metadata is not None:
            given = act.who.own_fields({field: _clean(value) for field, value in wanted.metadata.items()})
            after = after.marked(given)
            faults = metadata_faults(after.kind, {field: value for field, value in given.items() if value})
        if faults and act.settings.general.strict_metadata:
            raise RefusedError(faults[0])
        outcome = stepped(act, ChangeType.EDIT, before, confirmed(act, after), reason)
    return outcome._replace(warnings=tuple(faults))


def _clean(text: str) -> str:
    """A text as it may be stored: without signs that hide something, and without secrets."""
    from psychmem_py.safety.secrets import redact  # noqa: PLC0415  # 10 ms that commands which only look do without

    return redact(clean(text))


def _reworded(act: Act, memory: Memory, wording: str) -> Memory:
    text = _clean(wording).strip()
    if not text:
        raise RefusedError("a memory needs a text; use `psychmem forget` to be rid of it")
    names = tuple(name for name in memory.names if name in text)
    after = memory._replace(text=text, names=names, origin=act.who.origin if text != memory.text else memory.origin)
    if why := admission.doubt(text, act.who.origin):
        return after._replace(status=Status.QUARANTINED, pinned=False).marked({admission.DOUBT: why})
    return after


def forget(act: Act, ids: Sequence[str], *, reason: str = "forgotten") -> list[Outcome]:
    """Takes memories out of use; `undo` brings them back. What a person pinned only a person may forget."""
    with transaction(act.db):
        memories = [act.who.one(act.db, memory_id, Deed.FORGET) for memory_id in ids]
        return [stepped(act, ChangeType.STATUS, memory, memory._replace(status=Status.FORGOTTEN), reason) for memory in memories]


def pin(act: Act, memory_id: str, *, pinned: bool = True) -> Outcome:
    """A pinned memory does not fade and is shown first. Quarantined ones cannot be pinned."""
    with transaction(act.db):
        before = _ranked(act, memory_id, unless_pending=pinned)
        word = "pinned" if pinned else "unpinned"
        return stepped(act, ChangeType.PIN, before, confirmed(act, before._replace(pinned=pinned)), word)


def set_tier(act: Act, memory_id: str, tier: Tier) -> Outcome:
    """Moves a memory to a tier; only a person may."""
    with transaction(act.db):
        before = _ranked(act, memory_id, unless_pending=True)
        return stepped(act, ChangeType.EDIT, before, confirmed(act, before._replace(tier=tier)), f"tier {tier.value}")


def _ranked(act: Act, memory_id: str, *, unless_pending: bool) -> Memory:
    memory = act.who.one(act.db, memory_id, Deed.TIER)
    if unless_pending and memory.status is Status.QUARANTINED:
        raise RefusedError(f"{memory.id[:8]} is pending; approve it first")
    return memory


def guard(act: Act, memory_id: str, how: str, on: str | None = None) -> Outcome:
    """Says how a rule is held to at tool calls ("remind", "ask" the person, "off"), and `on` which, a glob ("": what its words say)."""
    if on:
        from psychmem_py.guards.binding import on_call  # noqa: PLC0415  # brings `regex`

        try:
            on_call(on)
        except ValueError as exc:
            raise RefusedError(f"{exc}; say a call with whole words: 'git push * main', '*.env', 'docs/'") from exc
    with transaction(act.db):
        before = act.who.one(act.db, memory_id, Deed.GUARD)
        if before.kind not in records.HELD:
            raise RefusedError(f"{before.id[:8]} is a {before.kind.value}; only rules and decisions are enforced at tool calls")
        after = before.marked({GUARD: "" if how == "remind" else how} | ({} if on is None else {ON: on}))
        return stepped(act, ChangeType.EDIT, before, confirmed(act, after), f"guard {how}")


def accept(act: Act, memory_id: str) -> Outcome:
    """Takes a memory out of quarantine, or settles one that was only heard. Its origin stays what it was: a person confirms it."""
    with transaction(act.db):
        before = act.who.one(act.db, memory_id, Deed.APPROVE)
        heard = before.store is Store.STM and before.status in LIVE
        if before.status is not Status.QUARANTINED and not heard:
            raise RefusedError(f"{before.id[:8]} is {before.status.value}, it is not pending")
        after = confirmed(act, before._replace(status=Status.ACTIVE, anchor_at=act.now))
        return stepped(act, ChangeType.STATUS, before, after, "accepted", evidence=_evidence(act, before, "review"))


def vote(act: Act, memory_id: str, *, good: bool) -> Outcome:
    """Moves utility up (a use as well) or down; an agent's word counts once a conversation."""
    with transaction(act.db):
        before = act.who.one(act.db, memory_id, Deed.RATE if good else Deed.FORGET)
        if not act.who.is_person and before.id in rows.with_evidence_of(act.db, act.who.session, "vote"):
            raise RefusedError("this conversation has rated it already; only a person may do so again")
        after = before._replace(utility=strength.voted(before.utility, good=good))
        after = strength.rescored(confirmed(act, _in_use(after, act.now)) if good else after, act.settings.scoring)
        word = "good" if good else "bad"
        return stepped(act, ChangeType.REINFORCE, before, after, f"voted {word}", evidence=_evidence(act, before, "vote", word))


def touch(act: Act, memory_id: str) -> Outcome:
    """Counts a use: the anchor moves to now, utility rises a little."""
    with transaction(act.db):
        return _use(act, act.who.one(act.db, memory_id, Deed.RATE), "touch")


def restore(act: Act, database: str | os.PathLike[str], name: str) -> list[Change]:
    """What brought every memory and link back to a checkpoint, in one step; an agent goes back as far as nothing but its own changes."""
    with transaction(act.db):
        made = checkpoints.differences(act.db, database, name, now=act.now)
        act.who.must(Deed.RESTORE, *(one for change in made for one in (change.before, change.after) if one is not None))
        act.apply(made)
    return made


def echo(act: Act, replies: Iterable[str], *, prompts: Iterable[str] = ()) -> list[Outcome]:
    """Counts a use, once a session, of what it was shown whose telling words are in the `replies` of the agent and in no prompt of the person."""
    session = act.who.session
    with transaction(act.db):
        shown = read_only.shown(act.db, session)
        if not shown:
            return []
        counted = rows.with_evidence_of(act.db, session, "echo")
        memories = rows.several(act.db, [memory_id for memory_id in shown if memory_id not in counted])
        live = [memory for memory in memories.values() if memory.status in LIVE]
        return [_use(act, memory, "echo") for memory in echoed(live, replies, prompts)]


def _use(act: Act, before: Memory, method: str) -> Outcome:
    after = _in_use(before, act.now)._replace(utility=strength.used(before.utility))
    after = strength.rescored(after, act.settings.scoring)
    return stepped(act, ChangeType.REINFORCE, before, after, method, evidence=_evidence(act, before, method))


def _in_use(memory: Memory, now: float) -> Memory:
    return memory._replace(
        use_count=memory.use_count + 1,
        anchor_at=max(memory.anchor_at, now),
        status=Status.ACTIVE if memory.status is Status.DECAYED else memory.status,
        worked_d=0,
    )


def confirmed(act: Act, memory: Memory) -> Memory:
    """The memory, settled where it is a person who touches it."""
    return consolidated(memory) if act.who.is_person else memory


def _evidence(act: Act, memory: Memory, method: str, *signals: str) -> Evidence:
    return Evidence(memory.id, act.now, method, act.who.origin, act.who.session, signals=signals)


def stepped(
    act: Act, type_: ChangeType, before: Memory, after: Memory, reason: str, *, evidence: Evidence | None = None
) -> Outcome:
    """One change of a memory, made and logged."""
    if after == before and evidence is None:
        return Outcome(before, ())  # nothing to log, and nothing that an undo could take back
    after = after if after == before else after._replace(updated_at=act.now)
    change = Change(type_, before.id, before, after, reason, evidence)
    try:
        act.apply([change])
    except sqlite3.IntegrityError as exc:
        raise RefusedError("another memory of this class and place already says exactly this; edit or forget that one") from exc
    return Outcome(after, (change,))


def link(act: Act, source: str, target: str, type_: LinkType) -> Link:
    """Links two memories."""
    with transaction(act.db):
        start, end = (act.who.one(act.db, key, Deed.RATE) for key in (source, target))
        if start.id == end.id:
            raise RefusedError("a memory cannot be linked to itself")
        made = Link(start.id, end.id, type_, act.now)
        if made[:3] in {known[:3] for known in rows.links(act.db, start.id)}:
            raise RefusedError(f"{start.id[:8]} {type_.value} {end.id[:8]} is known already")
        act.apply([Change(ChangeType.LINK, start.id, start, start, "linked", link=made)])
        return made


def unlink(act: Act, source: str, target: str, type_: LinkType | None) -> list[Link]:
    """The links taken away between two memories: of one type, or all."""
    with transaction(act.db):
        start, end = (act.who.one(act.db, key, Deed.RATE) for key in (source, target))
        known = (one for one in rows.links(act.db, start.id) if (one.source, one.target) == (start.id, end.id))
        gone = [one for one in known if type_ in (None, one.type)]
        if not gone:
            raise NotFoundError(f"there is no such link from {start.id[:8]} to {end.id[:8]}")
        act.apply([Change(ChangeType.UNLINK, start.id, start, start, "unlinked", link=one) for one in gone])
        return gone


class Step(NamedTuple):
    """A memory one link away from another."""

    memory: Memory
    link: Link
    hit: str  # id of the other
    depth: int = 1  # how many links away it is from where a walk began

    @property
    def how(self) -> str:
        """The link as read from the other memory: "supersedes", or "supersedes by" for one that points at it."""
        return self.link.type.value if self.link.source == self.hit else f"{self.link.type.value} by"

    @property
    def is_earlier(self) -> bool:
        """Whether it comes before the other one: a link points from the later to the earlier memory, or from cause to effect."""
        return self.link.type in (_BACKWARD if self.link.source == self.hit else _FORWARD)


_STEPS_BACK = 8
_BACKWARD = frozenset({LinkType.DERIVES_FROM, LinkType.SUPERSEDES, LinkType.REFERENCES})
_FORWARD = frozenset({LinkType.CAUSED, LinkType.ENABLED, LinkType.SUPPORTS, LinkType.CHAIN})


def steps(db: sqlite3.Connection, memory_id: str, depth: int = 1) -> Iterator[Step]:
    """What one memory is linked to."""
    for link in rows.links(db, memory_id):
        other = rows.get(db, link.target if link.source == memory_id else link.source)
        if other is not None:
            yield Step(other, link, memory_id, depth)


def why(db: sqlite3.Connection, memory_id: str) -> list[Step]:
    """What led to a memory, nearest first, each once: what it derives from, replaced or refers to, and what caused or supports it."""
    start = rows.by_id(db, memory_id).id
    causes: dict[str, Step] = {}
    edge = [start]
    for depth in range(1, _STEPS_BACK + 1):
        for step in [step for later in edge for step in steps(db, later, depth)]:
            if step.is_earlier and step.memory.id != start:
                causes.setdefault(step.memory.id, step)
        edge = [key for key, step in causes.items() if step.depth == depth]
    return list(causes.values())


def one_step(
    db: sqlite3.Connection, memories: Sequence[Memory], *, project: str | None, all_projects: bool = False
) -> list[Step]:
    """What these memories are linked to and may be seen from `project`, each once, without themselves."""
    found = dict.fromkeys(one.id for one in memories)
    linked: dict[str, Step] = {}
    for step in (step for key in found for step in steps(db, key)):
        unseen = step.memory.status in (Status.FORGOTTEN, Status.QUARANTINED)
        if step.memory.id not in found and not unseen and (all_projects or step.memory.project in (None, project)):
            linked.setdefault(step.memory.id, step)
    return list(linked.values())


def dependents(db: sqlite3.Connection, memory_id: str) -> list[Memory]:
    """What in use was built on a memory: what derives from it or refers to it, and what it caused, enabled or supports."""
    built = (step for step in steps(db, memory_id) if step.link.type in (_FORWARD if step.link.source == memory_id else _ON))
    return [step.memory for step in built if step.memory.status in LIVE]


_ON = _BACKWARD - {LinkType.SUPERSEDES}
