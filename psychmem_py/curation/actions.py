"""Single steps in a memory's life, and the same for whole projects: each checks who may take it, and writes one logged batch."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act, Outcome, storable
from psychmem_py.curation.history import move_exchanges
from psychmem_py.curation.rule_wording import commands
from psychmem_py.errors import NotFoundError, RefusedError, refuse_if
from psychmem_py.home.project import Project
from psychmem_py.memory import admission, compare, forgetting
from psychmem_py.model import records
from psychmem_py.model.light_record import KEPT, LIVE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Link, LinkType, Memory, Scope, Status, Store, Tier
from psychmem_py.model.settings import metadata_faults
from psychmem_py.safety.control_chars import TAG_CHARS, line
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import copies, episodes, read_only, rows, sessions
from psychmem_py.store.sqlite import set_meta
from psychmem_py.text.tokenizer import digest


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
    before = act.who.find(act.db, memory_id, Action.CHANGE)
    after = before if wanted.text is None else _reworded(act, before, wanted.text)
    tags = after.tags if wanted.tags is None else tuple(storable(line(tag))[:TAG_CHARS] for tag in wanted.tags if tag.strip())
    ends = after.expires_at if wanted.expires_at is None else wanted.expires_at
    after = after._replace(kind=wanted.kind or after.kind, expires_at=ends, tags=tags)
    if wanted.scope is not None:
        act.who.must(Action.WIDEN)
        project = (wanted.project or after.project) if wanted.scope is Scope.PROJECT else None
        if wanted.scope is Scope.PROJECT and not project:
            raise RefusedError("a project memory needs a project; run this inside one or give --project")
        after = _placed(after._replace(scope=wanted.scope), project)
    restated = (wanted.kind or wanted.text is not None) and not act.who.may(Action.RULE)
    if restated and (after.kind in records.RULES or after.scope is Scope.USER or commands(after.text, act.languages)):
        act.who.must(Action.RULE)
    given = act.who.allowed_fields(wanted.metadata or {})
    faults = metadata_faults(after.kind, {field: value for field, value in given.items() if value}) if given else []
    if faults and act.settings.general.strict_metadata:
        raise RefusedError(faults[0])
    outcome = apply_change(act, ChangeType.EDIT, before, confirmed_by(act, after.marked(given)), reason)
    return outcome._replace(warnings=tuple(faults))


def _placed(memory: Memory, project: str | None) -> Memory:
    """The memory in a project, or in all; elsewhere it stands in no file of the old one."""
    return memory._replace(project=project).marked({read_only.REPOSITORY: ""} if project != memory.project else {})


def _reworded(act: Act, memory: Memory, wording: str) -> Memory:
    text = act.who.worded(wording)
    names = tuple(name for name in memory.names if name in text)
    after = memory._replace(text=text, names=names, origin=act.who.origin if text != memory.text else memory.origin)
    after = after.marked({read_only.CALLS: ""}) if text != memory.text else after  # the reader said them of other words
    if why := admission.doubt(text, act.who.origin):
        return after._replace(status=Status.QUARANTINED, pinned=False).marked({admission.DOUBT: why})
    return after


def move(act: Act, memory_id: str, project: str) -> Outcome:
    """Lets a memory hold in another project."""
    return edit(act, memory_id, Edit(scope=Scope.PROJECT, project=project), reason="moved")


def forget(act: Act, ids: Sequence[str], *, reason: str = "forgotten") -> list[Outcome]:
    """Takes memories out of use; `undo` brings them back. What a person pinned only a person may forget."""
    memories = {one.id: one for one in (act.who.find(act.db, memory_id, Action.FORGET) for memory_id in ids)}.values()
    return [apply_change(act, ChangeType.STATUS, memory, memory._replace(status=Status.FORGOTTEN), reason) for memory in memories]


def pin(act: Act, memory_id: str, *, pinned: bool = True) -> Outcome:
    """A pinned memory does not fade and is shown first. Quarantined ones cannot be pinned."""
    before = act.who.find(act.db, memory_id, Action.TIER)
    refuse_if(pinned and before.status is Status.QUARANTINED, f"{before.id[:8]} is pending; approve it first")
    word = "pinned" if pinned else "unpinned"
    return apply_change(act, ChangeType.PIN, before, confirmed_by(act, before._replace(pinned=pinned)), word)


def set_tier(act: Act, memory_id: str, tier: Tier) -> Outcome:
    """Moves a memory to a tier; only a person may."""
    before = act.who.find(act.db, memory_id, Action.TIER)
    refuse_if(before.status is Status.QUARANTINED, f"{before.id[:8]} is pending; approve it first")
    return apply_change(act, ChangeType.EDIT, before, confirmed_by(act, before._replace(tier=tier)), f"tier {tier.value}")


def guard(act: Act, memory_id: str, how: str, on: str | None = None) -> Outcome:
    """Sets how a rule is enforced ("remind", "ask" a person, "off"; "" leaves "ask") and at which calls: a glob; "" by words."""
    if on := on and storable(on):
        from psychmem_py.guards.globs import glob_triggers  # noqa: PLC0415  # brings `regex`

        try:
            glob_triggers(on)
        except ValueError as exc:
            raise RefusedError(f"{exc}; say a call like 'git push * main', '*.env' or 'docs/'") from exc
    if (before := act.who.find(act.db, memory_id, Action.GUARD)).kind not in records.ENFORCED:
        raise RefusedError(f"{before.id[:8]} is a {CLASS_LABELS[before.kind]}; only rules and decisions are enforced at calls")
    how = how or ("ask" if dict(before.metadata).get(read_only.GUARD) == "ask" else "remind")
    after = before.marked({read_only.GUARD: "" if how == "remind" else how} | ({} if on is None else {read_only.ON: on}))
    return apply_change(act, ChangeType.EDIT, before, confirmed_by(act, after), f"guard {how}")


def accept(act: Act, memory_id: str) -> Outcome:
    """Approves a quarantined memory, or makes a short-term one long-term; its origin stays. For a person only."""
    before = act.who.find(act.db, memory_id, Action.APPROVE)
    if before.status is not Status.QUARANTINED and not (before.store is Store.STM and before.status in LIVE):
        raise RefusedError(f"{before.id[:8]} is {before.status.value}, it is not pending")
    after = before._replace(status=Status.ACTIVE, anchor_at=act.now).marked({admission.DOUBT: ""})
    return apply_change(act, ChangeType.STATUS, before, confirmed_by(act, after), "accepted", by="review")


def vote(act: Act, memory_id: str, *, good: bool) -> Outcome:
    """Moves utility up (a use as well) or down; an agent's word counts once a conversation."""
    before = act.who.find(act.db, memory_id, Action.RATE if good else Action.FORGET)
    if not act.who.is_person and before.id in rows.with_evidence_of(act.db, act.who.session, "vote"):
        raise RefusedError("this conversation has rated it already; only a person may do so again")
    after = confirmed_by(act, _in_use(before, act.now)) if good else before
    after = after._replace(confidence=forgetting.corroborated(after.confidence)) if good else after
    after = forgetting.rescored(after._replace(utility=forgetting.voted(before.utility, good=good)), act.settings.scoring)
    word = "good" if good else "bad"
    return apply_change(act, ChangeType.REINFORCE, before, after, f"voted {word}", by="vote", signals=(word,))


