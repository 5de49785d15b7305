"""Which memories a brief says, within a budget. Pure: memories and a moment in, a choice with its reasons out.

Constitutional and pinned memories come first; then every group has a share of the room, so that twenty fixes do not push
out a rule; what is left goes to the best of the rest. A sentence about something said before it is left out, and so are fixes
and lessons that nothing at hand calls for: search and prompts tell them. All is reckoned by the UTC day, so the choice is the same from morning
to evening.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from psychmem_py.memory.forgetting import State, retrievability, state_of
from psychmem_py.model.recall_settings import NEAR_DUPLICATE
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.model.terms import Kind, Origin, Standing, Tier
from psychmem_py.recall import brief_text, memory_line
from psychmem_py.recall.own_subject import has_own_subject
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import overlap, subject
from psychmem_py.text.utf16 import units

FADED = 0.05  # of a memory left: below, a brief is silent about it
# Shares of the room, of its characters and its lines: rules bind every session, decisions explain the code, fixes and episodes are looked up when needed.
RULES = frozenset({Kind.CONSTRAINT, Kind.PREFERENCE, Kind.PROCEDURAL})
LESSONS = frozenset({Kind.LEARNING, Kind.BUGFIX})
_TWICE = 2  # sessions that stated a fix or lesson, from which a brief says it
_RESTATED_S = 30 * DAY_S  # a rule's lead over older ones halves in that time
SHARES: tuple[tuple[str, frozenset[Kind], float], ...] = (
    ("rules", RULES, 0.40),
    ("decisions", frozenset({Kind.DECISION, Kind.SEMANTIC, Kind.OBJECTIVE}), 0.25),
    ("lessons", LESSONS, 0.20),
    ("episodes", frozenset({Kind.EPISODIC}), 0.15),
)
_TIERS = {Tier.CONSTITUTIONAL: 1.0, Tier.CRITICAL: 0.5, Tier.IMPORTANT: 0.25, Tier.TEMPORARY: -0.1, Tier.DEPRECATED: -1.0}


class Miss(NamedTuple):
    """A memory that was considered and left out."""

    memory: Memory
    reason: str  # "faded", "said by another memory", "no room", "expired", or one of those below


SUBJECTLESS = "says not by itself what it is about"
LOOKED_UP = "a fix or lesson, told when a prompt calls for it"
IN_INSTRUCTIONS = "stands in CLAUDE.md or AGENTS.md"


class Selection(NamedTuple):
    shown: tuple[Memory, ...]  # in the order of the brief's importance
    near_misses: tuple[Miss, ...]
    reasons: dict[str, str]  # id -> why it is shown


def brief_value(memory: Memory, now: float, settings: Settings, focus: frozenset[str]) -> float:
    """How much a brief wants a memory: strength, what is left of it, its tier, and nearness to what this session is about."""
    left = retrievability(memory, now, settings)
    near = min(1.0, _nearness(memory, focus) / 2)
    lately = math.exp2(-max(0.0, now - memory.anchor_at) / _RESTATED_S) if memory.kind in RULES else 0.0
    wanted = left * (0.6 * memory.strength + 0.1 * memory.importance + 0.3 * near + 0.2 * lately)
    return wanted + _TIERS.get(memory.tier, 0.0)


def _nearness(memory: Memory, focus: frozenset[str]) -> int:
    """How many words of the session's focus a memory has."""
    return len(focus & (subject(memory.text) | subject(" ".join(memory.names)))) if focus else 0


def _silence(memory: Memory, day: float, settings: Settings, focus: frozenset[str], written: Sequence[frozenset[str]]) -> str:
    """Why a brief does not say a memory whatever room there is; "" if it may."""
    if memory.expires_at is not None and memory.expires_at <= day:
        return "expired"
    if retrievability(memory, day, settings) < FADED:
        return "faded"
    about = subject(memory.text)
    if len(about) > 1 and any(len(about & line) >= NEAR_DUPLICATE * len(about) for line in written):
        return IN_INSTRUCTIONS
    if _always(memory):
        return ""
    if memory.kind in LESSONS and memory.session_count < _TWICE and not _nearness(memory, focus):
        return LOOKED_UP
    return "" if memory.origin is Origin.USER_CLI or has_own_subject(memory.text) else SUBJECTLESS


