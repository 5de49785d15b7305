"""Strength from seven features, how evidence moves each (PsychMem README), and what is left of a memory since its anchor, which
only reinforcement moves. Three things fade: classes with a half-life, short-term memories, what a person called temporary.
"""

from __future__ import annotations

import math
from _collections_abc import Iterable, Mapping

from psychmem_py.model.light_record import KEPT
from psychmem_py.model.records import HUMAN, Memory, Status, Store, Tier
from psychmem_py.model.settings import DEFAULTS, Scoring, Settings
from psychmem_py.text.dates import DAY_S

_RECENCY_SPAN_H = 168.0  # PsychMem README: recency falls linearly to zero over a week
_FREQUENCY_FULL = 9.0  # PsychMem README: sessions from which frequency is full
_CORROBORATION = 0.3  # share of the missing confidence that a further session closes
_VOTE_STEP, _USE_STEP = 0.3, 0.1  # share of the way that a vote, or a use, moves utility
_FALLOFF = 0.7  # PsychMem README: each further signal adds this share of the one before
HOUR_S = 3600.0
# Tiers whose rate is 1.0 in the Spec Kit table: they do not fade.
PROTECTED = frozenset({Tier.CONSTITUTIONAL, Tier.CRITICAL, Tier.IMPORTANT, Tier.DEPRECATED})
TEMPORARY_RATE = 0.60  # left of a temporary one after each 30 days (Spec Kit, model A)
JUDGED = "judged"  # metadata: the reader saw it with its message and would keep it
WHEN_ASKED = "when asked"  # as its value: to be found when the matter comes up, not to begin a session with
OF_A_TASK = "wished"  # metadata: a person said it once, with a task or of one thing, so it may be done by now
TWICE = "twice"  # as its value: asked for in two conversations
NOTE_GONE = "note_gone"  # metadata: it came from a note of the client's alone, which the client deleted
# For the formulas of the programs that PsychMem comes from; none decides what is kept.
# STM server: half-life of what nobody uses, weight of use, and its thresholds.
USAGE_HALF_LIFE_D, BETA = 3.0, 0.6
FORGET_SCORE, PROMOTE_SCORE = 0.05, 0.65
PROMOTE_USES, PROMOTE_WINDOW_D = 5, 14.0
ARCHIVED_D = 90.0  # Spec Kit: days without use after which what is nearly gone is archived


def features(memory: Memory, recency_h: float = 0.0) -> dict[str, float]:
    """What strength is made of by name, each in [0, 1]; `recency_h` are the hours since the last reinforcement."""
    own = {name: getattr(memory, name) for name in ("importance", "utility", "novelty", "confidence", "interference")}
    return {"recency": recency_factor(recency_h), "frequency": frequency_factor(memory.session_count), **own}


def strength(features: Mapping[str, float], weights: Scoring = DEFAULTS.scoring) -> float:
    """Weighted sum of the seven features, in [0, 1]; docs/model.md has an example."""
    return clamped(sum(getattr(weights, f"w_{name}") * value for name, value in features.items()))


def rescored(memory: Memory, weights: Scoring = DEFAULTS.scoring) -> Memory:
    """The memory with the strength its features give at its anchor: this is what its row holds."""
    return memory._replace(strength=strength(features(memory), weights))


def recency_factor(age_h: float) -> float:
    """1 just now, 0 after a week and later, linear between; a clock set back gives 1."""
    return 1.0 - min(1.0, max(0.0, age_h) / _RECENCY_SPAN_H)


def frequency_factor(sessions: int) -> float:
    """Log-normalised count of distinct sessions, in [0, 1]: 1 -> 0.30, 3 -> 0.60, 9 -> 1. README: min(1, ln(n + 1) / ln 10)."""
    return min(1.0, math.log(max(0, sessions) + 1) / math.log(_FREQUENCY_FULL + 1))


def combined(weights: Iterable[float]) -> float:
    """Importance of several signals, in [0, 1]: strongest first, each further one weighs less: 0.5, 0.3 -> 0.5 + 0.3·0.7."""
    return clamped(sum(weight * _FALLOFF**rank for rank, weight in enumerate(sorted(weights, reverse=True))))


def novelty(similarities: Iterable[float]) -> float:
    """1 minus the similarity of the nearest memory; 1 where there is none."""
    return 1.0 - max(similarities, default=0.0)


def interference(similarities: Iterable[float]) -> float:
    """Penalty in [0, 0.5]: half the highest similarity strictly between 0.3 and 0.8, of another statement (Wickens 1970)."""
    return 0.5 * max((share for share in similarities if 0.3 < share < 0.8), default=0.0)


def corroborated(confidence: float) -> float:
    """Confidence after one more independent statement: part of what is missing to 1 is closed, so it never reaches certainty."""
    return confidence + _CORROBORATION * (1.0 - confidence)


def voted(utility: float, *, good: bool) -> float:
    """Utility after an explicit vote: part of the way to 1 or to 0."""
    return clamped(utility + _VOTE_STEP * ((1.0 if good else 0.0) - utility))


def used(utility: float) -> float:
    """Utility after use without a vote (touch, echo in later work): a smaller step to 1 (Anderson & Schooler 1991)."""
    return clamped(utility + _USE_STEP * (1.0 - utility))


def clamped(value: float) -> float:
    """`value` in [0, 1]; NaN, which only a damaged row can bring, is 0."""
    return min(1.0, max(0.0, value)) if not math.isnan(value) else 0.0


