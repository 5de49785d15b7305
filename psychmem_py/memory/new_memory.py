"""A memory as it is made: its class's defaults, nothing used, long-term, no strength worked out."""

from __future__ import annotations

from psychmem_py.model.classes import Policy
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Kind, Origin, Scope, Status, Store, Tier
from psychmem_py.text.dates import DAY_S


def new_memory(
    text: str,
    *,
    id_: str = "",
    kind: Kind,
    policy: Policy,
    scope: Scope,
    project: str | None,
    origin: Origin,
    importance: float,
    confidence: float,
    created_at: float,
    updated_at: float,
    anchor_at: float,
) -> Memory:
    """A memory with the defaults of its class's `policy`; it expires the class's time to live after its anchor.

    Its strength is 0 until it is scored (`strength.rescored`).
    """
    return Memory(
        id=id_,
        text=text,
        kind=kind,
        scope=scope,
        project=project,
        store=Store.LTM,
        tier=Tier.NORMAL,
        status=Status.ACTIVE,
        pinned=False,
        origin=origin,
        importance=importance,
        utility=policy.utility,
        novelty=1.0,
        confidence=confidence,
        interference=0.0,
        strength=0.0,
        use_count=0,
        session_count=1,
        created_at=created_at,
        updated_at=updated_at,
        anchor_at=anchor_at,
        expires_at=anchor_at + policy.ttl_d * DAY_S if policy.ttl_d is not None else None,
    )
