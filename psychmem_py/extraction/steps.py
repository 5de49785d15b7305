"""Whether a sentence tells steps in their order: first this, then that, finally the rest."""

from __future__ import annotations

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


def tells_steps(text: str) -> bool:
    """Whether words of at least two of the three places stand in it, in their order. One alone is only a word: "the first request"."""
    tokens, plain = words(text), index_form(text)
    indexes = [_index(tokens, plain, spaced, signs) for spaced, signs in _ORDER]
    in_text = [index for index in indexes if index is not None]
    return len(in_text) > 1 and in_text == sorted(in_text)


def _index(tokens: list[str], plain: str, spaced: frozenset[str], signs: tuple[str, ...]) -> float | None:
    """Where the first such word stands, as a share of the text."""
    word = next((at / len(tokens) for at, word in enumerate(tokens) if word in spaced), None)
    sign = next((plain.index(sign) / len(plain) for sign in signs if sign in plain), None)
    return word if sign is None else sign
