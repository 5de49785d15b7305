"""One language as its file tells it, and what a match in it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Language(NamedTuple):
    """One pattern file, parsed."""

    code: str
    name: str
    script: str  # "Latin", "Cyrillic", "Han", "Kana", "Hangul", "Arabic", "Devanagari"
    boundary: str  # "word", or "none" for scripts without spaces and endings glued to any stem
    function_words: tuple[str, ...]  # common short words that tell the language, and endings of its words ("*meli")
    abbreviations: tuple[str, ...]  # "z.b.", "e.g.": their stops end no sentence
    words: Mapping[str, tuple[str, ...]]  # named lists for {name}
    groups: Mapping[tuple[str, str], tuple[str, ...]]  # ("signals.constraint", "never") -> phrases and words
    matches: Mapping[tuple[str, str], tuple[str, ...]]  # sentences that must hit the family
    rejects: Mapping[tuple[str, str], tuple[str, ...]]  # sentences that must not
    examples: Mapping[tuple[str, str], tuple[tuple[str, str], ...]] = {}  # (phrase, a sentence it must match)
    source: str = ""  # file name, for errors
    off: bool = False  # the person wants nothing taken from what is said in it


class Hit(NamedTuple):
    """A phrase found in a clause."""

    group: str  # "signals.constraint", "filters", "scope", "lexicon"
    name: str  # family or filter: "never", "question"
    language: str
    start: int
    end: int
    phrase: str = ""  # as its file has it
