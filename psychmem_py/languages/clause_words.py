"""A clause as the matcher sees it: its words on one line, and where it opens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import regex

from psychmem_py.languages import grammar as tree
from psychmem_py.languages import machine
from psychmem_py.text.folding import bare, fold
from psychmem_py.words import by_key, listed

_OPENERS, _UNSPACED_OPENERS = by_key("openers"), listed("openers_signs")
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
    return frozenset(_OPENERS["en"]).union(_OPENERS.get(code, ()))


LABEL_WORDS, LABEL_SIGNS = 4, 10  # a label before a statement is no longer: "Security -", "one more thing:", "注意："
_LABEL_ENDS = re.compile(r":[*_]{0,9}\s|[*_\])]{1,9}:\s|\]\s|\s[-–—]\s")
_UNSPACED_LABEL = regex.compile(rf"[^\n:：、。，,]{{1,{LABEL_SIGNS}}}[:：]")


def openings(line: machine.Line, code: str) -> frozenset[int]:
    """Where a clause may be said to begin: at its first word, behind a label, and behind openers like "and" and "please"."""
    begin = next((at for at in range(1, min(line.count, LABEL_WORDS + 1)) if _LABEL_ENDS.search(line.seps[at])), 0)
    return _behind_openers(line.words, 0, code) | (_behind_openers(line.words, begin, code) if begin else frozenset())


def _behind_openers(words: Sequence[str], at: int, code: str) -> frozenset[int]:
    begin, openers = at, _openers(code)
    while at < min(len(words), begin + 5) and (words[at] in openers or words[at].isdigit()):
        at += 1
    return frozenset(range(begin, at + 1))


def unspaced_line(folded: str) -> machine.Line:
    """The signs of a clause, with single signs and pairs as keys."""
    where: dict[str, list[int]] = {}
    for at in range(len(folded)):
        where.setdefault(folded[at], []).append(at)
        where.setdefault(folded[at : at + 2], []).append(at)
    label = _UNSPACED_LABEL.match(folded)
    openings = {0, *_unspaced_openings(folded, 0), *(_unspaced_openings(folded, label.end()) if label else ())}
    return machine.Line(folded, [], [], [], frozenset(openings), where)


def _unspaced_openings(folded: str, at: int) -> set[int]:
    openings = set()
    while True:
        first = _LETTERS.search(folded, at)
        if not first:
            break
        at = first.start()
        openings.add(at)
        word = next((word for word in _UNSPACED_OPENERS if folded.startswith(word, at)), "")
        if not word:
            break
        at += len(word)
        openings.add(at)
    return openings
