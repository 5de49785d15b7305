"""One phrase of the pattern language: read into a tree, then into closures that run over the words (or signs) of a clause.

Regular expressions would do the same, but compiling ten thousand phrases of fifteen languages costs seconds, and a short-lived
process pays it each time; closures cost microseconds. The language is described at the top of `phrases`.
"""

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
SIGNS_PER_WORD = 3  # what a word of a gap is worth in scripts without spaces
_TOKEN = regex.compile(r"\s*(\.\.\.+|\.\.|\^|\$|\(|\)|\||\?|!|\{\w+\}|[^\s()|?{}^$!]+)")
# Arabic writes "and" as the first letter of the next word: it is read as a word of its own, in phrases and in texts alike.
WORD = r"(?<![\w\p{M}])و(?=\p{Arabic}{2})|[\w\p{M}]+"
_PIECE = regex.compile(r"(?<![\w\p{M}])و(?=\p{Arabic}{2})|\*?[\w\p{M}]+\*?|\*|[^\w\p{M}\s*]")
_JOINING = frozenset(" \t\n,;:-–—\"'*_()[]«»“”\u02d0\u3000、，")
_SOFT = _JOINING | frozenset("./@\\&+#%=<>")


class Words(NamedTuple):
    """Any one of these words; `stems` begin a word, `ends` close one, `inner` stand in it."""

    whole: frozenset[str]
    stems: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()


class Mark(NamedTuple):
    """A punctuation mark between two words."""

    char: str


class Any(NamedTuple):
    """One of several sequences."""

    branches: tuple[Sequence, ...]


class Maybe(NamedTuple):
    part: Part


class Gap(NamedTuple):
    words: int


class Edge(NamedTuple):
    """ "^" or "$"."""

    side: str


class Not(NamedTuple):
    part: Part


Part = Words | Mark | Any | Maybe | Gap | Edge | Not
Sequence = tuple[Part, ...]
Lists = Mapping[str, Iterable[str]]


_END = ""  # behind the last symbol
_CLOSING = ("|", ")", _END)


class Reader:
    """Reads the phrases of one language; named lists are read once."""

    def __init__(self, lists: Lists, fold: Callable[[str], str], *, spaced: bool) -> None:
        self._lists, self._fold, self._spaced = lists, fold, spaced
        self._read: dict[str, Part] = {}
        self._symbols = [_END]
        self._at = 0
        self._where = ""

    def read(self, phrase: str, where: str) -> Sequence:
        """The tree of `phrase`. Raises PatternError, beginning with `where`, for one that is not well formed."""
        self._where = where
        self._symbols, self._at = [*_TOKEN.findall(self._fold(phrase)), _END], 0
        found = self._any()
        if self._peek() != _END:
            raise PatternError(f"{where}: unbalanced ')' in {phrase!r}; close each group once")
        return found

    def _peek(self) -> str:
        return self._symbols[self._at]

    def _next(self) -> str:
        symbol = self._peek()
        self._at += symbol != _END
        return symbol

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
                raise PatternError(
                    f"{self._where}: '?' follows nothing; write it behind a word or group (not followed by x is: !x)"
                )
            parts = self._parts(symbol)
            if self._peek() == "?":
                self._at += 1
                parts = [Maybe(_one(parts))]
            before, first = (out[-1], parts[0]) if out and parts else (None, None)
            if isinstance(before, Gap) and isinstance(first, Gap):
                out[-1] = Gap(before.words + first.words)  # two gaps in a row are one wide gap
            else:
                out += parts
        return tuple(out)

    def _parts(self, symbol: str) -> list[Part]:
        if symbol in ("^", "$"):
            return [Edge(symbol)]
        if symbol in GAP or set(symbol) == {"."}:
            return [Gap(GAP.get(symbol, 7))]
        if symbol == "!":
            if self._peek() == _END:
                raise PatternError(f"{self._where}: '!' is followed by nothing; write the word that must not stand there")
            return [Not(_one(self._parts(self._next())))]
        if symbol == "(":
            found = self._any()
            if self._next() != ")":
                raise PatternError(f"{self._where}: a '(' is not closed")
            return list(found)
        if symbol[0] == "{":
            return [self._list(symbol[1:-1])]
        return self._word(symbol)

    def _list(self, name: str) -> Part:
        if name not in self._read:
            if name not in self._lists:
                raise PatternError(f"{self._where}: {{{name}}} is not in [words]; add the list or mend the name")
            kept = self._symbols, self._at
            branches: list[Sequence] = []
            for word in self._lists[name]:
                self._symbols, self._at = [*_TOKEN.findall(self._fold(word)), _END], 0
                branches.append(self._any())
            self._symbols, self._at = kept
            self._read[name] = _joined(branches)
        return self._read[name]

    def _word(self, symbol: str) -> list[Part]:
        if not self._spaced:
            return [Words(frozenset({symbol.strip("*")}))] if symbol.strip("*") else []
        return [_piece(piece) for piece in _PIECE.findall(symbol) if piece not in ("'", "-")]


