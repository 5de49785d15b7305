"""A clause as the matcher sees it: its words on one line, and where it opens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import regex

from psychmem_py.languages import grammar as tree
from psychmem_py.languages import machine
from psychmem_py.languages.compiled_words import OPENERS, UNSPACED_OPENERS
from psychmem_py.text.folding import bare, fold

_WORD = regex.compile(tree.WORD)
PLAIN = re.compile(r"\w+", re.ASCII)  # the same for ASCII, twice as fast


_LETTERS = regex.compile(r"[^\W_]")


def bare_fold(text: str) -> str:
    return bare(fold(text))


def spaced_line(folded: str) -> machine.Line:
    """The words of a clause, with the places of each key."""
    words: list[str] = []
    starts, ends = [], []
    where: dict[str, list[int]] = {}
    plain = folded.isascii()
    found_words: Iterable[re.Match[str] | regex.Match[str]] = (PLAIN if plain else _WORD).finditer(folded)
    for match in found_words:
        word = match.group() if plain else bare(match.group())
        if not word:  # a vowel sign that stands alone
            continue
        at = len(words)
        words.append(word)
        start, end = match.span()
        starts.append(start)
        ends.append(end)
        where.setdefault(word, []).append(at)
        where.setdefault(word[: tree.STEM] + "*", []).append(at)
        if "0" <= word[0] <= "9":
            where.setdefault(tree.NUMBER, []).append(at)
    return machine.Line(folded, words, starts, ends, frozenset({0}), where)


@lru_cache(maxsize=64)
def _openers(code: str) -> frozenset[str]:
    return OPENERS["en"] | OPENERS.get(code, frozenset())


def openings(words: Sequence[str], code: str) -> frozenset[int]:
    """Where a clause may be said to begin: at its first word, or behind openers like "and" and "please"."""
    at, openers = 0, _openers(code)
    while at < min(len(words), 5) and (words[at] in openers or words[at].isdigit()):
        at += 1
    return frozenset(range(at + 1))


def unspaced_line(folded: str) -> machine.Line:
    """The signs of a clause, with single signs and pairs as keys."""
    where: dict[str, list[int]] = {}
    for at in range(len(folded)):
        where.setdefault(folded[at], []).append(at)
        where.setdefault(folded[at : at + 2], []).append(at)
    openings, at = {0}, 0
    while True:
        first = _LETTERS.search(folded, at)
        if not first:
            break
        at = first.start()
        openings.add(at)
        word = next((word for word in UNSPACED_OPENERS if folded.startswith(word, at)), "")
        if not word:
            break
        at += len(word)
        openings.add(at)
    return machine.Line(folded, [], [], [], frozenset(openings), where)
