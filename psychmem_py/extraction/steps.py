"""Whether a sentence tells steps in their order: first this, then that, finally the rest."""

from __future__ import annotations

import re

from psychmem_py.extraction.compiled_words import (
    STEPS_FIRST,
    STEPS_FIRST_SIGNS,
    STEPS_LAST,
    STEPS_LAST_SIGNS,
    STEPS_NEXT,
    STEPS_NEXT_SIGNS,
)
from psychmem_py.text.tokenizer import index_form, words

_ORDER = ((STEPS_FIRST, STEPS_FIRST_SIGNS), (STEPS_NEXT, STEPS_NEXT_SIGNS), (STEPS_LAST, STEPS_LAST_SIGNS))


_ARROWS = re.compile(r"\s(?:->|=>|→|⇒|➜)\s")
_NUMBERED = re.compile(r"(?:^|[\s(:;,])(?:1[.)]|①|１[.．])\s?\S.*[\s(;,.](?:2[.)]|②|２[.．])\s?\S")
_PAUSE = re.compile("[,:;，、：；،]")


def tells_steps(text: str) -> bool:
    """Whether steps are numbered, three of them joined by arrows, or told by words: of at least two of the three places and in their
    order, or with a "then" at the end of a series. One such word alone is only a word: "the first request", "if it fails, then".
    """
    if len(_ARROWS.findall(text)) > 1 or _NUMBERED.search(text):
        return True
    tokens, plain = words(text), index_form(text)
    indexes = [_index(tokens, plain, spaced, signs) for spaced, signs in _ORDER]
    in_text = [index for index in indexes if index is not None]
    return (len(in_text) > 1 and in_text == sorted(in_text)) or _ends_a_series(text)


def _ends_a_series(text: str) -> bool:
    """Whether a word of the next step opens a part behind two others: "to release: bump the version, then push"."""
    return any(
        (spoken := words(part)) and (spoken[0] in STEPS_NEXT or index_form(part).lstrip().startswith(STEPS_NEXT_SIGNS))
        for part in _PAUSE.split(text)[2:]
    )


def _index(tokens: list[str], plain: str, spaced: frozenset[str], signs: tuple[str, ...]) -> float | None:
    """Where the first such word stands, as a share of the text."""
    word = next((at / len(tokens) for at, word in enumerate(tokens) if word in spaced), None)
    sign = next((plain.index(sign) / len(plain) for sign in signs if sign in plain), None)
    return word if sign is None else sign
