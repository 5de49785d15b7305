"""Pairs of memories that contradict each other and wait for a person to say which holds."""

from __future__ import annotations

from psychmem_py.model.records import Memory
from psychmem_py.model.terms import HUMAN, LinkType, Tier
from psychmem_py.store.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def contradicted(db: sqlite3.Connection, known: Mapping[str, Memory]) -> dict[str, Memory]:
    """Of the `known` memories, by id, those that a person contradicted since, each with what was said last against it.

    Both are a person's words; what is pinned or constitutional is contradicted by nothing.
    """
    against: dict[str, Memory] = {}
    for ends in db.execute("select source, target from link where type = ?", (LinkType.CONTRADICTS.value,)):
        pair = [known[end] for end in ends if end in known and known[end].origin in HUMAN]
        older, newer = sorted(pair, key=_said) if len(pair) > 1 else (None, None)
        if older is None or newer is None or older.pinned or older.tier is Tier.CONSTITUTIONAL:
            continue
        against[older.id] = max(newer, against.get(older.id, newer), key=_said)
    return against


def _said(memory: Memory) -> tuple[float, float, str]:
    return memory.anchor_at, memory.created_at, memory.id
