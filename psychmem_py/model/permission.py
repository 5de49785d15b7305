"""Who may do what: the one table that every entry point checks. Pure; what is not in it is refused."""

from __future__ import annotations

from psychmem_py.model.light_record import StrEnum
from psychmem_py.model.records import HUMAN, RULES, Memory, Origin, Scope

# Metadata fields with a meaning for the program: only it, or a person's own command, sets them.
RESERVED = frozenset(
    "author calls doubt guard judged note_gone on promoted_at promoted_to refused repository rule_file wished".split()
)


class Actor(StrEnum):
    PERSON = "person"  # at a terminal, on the page with buttons, in a dialog of the client
    AGENT = "agent"
    PEER = "peer"  # another person, by sync
    FILE = "file"  # whatever was read or brought in
    READER = "reader"  # the model that reads what was typed


class Action(StrEnum):
    """What may be done, as a refusal says it."""

    LOOK = "see this"
    SAY = "add a statement"
    RULE = "state a rule or something that holds everywhere"
    CHANGE = "change what a person said"
    RATE = "rate or link this"
    FORGET = "forget or weaken a rule that a person stated, or what they pinned"
    PURGE = "remove something for good"
    APPROVE = "approve what is pending"
    SETTLE = "confirm what a person said once"
    VOUCH = "trust what is brought in"
    WIDEN = "let a memory hold elsewhere"
    TIER = "pin a memory or set its tier"
    GUARD = "say how a rule is enforced"
    ELSEWHERE = "see or change what other projects hold"
    SHARE = "say what is shared, with whom, and whose word counts"
    RUN = "have a program run"
    RESTORE = "take back what a person did"
    TEND = "clean up the whole store"
    CONFIGURE = "change settings"
    INSTALL = "install PsychMem"
    WRITE = "have a file written; without --output it is printed"


class Extent(StrEnum):
    """How far a deed goes for an actor."""

    OWN = "own"  # in the project at hand, what no person said; a statement counts as the actor's own
    FREE = "free"  # in the project at hand, but no rule and no pin of a person's
    HERE = "here"  # in the project at hand
    ANY = "any"


MAY: dict[Actor, dict[Action, Extent]] = {
    Actor.PERSON: dict.fromkeys(Action, Extent.ANY),
    Actor.AGENT: {
        Action.LOOK: Extent.HERE,
        Action.SAY: Extent.OWN,
        Action.CHANGE: Extent.OWN,
        Action.RATE: Extent.HERE,
        Action.FORGET: Extent.FREE,
        Action.SETTLE: Extent.OWN,
        Action.RESTORE: Extent.OWN,
    },
    Actor.PEER: {Action.SAY: Extent.OWN, Action.CHANGE: Extent.OWN, Action.FORGET: Extent.OWN},
    Actor.FILE: {Action.SAY: Extent.OWN},
    Actor.READER: {Action.SAY: Extent.OWN, Action.SETTLE: Extent.HERE, Action.FORGET: Extent.OWN},
}


def actor_of(origin: Origin) -> Actor:
    """Who speaks where a text is of this origin."""
    if origin in HUMAN:
        return Actor.PERSON
    if origin is Origin.SYNC:
        return Actor.PEER
    return Actor.AGENT if origin in (Origin.ASSISTANT, Origin.TOOL) else Actor.FILE


def refusal(actor: Actor, deed: Action, memory: Memory | None = None, here: str | None = None) -> str:
    """Why an actor in the project `here` may not do this (to `memory`), as a sentence; "" if it may."""
    if (reach := MAY[actor].get(deed)) is Extent.ANY or (reach and (memory is None or _reaches(reach, memory, here))):
        return ""
    return f"only a person may {deed}; run the command in a terminal of your own"


def _reaches(reach: Extent, memory: Memory, here: str | None) -> bool:
    if memory.project not in (None, here):
        return False
    by_person = memory.origin in HUMAN
    if reach is Extent.OWN:
        return not by_person and not memory.pinned
    return reach is Extent.HERE or not (memory.pinned or (by_person and (memory.kind in RULES or memory.scope is Scope.USER)))
