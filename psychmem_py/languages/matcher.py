"""Phrases of many languages (patterns/README.md) found in a clause, by their rarest words; and the languages of a text."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

import regex

from psychmem_py.errors import PatternError
from psychmem_py.languages import grammar as tree
from psychmem_py.languages import machine
from psychmem_py.text.folding import fold, late

MATCH_TIMEOUT_S = 0.25  # for one raw expression on one clause; language files may come from users
Chooser = Callable[[str, str], bool]  # (group, name) -> is it asked for?
RAW = "~"  # begins a phrase that is a regular expression
_compiled = lru_cache(maxsize=512)(regex.compile)
# Number of the family, text, sets of keys (what else it needs; what it can begin with), whether only where a clause opens.
Row = tuple[int, str, Sequence[str], str | None, bool]
LONGEST_ENDING = 5  # a word must be longer than this to be told by its ending
_WORD = late(tree.WORD)
_SCRIPTS = {name: late(rf"\p{{{name}}}") for name in ("Hangul", "Han", "Cyrillic", "Arabic", "Devanagari", "Latin")}
_SCRIPTS["Kana"] = late(r"[\p{Hiragana}\p{Katakana}]")
_BLANKS = re.compile(r"\s{8,}")
MOST_LIKELY, SURE_WORDS = 2, 3  # each further language costs its reading, and its false friends
SAMPLE_CHARS = 1500  # enough of a message to tell its language


class _Phrase:
    """A phrase and when to try it; its steps are built when it is first tried."""

    __slots__ = ("_phrases", "_step", "caret", "family", "firsts", "more", "text")

    def __init__(self, row: Row, phrases: _Phrases) -> None:
        self.family, self.text, more, firsts, self.caret = row
        self._phrases = phrases
        self.more = [frozenset(keys.split()) for keys in more]
        self.firsts = None if firsts is None else frozenset(firsts.split())
        self._step: machine.Transition | None = None

    def search(self, line: machine.Line) -> tuple[int, int] | None:
        """Where the phrase stands in `line`: first and last offset."""
        if self.text.startswith(RAW):
            with contextlib.suppress(TimeoutError):  # an expression that cannot decide in time says nothing
                match = _compiled(self.text.removeprefix(RAW)).search(line.text, timeout=MATCH_TIMEOUT_S)
                return match.span() if match and match.group() else None
            return None
        if self._step is None:
            self._step = machine.steps(self._phrases.reader.read(self.text, ""), spaced=self._phrases.table.spaced)
        places: Iterable[int] = sorted(line.openings) if self.caret else range(line.count)
        if self.firsts is not None and not self.caret:
            places = sorted({at for key in self.firsts.intersection(line.where) for at in line.where[key]})
        for at in places:
            line.start = at
            if (end := self._step(line, at)) > at:
                return line.starts[at], line.edges[end]
        return None


class _Phrases:
    """The phrases of one language; each is made when a text first holds what it needs first of all."""

    def __init__(self, table: PhraseTable) -> None:
        self.table = table
        self.reader = tree.Reader(table.words, machine.bare_fold, spaced=table.spaced)
        self._made: list[_Phrase | None] = [None] * len(table.rows)
        self._parts: dict[str, frozenset[int]] = {}

    def near(self, keys: Set[str]) -> list[_Phrase]:
        """The phrases that have all they need in a text with these keys, in the order of their file."""
        by_key, found = self.table.by_key, list[_Phrase]()
        for number in sorted(set(self.table.always).union(*[by_key[key] for key in keys & by_key.keys()])):
            phrase = self._made[number] = self._made[number] or _Phrase(self.table.rows[number], self)
            if not any(map(keys.isdisjoint, phrase.more)):
                found.append(phrase)
        return found

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
        """Every phrase of these languages found in `folded`, by position, overlapping too; `part` names what `asked` selects."""
        if folded != self._folded:
            self._folded, self._near, self._lines = folded, {}, {}
        all_hits: list[Hit] = []
        for code in codes:
            phrases = self._of(code)
            spaced, families = phrases.table.spaced, phrases.families(part, asked)
            if spaced not in self._lines:
                self._lines[spaced] = (machine.spaced_line if spaced else machine.unspaced_line)(folded)
            line = self._lines[spaced]
            if code not in self._near:
                self._near[code] = phrases.near(set(line.where))
            if (chosen := [phrase for phrase in self._near[code] if phrase.family in families]) and spaced:
                line.openings = machine.openings(line, code)
            for phrase in chosen:
                if span := phrase.search(line):
                    group, name = phrases.table.families[phrase.family]
                    all_hits.append(Hit(group, name, code, *span, phrase.text))
        return sorted(all_hits, key=lambda hit: (hit.start, hit.end))

    def check(self) -> list[str]:
        """What is wrong with phrases of any language: one sentence each, beginning with file and place."""
        for code in self.languages:
            self._of(code)
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
    reader = tree.Reader(language.words, machine.bare_fold, spaced=spaced)
    common = frozenset(map(fold, language.function_words))
    rows, by_key, always, problems = list[Row](), dict[str, list[int]](), list[int](), list[str]()

    def frequency(keys: frozenset[str]) -> int:
        """How often a text holds one of `keys`, roughly: the least tells best when to try a phrase."""
        return sum(40 if key in common else 12 if len(key) < 4 else 3 for key in keys)

    for family, (key, own) in enumerate(language.families.items()):
        for text in own.phrases:
            try:
                sequence = _sequence(reader, text, f"{language.source}: {'.'.join(key)}: {text!r}")
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
    return PhraseTable(spaced, language.words, list(language.families), rows, by_key, always, problems)


def _sequence(reader: tree.Reader, text: str, where: str) -> tree.Sequence:
    """The tree of a phrase, an empty one for a regular expression. Raises PatternError, beginning with `where`."""
    if not text.startswith(RAW):
        return reader.read(text, where)
    try:
        _compiled(text.removeprefix(RAW))
    except regex.error as exc:
        raise PatternError(f"{where}: {exc}; correct the expression after the tilde") from exc
    return ()


@lru_cache(maxsize=64)
def _telling(function_words: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    whole = " ".join(word for word in function_words if word[0] != "*")
    return frozenset(_WORD.findall(fold(whole))), tuple(fold(word[1:]) for word in function_words if word[0] == "*")


def _score(language: Language, counts: Mapping[str, int]) -> int:
    whole, endings = _telling(language.function_words)
    return sum(n for word, n in counts.items() if word in whole or (len(word) > LONGEST_ENDING and word.endswith(endings)))


@lru_cache(maxsize=8192)
def _script(char: str) -> str:
    return next((name for name, pattern in _SCRIPTS.items() if pattern.match(char)), "")


def languages_of(folded: str, languages: Sequence[Language]) -> tuple[str, ...]:
    """Codes of the languages a text may be in, likeliest first; of one script by their function words; () without letters."""
    codes: list[str] = []
    if len(folded) > SAMPLE_CHARS:  # a paste before what a person says was masked, so that nothing but blanks is left of it
        folded = _BLANKS.sub(" ", folded)
    sample = folded[:SAMPLE_CHARS]
    counts = Counter(dict.fromkeys(_SCRIPTS, 0))
    for char, count in Counter(sample).items():
        counts[_script(char)] += count
    del counts[""]
    letters, words = counts.total(), Counter(_WORD.findall(sample))
    if counts["Kana"] >= 0.05 * letters and counts["Kana"] > 1:
        counts["Kana"] += counts.pop("Han")  # Japanese: its Han signs are not Chinese
    for script, count in sorted(counts.items(), key=lambda item: -item[1]):
        # A few foreign words are names; little of a non-Latin script still tells the language around code words.
        if count == 0 or count < (0.5 if script == "Latin" else 0.1) * letters:
            continue
        same = [language for language in languages if language.script == script]
        scores = {one.code: _score(one, words) if len(same) > 1 else 1 for one in same}
        if (best := max(scores.values(), default=1)) == 0:
            codes += ["en"] if "en" in scores else list(scores)
        else:
            likely = [code for code, score in sorted(scores.items(), key=lambda item: -item[1]) if score >= 0.6 * best]
            codes += likely[: MOST_LIKELY if best >= SURE_WORDS else MOST_LIKELY + 1]
    return tuple(codes)


def hits_in(folded: str, matcher: Matcher, part: str, asked: Chooser) -> list[Hit]:
    """The phrases of this part (see `Matcher.hits`) in a text, in the languages it may be in."""
    return matcher.hits(folded, languages_of(folded, tuple(matcher.languages.values())), part, asked)
