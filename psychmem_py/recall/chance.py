"""Whether a memory fits a question better than chance would have it. Pure.

Some memory shares a few words with any question; the more memories there are and the more words are asked, the sooner. So what
the shared words tell is set against that, and a memory is worth showing to somebody who did not ask when enough is left.
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from psychmem_py.recall.ranking import Scored

WORTH_SAYING = 6.0  # nats, to somebody who did not ask
# An answer below it is called weak: of searches in a store that cannot know, four best hits in five are, of those in the right one
# three in ten.
WEAK = 2.0
_PASSING = 0.2  # of the question; one word that is less of it says nothing of what was asked, in a store of ten memories too
# Nats for a question that is matched whole, less for a part: one word says little in a long request and much alone. This and the
# number above are the only two chosen by trial; docs/recall.md has what others would do.
_WHOLE = 25.0
_STRANGERS = 100  # a small store is read as if it held so many more memories about other things
_USUAL_WORDS = 18  # of a memory; a longer one has more words by chance
_STEMMED = 0.5  # of a word's surprise when it stands there with another ending


def is_weak(scored: Scored, beyond: float) -> bool:
    """Whether an answer fits hardly better than chance would have it, or meets one word of a question about something else."""
    one_in_passing = scored.share < _PASSING and len(scored.own) == 1 and not any(map(str.isdigit, scored.own[0]))
    return beyond < WEAK or one_in_passing


def surprise(total: int, holding: int) -> float:
    """Nats that a word tells which `holding` of `total` memories contain; above 0."""
    return math.log((max(total, holding) + _STRANGERS) / (holding + 0.5))


def beyond_chance(scored: Scored, surprises: Mapping[str, float], total: int) -> float:
    """Nats by which a memory fits better than the best of `total` strangers would, and how far it covers the question.

    What its words tell, less ln `total` for so many tries and half of ln C(asked, met) for the ways to meet so many of the words
    asked. `surprises` are all words of the question.
    """
    met = [word for word in scored.own if word in surprises]
    met = [word for word in met if not any(word != other and word in other for other in met)]  # "error" beside "errors"
    if not met:
        return -math.inf
    by_length = max(0.0, math.log(scored.length / _USUAL_WORDS))
    bits = sum(
        max(0.0, surprises[word] - by_length) * _share_of_a_word(word) * (1 if word in scored.exact else _STEMMED) for word in met
    )
    whole = _weight_of_all(surprises, total)
    asked, count = sum(map(_share_of_a_word, surprises)), sum(map(_share_of_a_word, met))
    return bits + _WHOLE * bits / whole - math.log(max(1, total)) - _log_ways(asked, count) / 2


def without_the_idle(surprises: Mapping[str, float], total: int, worth: float) -> frozenset[str]:
    """The words one of which a memory must hold to fit by `worth` nats: the commonest cannot make so many even when all are met."""
    whole = _weight_of_all(surprises, total)
    idle: list[str] = []
    bits = 0.0
    for word in sorted(surprises, key=lambda word: surprises[word]):
        bits += surprises[word] * _share_of_a_word(word)
        if bits + _WHOLE * bits / whole - math.log(max(1, total)) >= worth:
            break
        idle.append(word)
    return frozenset(surprises) - frozenset(idle)


def _weight_of_all(surprises: Mapping[str, float], total: int) -> float:
    """What all words of a question would tell: the mean of each one's surprise and that of a word nobody wrote."""
    most = surprise(total, 0)
    return sum((surprises[word] + most) / 2 * _share_of_a_word(word) for word in surprises)


def _share_of_a_word(term: str) -> float:
    """A pair of signs is half a word: it shares each sign with a neighbour."""
    return 0.5 if len(term) == 2 and term >= "\u2e80" else 1.0


def _log_ways(asked: float, met: float) -> float:
    """ln C(asked, met), for halves too."""
    return math.lgamma(asked + 1) - math.lgamma(met + 1) - math.lgamma(max(0.0, asked - met) + 1)
