"""A memory as it is made, and what an origin may become: the one place that decides whose words may be a rule."""

from __future__ import annotations

from psychmem_py.model.records import HUMAN, RULES, Kind, Memory, Origin, Scope, Status, Store, Tier
from psychmem_py.model.settings import Policy
from psychmem_py.safety.suspicion import suspicion, typed_suspicion
from psychmem_py.text.dates import DAY_S, end_named

SPEAKERS = {  # Who said something, where it was not a person at this machine.
    Origin.ASSISTANT: "the agent",
    Origin.TOOL: "a tool",
    Origin.FILE: "a file",
    Origin.IMPORT: "an import",
    Origin.SYNC: "another machine",
}
AUTHOR = "author"  # metadata: whose statement it is, where it came by sync from another person
NO_PROJECT = "said in no project"  # a doubt
FORGET_ABOUT = "forget_about"  # reason of a wish to forget all of a subject
DOUBT = "doubt"  # metadata: why a statement waits although its class and origin would let it in
OTHER_WORDS = "other words for "  # a doubt, with the id of one's own memory behind it
PASTED = "pasted"  # of what may be somebody else's words

# Why a statement waits: it would not be understood alone, which no proof heals; or it was said for the task at hand, or guessed.
FAULTS = frozenset("bare cut dangling long pointing unnamed aside pointer self addressed item remedy symptom unmended".split())
FOR_NOW = frozenset({"example", "wish", "at hand", "task", "guess", "passage", "unowned", "asked of"})


def doubt(text: str, origin: Origin) -> str:
    """Why a statement looks planted, "" when it does not. People are believed more, but they paste too."""
    return typed_suspicion(text) if origin in HUMAN else suspicion(text)


def admitted(kind: Kind, scope: Scope, place: str | None, origin: Origin, *, doubted: bool = False) -> tuple[str | None, Status]:
    """The project (None for all) and status that a statement may enter with; no rule, nor one of all, without a person's word."""
    wanted = place if scope is Scope.PROJECT else None
    if doubted or (scope is Scope.PROJECT and place is None):  # what was said of one project outside of it is not shown in all
        return wanted, Status.QUARANTINED
    if origin in HUMAN or kind in RULES:
        return wanted, Status.ACTIVE if origin in HUMAN else Status.QUARANTINED
    return place, Status.ACTIVE if place else Status.QUARANTINED


def new_memory(
    text: str, *, id_: str = "", kind: Kind, policy: Policy, project: str | None, origin: Origin, importance: float,
    confidence: float, now: float, created_at: float | None = None, anchor_at: float | None = None,
) -> Memory:  # fmt: skip
    """A memory of a project, or of the user, with its class's defaults; strength is 0 until scored (`forgetting.rescored`)."""
    created = now if created_at is None else created_at
    anchor = created if anchor_at is None else anchor_at
    usual = anchor + policy.ttl_d * DAY_S if policy.ttl_d is not None else None
    return Memory(
        id=id_, text=text, kind=kind, scope=Scope.PROJECT if project is not None else Scope.USER, project=project,
        store=Store.LTM, tier=Tier.NORMAL, status=Status.ACTIVE, pinned=False, origin=origin, importance=importance,
        utility=policy.utility, novelty=1.0, confidence=confidence, interference=0.0, strength=0.0, use_count=0,
        session_count=1, created_at=created, updated_at=now, anchor_at=anchor,
        expires_at=usual if (end := end_named(text, anchor)) is None else end,
    )  # fmt: skip
