"""What each family of evidence is worth, and how the evidence of one clause adds up: the one place for these numbers.

Two values come out, both derived in docs/model.md. *Importance* is the sum of w_i * 0.7^i over category weights ("combination of
signals"). *Confidence* is the classification score, (strongest weight + sentence score) / 2, where

    sentence score = 0.3 + min(0.5, 0.2 * primaries) + min(0.3, 0.15 * boosters)

with the strongest weight and not the mean, so that more evidence never lowers it. Worked: one strong family (0.8)
gives (0.8 + 0.5) / 2 = 0.65 and is kept at 0.60; an ordinary one (0.6) gives 0.55 and waits; with a booster (0.6 + 0.65) / 2 =
0.625 is kept; two ordinary ones give (0.6 + 0.7) / 2 = 0.65. A booster alone, (0.3 + 0.45) / 2 = 0.375, is nothing. What
structure and soft filters add or take comes after and is never counted as a primary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from psychmem_py.memory.strength import combined
from psychmem_py.model.records import Candidate, Memory, Role, Signal
from psychmem_py.model.settings import Settings


class FamilyWeight(NamedTuple):
    """What a family of evidence weighs when a person and when the assistant says it; 0: it says nothing there."""

    human: float
    assistant: float = 0.0


# Strong families (0.8-0.9) are kept alone, ordinary ones (0.6-0.7) need a second, boosters (<= 0.35) only help.
FAMILIES: Mapping[tuple[str, str], FamilyWeight] = {
    ("explicit_remember", "remember"): FamilyWeight(0.9),
    ("explicit_remember", "note"): FamilyWeight(0.75),
    ("explicit_remember", "again"): FamilyWeight(0.9),  # no phrase of a language: said before, see store/episodes.py
    ("emphasis_cue", "always"): FamilyWeight(0.75),
    ("emphasis_cue", "forever"): FamilyWeight(0.85),
    ("emphasis_cue", "universal"): FamilyWeight(0.3),
    ("emphasis_cue", "important"): FamilyWeight(0.3),
    ("constraint", "never"): FamilyWeight(0.85),
    ("constraint", "must"): FamilyWeight(0.75),
    ("constraint", "ban"): FamilyWeight(0.75),
    ("constraint", "should"): FamilyWeight(0.55),
    ("constraint", "ensure"): FamilyWeight(0.65),
    ("constraint", "complaint"): FamilyWeight(0.8),
    ("constraint", "same_as"): FamilyWeight(0.35),
    ("constraint", "limit"): FamilyWeight(0.7, 0.9),
    ("constraint", "habit"): FamilyWeight(0.75),
    ("preference", "prefer"): FamilyWeight(0.85),
    ("preference", "dislike"): FamilyWeight(0.75),
    ("preference", "want"): FamilyWeight(0.5),
    ("preference", "dont_want"): FamilyWeight(0.75),
    ("decision", "choice"): FamilyWeight(0.8, 0.9),
    ("decision", "use_not"): FamilyWeight(0.65, 0.65),
    ("decision", "label"): FamilyWeight(0.6, 0.9),
    ("decision", "milestone"): FamilyWeight(0.7, 0.8),
    ("correction", "correction"): FamilyWeight(0.65),
    ("bug_fix", "cause"): FamilyWeight(0.75, 0.9),
    ("bug_fix", "cause_present"): FamilyWeight(0.4, 0.6),
    ("bug_fix", "fixed"): FamilyWeight(0.7, 0.75),
    ("learning", "learned"): FamilyWeight(0.8, 0.9),
    ("learning", "because"): FamilyWeight(0.3, 0.35),
    ("learning", "fact"): FamilyWeight(0.6, 0.65),
}
BOOSTER = 0.35  # a family worth no more than this is a booster
SIGNAL = 0.3  # a weaker family is no evidence (true-mem's signalThreshold)

# Importance of each category of signals, and of what structure tells (PsychMem README).
IMPORTANCE: Mapping[str, float] = {
    "explicit_remember": 0.9,
    "emphasis_cue": 0.8,
    "bug_fix": 0.8,
    "learning": 0.8,
    "correction": 0.7,
    "decision": 0.7,
    "constraint": 0.7,
    "preference": 0.6,
    "typography": 0.7,
    "short_reply": 0.6,
    "repetition": 0.7,
    "elaboration": 0.5,
    "enumeration": 0.5,
    "near_error": 0.6,
}
# Confidence without a weighed phrase: entered by a person, entered by an agent, imported (the last two: PsychMem README).
ENTERED, ENTERED_BY_AGENT, IMPORTED = 0.95, 0.6, 0.5
_BASE, _PRIMARY, _PRIMARY_MOST, _BOOST, _BOOST_MOST = 0.3, 0.2, 0.5, 0.15, 0.3  # true-mem's sentence score, see above


ASSISTANT_MARGIN = 0.10  # an assistant must be surer than a person
WAIT = 0.40  # from here on a candidate is pending


def least_to_keep(role: Role, settings: Settings) -> float:
    """The confidence from which a candidate is kept."""
    return settings.extraction.confidence_threshold + (0.0 if role is Role.USER else ASSISTANT_MARGIN)


def least_to_wait(settings: Settings) -> float:
    """The confidence from which a candidate is pending."""
    return min(WAIT, settings.extraction.confidence_threshold)


def weight_of(category: str, family: str, role: Role) -> float:
    """Weight of a family said by `role`, in [0, 0.9]; 0 for a family unknown or without meaning there."""
    weight = FAMILIES.get((category, family), FamilyWeight(0.0))
    return weight.human if role is Role.USER else weight.assistant


def importance(signals: Iterable[Signal]) -> float:
    """Importance in [0, 1]: the weights of the signals' categories, strongest first, each further one counting less."""
    return combined(IMPORTANCE[s.category or s.family] for s in signals)


def confidence(weights: Iterable[float], adjustment: float = 0.0) -> float:
    """How sure the families of one clause make us, in [0, 1]: one weight a family; `adjustment` is what structure adds."""
    strongest_first = sorted(weights, reverse=True)
    if not strongest_first:
        return 0.0
    primaries = sum(weight > BOOSTER for weight in strongest_first)
    boosters = len(strongest_first) - primaries
    sentence = _BASE + min(_PRIMARY_MOST, _PRIMARY * primaries) + min(_BOOST_MOST, _BOOST * boosters)
    return min(1.0, max(0.0, (strongest_first[0] + min(1.0, sentence)) / 2 + adjustment))


def beyond(stated: Iterable[Candidate | Memory], most: int) -> set[str]:
    """The texts of one stop that are too many: all but so many, the least important."""
    return {one.text for one in sorted(stated, key=lambda one: -one.importance)[most:]}
