"""Memories as Spec Kit has them, its tools for links and checkpoints; a project's memory files, read where they are, no rules."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from psychmem_py.curation import actions, history
from psychmem_py.curation.act import storable
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.home import files, places
from psychmem_py.mcp_door.desk import ID_CHARS, Desk, JsonRow, author_fields
from psychmem_py.memory.forgetting import TEMPORARY_RATE, age_h, retrievability, state_of
from psychmem_py.model import light_record
from psychmem_py.model.records import Kind, Link, LinkType, Memory, Origin, Scope, Status, Store, Tier
from psychmem_py.model.settings import TRIGGERS
from psychmem_py.recall.documents import Document, DocumentHit, Section, parsed
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.store import copies, rows
from psychmem_py.text.dates import iso

# Left of a file after each 30 days (Spec Kit, model A); other tiers stay.
_RATE = {Tier.NORMAL: 0.80, Tier.TEMPORARY: TEMPORARY_RATE}
WEIGHT = {
    Tier.CONSTITUTIONAL: 1.0, Tier.CRITICAL: 1.0, Tier.IMPORTANT: 0.8, Tier.NORMAL: 0.5, Tier.TEMPORARY: 0.3, Tier.DEPRECATED: 0.1
}  # fmt: skip
_WITH_TEXT = {"HOT": 5, "WARM": 10}  # Spec Kit's limits, so that a search does not flood a context
_CHARS = 20_000  # of a file or a section that is sent; what Spec Kit's kit writes has some 8,000
GraphRelation = Literal["caused", "enabled", "supersedes", "contradicts", "derived_from", "supports"]
_COVERED = 0.6  # of the memories that Spec Kit wants to see linked


@lru_cache(files.MOST_FILES)
def document(root: str, path: str, mark: str) -> Document | None:
    """A file of a project as it is since this mark, read once; None where it cannot be read. No copy is stored."""
    return None if (text := files.text_of(root, path)) is None else parsed(path, text, places.changed_at(f"{root}/{path}"))


def root_of(desk: Desk) -> str:
    """The root of the project at hand. Raises RefusedError outside of one."""
    if desk.project is None:
        raise RefusedError("documents belong to a project, and here is none; start the client inside one")
    return desk.project.root


def documents_of(desk: Desk) -> list[Document]:
    """The project's documents as they stand now; [] outside a project."""
    return [one for one, _ in looked_at(desk)] if desk.project else []


def looked_at(desk: Desk) -> Iterator[tuple[Document, bool]]:
    """The project's documents as they stand now, and whether each was read just now. Raises RefusedError outside a project."""
    root = root_of(desk)
    for path, mark in files.markdown_files(root):
        before = document.cache_info().misses
        if found := document(root, path, mark):
            yield found, document.cache_info().misses > before


def listed(desk: Desk, db: sqlite3.Connection, folder: str = "", statuses: Sequence[str] = light_record.LIVE) -> list[Memory]:
    """What is remembered here: the store's memories and the memory files, of one folder or tag."""
    stored = rows.listed(db, project=desk.project_id, statuses=statuses, tags=[folder] if folder else ())
    return [*stored, *(as_memory(one) for one in documents_of(desk) if one.folder and folder in ("", one.folder))]


def as_memory(one: Document) -> Memory:
    """A memory file as the record that listings, tiers, triggers and states go by."""
    weight = WEIGHT[one.tier]
    return Memory(
        one.path, redact(one.title), Kind.EPISODIC, Scope.PROJECT, None, Store.STM, one.tier, Status.ACTIVE, False, Origin.FILE,
        importance=weight, utility=0.5, novelty=1.0, confidence=1.0, interference=0.0, strength=weight, use_count=0, session_count=1,
        created_at=one.at, updated_at=one.at, anchor_at=one.at, tags=(one.folder,), names=one.triggers,
    )  # fmt: skip


def left(desk: Desk, memory: Memory) -> float:
    """Share that is left of a memory or a memory file, in [0, 1]."""
    if "/" not in memory.id:
        return retrievability(memory, desk.clock(), desk.settings)
    return float(_RATE.get(memory.tier, 1.0) ** (age_h(memory, desk.clock()) / 24 / 30))


def state(desk: Desk, memory: Memory) -> str:
    return state_of(left(desk, memory), memory, desk.clock())


