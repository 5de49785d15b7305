"""What is left of a memory at a moment. Four models behind one function of (memory, now), computed from the memory's anchor, so
that looking often forgets nothing more than looking once. Nothing is written back by a look.

The anchor moves only by reinforcement. A clock set back counts as no time at all.
"""

from __future__ import annotations

import math

from psychmem_py.memory.standing import heard_retention
from psychmem_py.memory.strength import clamped, recency_factor
from psychmem_py.model.light_enum import StrEnum
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import DEFAULTS, Forgetting, Settings
from psychmem_py.model.terms import Standing, Status, Store, Tier
from psychmem_py.text.dates import DAY_S

HOUR_S = 3600.0
# Tiers whose rate is 1.0 in the Spec Kit table: they do not fade under any model.
PROTECTED = frozenset({Tier.CONSTITUTIONAL, Tier.CRITICAL, Tier.IMPORTANT, Tier.DEPRECATED})
FSRS_FACTOR = 19 / 81  # R = (1 + 19/81 · t/S)^-0.5 is 0.9 at t = S (FSRS v4)


class Band(StrEnum):
    """Bands of retrievability."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"
    DORMANT = "dormant"
    ARCHIVED = "archived"


def age_h(memory: Memory, now: float) -> float:
    """Hours since the last reinforcement, at least 0."""
    return max(0.0, now - memory.anchor_at) / HOUR_S


def retrievability(memory: Memory, now: float, settings: Settings = DEFAULTS) -> float:
    """Share of a memory that is left, in [0, 1]; 1 for what is pinned, protected by its tier, or of a class that does not
    fade.
    """
    if is_protected(memory):
        return 1.0
    fading, hours = settings.forgetting, age_h(memory, now)
    left = _modelled(memory, hours, settings)
    if memory.standing is Standing.HEARD:
        left = min(left, heard_retention(memory.worked_d, settings.standing.heard_half_life_d))
    if fading.tier_fading or memory.tier is Tier.TEMPORARY:  # who calls something temporary wants it to fade, whatever its class
        left = min(left, tier_retention(memory.tier, hours / 24, fading))
    return clamped(left)


def _modelled(memory: Memory, hours: float, settings: Settings) -> float:
    fading = settings.forgetting
    match fading.model:
        case "ebbinghaus":
            return retention(_rate_per_h(memory, fading), hours)
        case "usage":
            return min(1.0, usage(memory.use_count, hours / 24, fading))
        case "fsrs":
            reviews = memory.use_count + memory.session_count - 1
            return power_law(settings.policy(memory.kind).half_life_d * grown(reviews, fading), hours / 24)
        case _:
            policy = settings.policy(memory.kind)
            return retention(math.log(2) / 24 / policy.half_life_d, hours) if policy.fades else 1.0


def _rate_per_h(memory: Memory, fading: Forgetting) -> float:
    return fading.ltm_rate_per_h if memory.store is Store.LTM else fading.stm_rate_per_h


def retention(rate_per_h: float, hours: float) -> float:
    """e^(-λt), in [0, 1]: Ebbinghaus (1885) read as an exponential. Half-life is ln 2 / λ: 0.05/h halves in 13.9 h, 0.01/h in 69
    h.
    """
    return math.exp(-rate_per_h * max(0.0, hours))


def power_law(half_life_d: float, days: float) -> float:
    """R = (1 + 19/81 · t/S)^-0.5 with S = 19/243 of the half-life, in (0, 1].

    At t = half-life the bracket is 1 + 19/81 · 243/19 = 4, so R is exactly 0.5; S = half-life / ln 2, read off the exponential, would give 0.927.
    """
    stability = 19 / 243 * half_life_d
    return float((1 + FSRS_FACTOR * max(0.0, days) / stability) ** -0.5)


def grown(reviews: int, fading: Forgetting = DEFAULTS.forgetting) -> float:
    """By how much uses and further sessions have multiplied a memory's stability, at least 1: (1 + reviews)^growth.

    Sublinear, as stability grows by ever less with each successful review (FSRS v4); there are no grades to learn more from.
    """
    return float((1 + max(0, reviews)) ** fading.stability_growth)


def usage(use_count: int, days: float, fading: Forgetting = DEFAULTS.forgetting) -> float:
    """(n + 1)^β · e^(-λt) with λ = ln 2 / half-life (STM server); 1 for a new memory, above 1 for one in use.

    The + 1 keeps a memory that was never used from scoring 0 and being collected at once.
    """
    return float((max(0, use_count) + 1) ** fading.beta * math.exp(-math.log(2) / fading.usage_half_life_d * max(0.0, days)))


def usage_score(memory: Memory, now: float, settings: Settings = DEFAULTS) -> float:
    """What the STM server compares with its promote and forget thresholds: usage times strength."""
    return usage(memory.use_count, age_h(memory, now) / 24, settings.forgetting) * memory.strength


def tier_retention(tier: Tier, days: float, fading: Forgetting = DEFAULTS.forgetting) -> float:
    """rate^(days / 30), in [0, 1] (Spec Kit, model A). Normal 0.80: 30 d 0.800, 60 d 0.640, 90 d 0.512, 180 d 0.262."""
    rate = {Tier.NORMAL: fading.rate_normal, Tier.TEMPORARY: fading.rate_temporary}.get(tier, 1.0)
    return float(rate ** (max(0.0, days) / fading.rate_period_d))


def strength_now(memory: Memory, now: float, settings: Settings = DEFAULTS) -> float:
    """Strength at this moment, in [0, 1]: the stored one without the recency it has lost, times what is left of the memory.

    What is pinned or protected keeps the strength of its last reinforcement.
    """
    if is_protected(memory):
        return clamped(memory.strength)
    weights = settings.scoring
    lost = weights.w_recency * (1.0 - recency_factor(age_h(memory, now), weights.recency_span_h))
    return clamped((memory.strength - lost) * retrievability(memory, now, settings))


def state_of(memory: Memory, now: float, settings: Settings = DEFAULTS) -> Band:
    """The band of a memory (Spec Kit's five states): by retrievability alone, except that ARCHIVED also needs age."""
    fading, left = settings.forgetting, retrievability(memory, now, settings)
    if memory.status is Status.ARCHIVED or (
        left < fading.archived_threshold and age_h(memory, now) / 24 > fading.archived_days_threshold
    ):
        return Band.ARCHIVED
    if left >= fading.hot_threshold:
        return Band.HOT
    if left >= fading.warm_threshold:
        return Band.WARM
    return Band.COLD if left >= fading.cold_threshold else Band.DORMANT


def retrievability_in(memory: Memory, days: int, now: float, settings: Settings = DEFAULTS) -> float:
    """What will be left of a memory in so many days, in [0, 1], if its project is worked in on each of them."""
    return retrievability(memory._replace(worked_d=memory.worked_d + days), now + days * DAY_S, settings)


def is_protected(memory: Memory) -> bool:
    """Whether no model may fade it."""
    return memory.pinned or memory.tier in PROTECTED


def has_faded(memory: Memory, now: float, settings: Settings = DEFAULTS) -> bool:
    """Whether it belongs among the decayed: something is lost, and strength is below the threshold."""
    return (
        retrievability(memory, now, settings) < 1.0 and strength_now(memory, now, settings) < settings.forgetting.decay_threshold
    )


def has_expired(memory: Memory, now: float) -> bool:
    """Whether its time to live is over. Pins and protected tiers outlive it."""
    return memory.expires_at is not None and memory.expires_at <= now and not is_protected(memory)


def should_consolidate(memory: Memory, now: float, settings: Settings = DEFAULTS) -> str:  # noqa: PLR0911 - one for each cause
    """Why a memory belongs in long-term memory, or "": strength, sessions, class, use, or score (README and STM server).

    Strength and score count only with age or a second session or use: a memory that was just born is strong by recency alone.
    """
    rules = settings.stores
    if memory.store is Store.LTM:
        return ""
    if settings.policy(memory.kind).auto_promote:
        return "class"
    if memory.session_count >= rules.promote_sessions:
        return "sessions"
    days = max(0.0, now - memory.created_at) / DAY_S
    if memory.use_count >= rules.promote_use_count and days <= rules.promote_window_d:
        return "use"
    proven = memory.session_count > 1 or memory.use_count > 0 or days * 24 >= rules.promote_min_age_h
    if proven and strength_now(memory, now, settings) >= rules.promote_strength:
        return "strength"
    if proven and settings.forgetting.model == "usage" and usage_score(memory, now, settings) >= rules.promote_score:
        return "score"
    return ""