def touch(act: Act, memory_id: str) -> Outcome:
    """Counts a use: the anchor moves to now, utility rises a little."""
    return _use(act, act.who.find(act.db, memory_id, Action.RATE), "touch")


def echo(act: Act, replies: Iterable[str], *, prompts: Iterable[str] = ()) -> list[Outcome]:
    """Counts a use, once a session, of each memory it was shown whose telling words stand in `replies` and in no prompt."""
    shown = read_only.shown(act.db, act.who.session)
    counted = rows.with_evidence_of(act.db, act.who.session, "echo") if shown else ()
    live = [one for one in rows.several(act.db, [key for key in shown if key not in counted]).values() if one.status in LIVE]
    return [_use(act, memory, "echo") for memory in (compare.echoed(live, replies, prompts) if live else ())]


def _use(act: Act, before: Memory, method: str) -> Outcome:
    after = _in_use(before, act.now)._replace(utility=forgetting.used(before.utility))
    return apply_change(act, ChangeType.REINFORCE, before, forgetting.rescored(after, act.settings.scoring), method, by=method)


def _in_use(memory: Memory, now: float) -> Memory:
    if memory.status in (Status.SUPERSEDED, Status.FORGOTTEN):
        raise RefusedError(f"{memory.id[:8]} is {memory.status.value}; what is out of use grows no stronger")
    status = Status.ACTIVE if memory.status is Status.DECAYED else memory.status
    return memory._replace(use_count=memory.use_count + 1, anchor_at=max(memory.anchor_at, now), status=status, worked_d=0)


