"""Phrases of many languages matched against a clause, indexed by the words without which they cannot match.

Nothing is built until its rarest words are seen in a text, so the cost follows the text and not the size of the language files.

The pattern language (one phrase a string; an apostrophe or hyphen counts as a space: "n'utilise" is two words):

    never use               words in order, separated by space or light punctuation
    (must|has to) be        alternatives; (please )? or please? is optional
    prohib*                 a word that begins so; *ieren one that ends so; * any word
    from .. on              up to 3 words between; ... up to 7 words (behind the last word: no meaning)
    ^let's                  only at the start of the clause (after bullets, numbers, "and", "but", "please" …)
    done$                   only at the end of the clause
    remember: ..            a mark behind a word must stand there: "no," "decision:" "e.g."
    !(i|we) must            not directly after these words (before the first word), or
    must !(have|be due)     not directly followed by these (after a word)
    under # lines           # is a number
    {must} be              a list of the same file: must = ["must", "has to"]
    ~\\bv\\d+               after a tilde: a raw regular expression on the folded clause (slow: tried on every clause)

In files with boundary = "none" everything is matched on signs instead of words: no stars, a gap counts three signs a word, and
spaces between words may be missing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

import regex

from psychmem_py.errors import PatternError
from psychmem_py.languages import grammar as tree
from psychmem_py.languages import machine
from psychmem_py.languages.machine import bare_fold, openings, spaced_line, unspaced_line
from psychmem_py.text.folding import fold

MATCH_TIMEOUT_S = 0.25  # for one raw expression on one clause; language files may come from users
Chooser = Callable[[str, str], bool]  # (group, name) -> is it asked for?
RAW = "~"  # begins a phrase that is a regular expression
# Number of the family, text, sets of keys (what it needs besides that by which it is found, what it can begin with), whether only
# where a clause opens.
Row = tuple[int, str, Sequence[str], str | None, bool]


class _Phrase:
    """A phrase and when to try it; its steps are built when it is first tried."""

    __slots__ = ("_phrases", "_step", "caret", "family", "firsts", "more", "text")

    def __init__(self, row: Row, phrases: _Phrases) -> None:
        self.family, self.text, more, firsts, self.caret = row
        self._phrases = phrases
        self.more = [frozenset(keys.split()) for keys in more]
        self.firsts = None if firsts is None else frozenset(firsts.split())
        self._step: machine.Transition | None = None

    @property
    def where(self) -> str:
        """What errors call it."""
        return where(self._phrases.table.source, self._phrases.table.families[self.family], self.text)

    def read(self) -> tree.Sequence:
        return self._phrases.reader.read(self.text, self.where)

    def search(self, line: machine.Line) -> tuple[int, int] | None:
        """Where the phrase stands in `line`: first and last offset."""
        if self.text.startswith(RAW):
            return _raw(self.text, line.text)
        if self._step is None:
            self._step = machine.steps(self.read(), spaced=self._phrases.table.spaced)
        for at in self._places(line):
            line.start = at
            end = self._step(line, at)
            if end > at:
                return line.starts[at], line.edges[end]
        return None

    def _places(self, line: machine.Line) -> Iterable[int]:
        if self.caret:
            return sorted(line.openings)
        if self.firsts is None:
            return range(line.count)
        return sorted({at for key in self.firsts.intersection(line.where) for at in line.where[key]})


@lru_cache(maxsize=512)
def _expression(raw: str) -> regex.Pattern[str]:
    return regex.compile(raw.removeprefix(RAW))


def _raw(raw: str, text: str) -> tuple[int, int] | None:
    with contextlib.suppress(TimeoutError, regex.error):  # an expression that cannot decide in time, or be read, says nothing
        match = _expression(raw).search(text, timeout=MATCH_TIMEOUT_S)
        if match and match.end() > match.start():
            return match.start(), match.end()
    return None


class _Phrases:
    """The phrases of one language; each is made when a text first holds what it needs first of all."""

    def __init__(self, table: PhraseTable) -> None:
        self.table = table
        self.reader = tree.Reader(table.words, bare_fold, spaced=table.spaced)
        self._made: list[_Phrase | None] = [None] * len(table.rows)
        self._parts: dict[str, frozenset[int]] = {}

    def phrase(self, number: int) -> _Phrase:
        phrase = self._made[number] = self._made[number] or _Phrase(self.table.rows[number], self)
        return phrase

    def near(self, keys: Set[str]) -> list[_Phrase]:
        """The phrases that have all they need in a text with these keys, in the order of their file."""
        by_key, made = self.table.by_key, self._made
        numbers = sorted(set(self.table.always).union(*[by_key[key] for key in keys & by_key.keys()]))
        phrases = [made[number] or self.phrase(number) for number in numbers]
        return [phrase for phrase in phrases if not any(map(keys.isdisjoint, phrase.more))]

    def families(self, part: str, asked: Chooser | None) -> frozenset[int]:
        """The numbers of the families that `asked` asks for."""
        if part not in self._parts:
            names = enumerate(self.table.families)
            self._parts[part] = frozenset(number for number, (group, name) in names if not asked or asked(group, name))
        return self._parts[part]


class Matcher:
    """All phrases of the given languages, found by words they cannot match without; a language is read when first needed."""

    def __init__(self, languages: Sequence[Language], loader: Callable[[str], PhraseTable] | None = None) -> None:
        """`languages` may come without phrases if `loader` gives those of a code."""
        self.languages = {language.code: language for language in languages}
        self._loader = loader or (lambda code: phrase_table(self.languages[code]))
        self._phrases: dict[str, _Phrases] = {}
        # What was found out of the last clause: by language what is near, and by whether it has spaces its words or signs.
        self._folded, self._near, self._lines = "", dict[str, list[_Phrase]](), dict[bool, machine.Line]()
        self.problems: list[str] = []  # phrases left out because they cannot be read

    def _of(self, code: str) -> _Phrases:
        if code not in self._phrases:
            self._phrases[code] = _Phrases(self._loader(code))
            self.problems += self._phrases[code].table.problems
        return self._phrases[code]

    def hits(self, folded: str, codes: Iterable[str], part: str = "", asked: Chooser | None = None) -> list[Hit]:
        """Every phrase of these languages found in `folded` (see `fold`), by position, overlapping ones too;
        `part` names the selection of phrases that `asked` makes.
        """
        if folded != self._folded:
            self._folded, self._near, self._lines = folded, {}, {}
        all_hits: list[Hit] = []
        for code in codes:
            phrases = self._of(code)
            spaced, families = phrases.table.spaced, phrases.families(part, asked)
            if spaced not in self._lines:
                self._lines[spaced] = (spaced_line if spaced else unspaced_line)(folded)
            line = self._lines[spaced]
            if code not in self._near:
                self._near[code] = phrases.near(set(line.where))
            chosen = [phrase for phrase in self._near[code] if phrase.family in families]
            if chosen and spaced:
                line.openings = openings(line, code)
            for phrase in chosen:
                span = phrase.search(line)
                if span:
                    group, name = phrases.table.families[phrase.family]
                    all_hits.append(Hit(group, name, code, *span, phrase.text))
        return sorted(all_hits, key=lambda hit: (hit.start, hit.end))

    def check(self) -> list[str]:
        """What is wrong with phrases of any language: one sentence each, beginning with file and place."""
        for code in self.languages:
            phrases = self._of(code)
            for number in range(len(phrases.table.rows)):
                phrase = phrases.phrase(number)
                if phrase.text.startswith(RAW):
                    try:
                        _expression(phrase.text)
                    except regex.error as exc:
                        self.problems.append(f"{phrase.where}: {exc}; correct the expression after the tilde")
                elif number in phrases.table.always and not phrase.read():
                    self.problems.append(f"{phrase.where}: the phrase is empty")
        return self.problems


class Family(NamedTuple):
    """The phrases of one name, and what shows that they are right."""

    phrases: tuple[str, ...] = ()  # and words
    matches: tuple[str, ...] = ()  # sentences that must hit it
    rejects: tuple[str, ...] = ()  # sentences that must not
    examples: tuple[tuple[str, str], ...] = ()  # phrases, each with a sentence it must match


class Language(NamedTuple):
    code: str
    name: str
    script: str  # "Latin", "Cyrillic", "Han", "Kana", "Hangul", "Arabic", "Devanagari"
    boundary: str  # "word", or "none" for scripts without spaces and endings glued to any stem
    function_words: tuple[str, ...]  # common short words that tell the language, and endings of its words ("*meli")
    abbreviations: tuple[str, ...]  # "z.b.", "e.g.": their stops end no sentence
    words: Mapping[str, tuple[str, ...]]  # named lists for {name}
    families: Mapping[tuple[str, str], Family] = {}  # by group and name: ("signals.constraint", "never")
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


class PhraseTable(NamedTuple):
    """One language for the matcher, as plain values that can be kept; a set of keys is a text with spaces between them."""

    source: str  # file name, for errors
    spaced: bool
    words: Mapping[str, Sequence[str]]  # named lists for {name}
    families: Sequence[Sequence[str]]  # group and name
    rows: Sequence[Row]
    by_key: Mapping[str, Sequence[int]]  # the phrases that need this key, or one of a few others, first of all
    always: Sequence[int]  # the phrases of which nothing tells when to try them
    problems: Sequence[str]  # phrases left out because they cannot be read


def phrase_table(language: Language) -> PhraseTable:
    """All phrases of a language that can be read; the others are named as problems: one slip silences no language."""
    spaced = language.boundary == "word"
    reader = tree.Reader(language.words, bare_fold, spaced=spaced)
    common = frozenset(map(fold, language.function_words))
    rows: list[Row] = []
    by_key: dict[str, list[int]] = {}
    always: list[int] = []
    problems: list[str] = []

    def frequency(keys: frozenset[str]) -> int:
        """How often a text holds one of `keys`, roughly: the least tells best when to try a phrase."""
        return sum(40 if key in common else 12 if len(key) < 4 else 3 for key in keys)

    for family, (key, own) in enumerate(language.families.items()):
        for text in own.phrases:
            try:
                sequence = () if text.startswith(RAW) else reader.read(text, where(language.source, key, text))
            except PatternError as exc:
                problems.append(str(exc))
                continue
            needs = sorted(tree.needs(sequence, spaced=spaced), key=frequency)
            firsts = tree.firsts(sequence, spaced=spaced)
            for word in needs[0] if needs else ():
                by_key.setdefault(word, []).append(len(rows))
            if not needs:
                always.append(len(rows))
            caret = bool(sequence) and sequence[0] == tree.Edge("^")
            more = [" ".join(sorted(keys)) for keys in needs[1:]]
            rows.append((family, text, more, None if firsts is None else " ".join(sorted(firsts)), caret))
    return PhraseTable(
        source=language.source,
        spaced=spaced,
        words=language.words,
        families=list(language.families),
        rows=rows,
        by_key=by_key,
        always=always,
        problems=problems,
    )


def where(source: str, family: Sequence[str], text: str) -> str:
    """What errors call a phrase."""
    return f"{source}: {'.'.join(family)}: {text!r}"
