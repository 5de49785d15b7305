"""A clause as the matcher sees it: its words on one line, and where it opens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import regex

from psychmem_py.languages import grammar as tree
from psychmem_py.languages import machine
from psychmem_py.text.folding import bare, fold

_WORD = regex.compile(tree.WORD)
PLAIN = re.compile(r"\w+", re.ASCII)  # the same for ASCII, twice as fast


_NUMBER = re.compile("[0-9]")


# What may stand before a clause's first real word.
_OPENERS = {
    "": "and but so also or ok okay please pls then well now just btw yes yeah no",
    "es": "y e pero o vale bueno ahora por favor entonces ademas tambien si no",
    "fr": "et mais donc alors bon ok sinon aussi oui non s il te vous plait",
    "de": "und aber also bitte dann ja nein gut oder auch okay ach",
    "pt": "e mas entao ok por favor agora tambem sim nao bom",
    "it": "e ma pero allora quindi anche si no ok bene per favore",
    "nl": "en maar dus ook ja nee goed dan alsjeblieft graag",
    "tr": "ve ama o zaman da de evet hayir lutfen peki simdi",
    "pl": "i a ale wiec oraz no tak nie ok prosze to tez",
    "ru": "и а но так ну да нет же тогда пожалуйста хорошо ок ладно",
    "ar": "و لكن ثم نعم لا حسنا من فضلك",
    "hi": "और लेकिन पर तो हां नहीं कृपया ठीक है",
}


_UNSPACED_OPENERS = (
    "请",
    "請",
    "那么",
    "那",
    "但是",
    "但",
    "而且",
    "并且",
    "并",
    "所以",
    "然后",
    "另外",
    "还有",
    "好的",
    "好",
    "嗯",
    "また",
    "あと",
    "そして",
    "でも",
    "ただし",
    "では",
    "じゃあ",
    "なので",
    "그리고",
    "그런데",
    "하지만",
    "그럼",
    "아",
    "네",
    "ok",
    "いや",
    "はい",
)


_LETTERS = regex.compile(r"[^\W_]")


def word_keys(folded: str) -> set[str]:
    """The keys a clause of spaced words offers: its words, and the first letters of each."""
    words = set(PLAIN.findall(folded)) if folded.isascii() else set(map(bare, _WORD.findall(folded)))
    words.update([word[: tree.STEM] + "*" for word in words])
    if _NUMBER.search(folded):
        words.add(tree.NUMBER)
    return words


def bare_fold(text: str) -> str:
    return bare(fold(text))


def spaced_line(folded: str) -> machine.Line:
    """The words of a clause, with the places of each key."""
    words, starts, ends = [], [], []
    where: dict[str, list[int]] = {}
    plain = folded.isascii()
    found_words: Iterable[re.Match[str] | regex.Match[str]] = (PLAIN if plain else _WORD).finditer(folded)
    for at, found in enumerate(found_words):
        word = found.group() if plain else bare(found.group())
        words.append(word)
        start, end = found.span()
        starts.append(start)
        ends.append(end)
        where.setdefault(word, []).append(at)
        where.setdefault(word[: tree.STEM] + "*", []).append(at)
        if "0" <= word[0] <= "9":
            where.setdefault(tree.NUMBER, []).append(at)
    return machine.Line(folded, words, starts, ends, frozenset({0}), where)


@lru_cache(maxsize=64)
def _openers(code: str) -> frozenset[str]:
    return frozenset(f"{_OPENERS['']} {_OPENERS.get(code, '')}".split())


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
        word = next((word for word in _UNSPACED_OPENERS if folded.startswith(word, at)), "")
        if not word:
            break
        at += len(word)
        openings.add(at)
    return machine.Line(folded, [], [], [], frozenset(openings), where)
