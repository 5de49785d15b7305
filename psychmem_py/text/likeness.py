"""When two texts say the same, by the words they share; and when two words are one but for a slip or an ending. Pure."""

from __future__ import annotations

from _collections_abc import Iterable, Set
from itertools import islice, product
from posixpath import commonprefix

from psychmem_py.text.tokenizer import normalised, stem, subject, words
from psychmem_py.words import word_set

# Of all words of both (Jaccard), with which
NEAR_DUPLICATE = 0.8  # a second memory says nothing new in a brief; rules that differ in one word stay
LINKED = 0.5  # memories are a group: of 11 pairs in other words 9 overlap so, of 120 others none
TOLD_TWICE = 0.9  # and clearly one
# Shared words, at least, and their share of the one text's (or the shorter's), with which
WRITTEN = (2, NEAR_DUPLICATE)  # a line of a person's instructions says a memory, an agent's text the sentence it quotes
ALL_RARE, MUCH = (3, 1.0), (5, 0.75)  # two memories are one for a brief: by the rare words of one, by most words of the shorter
ONE_CAUSE = (3, 0.4)  # the shorter of two tells the cause of the other
READ_OUT = (2, 0.5)  # a statement reads out what was shown, what was shown comes back in a session's work
NOTED = (3, 0.5)  # a message of the person's confirms a note
VOUCHED = (1, 0.5)  # a message vouches for a text that quotes it
SAYS, MEANS = (2, 1.0), (1, 0.6)  # a text says a sentence; is near it, was made of it, is meant by a person who names it
NEIGHBOUR = (0, 0.2)  # a memory is compared at all: below every similarity that matters
NEAR_A_TURN = 0.2  # of what a memory's words weigh, the rare ones most: a reader is told of it
_JOINING = word_set("joins_clauses") | word_set("joins_choices")  # between the names of a list
_BEGINNING = 4
_ENDINGS = ("e", "s", "es", "ed", "ing")  # likeliest first
_LONG_ENDINGS = ("ion", "ions", "ation", "ations", "ication", "ment", "ments", "ness", "ing", "ers", "ful", "able", "ity", "ally")
LONGEST_ENDING = max(map(len, _LONG_ENDINGS))
_BEFORE, _WITH_ENDING = 5, 8  # letters of a stem that such an ending stands behind, and of the whole word


def overlap(one: Set[str], other: Set[str]) -> float:
    """Jaccard overlap of two sets of words, in [0, 1]; 0 when one is empty."""
    return len(one & other) / len(one | other) if one and other else 0.0


def similarity(a: str, b: str) -> float:
    """Jaccard overlap of the content words (pairs of signs where a script has no spaces), in [0, 1]; symmetric."""
    one, other = subject(a), subject(b)
    return overlap(one, other) if one and other else float(normalised(a) == normalised(b))


def is_turned(one: str, other: str) -> bool:
    """Whether two texts differ only in two names that have changed places: "A calls B", "B calls A"; lists have no order."""
    a, b = (words(text.replace(",", " and ")) for text in (one, other))
    if a == b or sorted(a) != sorted(b):
        return False
    start, end = len(commonprefix((a, b))), len(commonprefix((a[::-1], b[::-1])))
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    for first, last in product(range(1, 4), repeat=2):  # words of what has changed places
        between = a[first:-last]
        if between and b == [*a[-last:], *between, *a[:first]] and not _JOINING.issuperset((between[0], between[-1])):
            return True
    return False


def shares_enough(one: Set[str], other: Set[str], least: tuple[int, float]) -> bool:
    """Whether `other` has at least so many of the words of `one`, and that share of them."""
    return len(one & other) >= max(least[0], least[1] * len(one))


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Those of `known` (stems) that `word`, perhaps without its ending, turns into by one slip; at most 3."""
    stems = [word, *(word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))]
    # One slip leaves what stands before it or what stands behind it as it is: nine in ten stems need no closer look.
    near = (other for other in known if other[:_BEGINNING] == word[:_BEGINNING] or other[_BEGINNING + 1 :] in word)
    long = (other for other in near if len(other) >= 4)  # shorter stems are near to everything
    meant = (one for one in long if any(slip(stem, one, cut=stem != word) for stem in stems) or _slip_of_a_long_word(word, one))
    return [*islice(meant, 3)]


def _slip_of_a_long_word(word: str, stem: str) -> bool:
    """Whether a word is `stem` and a long ending with one slip in either: "migraton" (migrat), "configruation" (configur)."""
    if len(stem) < _BEFORE or len(word) < _WITH_ENDING:
        return False
    if word.startswith(stem):
        return (end := word[len(stem) :]) not in _LONG_ENDINGS and any(slip(end, ending) for ending in _LONG_ENDINGS)
    return any(slip(word.removesuffix(ending), stem, cut=True) for ending in _LONG_ENDINGS if word.endswith(ending))


def inflected(one: str, other: str) -> bool:
    """Whether two folded words are forms of one: the same stem, or a common beginning that is most of the shorter one."""
    if one == other or stem(one) == stem(other):
        return True
    common, shorter = len(commonprefix((one, other))), min(len(one), len(other))
    return common >= max(3, shorter - 1 - (shorter > 6)) and abs(len(one) - len(other)) <= max(4, shorter // 2)


def unstemmed(stem: str) -> list[str]:
    """Words an English stem may be of, likeliest first: the index stems what it is asked, and a stem cut twice is lost."""
    return [stem, *([stem[:-1] + "y"] if stem.endswith("i") else []), *(stem + ending for ending in _ENDINGS)]


def slip(a: str, b: str, *, cut: bool = False) -> bool:
    """Whether at most one letter was added, left out, changed or swapped; not for a beginning ("mode"), or for what was `cut`."""
    if abs(len(a) - len(b)) > 1 or (a != b and (a.startswith(b) or (cut and b.startswith(a)))):
        return False
    start = len(commonprefix((a, b)))
    rest_a, rest_b = a[start:], b[start:]
    return (
        a == b
        or (rest_a[1:] == rest_b[1:] and len(a) >= 7)  # shorter words differ so from others ("store", "story")
        or rest_a == rest_b[1:]
        or rest_a[1:] == rest_b
        or (len(rest_a) > 1 and rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:])
    )
