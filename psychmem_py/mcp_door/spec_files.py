"""Memories as Spec Kit's tools tell them: the store's own, and the memory files of a project (`specs/*/memory/*.md`, `.txt`).

A file is a memory of origin `file` under its path. Nothing of it is stored: it is read where it stands, fades by its date, and is
changed by changing the file. Its text is a stranger's: secrets are left out, and that it calls itself constitutional makes it no rule.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from psychmem_py.errors import RefusedError
from psychmem_py.mcp_door.desk import ID_CHARS, Desk, JsonRow, Library, by_others
from psychmem_py.memory.forgetting import TEMPORARY_RATE, age_h, retrievability, state_of
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Kind, Memory, Origin, Scope, Status, Store, Tier
from psychmem_py.recall.documents import Document, DocumentHit, Section
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.store import rows
from psychmem_py.text.dates import iso

# Left of a file after each 30 days (Spec Kit, model A); other tiers stay.
_RATE = {Tier.NORMAL: 0.80, Tier.TEMPORARY: TEMPORARY_RATE}
_WEIGHT = {Tier.CONSTITUTIONAL: 1.0, Tier.CRITICAL: 1.0, Tier.IMPORTANT: 0.8, Tier.NORMAL: 0.5, Tier.TEMPORARY: 0.3}
_DEPRECATED_WEIGHT = 0.1
_WITH_TEXT = (("HOT", 5), ("WARM", 10))  # Spec Kit's limits, so that a search does not flood a context
_CHARS = 6_000  # of a file or a section that is sent


def library_of(desk: Desk) -> Library:
    """The library of the project at hand. Raises RefusedError outside of one."""
    if desk.library is None:
        raise RefusedError("documents belong to a project, and here is none; start the client inside one")
    return desk.library


def documents_of(desk: Desk, *, anew: bool = False) -> list[Document]:
    """The project's documents as they stand now; [] outside a project."""
    if desk.library is None:
        return []
    desk.library.look(anew=anew)
    return desk.library.documents


def listed(desk: Desk, db: sqlite3.Connection, folder: str = "", statuses: Sequence[str] = LIVE) -> list[Memory]:
    """What is remembered here: the store's memories and the memory files, of one folder or tag."""
    stored = rows.listed(db, project=desk.project_id, statuses=statuses, tags=[folder] if folder else ())
    return [*stored, *(as_memory(one) for one in documents_of(desk) if one.folder and folder in ("", one.folder))]


def as_memory(one: Document) -> Memory:
    """A memory file as the record that listings, tiers, triggers and states go by."""
    weight = _WEIGHT.get(one.tier, _DEPRECATED_WEIGHT)
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
    """HOT, WARM, COLD, DORMANT or ARCHIVED."""
    return state_of(left(desk, memory), memory, desk.clock())


def in_use(desk: Desk, scored: Sequence[tuple[Memory, float]]) -> list[tuple[Memory, float]]:
    """Without what is archived, and of what is dormant only what fits at least half as well as the best, which comes first."""
    enough = scored[0][1] / 2 if scored else 0.0
    states = [state(desk, memory) for memory, _ in scored]
    return [pair for pair, of in zip(scored, states, strict=True) if of != "ARCHIVED" and (of != "DORMANT" or pair[1] >= enough)]


def key_of(hit: DocumentHit) -> str:
    """Under what it is noted that a conversation was sent a section."""
    return f"{hit.document.path}#{hit.section.heading}"


def row_list(desk: Desk, memories: Sequence[Memory], *, content: bool = False) -> list[JsonRow]:
    """Memories in Spec Kit's field names, the one statement of a stored one as its title; text comes with the first five that are hot and
    the first ten that are warm.
    """
    files, room, made = {one.path: one for one in documents_of(desk) if one.folder}, dict(_WITH_TEXT), list[JsonRow]()
    for memory in memories:
        file, of = files.get(memory.id), state(desk, memory)
        room[of] = room.get(of, 0) - 1
        row: JsonRow = {
            "id": memory.id if file else memory.id[:ID_CHARS],
            "title": clean(memory.text),
            "specFolder": memory.tags[0] if memory.tags else "",
            "contextType": "file" if file else memory.kind.value,
            "importanceTier": memory.tier.value,
            "importanceWeight": round(memory.importance, 3),
            "state": of,
            "retrievability": round(left(desk, memory), 3),
            "createdAt": iso(memory.created_at),
            "updatedAt": iso(memory.updated_at),
            **({"filePath": file.path} if file else {}),
            **by_others(memory),
        }
        text = text_of(file.sections) if file else row["title"]
        made.append(row | ({"content": text, "triggerPhrases": list(memory.names)} if content and room[of] >= 0 else {}))
    return made


def section_row(hit: DocumentHit, *, content: bool) -> JsonRow:
    """A section of a document; with its text when asked for, cut where it is very long."""
    made: JsonRow = {"path": hit.document.path, "documentType": hit.document.kind, "title": clean(hit.document.title)}
    made |= {"anchor": hit.section.anchor} if hit.section.anchor else {}
    made |= {"heading": clean(hit.section.heading), "score": round(hit.score, 4)}
    text = redact(clean(hit.section.text))
    if content:
        return made | {"content": text[:_CHARS], **({"cut": True} if len(text) > _CHARS else {})}
    return made | {"contentLength": len(text)}


def text_of(sections: Iterable[Section]) -> str:
    """The text of sections, without secrets and of a length that can be sent."""
    parts = (f"{one.heading}\n{one.text}" if one.heading else one.text for one in sections)
    return redact(clean("\n\n".join(parts)))[:_CHARS]
