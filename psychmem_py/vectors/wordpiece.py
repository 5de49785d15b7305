"""Texts as the numbers of an uncased BERT vocabulary. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

UNKNOWN = "[UNK]"
_LONGEST_WORD = 100  # characters; a longer one is unknown as a whole
_SIGNS = ("\u3400", "\u9fff"), ("\uf900", "\ufaff")  # Han characters, each a word of its own


def numbers(text: str, vocabulary: Mapping[str, int], most: int) -> list[int]:
    """At most `most` numbers, the marks of beginning and end among them."""
    unknown = vocabulary[UNKNOWN]
    pieces = [number for word in _words(text) for number in _pieces(word, vocabulary, unknown)]
    return [vocabulary["[CLS]"], *pieces[: most - 2], vocabulary["[SEP]"]]


def _words(text: str) -> list[str]:
    """Words and signs in small letters, without accents and control characters."""
    apart = unicodedata.normalize("NFD", text.lower())
    spaced = "".join(_spaced(char) for char in apart if unicodedata.category(char) != "Mn")
    return spaced.split()


def _spaced(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] == "C" and char not in "\t\n\r":
        return ""
    alone = category[0] == "P" or char in "$+<=>^`|~" or any(first <= char <= last for first, last in _SIGNS)
    return f" {char} " if alone else char


def _pieces(word: str, vocabulary: Mapping[str, int], unknown: int) -> list[int]:
    """The longest pieces from the front that the vocabulary has."""
    pieces: list[int] = []
    start = 0
    while start < len(word) <= _LONGEST_WORD:
        mark = "##" if start else ""
        end = next((end for end in range(len(word), start, -1) if mark + word[start:end] in vocabulary), 0)
        if not end:
            return [unknown]
        pieces.append(vocabulary[mark + word[start:end]])
        start = end
    return pieces or [unknown]