def in_use(desk: Desk, scored: Sequence[tuple[Memory, float]]) -> list[tuple[Memory, float]]:
    """Without archived ones, and of dormant ones only those that score at least half of the first, the best."""
    enough = scored[0][1] / 2 if scored else 0.0
    states = [state(desk, memory) for memory, _ in scored]
    return [pair for pair, of in zip(scored, states, strict=True) if of != "ARCHIVED" and (of != "DORMANT" or pair[1] >= enough)]


def key_of(hit: DocumentHit) -> str:
    """The key under which a section is recorded as shown."""
    return f"{hit.document.path}#{hit.section.heading}"


def id_of(memory: Memory) -> str:
    """What a tool calls a memory: of a file its path."""
    return memory.id if "/" in memory.id else memory.id[:ID_CHARS]


def phrases(memory: Memory) -> list[str]:
    """Trigger phrases of a memory: those of its file, the names in it, and those set by memory_update."""
    return [phrase for phrase in map(str.strip, (*memory.names, *dict(memory.metadata).get(TRIGGERS, "").split(","))) if phrase]


def row_list(desk: Desk, memories: Sequence[Memory], *, content: bool = False) -> list[JsonRow]:
    """Memories in Spec Kit's field names; on request with their text, of hot ones the first five, of warm ones ten."""
    files, room, made = {one.path: one for one in documents_of(desk) if one.folder}, Counter(_WITH_TEXT), list[JsonRow]()
    for memory in memories:
        file, of = files.get(memory.id), state(desk, memory)
        room[of] -= 1
        row: JsonRow = {"id": id_of(memory), "title": clean(memory.text), "specFolder": memory.tags[0] if memory.tags else ""}
        row |= {"contextType": "file" if file else memory.kind.value, "importanceTier": memory.tier.value}
        row |= {"importanceWeight": WEIGHT[memory.tier], "state": of, "retrievability": round(left(desk, memory), 3)}
        row |= {"createdAt": iso(memory.created_at), "updatedAt": iso(memory.updated_at)}
        row |= ({"filePath": file.path} if file else {}) | author_fields(memory)
        text = text_of(file.sections) if file else row["title"]
        told = content and (of not in _WITH_TEXT or room[of] >= 0)
        made.append(row | (sent(text) | {"triggerPhrases": phrases(memory)} if told else {}))
    return made


def section_row(hit: DocumentHit, *, content: bool) -> JsonRow:
    """A section of a document; with its text when asked for, cut where it is very long."""
    made: JsonRow = {"path": hit.document.path, "documentType": hit.document.kind, "title": clean(hit.document.title)}
    made |= {"anchor": hit.section.anchor} if hit.section.anchor else {}
    made |= {"heading": clean(hit.section.heading), "score": round(hit.score, 4)}
    text = storable(hit.section.text)
    return made | (sent(text) if content else {"contentLength": len(text)})


def text_of(sections: Iterable[Section]) -> str:
    return storable("\n\n".join(f"{one.heading}\n{one.text}" if one.heading else one.text for one in sections))


def sent(text: str) -> JsonRow:
    """A text as an answer holds it, cut where it is very long."""
    return {"content": text[:_CHARS], **({"cut": True} if len(text) > _CHARS else {})}


def envelope(summary: str, data: Mapping[str, Any]) -> JsonRow:
    return {"summary": summary, "data": dict(data)}


def memory_drift_why(  # noqa: PLR0917
    desk: Desk, memoryId: str, maxDepth: int = 3, direction: Literal["outgoing", "incoming", "both"] = "both",
    relations: Sequence[GraphRelation] = (), includeMemoryDetails: bool = True,
) -> JsonRow:  # fmt: skip
    """Why was this decided: what led to a memory and what it led to, with the id of each link."""
    by, seen = defaultdict[str, dict[str, JsonRow]](dict), set[str]()
    with desk.store() as db:
        start = desk.memory_of(db, memoryId)
        edge = {start.id}
        for depth in range(1, min(max(1, maxDepth), 10) + 1):
            around = [step for key in edge for step in history.steps(db, key, depth)]
            seen, edge = seen | edge, set()
            for step in around:
                tie, behind = step.link, "outgoing" if step.link.source == step.hit else "incoming"
                skipped = direction not in (behind, "both") or (relations and _name(tie) not in relations)
                if skipped or step.is_hidden or step.memory.project not in (None, desk.project_id):
                    continue
                row: JsonRow = {"id": _edge(tie), "relation": _name(tie), "depth": depth}
                row |= {"from": tie.source[:ID_CHARS], "to": tie.target[:ID_CHARS]}
                by[_name(tie)].setdefault(_edge(tie), row | ({"memory": clean(step.memory.text)} if includeMemoryDetails else {}))
                edge |= {step.memory.id} - seen
    told = {name: [*edges.values()] for name, edges in by.items()}
    data = {"memoryId": start.id[:ID_CHARS], "title": clean(start.text), "totalEdges": sum(map(len, told.values()))}
    return envelope(f"{data['totalEdges']} links around this memory", {**data, "byRelation": told})


