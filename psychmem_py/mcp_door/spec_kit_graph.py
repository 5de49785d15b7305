"""Spec Kit's tools about what led to what, and about copies of the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from psychmem_py.curation import actions
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.mcp_door import desk as at
from psychmem_py.mcp_door.desk import Desk, JsonRow
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Link, LinkType, Memory
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import rows
from psychmem_py.store.care import checkpoints
from psychmem_py.text.dates import iso

GraphRelation = Literal["caused", "enabled", "supersedes", "contradicts", "derived_from", "supports"]
_OURS = {"derived_from": "derives_from"}
_THEIRS = {ours: theirs for theirs, ours in _OURS.items()}
_COVERED = 0.6  # of the memories that Spec Kit wants to see linked


def memory_drift_why(  # noqa: PLR0917
    desk: Desk,
    memoryId: str | int,
    maxDepth: int = 3,
    direction: Literal["outgoing", "incoming", "both"] = "both",
    relations: list[GraphRelation] | None = None,
    includeMemoryDetails: bool = True,
) -> JsonRow:
    """Why was this decided: what led to a memory and what it led to, with the id of each link."""
    with desk.store() as db:
        start = desk.visible(db, str(memoryId))
        edges, seen, edge = dict[str, JsonRow](), {start.id}, [start.id]
        for depth in range(1, min(max(1, maxDepth), 10) + 1):
            around = [(tie, tie.source == key) for key in edge for tie in rows.links(db, key)]
            edge = []
            for tie, out in around:
                other = rows.get(db, tie.target if out else tie.source)
                skipped = direction == ("incoming" if out else "outgoing") or (relations and _name(tie) not in relations)
                if skipped or other is None or other.project not in (None, desk.project_id):
                    continue
                edges.setdefault(_edge(tie), _told(tie, depth, other if includeMemoryDetails else None))
                edge += [other.id] if other.id not in seen else []
                seen.add(other.id)
    by: dict[str, list[JsonRow]] = {}
    for one in edges.values():
        by.setdefault(one["relation"], []).append(one)
    data = {"memoryId": start.id[: at.ID_CHARS], "title": clean(start.text), "totalEdges": len(edges), "byRelation": by}
    return envelope(f"{len(edges)} links around this memory", data)


def memory_causal_link(desk: Desk, sourceId: str, targetId: str, relation: GraphRelation) -> JsonRow:
    """Link two memories. A link is there or not: strength and evidence are not kept."""
    with desk.acting() as act:
        source, target = desk.visible(act.db, sourceId), desk.visible(act.db, targetId)
        made = actions.link(act, source.id, target.id, LinkType(_OURS.get(relation, relation)))
    return envelope("linked", {"edgeId": _edge(made), "relation": relation})


def memory_causal_stats(desk: Desk) -> JsonRow:
    """How many links there are, of which types, and how many memories have one."""
    with desk.store() as db:
        own = {one.id for one in rows.listed(db, project=desk.project_id)}
        ties = [tie for tie in rows.links(db) if tie.source in own and tie.target in own]
    tied = {end for tie in ties for end in (tie.source, tie.target)}
    by = Counter(map(_name, ties))
    share = len(tied) / len(own) if own else 0.0
    data = {"totalEdges": len(ties), "byRelation": by, "linkedMemories": len(tied), "coveragePercent": round(100 * share, 1), "meetsTarget": share >= _COVERED}  # fmt: skip
    return envelope(f"{len(ties)} links, {len(tied)} of {len(own)} memories have one", data)


def memory_causal_unlink(desk: Desk, edgeId: str) -> JsonRow:
    """Take a link away, by the id that memory_drift_why and memory_causal_link tell."""
    source, _, rest = edgeId.partition(":")
    name, _, target = rest.partition(":")
    if name not in set(LinkType):
        raise NotFoundError(f"there is no link {clean(edgeId)!r}; memory_drift_why gives the ids")
    with desk.acting() as act:
        gone = actions.unlink(act, desk.visible(act.db, source).id, desk.visible(act.db, target).id, LinkType(name))
    return envelope("unlinked", {"edgeId": edgeId, "removed": len(gone)})


def checkpoint_create(desk: Desk, name: str) -> JsonRow:
    """Copy the whole store as it is now, under a name."""
    with desk.store() as db:
        made = checkpoints.create(db, desk.database, name)
    desk.checkpoints.append(name)
    return envelope(f"checkpoint {name} made", {"name": made.name, "createdAt": iso(made.at), "sizeBytes": made.size_bytes})


def checkpoint_list(desk: Desk, limit: int = 50) -> JsonRow:
    """The copies there are, oldest first."""
    newest = checkpoints.listing(desk.database)[-max(1, limit) :]
    row_list = [{"name": one.name, "createdAt": iso(one.at), "sizeBytes": one.size_bytes} for one in newest]
    return envelope(f"{len(row_list)} checkpoints", {"count": len(row_list), "checkpoints": row_list})


def checkpoint_restore(desk: Desk, name: str) -> JsonRow:
    """Go back to a copy, as far as only the agent's own memories of this project change; anything else is the person's to take back."""
    with desk.acting() as act:
        made = actions.restore(act, desk.database, name)
    return envelope(f"{len(made)} memories and links are as in {name}", {"name": name, "restored": len(made)})


def checkpoint_delete(desk: Desk, name: str) -> JsonRow:
    """Remove a copy that this conversation made; others are the person's to remove."""
    if name not in desk.checkpoints:
        raise RefusedError(f"this conversation did not make {name!r}; a person can run `psychmem checkpoint delete {name}`")
    checkpoints.delete(desk.database, name)
    desk.checkpoints.remove(name)
    return envelope(f"checkpoint {name} removed", {"name": name})


def _name(tie: Link) -> str:
    return _THEIRS.get(tie.type.value, tie.type.value)


def _edge(tie: Link) -> str:
    return f"{tie.source[: at.ID_CHARS]}:{tie.type.value}:{tie.target[: at.ID_CHARS]}"


def _told(tie: Link, depth: int, other: Memory | None) -> JsonRow:
    ends = {"from": tie.source[: at.ID_CHARS], "to": tie.target[: at.ID_CHARS]}
    return {"id": _edge(tie), "relation": _name(tie), "depth": depth, **ends, **({"memory": clean(other.text)} if other else {})}


TOOLS = (
    *((tool, Deed.LOOK) for tool in (checkpoint_list, memory_drift_why, memory_causal_stats)),
    *((tool, Deed.RESTORE) for tool in (checkpoint_create, checkpoint_restore, checkpoint_delete)),
    *((tool, Deed.RATE) for tool in (memory_causal_link, memory_causal_unlink)),
)


def envelope(summary: str, data: Mapping[str, Any]) -> JsonRow:
    """An answer of these tools."""
    return {"summary": summary, "data": dict(data)}
