"""Looking back: what happened to a memory, its links, what led to it; and taking steps back. An undo is a step like any other."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act
from psychmem_py.home.light_json import encoded
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Change, ChangeType, Link, LinkType, Memory, Status, Store
from psychmem_py.safety.control_chars import line
from psychmem_py.store import change_log, rows
from psychmem_py.store.sqlite import from_json, set_meta
from psychmem_py.store.undo import UndoResult
from psychmem_py.store.undo import undo as take_back
from psychmem_py.text import dates


def undo(act: Act, target: str | None, *, project: str | None = None, all_projects: bool = True) -> UndoResult:
    """Takes back the last command of whoever acts (here, or anywhere), or a named batch or line; an agent only its own."""
    by = (act.who.agent, act.who.session)
    taken = take_back(act.db, target, act.now, batch=act.batch, project=project, all_projects=all_projects, by=by)
    if taken.moved:
        source, aim, *ids = from_json(taken.moved)
        move_exchanges(act, ids, aim, source)
    return taken


def move_exchanges(act: Act, ids: Sequence[str], source: str, target: str) -> None:
    """Puts what was said in one project into another, and notes it by the act's batch, for an undo."""
    from psychmem_py.store import episodes  # noqa: PLC0415  # with what ranks them: 8 ms that looking at a memory does without

    episodes.move(act.db, ids, target)
    if ids:
        set_meta(act.db, f"moved {act.batch}", encoded([source, target, *ids]))


_ACTIONS = {"add": "kept", "reinforce": "strengthened", "merge": "merged", "supersede": "replaced", "undo": "taken back"}
_ALTERED = ("text", "kind", "project", "tier", "status", "store", "tags", "pinned", "expires_at")  # fields, in this order
_CALLED = {"kind": "class", "project": "holds in", "expires_at": "ends"}
_NONE = {"project": "every project", "tags": "none", "expires_at": "never"}
_BACKWARD = {LinkType.DERIVES_FROM, LinkType.SUPERSEDES, LinkType.REFERENCES}  # from the later to the earlier
_FORWARD = {LinkType.CAUSED, LinkType.ENABLED, LinkType.SUPPORTS, LinkType.CHAIN}  # from the cause to the effect


def action_of(line: change_log.LogLine) -> str:
    """What a line of the log did, in a word or two: "forgotten", "edited: class decision → constraint"."""
    if (change := line.change).type is ChangeType.STATUS:
        return change.reason or (change.after.status.value if change.after else "removed")
    if change.type is ChangeType.PIN and change.after:
        return "pinned" if change.after.pinned else "unpinned"
    own_words = change.reason == change_log.IMPORTED or change.reason.startswith(("changed in ", "voted "))
    what = change.reason if own_words else _ACTIONS.get(change.type, f"{change.type}ed")
    return ": ".join(filter(None, (what, differences(change) if change.type is ChangeType.EDIT else "")))


def actions_of(taken: UndoResult) -> str:
    """What a command that was taken back had done, in a few words."""
    more = [f"{taken.candidates} pending answered"] * bool(taken.candidates) + ["conversations moved"] * bool(taken.moved)
    more += [f"trust in {from_json(taken.trust)[0]} changed"] if taken.trust else []
    return ", ".join(dict.fromkeys((*map(action_of, taken.lines), *more)))


def differences(change: Change) -> str:
    """What a change altered: "class semantic → decision, no longer pinned"; "" for a new memory and for mere counts."""
    before, after = change.before, change.after
    if before is None or after is None:
        return ""
    words = {"text": "text", "pinned": "pinned" if after.pinned else "no longer pinned"}
    different = [
        words.get(field) or f"{_CALLED.get(field, field)} {_said(old) or _NONE[field]} → {_said(new) or _NONE[field]}"
        for field in _ALTERED
        if (old := getattr(before, field)) != (new := getattr(after, field))
    ]
    old, new = dict(before.metadata), dict(after.metadata)
    fields = (name for name in old | new if old.get(name) != new.get(name))
    different += [f"{name} {old.get(name, 'none')} → {new.get(name, 'none')}" for name in fields]
    return ", ".join(different)


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Store):
        return "short-term" if value is Store.STM else "long-term"
    return dates.iso(value)[:10] if isinstance(value, float) else last_part(str(value or ""))


def last_part(project: str) -> str:
    """A name for a project that was never worked in here: the last part of its id; other words as they are."""
    end = project.removesuffix("/.git").rstrip("/").rpartition("/")[2].rpartition(":")[2]
    return line(end.removesuffix(".git")) or line(project)


def place_name(project: str | None, names: Mapping[str, str], nowhere: str = "everywhere") -> str:
    """The name of a project, by `names` or its id; `nowhere` for none."""
    return nowhere if project is None else line(names.get(project, "")) or last_part(project)


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
    def is_hidden(self) -> bool:
        """Whether its memory is pending or forgotten, which no search shows either."""
        return self.memory.status in (Status.FORGOTTEN, Status.QUARANTINED)

    @property
    def is_earlier(self) -> bool:
        """Whether it comes before the other one."""
        return self.link.type in (_BACKWARD if self.link.source == self.hit else _FORWARD)


def steps(db: sqlite3.Connection, memory_id: str, depth: int = 1) -> Iterator[Step]:
    """What one memory is linked to."""
    ends = ((rows.get(db, one.target if one.source == memory_id else one.source), one) for one in rows.links(db, memory_id))
    yield from (Step(other, link, memory_id, depth) for other, link in ends if other is not None)


def why(db: sqlite3.Connection, memory_id: str) -> list[Step]:
    """What led to a memory, nearest first: what it derives from, replaced, refers to, is caused by; a chain both ways."""
    causes: dict[str, Step] = {}
    edge = [memory_id]
    for depth in range(1, 9):
        for step in [step for later in edge for step in steps(db, later, depth)]:
            if (step.is_earlier or step.link.type is LinkType.CHAIN) and step.memory.id != memory_id:
                causes.setdefault(step.memory.id, step)
        edge = [key for key, step in causes.items() if step.depth == depth]
    return list(causes.values())


def linked_to(db: sqlite3.Connection, memories: Sequence[Memory], *, project: str | None, all_projects: bool) -> list[Step]:
    """What these memories are linked to and may be seen from `project`, each once, without themselves."""
    found = dict.fromkeys(one.id for one in memories)
    linked: dict[str, Step] = {}
    for step in (step for key in found for step in steps(db, key)):
        if step.memory.id not in found and not step.is_hidden and (all_projects or step.memory.project in (None, project)):
            linked.setdefault(step.memory.id, step)
    return list(linked.values())


def dependents(db: sqlite3.Connection, memory_id: str) -> list[Memory]:
    """Memories in use that depend on one: derived from it, referring to it, or caused, enabled or supported by it."""
    building = (_BACKWARD | _FORWARD) - {LinkType.SUPERSEDES}
    built = (one.memory for one in steps(db, memory_id) if not one.is_earlier and one.link.type in building)
    return [memory for memory in built if memory.status in LIVE]
