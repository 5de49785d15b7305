"""One language as its file tells it, and what a match in it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from psychmem_py.errors import PatternError
from psychmem_py.languages import grammar as tree
from psychmem_py.languages.machine import bare_fold
from psychmem_py.text.folding import fold


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


RAW = "~"  # begins a phrase that is a regular expression

# Number of the family, text, numbers of the sets of `needs` and of `firsts`, whether only where a clause opens.
Row = tuple[int, str, Sequence[int], int | None, bool]


class PhraseTable(NamedTuple):
    """One language for the matcher. Most phrases share their sets of keys, so these are told by number; nothing but plain values,
    so that it can be kept as it is.
    """

    source: str  # file name, for errors
    spaced: bool
    words: Mapping[str, Sequence[str]]  # named lists for {name}
    families: Sequence[Sequence[str]]  # group and name
    sets: Sequence[str]  # of keys, with spaces between them
    rows: Sequence[Row]
    by_key: Mapping[str, Sequence[int]]  # the phrases that need this key, or one of a few others, first of all
    always: Sequence[int]  # the phrases of which nothing tells when to try them
    problems: Sequence[str]  # phrases left out because they cannot be read


def phrase_table(language: Language) -> PhraseTable:
    """All phrases of a language that can be read; the others are named as problems: one slip silences no language."""
    spaced = language.boundary == "word"
    reader = tree.Reader(language.words, bare_fold, spaced=spaced)
    common = frozenset(map(fold, language.function_words))
    sets: dict[str, int] = {}
    rows: list[Row] = []
    by_key: dict[str, list[int]] = {}
    always: list[int] = []
    problems: list[str] = []

    def number_of(keys: frozenset[str]) -> int:
        return sets.setdefault(" ".join(sorted(keys)), len(sets))

    for family, (key, texts) in enumerate(language.groups.items()):
        for text in texts:
            try:
                sequence = () if text.startswith(RAW) else reader.read(text, where(language.source, key, text))
            except PatternError as exc:
                problems.append(str(exc))
                continue
            needs = sorted(tree.needs(sequence, spaced=spaced), key=lambda keys: _frequency(keys, common))
            firsts = tree.firsts(sequence, spaced=spaced)
            for word in needs[0] if needs else ():
                by_key.setdefault(word, []).append(len(rows))
            if not needs:
                always.append(len(rows))
            caret = bool(sequence) and sequence[0] == tree.Edge("^")
            rows.append((family, text, [*map(number_of, needs)], None if firsts is None else number_of(firsts), caret))
    return PhraseTable(
        source=language.source,
        spaced=spaced,
        words=language.words,
        families=list(language.groups),
        sets=list(sets),
        rows=rows,
        by_key=by_key,
        always=always,
        problems=problems,
    )


def where(source: str, family: Sequence[str], text: str) -> str:
    """What errors call a phrase."""
    return f"{source}: {'.'.join(family)}: {text!r}"


def _frequency(keys: frozenset[str], common: frozenset[str]) -> int:
    """How often a text holds one of `keys`, roughly: the least tells best when to try a phrase."""
    return sum(40 if key in common else 12 if len(key) < 4 else 3 for key in keys)
