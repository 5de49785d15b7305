"""What each family of evidence is worth, and how the evidence of one clause adds up (docs/model.md).

*Importance* is the sum of w_i * 0.7^i over category weights. *Confidence* is (strongest weight + sentence score) / 2, where
    sentence score = 0.3 + min(0.5, 0.2 * primaries) + min(0.3, 0.15 * boosters)
with the strongest weight and not the mean, so that more evidence never lowers it: one strong family (0.8) gives (0.8 + 0.5) / 2 =
0.65 and is kept at 0.60, an ordinary one (0.6) gives 0.55 and waits, with a booster (0.6 + 0.65) / 2 = 0.625 is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from psychmem_py.memory.forgetting import combined
from psychmem_py.model.records import Candidate, Memory, Role, Signal
from psychmem_py.model.settings import Settings

# Categories with their importance (PsychMem README), their families with what each weighs said by a person, and by the assistant:
# strong ones (0.8-0.9) are kept alone, ordinary ones (0.6-0.7) need a second, boosters (<= 0.35) only help. "again" is no phrase
# of a language: it was said before, see store/episodes.py. Last what structure tells.
_TABLE = """
explicit_remember 0.9  remember 0.9  note 0.75  again 0.9
emphasis_cue 0.8       always 0.75  forever 0.85  universal 0.3  important 0.3
constraint 0.7         never 0.85  must 0.75  ban 0.75  should 0.55  ensure 0.65  complaint 0.8  same_as 0.35  limit 0.7 0.9  habit 0.75
preference 0.6         prefer 0.85  dislike 0.75  want 0.5  dont_want 0.75
decision 0.7           choice 0.8 0.9  use_not 0.65 0.65  label 0.6 0.9  milestone 0.7 0.8
correction 0.7         correction 0.65
bug_fix 0.8            cause 0.75 0.9  cause_present 0.4 0.6  fixed 0.7 0.75
learning 0.8           learned 0.8 0.9  because 0.3 0.35  fact 0.6 0.65  environment 0.75 0.2
typography 0.7
short_reply 0.6
repetition 0.7
elaboration 0.5
enumeration 0.5
near_error 0.6
"""
FAMILIES: dict[tuple[str, str], tuple[float, float]] = {}  # by category and name: said by a person, by the assistant
IMPORTANCE: dict[str, float] = {}  # of a category or of what structure tells
for _line in _TABLE.strip().split("\n"):
    (_category, _importance), *_families = map(str.split, re.split(" {2,}", _line))
    IMPORTANCE[_category] = float(_importance)
    for _name, _human, *_assistant in _families:
        FAMILIES[_category, _name] = float(_human), float(*_assistant)
BOOSTER = 0.35  # a family worth no more than this is a booster
SIGNAL = 0.3  # a weaker family is no evidence (true-mem's signalThreshold)
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


def weight_of(group: str, family: str, role: Role) -> float:
    """Weight of a family of "signals.CATEGORY" said by `role`, in [0, 0.9]; 0 for one unknown or without meaning there."""
    return FAMILIES.get((group.removeprefix("signals."), family), (0.0, 0.0))[role is not Role.USER]


def importance(signals: Iterable[Signal]) -> float:
    """Importance in [0, 1]: the weights of the signals' categories, strongest first, each further one counting less."""
    return combined(IMPORTANCE[s.category or s.family] for s in signals)


def confidence(weights: Iterable[float], adjustment: float = 0.0) -> float:
    """How sure the families of one clause make us, in [0, 1]: one weight a family; `adjustment` is what structure adds."""
    if not (strongest_first := sorted(weights, reverse=True)):
        return 0.0
    primaries = sum(weight > BOOSTER for weight in strongest_first)
    boosters = len(strongest_first) - primaries
    sentence = _BASE + min(_PRIMARY_MOST, _PRIMARY * primaries) + min(_BOOST_MOST, _BOOST * boosters)
    return min(1.0, max(0.0, (strongest_first[0] + min(1.0, sentence)) / 2 + adjustment))


def beyond(stated: Iterable[Candidate | Memory], most: int) -> set[str]:
    """The texts of one stop that are too many: all but so many, the least important."""
    return {one.text for one in sorted(stated, key=lambda one: -one.importance)[most:]}