def select(
    memories: Sequence[Memory],
    *,
    settings: Settings = DEFAULTS,
    now: float,
    budget: int,
    focus: frozenset[str] = frozenset(),
    most: int | None = None,
    already_seen: Collection[str] = (),
    instructions: Collection[str] = (),
) -> Selection:
    """The memories to say in at most `budget` characters (UTF-16 units), `most` memories and the settings' tokens, best first.

    `focus` are the subject words of the session, `already_seen` memories that the agent sees anyway, `instructions` lines that the
    person wrote for it.
    """
    day = now // DAY_S * DAY_S
    ranked = sorted(memories, key=lambda one: (-brief_value(one, day, settings, focus), -one.created_at, one.id))
    room = _Room(budget, settings, settings.retrieval.max_session_memories if most is None else most, now)
    room.subjects += [subject(text) for text in already_seen]
    written = [words for line in instructions if len(words := subject(line)) > 1]
    misses: dict[str, Miss] = {}
    rest = []
    for one in ranked:
        if reason := _silence(one, day, settings, focus, written):
            misses[one.id] = Miss(one, reason)
        else:
            rest.append(one)
    for one in rest:
        if _always(one):
            room.take(one, budget, "pinned" if one.pinned else "constitutional")
    left = room.units
    for name, kinds, share in SHARES:
        floor, last = room.units - int(share * left), len(room.reasons) + math.ceil(share * room.most)
        for one in rest:
            if one.kind in kinds and room.units > floor and len(room.reasons) < last:
                room.take(one, room.units - floor, name)
    for one in rest:
        room.take(one, room.units, "best of the rest")
    shown = tuple(sorted((one for one in rest if one.id in room.reasons), key=_rank))
    for one in rest:
        if one.id not in room.reasons:
            misses[one.id] = Miss(one, room.refused.get(one.id, "no room"))
    return Selection(shown, tuple(misses[one.id] for one in ranked if one.id in misses), room.reasons)


def _rank(memory: Memory) -> tuple[bool, int]:
    """Place among what is said; sorting by it keeps the order by value within a group."""
    return not _always(memory), next(place for place, (_, kinds, _) in enumerate(SHARES) if memory.kind in kinds)


def _always(memory: Memory) -> bool:
    return memory.pinned or memory.tier is Tier.CONSTITUTIONAL


class _Room:
    """What is left of the budget, and what has been said already."""

    def __init__(self, budget: int, settings: Settings, most: int, now: float) -> None:
        self.units, self.tokens, self.most, self.now = budget, settings.retrieval.max_context_tokens, most, now
        limits = {State.HOT: settings.retrieval.max_hot_memories, State.WARM: settings.retrieval.max_warm_memories}
        self.settings, self.bands = settings, {band: limit for band, limit in limits.items() if limit}
        self.heard_units = int(settings.standing.heard_share * budget)
        self.subjects: list[frozenset[str]] = []
        self.costs: dict[str, tuple[int, int]] = {}
        self.reasons: dict[str, str] = {}
        self.refused: dict[str, str] = {}

    def take(self, memory: Memory, allowed: int, reason: str) -> None:
        """Gives the memory a place if there is one and nobody has said the same."""
        if len(self.reasons) >= self.most or memory.id in self.reasons or memory.id in self.refused:
            return
        cost, tokens = self._cost(memory)
        if cost > min(allowed, self.units) or tokens > self.tokens:
            return
        about = subject(memory.text)
        if any(overlap(about, other) >= NEAR_DUPLICATE for other in self.subjects):
            self.refused[memory.id] = "said by another memory"
            return
        if self.bands and not _always(memory) and not self._in_band(state_of(memory, self.now // DAY_S * DAY_S, self.settings)):
            self.refused[memory.id] = "enough as fresh as this"
            return
        if memory.standing is Standing.HEARD:
            if cost > self.heard_units:
                self.refused[memory.id] = "only heard, and no room left for such"
                return
            self.heard_units -= cost
        self.subjects.append(about)
        self.reasons[memory.id] = reason
        self.units -= cost
        self.tokens -= tokens

    def _in_band(self, band: State) -> bool:
        """Takes one of the places that memories of a band have; false when there is none."""
        left = self.bands.get(band, 1)
        if band in self.bands:
            self.bands[band] = left - 1
        return left > 0

    def _cost(self, memory: Memory) -> tuple[int, int]:
        """Characters and tokens of its line, with room for the mark of a changed file."""
        if memory.id not in self.costs:
            text = memory_line.dated_line(memory, self.now, stale=True)
            self.costs[memory.id] = units(text) + 1, brief_text.tokens(text)
        return self.costs[memory.id]
