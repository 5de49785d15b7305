"""The score of one memory for one query, and whether it fits better than chance. Pure; FTS5 finds, this orders: bm25 with a low
k1, because which of the words are there says more than how often."""

from __future__ import annotations

import math
import posixpath
from _collections_abc import Mapping, Sequence

from psychmem_py.model.light_record import NamedTuple
from psychmem_py.text.dates import DAY_S

COLUMN_WEIGHTS = (1.0, 1.5, 0.7, 0.35)  # of text, names, date words, context: docs/recall.md
MARK = "\x01"  # stands before every word of an indexed text that the query matched
K1, B = 0.4, 0.4
STRENGTH_SHARE, RECENCY_SHARE = 0.15, 0.05  # most that strength and age move a score
RECENCY_HALF_D = 60.0  # memory roadmap, gap 5
Marked = tuple[int, str, str, str, str]  # a memory's number and its four indexed columns with MARK before each matched word


class Scored(NamedTuple):
    seq: int
    score: float
    matched: tuple[str, ...]  # terms of the query, the weightiest first
    share: float  # of the query's whole weight that is matched, in [0, 1]
    own: tuple[str, ...]  # those that are in the text or the names themselves, not in its surroundings
    exact: tuple[str, ...]  # those of `own` that stand there as asked, but for a plural
    length: int  # words of its text and names


NO_WORD = Scored(0, 0.0, (), 0.0, (), (), 0)  # of a memory that filters alone asked for


def rarity(total: int, holding: int) -> float:
    """Weight of a word that `holding` of `total` memories contain; above 0 (Robertson and Sparck Jones, with 1 added)."""
    return math.log(1 + (max(total, holding) - holding + 0.5) / (holding + 0.5))


def scored(rows: Sequence[Marked], terms: Mapping[str, float], *, dated: bool = True) -> list[Scored]:
    """Each row's score, best first; `terms` are the query's words with rarity times importance. `dated`: its day is its own."""
    lengths = [sum(column.count(" ") + 1 for column in columns if column) for _, *columns in rows]
    average = sum(lengths) / max(1, len(lengths))
    whole = sum(terms.values()) or 1.0
    meant, all_scored = dict[str, str | None](), list[Scored]()
    for (seq, *columns), length in zip(rows, lengths, strict=True):
        counts, own = dict[str, float](), dict[str, bool]()
        for index, (column, weight) in enumerate(zip(columns, COLUMN_WEIGHTS, strict=True)):
            for word in [rest.partition(" ")[0] for rest in column.split(MARK)[1:]]:
                if word not in meant:
                    meant[word] = _term(word, terms)
                if (term := meant[word]) is not None:
                    counts[term] = counts.get(term, 0.0) + weight
                    if index <= 1 + dated:
                        own[term] = own.get(term, False) or word.rstrip("s") == term.rstrip("s")
        k = K1 * (1 - B + B * length / average)
        parts = {term: terms[term] * count * (K1 + 1) / (count + k) for term, count in counts.items()}
        matched = tuple(sorted(parts, key=lambda term: (-parts[term], term)))
        share = sum(terms[term] for term in counts) / whole
        exact = tuple(term for term in matched if own.get(term))
        itself = tuple(term for term in matched if term in own)
        words_in = sum(column.count(" ") + 1 for column in columns[:2] if column)
        all_scored.append(Scored(seq, sum(parts.values()), matched, share, itself, exact, words_in))
    return sorted(all_scored, key=lambda one: (-one.score, one.seq))


def _term(word: str, terms: Mapping[str, float]) -> str | None:
    """The query's word that a matched word stands for: stemming changes endings, so the one whose ending differs least."""
    if word in terms:
        return word
    same = {term: len(posixpath.commonprefix((word, term))) for term in terms}
    return min(terms, key=lambda term: (len(term) - 2 * same[term], -same[term]), default=None)


def prior(strength: float, age_s: float) -> float:
    """Factor for strength and age, in (0, 1]: larger ones cost recall (7-day recency: 74 -> 51 on LoCoMo)."""
    recency = 1 - RECENCY_SHARE + RECENCY_SHARE * math.exp2(-max(0.0, age_s) / DAY_S / RECENCY_HALF_D)
    return (1 - STRENGTH_SHARE + STRENGTH_SHARE * min(1.0, max(0.0, strength))) * recency


WORTH_SAYING = 6.0  # nats, to somebody who did not ask
# An answer below it is called weak: of the best hits four in five in a store that cannot know, three in ten in the right one.
WEAK = 2.0
_PASSING = 0.2  # of the question; one word that is less of it says nothing of what was asked, in a store of ten memories too
# Nats for a question that is matched whole, less for a part. This and the number above were chosen by trial: docs/recall.md.
_WHOLE = 25.0
_PSEUDO_COUNT = 100  # a small store is read as if it held so many more memories about other things
USUAL_WORDS = 18  # of a memory; a longer one has more words by chance
_STEMMED = 0.5  # of a word's surprise when it stands there with another ending


def is_weak(scored: Scored, beyond: float) -> bool:
    """Whether an answer matches hardly better than chance, or shares one word with a question about something else."""
    return beyond < WEAK or (scored.share < _PASSING and len(scored.own) == 1 and not any(map(str.isdigit, scored.own[0])))


def surprise(total: int, holding: int) -> float:
    """Nats that a word tells which `holding` of `total` memories contain; above 0."""
    return math.log((max(total, holding) + _PSEUDO_COUNT) / (holding + 0.5))


def beyond_chance(scored: Scored, surprises: Mapping[str, float], total: int, usual_words: int = USUAL_WORDS) -> float:
    """Nats by which a memory matches better than the best of `total` unrelated ones, plus how far it covers the question: what
    its words tell, less ln `total` for the many tries and half of ln C(asked, met). `surprises` are the question's words.
    """
    own = [word for word in scored.own if word in surprises]
    met = [word for word in own if not any(word != other and word in other for other in own)]  # "error" beside "errors"
    if not met:
        return -math.inf
    by_length = max(0.0, math.log(scored.length / usual_words))
    bits = sum(max(0.0, surprises[word] - by_length) * (1 if word in scored.exact else _STEMMED) for word in met)
    # What all words of the question would tell: the mean of each one's surprise and that of a word nobody wrote.
    whole = sum((one + surprise(total, 0)) / 2 for one in surprises.values())
    return bits + _WHOLE * bits / whole - math.log(max(1, total)) - math.log(math.comb(len(surprises), len(met))) / 2
