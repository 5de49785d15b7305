"""Whole projects and single memories put where they belong: moved, merged into one, renamed. Each is one batch that `undo` takes back."""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.curation import actions
from psychmem_py.curation.act import Act, Outcome
from psychmem_py.curation.actions import Edit
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.memory.strength import combined
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import TRUST, Change, ChangeType, Link, LinkType, Memory, Scope, Status
from psychmem_py.store import episodes, rows
from psychmem_py.store.connection import transaction
from psychmem_py.store.overview import ProjectSeen
from psychmem_py.text.tokenizer import digest

_KEPT = (*LIVE, Status.QUARANTINED)


def named(seen: dict[str, ProjectSeen], name: str) -> ProjectSeen:
    """The project with this id, name or directory. Raises NotFoundError for none, and for several of one name."""
    fits = [one for one in seen.values() if name in (one.id, one.root)] or [one for one in seen.values() if one.name == name]
    if not fits:
        raise NotFoundError(f"no project is called {name!r}; `psychmem project list` names them")
    if len(fits) > 1:
        raise NotFoundError(f"several projects are called {name!r}: {', '.join(one.id for one in fits)}; give the id")
    return fits[0]


def move(act: Act, ids: Sequence[str], scope: Scope, project: str | None) -> list[Outcome]:
    """Lets memories hold in another project, or in every one."""
    with transaction(act.db):
        return [actions.edit(act, one, Edit(scope=scope, project=project), reason="moved") for one in ids]


def merge_projects(act: Act, source: str, target: str) -> tuple[list[Outcome], list[Outcome]]:
    """What was moved from one project to another, and what was there already and went out of use."""
    if source == target:
        raise RefusedError("these are the same project")
    moved, doubles = list[Outcome](), list[Outcome]()
    with transaction(act.db):
        for memory in _of_project(act, source):
            if rows.is_stored(act.db, digest(memory.text), memory.kind.value, target):
                doubles += actions.forget(act, [memory.id], reason="known in the other project")
            else:
                moved.append(actions.edit(act, memory.id, Edit(scope=Scope.PROJECT, project=target), reason="moved"))
        episodes.move(act.db, source, target)
    return moved, doubles


def forget_project(act: Act, project: str) -> list[Outcome]:
    """Everything of a project, out of use; what was said in its conversations for good."""
    act.who.must(Deed.ELSEWHERE)
    with transaction(act.db):
        episodes.forget(act.db, episodes.that(act.db, lambda one: one.project == project))
        own = [one.id for one in _of_project(act, project)]
        return actions.forget(act, own, reason="forgotten with its project")


def _of_project(act: Act, project: str) -> list[Memory]:
    listed = rows.listed(act.db, project=project, statuses=_KEPT, scopes=[Scope.PROJECT])
    return [one for one in listed if one.project == project]


def merge(act: Act, ids: Sequence[str], text: str | None = None) -> Outcome:
    """Makes one memory of several: the first stays, worded anew if `text` says so, with all that is known of the others."""
    with transaction(act.db):
        memories = list({one.id: one for one in (act.who.one(act.db, key, Deed.CHANGE) for key in ids)}.values())
        if len(memories) < 2:
            raise RefusedError("name at least two memories to make one of them")
        first, *others = memories
        if any(one.status not in LIVE for one in memories):
            raise RefusedError("only memories in use can be merged; `psychmem review ID` approves what is pending")
        into, names = f"merged into {first.id[:8]}", ", ".join(one.id[:8] for one in others)
        gone = ((one, one._replace(status=Status.SUPERSEDED, updated_at=act.now)) for one in others)
        replaced = [Change(ChangeType.SUPERSEDE, one.id, one, after, into) for one, after in gone]
        act.apply(replaced)
        actions.stepped(act, ChangeType.MERGE, first, _gathered(memories), f"merged with {names}")
        links = [Link(first.id, one.id, LinkType.SUPERSEDES, act.now) for one in others]
        act.apply([Change(ChangeType.LINK, first.id, first, first, "merged", link=link) for link in links])
        outcome = Outcome(rows.by_id(act.db, first.id), tuple(replaced))
        return outcome if text is None else actions.edit(act, first.id, Edit(text=text))


def _gathered(memories: Sequence[Memory]) -> Memory:
    """The first with the tags, names, uses and conversations of all, and the least trusted origin."""
    first = memories[0]
    return first._replace(
        tags=tuple(dict.fromkeys(tag for one in memories for tag in one.tags)),
        names=tuple(dict.fromkeys(name for one in memories for name in one.names)),
        use_count=sum(one.use_count for one in memories),
        session_count=max(one.session_count for one in memories),
        importance=combined(tuple(one.importance for one in memories)),
        anchor_at=max(one.anchor_at for one in memories),
        pinned=any(one.pinned for one in memories),
        origin=min((one.origin for one in memories), key=lambda origin: TRUST[origin]),
    )
