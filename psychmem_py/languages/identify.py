"""Tells the languages a text may be in: by its script, and among those that share one by their commonest words and endings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from psychmem_py.languages import grammar as tree
from psychmem_py.languages.matcher import Chooser, Hit, Language, Matcher
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
_BLANKS = re.compile(r"\s{8,}")
MOST_LIKELY, SURE_WORDS = 2, 3  # each further language costs its reading, and its false friends
SAMPLE_CHARS = 1500  # enough of a message to tell its language


@lru_cache(maxsize=64)
def _telling(function_words: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The words by which a language is known, and the endings ("*meli") of its longer words."""
    whole = " ".join(word for word in function_words if word[0] != "*")
    return frozenset(_WORD.findall(fold(whole))), tuple(fold(word[1:]) for word in function_words if word[0] == "*")


def _scores(languages: Iterable[Language], text: str) -> dict[str, int]:
    """How many words of a folded text speak for each language."""
    counts = Counter(_WORD.findall(text[:SAMPLE_CHARS]))
    scores = {}
    for language in languages:
        whole, endings = _telling(language.function_words)
        known = whole.intersection(counts)
        known |= {word for word in counts if len(word) > LONGEST_ENDING and word.endswith(endings)}
        scores[language.code] = sum(map(counts.__getitem__, known))
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
    for script, count in sorted(counts.items(), key=lambda item: -item[1]):
        # A few foreign words are names; little of a non-Latin script still tells the language around code words.
        if count == 0 or (script == "Latin" and count < 0.5 * letters) or (script != "Latin" and count < 0.1 * letters):
            continue
        same = [language for language in languages if language.script == script]
        scores = _scores(same, folded) if len(same) > 1 else dict.fromkeys((language.code for language in same), 1)
        best = max(scores.values(), default=1)
        if best == 0:
            codes += ["en"] if "en" in scores else list(scores)
        else:
            likely = [code for code, score in sorted(scores.items(), key=lambda item: -item[1]) if score >= 0.6 * best]
            codes += likely[: MOST_LIKELY if best >= SURE_WORDS else MOST_LIKELY + 1]
    return tuple(codes)


def hits_in(folded: str, matcher: Matcher, part: str, asked: Chooser) -> list[Hit]:
    """The phrases of this part (see `Matcher.hits`) in a text, in the languages it may be in."""
    return matcher.hits(folded, languages_of(folded, tuple(matcher.languages.values())), part, asked)
