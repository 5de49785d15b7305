"""Formulas of the programs that PsychMem comes from, for their tools and their numbers. Nothing here decides what is kept."""

from __future__ import annotations

import math

from psychmem_py.memory.forgetting import age_h, is_protected
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Status

# STM server: half-life of what nobody uses, weight of use, and its thresholds.
USAGE_HALF_LIFE_D, BETA = 3.0, 0.6
FORGET_SCORE, PROMOTE_SCORE = 0.05, 0.65
PROMOTE_USES, PROMOTE_WINDOW_D = 5, 14.0
ARCHIVED_D = 90.0  # Spec Kit: days without use after which what is nearly gone is archived


def retention(rate_per_h: float, hours: float) -> float:
    """e^(-λt), in [0, 1]: Ebbinghaus (1885) read as an exponential, in the original README with 0.05 an hour for short-term memory and
    0.01 for long-term. Half-life is ln 2 / λ: 13.9 h and 69 h.
    """
    return math.exp(-rate_per_h * max(0.0, hours))


def power_law(half_life_d: float, days: float) -> float:
    """FSRS v4, in (0, 1]: R = (1 + 19/81 · t/S)^-0.5 with S = 19/243 of the half-life, so that R is exactly 0.5 at the half-life."""
    return float((1 + 19 / 81 * max(0.0, days) / (19 / 243 * half_life_d)) ** -0.5)


def usage(use_count: int, days: float) -> float:
    """(n + 1)^β · e^(-λt) with λ = ln 2 / half-life (STM server); 1 for a new memory, above 1 for one in use.

    The + 1 keeps a memory that was never used from scoring 0 and being collected at once.
    """
    return float((max(0, use_count) + 1) ** BETA * math.exp(-math.log(2) / USAGE_HALF_LIFE_D * max(0.0, days)))


def usage_score(memory: Memory, now: float) -> float:
    """What the STM server compares with its promote and forget thresholds: usage times strength."""
    return usage(memory.use_count, age_h(memory, now) / 24) * memory.strength


def is_proven(memory: Memory, now: float) -> bool:
    """Whether use speaks for promotion (STM server); a score counts from two uses on, for a new memory's is high because it is new."""
    young = now - memory.created_at <= PROMOTE_WINDOW_D * 86_400
    return (memory.use_count >= PROMOTE_USES and young) or (memory.use_count >= 2 and usage_score(memory, now) >= PROMOTE_SCORE)


def state_of(left: float, memory: Memory, now: float) -> str:
    """Spec Kit's five states by what is `left` of a memory; ARCHIVED also needs age."""
    if memory.status is Status.ARCHIVED or (left < 0.02 and age_h(memory, now) / 24 > ARCHIVED_D and not is_protected(memory)):
        return "ARCHIVED"
    return next((name for name, least in (("HOT", 0.80), ("WARM", 0.25), ("COLD", 0.05)) if left >= least), "DORMANT")