def memory_causal_link(desk: Desk, sourceId: str, targetId: str, relation: GraphRelation) -> JsonRow:
    """Link two memories. A link is there or not: strength and evidence are not kept."""
    with desk.acting() as act:
        source, target = desk.memory_of(act.db, sourceId), desk.memory_of(act.db, targetId)
        made = actions.link(act, source.id, target.id, LinkType(relation.replace("derived_from", "derives_from")))
    return envelope("linked", {"edgeId": _edge(made), "relation": relation})


def memory_causal_stats(desk: Desk) -> JsonRow:
    """How many links there are, of which types, and how many memories have one."""
    with desk.store() as db:
        own = {one.id for one in rows.listed(db, project=desk.project_id)}
        ties = [tie for tie in rows.links(db) if tie.source in own and tie.target in own]
    tied = {end for tie in ties for end in (tie.source, tie.target)}
    share = len(tied) / len(own) if own else 0.0
    data = {"totalEdges": len(ties), "byRelation": Counter(map(_name, ties)), "linkedMemories": len(tied)}
    data |= {"coveragePercent": round(100 * share, 1), "meetsTarget": share >= _COVERED}
    return envelope(f"{len(ties)} links, {len(tied)} of {len(own)} memories have one", data)


def memory_causal_unlink(desk: Desk, edgeId: str) -> JsonRow:
    """Take a link away, by the id that memory_drift_why and memory_causal_link tell."""
    source, name, target = [*edgeId.split(":", 2), "", ""][:3]
    if name not in set(LinkType):
        raise NotFoundError(f"there is no link {clean(edgeId)!r}; memory_drift_why gives the ids")
    with desk.acting() as act:
        gone = actions.unlink(act, desk.memory_of(act.db, source).id, desk.memory_of(act.db, target).id, LinkType(name))
    return envelope("unlinked", {"edgeId": edgeId, "removed": len(gone)})


def checkpoint_create(desk: Desk, name: str) -> JsonRow:
    """Copy the whole store as it is now, under a name."""
    with desk.store() as db:
        made = copies.create(db, desk.database, name)
    desk.checkpoints.append(name)
    return envelope(f"checkpoint {name} made", _copy_row(made))


def checkpoint_list(desk: Desk, limit: int = 50) -> JsonRow:
    """The copies there are, oldest first."""
    newest = [_copy_row(one) for one in copies.listing(desk.database)[-max(1, limit) :]]
    return envelope(f"{len(newest)} checkpoints", {"count": len(newest), "checkpoints": newest})


def _copy_row(one: copies.Checkpoint) -> JsonRow:
    return {"name": one.name, "createdAt": iso(one.at), "sizeBytes": one.size_bytes}


def checkpoint_restore(desk: Desk, name: str) -> JsonRow:
    """Go back to a copy, as far as only the agent's own memories of this project change; the rest is the person's to undo."""
    with desk.acting() as act:
        made = actions.restore(act, desk.database, name)
    return envelope(f"{len(made)} memories and links are as in {name}", {"name": name, "restored": len(made)})


def checkpoint_delete(desk: Desk, name: str) -> JsonRow:
    """Remove a copy that this conversation made; others are the person's to remove."""
    if name not in desk.checkpoints:
        raise RefusedError(f"this conversation did not make {name!r}; a person can run `psychmem checkpoint delete {name}`")
    copies.delete(desk.database, name)
    desk.checkpoints.remove(name)
    return envelope(f"checkpoint {name} removed", {"name": name})


def _name(tie: Link) -> str:
    return tie.type.value.replace("derives_from", "derived_from")


def _edge(tie: Link) -> str:
    return f"{tie.source[:ID_CHARS]}:{tie.type.value}:{tie.target[:ID_CHARS]}"
