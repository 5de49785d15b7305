"""One phrase of the pattern language (patterns/README.md) read into a tree: regular expressions would cost seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

import regex

from psychmem_py.errors import PatternError

GAP = {"..": 3, "...": 7}
STEM = 3  # letters of a stem that make its key
NUMBER = "#"  # the key of every number
_DIGITS = tuple("0123456789")
_TOKEN = regex.compile(r"\s{0,40}(\.\.\.+|\.\.|\^|\$|\(|\)|\||\?|!|\{[^\s{}]+\}|[^\s()|?{}^$!]+)")
# Arabic writes "and" as the first letter of the next word: it is read as a word of its own, in phrases and in texts alike.
WORD = r"(?<![\w\p{M}])و(?=\p{Arabic}{2})|[\w\p{M}]+"
_PIECE = regex.compile(r"(?<![\w\p{M}])و(?=\p{Arabic}{2})|\*?[\w\p{M}]+\*?|\*|[^\w\p{M}\s*]")


class Words(NamedTuple):
    """Any one of these words; `stems` begin a word, `ends` close one."""

    whole: frozenset[str]
    stems: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()


class Mark(NamedTuple):
    char: str


class Any(NamedTuple):
    """One of several sequences; with an empty one among them it may be left out."""

    branches: tuple[Sequence, ...]


class Gap(NamedTuple):
    words: int


class Edge(NamedTuple):
    side: str


class Not(NamedTuple):
    inner: Sequence


Part = Words | Mark | Any | Gap | Edge | Not
Sequence = tuple[Part, ...]
Lists = Mapping[str, Iterable[str]]
_END = ""  # behind the last symbol
_CLOSING = ("|", ")", _END)
_DEEPEST = 50  # groups and lists inside each other; the shipped phrases have 6


class Reader:
    """Reads the phrases of one language; named lists are read once."""

    def __init__(self, lists: Lists, fold: Callable[[str], str], *, spaced: bool) -> None:
        self._lists, self._fold, self._spaced = {fold(name): words for name, words in lists.items()}, fold, spaced
        self._read, self._symbols = dict[str, Part](), list[str]()

    def read(self, phrase: str, where: str) -> Sequence:
        """The tree of `phrase`. Raises PatternError, beginning with `where`, for one that is not well formed."""
        self._where, self._depth = where, 0
        self._symbols, self._at = [*_TOKEN.findall(self._fold(phrase)), _END], 0
        sequence = self._any()
        if self._peek() != _END:
            raise PatternError(f"{where}: unbalanced ')' in {phrase!r}; close each group once")
        if not sequence:
            raise PatternError(f"{where}: the phrase is empty; write what it must match")
        return sequence

    def _peek(self) -> str:
        return self._symbols[self._at]

    def _any(self) -> Sequence:
        branches = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else (_joined(branches),)

    def _sequence(self) -> Sequence:
        out: list[Part] = []
        while (symbol := self._peek()) not in _CLOSING:
            self._at += 1
            if symbol == "?":
                raise PatternError(f"{self._where}: '?' follows nothing; write it behind a word or group, and !x for not x")
            parts = self._inside(symbol)
            if self._peek() == "?":
                self._at += 1
                parts = [Any((tuple(parts), ()))]
            match [*out[-1:], *parts]:
                case [Gap(before), Gap(behind)]:
                    out[-1] = Gap(before + behind)  # two gaps in a row are one wide gap
                case _:
                    out += parts
        return tuple(out)

    def _inside(self, symbol: str) -> list[Part]:
        if symbol in ("^", "$"):
            return [Edge(symbol)]
        if symbol in GAP or set(symbol) == {"."}:
            return [Gap(GAP.get(symbol, 7))]
        if symbol[0] not in "!({":
            return self._word(symbol)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise PatternError(f"{self._where}: groups and lists stand in each other more than {_DEEPEST} deep; write it plainer")
        parts = [self._not()] if symbol == "!" else [self._list(symbol[1:-1])] if symbol[0] == "{" else [*self._group()]
        self._depth -= 1
        return parts

    def _group(self) -> Sequence:
        choice = self._any()
        if self._peek() != ")":
            raise PatternError(f"{self._where}: a '(' is not closed")
        self._at += 1
        return choice

    def _not(self) -> Part:
        if self._peek() in ("|", ")"):
            return Mark("!")  # behind an alternative, or one itself: (,|!|:)
        if self._peek() == _END:
            raise PatternError(f"{self._where}: '!' is followed by nothing; write the word that must not stand there")
        self._at += 1
        return Not(tuple(self._inside(self._symbols[self._at - 1])))

    def _list(self, name: str) -> Part:
        if name not in self._read:
            if name not in self._lists:
                raise PatternError(f"{self._where}: {{{name}}} is no list; add it to the lists of the file, or correct the name")
            outside = self._symbols, self._at
            branches: list[Sequence] = []
            for entry in map(self._fold, self._lists[name]):
                self._symbols, self._at = [*_TOKEN.findall(entry), ")", _END], 0
                branches.append(self._group())
            self._symbols, self._at = outside
            self._read[name] = _joined(branches)
        return self._read[name]

    def _word(self, symbol: str) -> list[Part]:
        if not self._spaced:
            pieces = regex.split("(#)", symbol.strip("*"))
            return [_piece(piece) if piece == NUMBER else Words(frozenset({piece})) for piece in pieces if piece]
        if symbol == "-":
            return [Mark("-")]  # a dash that stands alone; in a word it counts as a space
        return [_piece(piece) for piece in _PIECE.findall(symbol) if piece not in ("'", "-")]


@cache  # a language's phrases share most of their words: 12,000 pieces, 2,000 different ones
def _piece(piece: str) -> Part:
    if piece == NUMBER:
        return Words(frozenset(), stems=_DIGITS)
    if not (body := piece.strip("*")):
        return Words(frozenset(), stems=("",))
    if not (body[0].isalnum() or body[0] == "_" or regex.match(r"[\w\p{M}]", body)):
        return Mark(body)
    if piece[0] == "*":
        return Words(frozenset(), ends=(body,))
    return Words(frozenset(), stems=(body,)) if piece[-1] == "*" else Words(frozenset({body}))


def _joined(branches: list[Sequence]) -> Part:
    words = [branch[0] for branch in branches if len(branch) == 1 and isinstance(branch[0], Words)]
    rest = tuple(branch for branch in branches if not (len(branch) == 1 and isinstance(branch[0], Words)))
    whole, stems, ends = ([one for word in words for one in word[sort]] for sort in range(3))
    together: Sequence = (Words(frozenset(whole), tuple(stems), tuple(ends)),)
    return Any((*rest, together) if words else rest) if rest else together[0]


def keys_of(words: Words, *, spaced: bool) -> frozenset[str] | None:
    """The index keys of which a text holds one if it holds one of `words`; None where they cannot be told."""
    if words.ends or "" in words.stems:
        return None
    if not spaced:
        return frozenset((*(word[:2] for word in words.whole), *words.stems))  # the stems are digits
    if any(len(stem) < STEM and stem not in _DIGITS for stem in words.stems):
        return None
    return words.whole | {NUMBER if stem in _DIGITS else stem[:STEM] + "*" for stem in words.stems}


def needs(sequence: Sequence, *, spaced: bool) -> list[frozenset[str]]:
    """Sets of keys: a text that does not hold one of each cannot match."""
    needed: list[frozenset[str]] = []
    for part in sequence:
        if isinstance(part, Words):
            if keys := keys_of(part, spaced=spaced):
                needed.append(keys)
        elif isinstance(part, Any):
            if len(each := [needs(branch, spaced=spaced) for branch in part.branches]) == 1:
                needed += each[0]
            elif all(each):
                needed.append(frozenset().union(*(min(sets, key=len) for sets in each)))
    return needed


def firsts(sequence: Sequence, *, spaced: bool) -> frozenset[str] | None:
    """The keys with which a match can begin; None if that cannot be told."""
    match [part for part in sequence if not isinstance(part, Not | Edge)]:
        case [Words() as words, *_]:
            return keys_of(words, spaced=spaced)
        case [Any(branches), *_] if all(branches):
            each = [firsts(branch, spaced=spaced) for branch in branches]
            return None if None in each else frozenset().union(*filter(None, each))
    return None