def confirmed_by(act: Act, memory: Memory) -> Memory:
    """The memory, made long-term if a person acts; what had faded is as if said now."""
    anchor_at = act.now if memory.status is Status.DECAYED else memory.anchor_at
    return forgetting.consolidated(memory)._replace(anchor_at=anchor_at) if act.who.is_person else memory


def apply_change(
    act: Act, type_: ChangeType, before: Memory, after: Memory, reason: str, *, by: str = "", signals: tuple[str, ...] = ()
) -> Outcome:
    """Makes and logs one change of a memory; `by` is the method of its evidence, "" for none."""
    evidence = Evidence(before.id, act.now, by, act.who.origin, act.who.session, signals=signals) if by else None
    if after == before and evidence is None:
        return Outcome(before, ())  # nothing to log, and nothing that an undo could take back
    after = after if after == before else after._replace(updated_at=act.now)
    change = Change(type_, before.id, before, after, reason, evidence)
    try:
        act.apply([change])
    except sqlite3.IntegrityError as exc:
        raise RefusedError("another memory of this class and place already says exactly this; edit or forget that one") from exc
    return Outcome(after, (change,))


def restore(act: Act, database: str | os.PathLike[str], name: str) -> list[Change]:
    """The changes that brought all memories and links back to a checkpoint, in one step; an agent may where all are its own."""
    made = copies.differences(act.db, database, name, now=act.now)
    act.who.must(Action.RESTORE, *(one for change in made for one in (change.before, change.after) if one is not None))
    act.apply(made)
    return made


def link(act: Act, source: str, target: str, type_: LinkType) -> Link:
    """Links two memories."""
    start, end = (act.who.find(act.db, key, Action.RATE) for key in (source, target))
    _may_say(act, type_, start, end)
    refuse_if(start.id == end.id, "a memory cannot be linked to itself")
    made = Link(start.id, end.id, type_, act.now)
    if made[:3] in {known[:3] for known in rows.links(act.db, start.id)}:
        raise RefusedError(f"{start.id[:8]} {type_.value} {end.id[:8]} is known already")
    act.apply([Change(ChangeType.LINK, start.id, start, start, "linked", link=made)])
    return made


def unlink(act: Act, source: str, target: str, type_: LinkType | None) -> list[Link]:
    """The links taken away between two memories: of one type, or all."""
    start, end = (act.who.find(act.db, key, Action.RATE) for key in (source, target))
    gone = [one for one in rows.links(act.db, start.id) if one[:2] == (start.id, end.id) and type_ in (None, one.type)]
    if not gone:
        raise NotFoundError(f"there is no such link from {start.id[:8]} to {end.id[:8]}")
    for one in gone:
        _may_say(act, one.type, start, end)
    act.apply([Change(ChangeType.UNLINK, start.id, start, start, "unlinked", link=one) for one in gone])
    return gone


def _may_say(act: Act, type_: LinkType, start: Memory, end: Memory) -> None:
    """Refuses an agent the link that retires a person's statement, and the one that sets two of them against each other."""
    if type_ is LinkType.SUPERSEDES or (type_ is LinkType.CONTRADICTS and not act.who.may(Action.CHANGE, start)):
        act.who.must(Action.CHANGE, end)