def _one(parts: list[Part]) -> Part:
    return parts[0] if len(parts) == 1 else Any((tuple(parts),))


@cache  # a language's phrases share most of their words: 12,000 pieces, 2,000 different ones
def _piece(piece: str) -> Part:
    if piece == "#":
        return Words(frozenset(), stems=_DIGITS)
    body = piece.strip("*")
    if not body:
        return Words(frozenset(), stems=("",))
    if not (body[0].isalnum() or body[0] == "_" or regex.match(r"[\w\p{M}]", body)):
        return Mark(body)
    if piece[0] == "*":
        return Words(frozenset(), inner=(body,)) if piece[-1] == "*" else Words(frozenset(), ends=(body,))
    return Words(frozenset(), stems=(body,)) if piece[-1] == "*" else Words(frozenset({body}))


def _joined(branches: list[Sequence]) -> Part:
    """The alternatives as one part; single words become one set."""
    words = [branch[0] for branch in branches if len(branch) == 1 and isinstance(branch[0], Words)]
    rest = tuple(branch for branch in branches if not (len(branch) == 1 and isinstance(branch[0], Words)))
    one = Words(
        frozenset().union(*(w.whole for w in words)),
        tuple(s for w in words for s in w.stems),
        tuple(s for w in words for s in w.ends),
        tuple(s for w in words for s in w.inner),
    )
    if not rest:
        return one
    return Any((*rest, (one,))) if words else Any(rest)


# ---- what a text must hold for a phrase to be worth trying


def keys_of(words: Words, *, spaced: bool) -> frozenset[str] | None:
    """The index keys of which a text holds one if it holds one of `words`; None where they cannot be told."""
    if words.ends or words.inner or "" in words.stems:
        return None
    if not spaced:
        return frozenset(word[:2] for word in words.whole)
    stems = {NUMBER if stem in _DIGITS else stem[:STEM] + "*" for stem in words.stems}
    if any(len(stem) < STEM and stem not in _DIGITS for stem in words.stems):
        return None
    return words.whole | stems


def needs(sequence: Sequence, *, spaced: bool) -> list[frozenset[str]]:
    """Sets of keys: a text that does not hold one of each cannot match."""
    found: list[frozenset[str]] = []
    for part in sequence:
        if isinstance(part, Words):
            keys = keys_of(part, spaced=spaced)
            if keys:
                found.append(keys)
        elif isinstance(part, Any):
            each = [needs(branch, spaced=spaced) for branch in part.branches]
            if len(each) == 1:
                found += each[0]
            elif all(each):
                found.append(frozenset().union(*(min(sets, key=len) for sets in each)))
    return found


def firsts(sequence: Sequence, *, spaced: bool) -> frozenset[str] | None:
    """The keys with which a match can begin; None if that cannot be told."""
    found: frozenset[str] = frozenset()
    for part in sequence:
        if isinstance(part, Not | Edge):
            continue
        if isinstance(part, Maybe):
            inner = firsts((part.part,), spaced=spaced)
            if inner is None:
                return None
            found |= inner
            continue
        if isinstance(part, Words):
            keys = keys_of(part, spaced=spaced)
            return None if keys is None else found | keys
        if isinstance(part, Any):
            each = [firsts(branch, spaced=spaced) for branch in part.branches]
            if any(keys is None for keys in each):
                return None
            return found.union(*(keys for keys in each if keys is not None))
        return None
    return None  # may match nothing at all


# ---- running


class Line:
    """A clause ready for matching: its words with what stands between them, or its signs."""

    __slots__ = ("count", "ends", "join", "openings", "seps", "soft", "start", "starts", "text", "where", "words")

    def __init__(  # noqa: PLR0917 - made in two places only
        self,
        text: str,
        words: list[str],
        starts: list[int],
        ends: list[int],
        openings: frozenset[int],
        where: dict[str, list[int]],
    ) -> None:
        self.text, self.words, self.starts, self.ends, self.openings, self.where = text, words, starts, ends, openings, where
        self.count = len(words)
        self.start = 0
        edges = [0, *ends]
        self.seps = [text[edges[i] : starts[i]] for i in range(len(words))]
        self.seps.append(text[edges[-1] :])
        self.join = [sep == " " or _JOINING.issuperset(sep) for sep in self.seps]
        self.soft = [joined or _SOFT.issuperset(sep) for joined, sep in zip(self.join, self.seps, strict=True)]


Step = Callable[[Line, int], int]


def _end(_line: Line, at: int) -> int:
    return at


def spaced(sequence: Sequence, after: Step = _end) -> Step:
    """A step over words: the position behind the match, or -1."""
    for place in range(len(sequence) - 1, -1, -1):
        part = sequence[place]
        glued = place > 0 and isinstance(sequence[place - 1], Mark)
        behind = isinstance(part, Not) and all(isinstance(before, Edge) for before in sequence[:place])
        after = _behind(part.part, after) if behind and isinstance(part, Not) else _spaced_part(part, after, glued=glued)
    return after


