"""Numbers that are spelt out, in figures: "five six seven eight" and "fifty-six seventy-eight" are 5678. English in full; single digits
in German, Spanish and French.
"""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.text.compiled_words import DIGITS, TENS

_SMALL = {word: value for value, word in enumerate(DIGITS["en"])} | {"oh": 0}
_TEN = {word: 10 * value for value, word in enumerate(TENS["en"], 2)}
_OTHER = {word: value for code in ("de", "es", "fr") for value, word in enumerate(DIGITS[code])}
_SCALE = {"hundred": 100, "thousand": 1000, "million": 1_000_000}


def in_digits(pieces: Sequence[str]) -> list[str]:
    """The folded words with runs of number words as figures; a single small number word stays a word."""
    tokens: list[str] = []
    at = 0
    while at < len(pieces):
        end = at
        while end < len(pieces) and _is_number(pieces[end]):
            end += 1
        if end - at > 1:
            tokens += _figures(pieces[at:end])
            at = end
        else:
            tokens.append(pieces[at])
            at += 1
    return tokens


def figure(word: str) -> str:
    """A number word in figures, any other word as it is."""
    value = _SMALL.get(word, _TEN.get(word, _OTHER.get(word)))
    return word if value is None else str(value)


def _is_number(word: str) -> bool:
    return word in _SMALL or word in _TEN or word in _SCALE or word in _OTHER


def _figures(run: Sequence[str]) -> list[str]:
    """One number in words as its figures, or the figures of one spoken after another."""
    if any(word in _SCALE for word in run):
        total = part = 0
        for word in run:
            scale = _SCALE.get(word)
            if scale is None:
                part += _SMALL.get(word, _TEN.get(word, _OTHER.get(word, 0)))
            elif scale == 100:
                part = max(1, part) * scale
            else:
                total, part = total + max(1, part) * scale, 0
        return [str(total + part)]
    digits, at = "", 0
    while at < len(run):
        word = run[at]
        value = _SMALL.get(word, _TEN.get(word, _OTHER.get(word, 0)))
        if word in _TEN and at + 1 < len(run) and 0 < _SMALL.get(run[at + 1], 0) < 10:
            value += _SMALL[run[at + 1]]
            at += 1
        digits += str(value)
        at += 1
    return [digits]
