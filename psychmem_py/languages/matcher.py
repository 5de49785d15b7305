"""Phrases of many languages matched against a clause, indexed by the words without which they cannot match.

Nothing is built until its rarest words are seen in a text, so the cost follows the text and not the size of the language files.

The pattern language (one phrase a string; an apostrophe or hyphen counts as a space: "n'utilise" is two words):

    never use               words in order, separated by space or light punctuation
    (must|has to) be        alternatives; (please )? or please? is optional
    prohib*                 a word that begins so; *ieren one that ends so; *mid* one that holds it; * any word
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
from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

import regex

from psychmem_py.errors import PatternError
from psychmem_py.languages import grammar as tree
from psychmem_py.languages import machine
from psychmem_py.languages.clause_words import bare_fold, openings, spaced_line, unspaced_line, word_keys
from psychmem_py.languages.language import Hit, Keys, Language
from psychmem_py.text.folding import fold

__all__ = ["Hit", "Language", "Matcher", "fold"]

MATCH_TIMEOUT_S = 0.25  # for one raw expression on one clause; language files may come from users


class _Phrase:
    """A phrase and when to try it; its steps are built when it is first tried."""

    __slots__ = ("_reader", "_sequence", "group", "keys", "language", "name", "raw", "seen", "spaced", "step", "text", "where")

    def __init__(self, language: Language, group: str, name: str, text: str, reader: tree.Reader) -> None:
        """Raises PatternError for a text that cannot be read; one whose keys are known is only read when it is tried."""
        self.language, self.group, self.name, self.text, self._reader = language.code, group, name, text, reader
        self.where = f"{language.source}: {group}.{name}: {text!r}"
        self.spaced = language.boundary == "word"
        self.raw = text[1:] if text.startswith("~") else ""
        self._sequence: tree.Sequence | None = None  # what was read for the keys, until it is tried
        self.keys = language.keys.get(text) or self._read_keys()
        self.step: machine.Transition | None = None
        self.seen = 0

    def _read_keys(self) -> Keys:
        self._sequence = () if self.raw else self.read()
        return _keys(self._sequence, spaced=self.spaced)

    def read(self) -> tree.Sequence:
        return self._reader.read(self.text, self.where)

    def anchor(self, common: frozenset[str]) -> frozenset[str]:
        """The set of keys that is rarest in a text; empty: nothing tells when to try."""
        return min(
            self.keys.needs,
            key=lambda keys: sum(40 if k in common else 12 if len(k) < 4 else 3 for k in keys),
            default=frozenset(),
        )

    def search(self, line: machine.Line) -> tuple[int, int] | None:
        """Where the phrase stands in `line`: first and last offset."""
        if self.raw:
            return _raw(self, line.text)
        if self.step is None:
            sequence = self.read() if self._sequence is None else self._sequence
            self.step, self._sequence = (machine.spaced if self.spaced else machine.unspaced)(sequence), None
        for at in self._places(line):
            line.start = at
            end = self.step(line, at)
            if end > at and self.spaced:
                return line.starts[at], line.ends[end - 1]
            if end > at:
                return at, end
        return None

    def _places(self, line: machine.Line) -> Iterable[int]:
        firsts = self.keys.firsts
        if self.keys.caret:
            return sorted(line.openings)
        if firsts is None:
            return range(line.count if self.spaced else len(line.text))
        if len(firsts) <= len(line.where):
            return sorted({at for key in firsts for at in line.where.get(key, ())})
        return sorted({at for key, places in line.where.items() if key in firsts for at in places})


def _keys(sequence: tree.Sequence, *, spaced: bool) -> Keys:
    return Keys(
        tuple(tree.needs(sequence, spaced=spaced)),
        tree.firsts(sequence, spaced=spaced),
        bool(sequence) and sequence[0] == tree.Edge("^"),
    )


@lru_cache(maxsize=32)
def _common(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(fold, words))


@lru_cache(maxsize=512)
def _expression(source: str, where: str) -> regex.Pattern[str]:
    try:
        return regex.compile(source)
    except regex.error as exc:
        raise PatternError(f"{where}: {exc}; mend the expression after the tilde") from exc


def _raw(phrase: _Phrase, text: str) -> tuple[int, int] | None:
    with contextlib.suppress(TimeoutError, PatternError):  # an expression that cannot decide in time, or be read, says nothing
        match = _expression(phrase.raw, phrase.where).search(text, timeout=MATCH_TIMEOUT_S)
        if match and match.end() > match.start():
            return match.start(), match.end()
    return None


def keyed(language: Language) -> Language:
    """The language with the keys of all its phrases that can be read."""
    return language._replace(keys={phrase.text: phrase.keys for phrase in Matcher([language]).phrases(language.code)})


class _Index(NamedTuple):
    by_key: dict[str, list[_Phrase]]
    always: list[_Phrase]


Chooser = Callable[[str, str], bool]  # (group, name) -> is it asked for?


class Matcher:
    """All phrases of the given languages, indexed by the words without which they cannot match; read when first needed."""

    def __init__(self, languages: Sequence[Language], loader: Callable[[str], Language] | None = None) -> None:
        """`languages` may come without phrases if `loader` gives the whole language for a code."""
        self.languages = {language.code: language for language in languages}
        self._loader = loader
        self._phrases: dict[str, list[_Phrase]] = {}
        self._indexes: dict[tuple[str, str], _Index] = {}
        self._round = 0
        self._last: dict[bool, tuple[str, machine.Line]] = {}
        self.problems: list[str] = []  # phrases left out because they cannot be read

    def phrases(self, code: str) -> list[_Phrase]:
        """Every phrase of a language that can be read; the others are named in `problems`: one slip silences no language."""
        if code not in self._phrases:
            if self._loader and not self.languages[code].groups:
                self.languages[code] = self._loader(code)
            language = self.languages[code]
            reader = tree.Reader(language.words, bare_fold, spaced=language.boundary == "word")
            wanted = []
            for (group, name), texts in language.groups.items():
                for text in texts:
                    try:
                        wanted.append(_Phrase(language, group, name, text, reader))
                    except PatternError as exc:
                        self.problems.append(str(exc))
            self._phrases[code] = wanted
        return self._phrases[code]

    def _index(self, code: str, part: str, asked: Chooser | None) -> _Index:
        key = code, part
        if key not in self._indexes:
            language, index = self.languages[code], _Index({}, [])
            common = _common(language.function_words)
            for phrase in self.phrases(code):
                if asked and not asked(phrase.group, phrase.name):
                    continue
                anchor = phrase.anchor(common)
                if not anchor:
                    index.always.append(phrase)
                for word in anchor:
                    index.by_key.setdefault(word, []).append(phrase)
            self._indexes[key] = index
        return self._indexes[key]

    def hits(self, folded: str, codes: Iterable[str], part: str = "", asked: Chooser | None = None) -> list[Hit]:
        """Every phrase of the languages `codes` found in `folded` (see `fold`), in order of position; overlapping ones included.

        `part` names a selection of phrases and `asked` makes it; the two must always go together.
        """
        all_hits: list[Hit] = []
        keys: set[str] | None = None
        for code in codes:
            index = self._index(code, part, asked)
            if self.languages[code].boundary == "word":
                keys = keys if keys is not None else word_keys(folded)
                phrases = self._candidates(index, keys)
                if phrases:
                    line = self._line(folded, spaced=True)
                    line.openings = openings(line.words, code)
            else:
                line = self._line(folded, spaced=False)
                phrases = self._candidates(index, line.where.keys())
            for phrase in phrases:
                span = phrase.search(line)
                if span:
                    all_hits.append(Hit(phrase.group, phrase.name, code, *span, phrase.text))
        return sorted(all_hits, key=lambda hit: (hit.start, hit.end))

    def _line(self, folded: str, *, spaced: bool) -> machine.Line:
        """The clause read once for both rounds of questions about it."""
        if spaced not in self._last or self._last[spaced][0] != folded:
            self._last[spaced] = folded, (spaced_line if spaced else unspaced_line)(folded)
        return self._last[spaced][1]

    def _candidates(self, index: _Index, keys: Set[str]) -> list[_Phrase]:
        self._round += 1
        now, by_key = self._round, index.by_key
        candidates = list(index.always)
        for key in keys & by_key.keys():
            for phrase in by_key[key]:
                if phrase.seen != now:
                    phrase.seen = now
                    for need in phrase.keys.needs:
                        if keys.isdisjoint(need):
                            break
                    else:
                        candidates.append(phrase)
        return candidates

    def check(self) -> list[str]:
        """What is wrong with phrases of any language: one sentence each, beginning with file and place."""
        for code in self.languages:
            for phrase in self.phrases(code):
                if phrase.raw:
                    try:
                        _expression(phrase.raw, phrase.where)
                    except PatternError as exc:
                        self.problems.append(str(exc))
                elif not phrase.keys.needs and not phrase.read():
                    self.problems.append(f"{phrase.where}: the phrase is empty")
        return self.problems
