"""What Spec Kit's tools answer with: a sentence and its data, memories and sections in its field names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from psychmem_py.mcp_door.desk import ID_CHARS, JsonRow, by_others
from psychmem_py.memory.forgetting import retrievability
from psychmem_py.memory.forgetting_models import state_of
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import Settings
from psychmem_py.recall.documents import DocumentHit
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.text.moments import iso

_SECTION_CHARS = 6_000


def envelope(summary: str, data: Mapping[str, Any]) -> JsonRow:
    """An answer of these tools."""
    return {"summary": summary, "data": dict(data)}


def spec_row(memory: Memory, now: float, settings: Settings, *, content: bool = False) -> JsonRow:
    """A memory in Spec Kit's field names; its one statement is its title."""
    left = retrievability(memory, now, settings)
    row: JsonRow = {
        "id": memory.id[:ID_CHARS],
        "title": clean(memory.text),
        "specFolder": memory.tags[0] if memory.tags else "",
        "contextType": memory.kind.value,
        "importanceTier": memory.tier.value,
        "importanceWeight": round(memory.importance, 3),
        "state": state_of(left, memory, now),
        "retrievability": round(left, 3),
        "createdAt": iso(memory.created_at),
        "updatedAt": iso(memory.updated_at),
        **by_others(memory),
    }
    return row | ({"content": clean(memory.text), "triggerPhrases": list(memory.names)} if content else {})


def section_row(hit: DocumentHit, *, content: bool) -> JsonRow:
    """A section of a document; with its text when asked for, cut where it is very long. Secrets are left out."""
    row: JsonRow = {"path": hit.document.path, "documentType": hit.document.kind, "title": clean(hit.document.title)}
    row |= {"anchor": hit.section.anchor} if hit.section.anchor else {}
    row |= {"heading": clean(hit.section.heading), "score": round(hit.score, 4)}
    text = redact(clean(hit.section.text))
    if content:
        return row | {"content": text[:_SECTION_CHARS], **({"cut": True} if len(text) > _SECTION_CHARS else {})}
    return row | {"contentLength": len(text)}
