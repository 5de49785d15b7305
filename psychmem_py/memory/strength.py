"""Strength from seven features, and how evidence moves each (PsychMem README): novelty and interference from the nearest memories
of a place, frequency from distinct sessions, utility from votes and use, confidence from source and further proof. No clock.
"""

from __future__ import annotations

import math
from _collections_abc import Iterable, Mapping

from psychmem_py.model.records import Memory
from psychmem_py.model.settings import DEFAULTS, Scoring

_RECENCY_SPAN_H = 168.0  # PsychMem README: recency falls linearly to zero over a week
_FREQUENCY_FULL = 9.0  # PsychMem README: sessions from which frequency is full
_CORROBORATION = 0.3  # share of the missing confidence that a further session closes
_VOTE_STEP, _USE_STEP = 0.3, 0.1  # share of the way that a vote, or a use, moves utility


def features(memory: Memory, recency_h: float = 0.0) -> dict[str, float]:
    """What strength is made of by name, each in [0, 1]; `recency_h` are the hours since the last reinforcement."""
    own = {name: getattr(memory, name) for name in ("importance", "utility", "novelty", "confidence", "interference")}
    return {"recency": recency_factor(recency_h), "frequency": frequency_factor(memory.session_count), **own}


def strength(features: Mapping[str, float], weights: Scoring = DEFAULTS.scoring) -> float:
    """Weighted sum of the seven features, in [0, 1]. For importance 0.8, utility 0.5, novelty 1, confidence 0.75, one session,
    just now: 0.20·1 + 0.15·0.301 + 0.25·0.8 + 0.20·0.5 + 0.10·1 + 0.10·0.75 - 0.10·0 = 0.720.
    """
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


_FALLOFF = 0.7  # PsychMem README: each further signal adds this share of the one before


def combined(weights: Iterable[float]) -> float:
    """Importance of several signals, in [0, 1]: strongest first, each further one weighs less: 0.5, 0.3 -> 0.5 + 0.3·0.7."""
    return clamped(sum(weight * _FALLOFF**rank for rank, weight in enumerate(sorted(weights, reverse=True))))


def novelty(similarities: Iterable[float]) -> float:
    """1 minus the similarity of the nearest memory; 1 where there is none."""
    return 1.0 - max(similarities, default=0.0)


def interference(similarities: Iterable[float]) -> float:
    """Penalty in [0, 0.5] for the nearest memory on the same subject that says something else: half its similarity where that
    is strictly between 0.3 and 0.8 (Wickens 1970).
    """
    competing = (share for share in similarities if 0.3 < share < 0.8)
    return 0.5 * max(competing, default=0.0)


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