def age_h(memory: Memory, now: float) -> float:
    """Hours since the last reinforcement, at least 0."""
    return max(0.0, now - memory.anchor_at) / HOUR_S


def retrievability(memory: Memory, now: float, settings: Settings = DEFAULTS) -> float:
    """Share of a memory that is left, in [0, 1]; 1 for what is pinned or protected by its tier."""
    if is_protected(memory):
        return 1.0
    days, half_life_d = age_h(memory, now) / 24, settings.policy(memory.kind).half_life_d
    of_class = 1.0 if half_life_d is None else 0.5 ** (days / half_life_d)
    of_store = stm_retention(memory.worked_d, settings.stores.stm_half_life_d) if memory.store is Store.STM else 1.0
    of_tier = TEMPORARY_RATE ** (days / 30) if memory.tier is Tier.TEMPORARY else 1.0  # who says so wants it to fade
    return clamped(min(of_class, of_store, of_tier))


def strength_now(memory: Memory, now: float, settings: Settings = DEFAULTS) -> float:
    """Strength now, in [0, 1]: the stored one less its lost recency, times what is left; unchanged where protected."""
    if is_protected(memory):
        return clamped(memory.strength)
    lost = settings.scoring.w_recency * (1.0 - recency_factor(age_h(memory, now)))
    return clamped((memory.strength - lost) * retrievability(memory, now, settings))


def retrievability_in(memory: Memory, days: int, now: float, settings: Settings = DEFAULTS) -> float:
    """What will be left of a memory in so many days, in [0, 1], if its project is worked in on each of them."""
    return retrievability(memory._replace(worked_d=memory.worked_d + days), now + days * DAY_S, settings)


def is_protected(memory: Memory) -> bool:
    """Whether nothing may fade it."""
    return memory.pinned or memory.tier in PROTECTED


def has_faded(memory: Memory, now: float, settings: Settings = DEFAULTS) -> bool:
    """Whether it belongs among the decayed: something is lost, and strength is below the threshold."""
    lost = retrievability(memory, now, settings) < 1.0
    return lost and strength_now(memory, now, settings) < settings.forgetting.decay_threshold


def has_expired(memory: Memory, now: float, settings: Settings = DEFAULTS) -> bool:
    """Whether its time to live is over. Pins and protected tiers outlive that of their class, and no end that was named."""
    if memory.expires_at is None or memory.expires_at > now:
        return False
    usual_s = (settings.policy(memory.kind).ttl_d or 0.0) * DAY_S
    of_class = any(abs(memory.expires_at - said_at - usual_s) < 1.0 for said_at in (memory.created_at, memory.anchor_at))
    return not (of_class and is_protected(memory))


def is_note_gone(memory: Memory) -> bool:
    """Whether the client deleted the note that a memory came from."""
    return NOTE_GONE in dict(memory.metadata)


def stm_retention(worked_d: float, half_life_d: float) -> float:
    """Share left of a short-term memory, in (0, 1]: 0.5^(d / half-life), in days on which its project was worked in."""
    return float(0.5 ** (max(0.0, worked_d) / half_life_d))


def consolidated(memory: Memory) -> Memory:
    """The memory in long-term store, and in use again if it had faded: from there it would never come back."""
    status = Status.ACTIVE if memory.status is Status.DECAYED else memory.status
    return memory.marked({NOTE_GONE: ""})._replace(store=Store.LTM, worked_d=0, status=status)


def would_confirm(memory: Memory) -> str:
    """What would confirm a memory, as a sentence; "" for one that is long-term or out of use."""
    if memory.store is Store.LTM or memory.status not in KEPT:
        return ""
    if memory.status is Status.QUARANTINED:
        return f"it is pending: `psychmem review {memory.id[:8]}` approves it"
    again = "said again in another conversation" if memory.origin in HUMAN else "confirmed by a tool or in another conversation"
    return f"it was said once; it is confirmed when {again}, or when you approve, edit, pin or rate it good"


def usage(use_count: int, days: float) -> float:
    """(n + 1)^β · e^(-λt), λ = ln 2 / half-life (STM server); 1 for a new memory, above 1 in use, never 0 for want of use."""
    return float((max(0, use_count) + 1) ** BETA * math.exp(-math.log(2) / USAGE_HALF_LIFE_D * max(0.0, days)))


def usage_score(memory: Memory, now: float) -> float:
    """What the STM server compares with its promote and forget thresholds: usage times strength."""
    return usage(memory.use_count, age_h(memory, now) / 24) * memory.strength


def is_proven(memory: Memory, now: float) -> bool:
    """Whether use speaks for promotion (STM server); a score counts from two uses on: a new memory's is high by its age alone."""
    young = now - memory.created_at <= PROMOTE_WINDOW_D * 86_400
    return (memory.use_count >= PROMOTE_USES and young) or (memory.use_count >= 2 and usage_score(memory, now) >= PROMOTE_SCORE)


def state_of(left: float, memory: Memory, now: float) -> str:
    """Spec Kit's five states by what is `left` of a memory; ARCHIVED also needs age."""
    if memory.status is Status.ARCHIVED or (left < 0.02 and age_h(memory, now) / 24 > ARCHIVED_D and not is_protected(memory)):
        return "ARCHIVED"
    return next((name for name, least in (("HOT", 0.80), ("WARM", 0.25), ("COLD", 0.05)) if left >= least), "DORMANT")
