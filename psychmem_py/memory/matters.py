"""Of which matter a statement speaks: where somebody lives, what they eat, with what a project is tested. Single words of the language
files (`matter_words`); never enough by itself to say that a memory no longer holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from psychmem_py.memory import assertion_words as table
from psychmem_py.memory.assertions import assertions, bare
from psychmem_py.memory.compiled_words import NOUNS_OF_MANY
from psychmem_py.memory.matter_words import MATTERS, NOUNS
from psychmem_py.text.tokenizer import content_words, words


@lru_cache(1024)
def matters_of(text: str) -> frozenset[str]:
    """The matters whose words are in a text."""
    return _with_words(MATTERS, text)


def _with_words(lists: Mapping[str, frozenset[str]], text: str) -> frozenset[str]:
    there = frozenset(words(text))
    return frozenset(name for name, known in lists.items() if not known.isdisjoint(there))


def fitting(about: str, texts: Sequence[str], *, telling_apart: bool = False) -> list[float]:
    """How well each text fits what is named in `about`; 0 for not at all. A word or matter that many of the texts have tells little, and
    one that all have nothing where they are to be told apart.
    """
    worded = [_telling_words(text) for text in texts]
    spoken = [matters_of(text) for text in texts]
    fits = [0.0] * len(texts)
    for wanted, each in ((_telling_words(about), worded), (matters_of(about) | _with_words(NOUNS, about), spoken)):
        for one in wanted:
            holding = [at for at, has in enumerate(each) if one in has]
            for at in () if telling_apart and len(holding) == len(texts) else holding:
                fits[at] += 1 / len(holding)
    return fits


def best_fit(about: str, new: str, texts: Sequence[str]) -> int | None:
    """Which of the texts, newest first, is meant by `about` when `new` is to take its place, else the only one that `new` says again
    with another value; None where none is.
    """
    subject = subjects_of(new)
    ranks = [
        (fit * (1 if subject.isdisjoint(subjects_of(text)) else _OF_ONE_SUBJECT), also, -at)
        for at, (fit, also, text) in enumerate(zip(fitting(about, texts), fitting(new, texts), texts, strict=True))
        if fit > 0
    ]
    if ranks:
        return -max(ranks)[2]
    new_words = words(new)
    varied = [at for at, text in enumerate(texts) if _varies(new_words, words(text))]
    return varied[0] if len(varied) == 1 else None


_OF_A_VALUE = 2  # words, at most, that one statement has in the place of others
_ALIKE = 2  # telling words around that place, at least, one of them before it: "I like" could go on with anything


def _varies(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two statements are the same but for a value in one place."""
    least = min(len(one), len(other))
    before = next((at for at in range(least) if one[at] != other[at]), least)
    behind = next((at for at in range(least - before) if one[-1 - at] != other[-1 - at]), least - before)
    values = len(one) - before - behind, len(other) - before - behind
    subject, shared = one[:before], [*one[:before], *one[len(one) - behind :]]
    one_value = min(values) > 0 and max(values) <= _OF_A_VALUE
    return one_value and bool(_telling_words(" ".join(subject))) and len(_telling_words(" ".join(shared))) >= _ALIKE


_STEM = 6  # letters that forms of a word share: "license", "licensed"
_OF_ONE_SUBJECT = 2.0  # who is spoken of tells as much as what is said of them


@lru_cache(1024)
def subjects_of(text: str) -> frozenset[str]:
    """Of whom or what a statement speaks: the subjects of its clauses and its first telling word."""
    first = next((word for word in words(text) if word not in table.DETERMINERS), "")
    speaker = {"me"} if first in table.SPEAKER else {"we"} if first in table.GROUP else {first}
    return frozenset(speaker.union(*(one.subject for one in assertions(text))) - {""})


@lru_cache(1024)
def _telling_words(text: str) -> frozenset[str]:
    """The words that tell something, without those for anybody."""
    return frozenset(
        bare(word)[:_STEM] for word in content_words(text) if word not in NOUNS_OF_MANY | table.SPEAKER | table.GROUP
    )
