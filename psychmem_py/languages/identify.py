"""Tells the languages a text may be in: by its script, and among languages that share one by their commonest words and endings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from psychmem_py.languages import grammar as tree
from psychmem_py.languages.matcher import Language
from psychmem_py.text.folding import fold, late

LONGEST_ENDING = 5  # a word must be longer than this to be told by its ending
_WORD = late(tree.WORD)
_SCRIPTS = {
    "Hangul": late(r"\p{Hangul}"),
    "Kana": late(r"[\p{Hiragana}\p{Katakana}]"),
    "Han": late(r"\p{Han}"),
    "Cyrillic": late(r"\p{Cyrillic}"),
    "Arabic": late(r"\p{Arabic}"),
    "Devanagari": late(r"\p{Devanagari}"),
    "Latin": late(r"\p{Latin}"),
}


class _Telling(NamedTuple):
    """What tells languages of one script apart: for each whole word, and each ending ("*meli"), the languages it speaks for."""

    languages: tuple[Language, ...]
    whole: dict[str, list[str]]
    ends: dict[str, list[str]]
    lengths: tuple[int, ...]  # of the endings


_TELLING: dict[tuple[int, ...], _Telling] = {}  # by identity: hashing word lists for each message cost more than counting


def _telling(languages: tuple[Language, ...]) -> _Telling:
    key = tuple(map(id, languages))
    known = _TELLING.get(key)
    if known is None or any(a is not b for a, b in zip(known.languages, languages, strict=True)):
        whole: dict[str, list[str]] = {}
        ends: dict[str, list[str]] = {}
        for language in languages:
            own = " ".join(word for word in language.function_words if word[0] != "*")
            for word in set(_WORD.findall(fold(own))):
                whole.setdefault(word, []).append(language.code)
            for ending in {fold(word[1:]) for word in language.function_words if word[0] == "*"}:
                ends.setdefault(ending, []).append(language.code)
        known = _TELLING[key] = _Telling(languages, whole, ends, tuple(sorted(set(map(len, ends)))))
    return known


def _telling_words(languages: Sequence[Language], words: Counter[str]) -> dict[str, int]:
    counts = _telling(tuple(languages))
    scores = dict.fromkeys((language.code for language in languages), 0)
    for word, count in words.items():
        codes = counts.whole.get(word, [])
        if len(word) > LONGEST_ENDING:
            ending = [code for length in counts.lengths for code in counts.ends.get(word[-length:], ())]
            codes = list({*codes, *ending}) if ending else codes
        for code in codes:
            scores[code] += count
    return scores


@lru_cache(maxsize=8192)
def _script(char: str) -> str:
    return next((name for name, pattern in _SCRIPTS.items() if pattern.match(char)), "")


def _letters_by_script(folded: str) -> dict[str, int]:
    counts = dict.fromkeys(_SCRIPTS, 0)
    if folded.isascii():
        counts["Latin"] = sum(map(str.isalpha, folded[:SAMPLE_CHARS]))
        return counts
    for char, count in Counter(folded[:SAMPLE_CHARS]).items():
        script = _script(char)
        if script:
            counts[script] += count
    return counts


_BLANKS = re.compile(r"\s{8,}")
MOST_LIKELY, SURE_WORDS = 2, 3  # each further language costs its reading, and its false friends
SAMPLE_CHARS = 1500  # enough of a message to tell its language

TONGUE_WORDS, TONGUE_LETTERS = 3, 12  # words that tell a language, or letters of a script, that make it sure


def tongue_of(folded: str, languages: Sequence[Language]) -> tuple[str, str]:
    """The script a text is surely in and, of the Latin languages, the one it is surely in; each "" where that is not sure."""
    counts = _letters_by_script(folded)
    counts["Kana"], counts["Han"] = (counts["Kana"] + counts["Han"], 0) if counts["Kana"] else (0, counts["Han"])
    script = max(counts, key=counts.__getitem__)
    letters = counts[script] * (3 if script in ("Kana", "Han", "Hangul") else 1)
    if letters < max(TONGUE_LETTERS, 2 * sum(counts.values()) / 3):
        return "", ""
    if script != "Latin":
        return script, ""
    scores = _telling_words([one for one in languages if one.script == "Latin"], Counter(_WORD.findall(folded[:SAMPLE_CHARS])))
    best, second = sorted((*scores.values(), 0, 0))[:-3:-1]
    return script, max(scores, key=scores.__getitem__) if best >= max(TONGUE_WORDS, 2 * second) else ""


def languages_of(folded: str, languages: Sequence[Language]) -> tuple[str, ...]:
    """Codes of the languages a text may be in, likeliest first; empty only when no letters are in it.

    Script decides first; among languages that share one, the number of words that are function words of each. Everything within
    60 % of the best stays; where no function word is seen, English stays in its script, and all of another.
    """
    codes: list[str] = []
    if len(folded) > SAMPLE_CHARS:  # a paste before what a person says was masked, so that nothing but blanks is left of it
        folded = _BLANKS.sub(" ", folded)
    counts = _letters_by_script(folded)
    letters = sum(counts.values())
    if not letters:
        return ()
    if counts["Kana"] >= 0.05 * letters and counts["Kana"] > 1:
        counts["Kana"] += counts.pop("Han")  # Japanese: its Han signs are not Chinese
    words = Counter(_WORD.findall(folded[:SAMPLE_CHARS]))
    for script, count in sorted(counts.items(), key=lambda item: -item[1]):
        # A few foreign words are names; little of a non-Latin script still tells the language around code words.
        if count == 0 or (script == "Latin" and count < 0.5 * letters) or (script != "Latin" and count < 0.1 * letters):
            continue
        same = [language for language in languages if language.script == script]
        scores = _telling_words(same, words) if len(same) > 1 else dict.fromkeys((language.code for language in same), 1)
        best = max(scores.values(), default=1)
        if best == 0:
            codes += ["en"] if "en" in scores else list(scores)
        else:
            likely = [code for code, score in sorted(scores.items(), key=lambda item: -item[1]) if score >= 0.6 * best]
            codes += likely[: MOST_LIKELY if best >= SURE_WORDS else MOST_LIKELY + 1]
    return tuple(codes)