def merge(act: Act, ids: Sequence[str], text: str | None = None) -> Outcome:
    """Makes one memory of several: the first stays, worded anew if `text` says so, with all that is known of the others."""
    memories = list({one.id: one for one in (act.who.find(act.db, key, Action.CHANGE) for key in ids)}.values())
    refuse_if(len(memories) < 2, "name at least two memories to make one of them")
    first, *others = memories
    if any(one.status not in LIVE for one in memories):
        raise RefusedError("only memories in use can be merged; `psychmem review ID` approves what is pending")
    into, names = f"merged into {first.id[:8]}", ", ".join(one.id[:8] for one in others)
    gone = ((one, one._replace(status=Status.SUPERSEDED, updated_at=act.now)) for one in others)
    replaced = tuple(Change(ChangeType.SUPERSEDE, one.id, one, after, into) for one, after in gone)
    act.apply(replaced)
    gathered = first._replace(
        tags=tuple(dict.fromkeys(tag for one in memories for tag in one.tags)),
        names=tuple(dict.fromkeys(name for one in memories for name in one.names)),
        use_count=sum(one.use_count for one in memories),
        session_count=max(one.session_count for one in memories),
        importance=forgetting.combined(tuple(one.importance for one in memories)),
        anchor_at=max(one.anchor_at for one in memories),
        pinned=any(one.pinned for one in memories),
        origin=min((one.origin for one in memories), key=lambda origin: records.TRUST[origin]),
    )
    kept = apply_change(act, ChangeType.MERGE, first, gathered, f"merged with {names}").memory
    links = [Link(first.id, one.id, LinkType.SUPERSEDES, act.now) for one in others]
    act.apply([Change(ChangeType.LINK, first.id, first, first, "merged", link=link) for link in links])
    return Outcome(kept, replaced) if text is None else edit(act, first.id, Edit(text=text))


def merge_projects(act: Act, source: str, target: str) -> tuple[list[Outcome], list[Outcome]]:
    """Merges a project into another, also what is out of use: the memories moved, and of those that both know the weaker."""
    refuse_if(source == target, "these are the same project")
    moved, doubles = list[Outcome](), list[Outcome]()
    there = {(digest(one.text), one.kind): one for one in _of_project(act, target)}
    for memory in _of_project(act, source):
        pair = [memory, *filter(None, [there.get((digest(memory.text), memory.kind))])]
        *weaker, stays = sorted(pair, key=_standing)
        doubles += forget(act, [one.id for one in weaker], reason="known in the other project")
        if stays is memory:
            moved.append(apply_change(act, ChangeType.EDIT, memory, _placed(memory, target), "moved"))
    for memory in _of_project(act, source, statuses=[one for one in Status if one not in KEPT]):
        if memory.id not in {one.memory.id for one in doubles}:
            apply_change(act, ChangeType.EDIT, memory, _placed(memory, target), "moved")
    move_exchanges(act, [one.id for one in episodes.kept(act.db, project=source)], source, target)
    return moved, doubles


def _standing(memory: Memory) -> tuple[bool, bool, bool, bool, int]:
    """How firmly a statement stands: in use before pending, then what a person fixed, then whose words it is."""
    fixed = memory.pinned, read_only.GUARD in dict(memory.metadata), memory.tier is not Tier.NORMAL
    return (memory.status in LIVE, *fixed, records.TRUST[memory.origin])


def bring_along(act: Act, here: Project) -> int:
    """Moves what a directory's project knew before it had a remote or a name to what it is called now; how many memories."""
    if not (former := read_only.left_behind(act.db, here)):
        return 0
    set_meta(act.db, f"came along {former}", str(act.now))
    sessions.note_project(act.db, *here, act.now)
    sessions.note_worked(act.db, here.id, sessions.worked(act.db, former))  # by which what was heard fades
    return len(merge_projects(act, former, here.id)[0])


def forget_project(act: Act, project: str) -> list[Outcome]:
    """Forgets the memories of a project, and deletes its conversations for good."""
    act.who.must(Action.ELSEWHERE)
    episodes.forget(act.db, [one.id for one in episodes.kept(act.db, project=project)])
    return forget(act, [one.id for one in _of_project(act, project)], reason="forgotten with its project")


def _of_project(act: Act, project: str, statuses: Iterable[str] = KEPT) -> list[Memory]:
    return [one for one in rows.listed(act.db, project=project, statuses=statuses) if one.project == project]
