"""Memories as Spec Kit's tools tell them: the store's own, and the memory files of a project (`specs/*/memory/*.md`, `.txt`).

A file is a memory of origin `file` under its path. Nothing of it is stored: it is read where it stands, fades by its date, and is
changed by changing the file. Its text is a stranger's: secrets are left out, and that it calls itself constitutional makes it no rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from psychmem_py.mcp_door.desk import ID_CHARS, JsonRow, by_others
from psychmem_py.memory.forgetting import TEMPORARY_RATE, age_h, retrievability, state_of
from psychmem_py.model.records import Kind, Memory, Origin, Scope, Status, Store, Tier
from psychmem_py.model.settings import Settings
from psychmem_py.recall.documents import Document, DocumentHit, Section
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.text.dates import iso

# Left of a file after each 30 days (Spec Kit, model A); other tiers stay.
_RATE = {Tier.NORMAL: 0.80, Tier.TEMPORARY: TEMPORARY_RATE}
_WEIGHT = {Tier.CONSTITUTIONAL: 1.0, Tier.CRITICAL: 1.0, Tier.IMPORTANT: 0.8, Tier.NORMAL: 0.5, Tier.TEMPORARY: 0.3}
_DEPRECATED_WEIGHT = 0.1
_WITH_TEXT = (("HOT", 5), ("WARM", 10))  # Spec Kit's limits, so that a search does not flood a context
_CHARS = 6_000  # of a file or a section that is sent


def as_memory(one: Document) -> Memory:
    """A memory file as the record that listings, tiers, triggers and states go by."""
    weight = _WEIGHT.get(one.tier, _DEPRECATED_WEIGHT)
    return Memory(
        one.path, redact(one.title), Kind.EPISODIC, Scope.PROJECT, None, Store.STM, one.tier, Status.ACTIVE, False, Origin.FILE,
        importance=weight, utility=0.5, novelty=1.0, confidence=1.0, interference=0.0, strength=weight, use_count=0, session_count=1,
        created_at=one.at, updated_at=one.at, anchor_at=one.at, tags=(one.folder,), names=one.triggers,
    )  # fmt: skip


def left(memory: Memory, now: float, settings: Settings) -> float:
    """Share that is left of a memory or a memory file, in [0, 1]."""
    if "/" not in memory.id:
        return retrievability(memory, now, settings)
    return float(_RATE.get(memory.tier, 1.0) ** (age_h(memory, now) / 24 / 30))


def state(memory: Memory, now: float, settings: Settings) -> str:
    """HOT, WARM, COLD, DORMANT or ARCHIVED."""
    return state_of(left(memory, now, settings), memory, now)


def by_file(hits: Sequence[DocumentHit]) -> dict[str, list[DocumentHit]]:
    """The hits in memory files, by path."""
    paths = dict.fromkeys(hit.document.path for hit in hits if hit.document.folder)
    return {path: [hit for hit in hits if hit.document.path == path] for path in paths}


def in_use(scored: Sequence[tuple[Memory, float]], now: float, settings: Settings) -> list[tuple[Memory, float]]:
    """Without what is archived, and of what is dormant only what fits at least half as well as the best, which comes first."""
    enough = scored[0][1] / 2 if scored else 0.0
    states = [state(memory, now, settings) for memory, _ in scored]
    return [pair for pair, of in zip(scored, states, strict=True) if of != "ARCHIVED" and (of != "DORMANT" or pair[1] >= enough)]


def key_of(hit: DocumentHit) -> str:
    """Under what it is noted that a conversation was sent a section."""
    return f"{hit.document.path}#{hit.section.heading}"


def row_list(
    memories: Sequence[Memory], files: Mapping[str, Document], now: float, settings: Settings, *, content: bool = False
) -> list[JsonRow]:
    """Their rows; text comes with the first five that are hot and the first ten that are warm."""
    room, made = dict(_WITH_TEXT), []
    for memory in memories:
        of = state(memory, now, settings)
        room[of] = room.get(of, 0) - 1
        made.append(row(memory, now, settings, files.get(memory.id), content=content and room[of] >= 0))
    return made


def row(memory: Memory, now: float, settings: Settings, file: Document | None = None, *, content: bool = False) -> JsonRow:
    """A memory in Spec Kit's field names; the one statement of a stored one is its title."""
    made: JsonRow = {
        "id": memory.id if file else memory.id[:ID_CHARS],
        "title": clean(memory.text),
        "specFolder": memory.tags[0] if memory.tags else "",
        "contextType": "file" if file else memory.kind.value,
        "importanceTier": memory.tier.value,
        "importanceWeight": round(memory.importance, 3),
        "state": state(memory, now, settings),
        "retrievability": round(left(memory, now, settings), 3),
        "createdAt": iso(memory.created_at),
        "updatedAt": iso(memory.updated_at),
        **({"filePath": file.path} if file else {}),
        **by_others(memory),
    }
    text = _text(file.sections) if file else clean(memory.text)
    return made | ({"content": text, "triggerPhrases": list(memory.names)} if content else {})


def cut_out(hits: Sequence[DocumentHit], anchors: Sequence[str]) -> str:
    """What stands between these anchors of a file, in their order."""
    return _text([hit.section for name in anchors for hit in hits if hit.section.anchor == name])


def section_row(hit: DocumentHit, *, content: bool) -> JsonRow:
    """A section of a document; with its text when asked for, cut where it is very long."""
    made: JsonRow = {"path": hit.document.path, "documentType": hit.document.kind, "title": clean(hit.document.title)}
    made |= {"anchor": hit.section.anchor} if hit.section.anchor else {}
    made |= {"heading": clean(hit.section.heading), "score": round(hit.score, 4)}
    text = redact(clean(hit.section.text))
    if content:
        return made | {"content": text[:_CHARS], **({"cut": True} if len(text) > _CHARS else {})}
    return made | {"contentLength": len(text)}


def _text(sections: Sequence[Section]) -> str:
    parts = (f"{one.heading}\n{one.text}" if one.heading else one.text for one in sections)
    return redact(clean("\n\n".join(parts)))[:_CHARS]