def _spaced_part(part: Part, after: Step, *, glued: bool) -> Step:  # noqa: PLR0911
    match part:
        case Words():
            return _words(part, after, glued=glued)
        case Mark(char):
            return lambda line, at: after(line, at) if char in line.seps[at] else -1
        case Any(branches):
            return _first_of([spaced(branch, after) for branch in branches])
        case Maybe(inner):
            return _first_of([spaced((inner,), after), after])
        case Gap(most):
            return _gap(most, after)
        case Edge("^"):
            return lambda line, at: after(line, at) if at in line.openings else -1
        case Edge():
            return lambda line, at: after(line, at) if at == line.count and not any(c.isalnum() for c in line.seps[at]) else -1
        case Not(inner):
            return _not_ahead(spaced((inner,)), after)


def _words(words: Words, after: Step, *, glued: bool) -> Step:
    whole, stems, ends, inner = words
    if glued:

        def glued_step(line: Line, at: int) -> int:
            return after(line, at + 1) if at < line.count and _is(line.words[at], words) else -1

        return glued_step
    if not (stems or ends or inner):

        def plain(line: Line, at: int) -> int:
            return (
                after(line, at + 1) if at < line.count and line.words[at] in whole and (line.join[at] or at == line.start) else -1
            )

        return plain

    def step(line: Line, at: int) -> int:
        return (
            after(line, at + 1) if at < line.count and _is(line.words[at], words) and (line.join[at] or at == line.start) else -1
        )

    return step


def _is(word: str, words: Words) -> bool:
    return (
        word in words.whole
        or word.startswith(words.stems)
        or word.endswith(words.ends)
        or any(part in word for part in words.inner)
    )


def _first_of(steps: list[Step]) -> Step:
    def step(line: Line, at: int) -> int:
        for inner in steps:
            end = inner(line, at)
            if end >= 0:
                return end
        return -1

    return step


def _gap(most: int, after: Step) -> Step:
    def step(line: Line, at: int) -> int:
        for here in range(at, min(at + most, line.count) + 1):
            end = after(line, here)
            if end >= 0:
                return end
            if not line.soft[here]:
                return -1
        return -1

    return step


def _not_ahead(inner: Step, after: Step) -> Step:
    return lambda line, at: -1 if at < line.count and line.join[at] and inner(line, at) >= 0 else after(line, at)


def _behind(part: Part, after: Step) -> Step:
    inner = spaced((part,))

    def step(line: Line, at: int) -> int:
        if at and line.join[at] and any(inner(line, back) == at for back in range(at - 1, max(-1, at - 4), -1)):
            return -1
        return after(line, at)

    return step


def unspaced(sequence: Sequence, after: Step = _end) -> Step:
    """The same over the signs of a script without spaces; positions are offsets into the text."""
    for place in range(len(sequence) - 1, -1, -1):
        part = sequence[place]
        first = all(isinstance(before, Edge | Not) for before in sequence[:place])
        after = _unspaced_part(part, after, first=first)
    return after


def _unspaced_part(part: Part, after: Step, *, first: bool) -> Step:  # noqa: PLR0911
    match part:
        case Words(whole):
            return _signs(tuple(whole), after)
        case Mark(char):
            return _signs((char,), after)
        case Any(branches):
            return _first_of([unspaced(branch, after) for branch in branches])
        case Maybe(inner):
            return _first_of([unspaced((inner,), after), after])
        case Gap(most):
            return _unspaced_gap(SIGNS_PER_WORD * most, after)
        case Edge("^"):
            return lambda line, at: after(line, at) if at in line.openings else -1
        case Edge():
            return lambda line, at: after(line, at) if not any(c.isalnum() for c in line.text[at:]) else -1
        case Not(inner):
            step = unspaced((inner,))
            if not first:
                return lambda line, at: -1 if step(line, at) >= 0 else after(line, at)
            return lambda line, at: (
                -1 if any(_reaches(line, step(line, back), at) for back in range(max(0, at - 6), at)) else after(line, at)
            )


def _reaches(line: Line, end: int, at: int) -> bool:
    """Does what ended at `end` stand directly before `at`, but for spaces?"""
    return 0 <= end <= at and not line.text[end:at].strip()


def _signs(literals: tuple[str, ...], after: Step) -> Step:
    known, lengths = frozenset(literals), sorted({len(literal) for literal in literals}, reverse=True)

    def step(line: Line, at: int) -> int:
        text = line.text
        while at < len(text) and text[at] in " \u3000":
            at += 1
        for length in lengths:
            if at + length <= len(text) and text[at : at + length] in known:
                end = after(line, at + length)
                if end >= 0:
                    return end
        return -1

    return step


def _unspaced_gap(most: int, after: Step) -> Step:
    def step(line: Line, at: int) -> int:
        for here in range(at, min(at + most, len(line.text)) + 1):
            end = after(line, here)
            if end >= 0:
                return end
        return -1

    return step
