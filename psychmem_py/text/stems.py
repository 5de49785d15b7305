"""Words of scripts that English stemming does not reach, without their commonest endings: light and by script.

The script decides, so no language need be known; a wrong cut costs little because both sides are cut alike.
"""

from __future__ import annotations

from psychmem_py.text.compiled_words import BEGINNINGS, ENDINGS, MORE_ENDINGS

_LEAST = 3  # letters that stay


def stem(word: str) -> str:
    """A folded word without its ending; unchanged in scripts that need nothing here."""
    first = word[0]
    if "\u0400" <= first <= "\u04ff":
        return _without(_without(word, MORE_ENDINGS["ru"]), ENDINGS["ru"])
    if "\u0600" <= first <= "\u06ff":
        front = next((front for front in BEGINNINGS["ar"] if word.startswith(front) and len(word) - len(front) >= _LEAST), "")
        return _without(word[len(front) :], ENDINGS["ar"])
    if "\u0900" <= first <= "\u097f":
        return _without(word, ENDINGS["hi"])
    return word


def _without(word: str, endings: tuple[str, ...]) -> str:
    return next((word[: -len(end)] for end in endings if word.endswith(end) and len(word) - len(end) >= _LEAST), word)
