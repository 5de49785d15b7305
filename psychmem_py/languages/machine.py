"""Runs a phrase over a clause, its tree turned into closures that step from word to word or from sign to sign; and a clause as that sees it: its
words on one line, and where it opens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import regex

from psychmem_py.languages.grammar import NUMBER, STEM, WORD, Any, Edge, Gap, Mark, Maybe, Not, Part, Sequence, Words
from psychmem_py.text.folding import bare, fold
from psychmem_py.words import by_key, listed

SIGNS_PER_WORD = 3  # what a word of a gap is worth in scripts without spaces
_JOINING = frozenset(" \t\n,;:-–—\"'*_()[]«»“”\u02d0\u3000、，")
_SOFT = _JOINING | frozenset("./@\\&+#%=<>")


class Line:
    """A clause ready for matching: its words with what stands between them, or its signs."""

    __slots__ = ("behind", "count", "ends", "join", "openings", "seps", "soft", "start", "starts", "text", "where", "words")

    def __init__(  # noqa: PLR0917 - made in two places only
        self,
        text: str,
        words: list[str],
        starts: list[int],
        ends: list[int],
        openings: frozenset[int],
        where: dict[str, list[int]],
        *,
        spaced: bool,
    ) -> None:
        self.text, self.words, self.starts, self.ends, self.openings, self.where = text, words, starts, ends, openings, where
        self.count = len(words) if spaced else len(text)
        self.start = 0
        self.behind = 0  # where what must not stand before would have to end
        edges = [0, *ends]
        self.seps = [text[edges[i] : starts[i]] for i in range(len(words))]
        self.seps.append(text[edges[-1] :])
        self.join = [sep == " " or _JOINING.issuperset(sep) for sep in self.seps]
        softs = (joined or _SOFT.issuperset(sep) for joined, sep in zip(self.join, self.seps, strict=True))
        self.soft = list(softs) if spaced else [True] * (self.count + 1)


Transition = Callable[[Line, int], int]


def _end(_line: Line, at: int) -> int:
    return at


def steps(sequence: Sequence, after: Transition = _end, *, spaced: bool) -> Transition:
    """A step over the words of a line, or over the signs of one without spaces: the position behind the match, or -1."""
    for index in range(len(sequence) - 1, -1, -1):
        before = sequence[:index]
        first = all(isinstance(part, Edge if spaced else Edge | Not) for part in before)
        glued = index > 0 and isinstance(before[-1], Mark)
        after = _step(sequence[index], after, spaced=spaced, first=first, glued=glued)
    return after


def _step(part: Part, after: Transition, *, spaced: bool, first: bool, glued: bool) -> Transition:  # noqa: PLR0911
    match part:
        case Words(whole, digits):
            if spaced:
                return _words(part, after, glued=glued)
            return _first_of([_signs(tuple(whole), after), _number(after)]) if digits else _signs(tuple(whole), after)
        case Mark(char):
            return (lambda line, at: after(line, at) if char in line.seps[at] else -1) if spaced else _signs((char,), after)
        case Any(branches):
            return _any(branches, after) if spaced else _first_of([steps(branch, after, spaced=False) for branch in branches])
        case Maybe(inner):
            return _first_of([steps((inner,), after, spaced=spaced), after])
        case Gap(most):
            return _gap(most if spaced else SIGNS_PER_WORD * most, after)
        case Edge("^"):
            return lambda line, at: after(line, at) if at in line.openings else -1
        case Edge():
            if spaced:
                return lambda line, at: after(line, at) if at == line.count and not any(map(str.isalnum, line.seps[at])) else -1
            return lambda line, at: after(line, at) if not any(map(str.isalnum, line.text[at:])) else -1
        case Not(inner):
            return _not_behind(inner, after, spaced=spaced) if first else _not_ahead(inner, after, spaced=spaced)


def _words(words: Words, after: Transition, *, glued: bool) -> Transition:
    whole, stems, ends = words
    varied = bool(stems or ends)

    def step(line: Line, at: int) -> int:
        if at < line.count and (glued or line.join[at] or at == line.start):
            word = line.words[at]
            if word in whole or (varied and (word.startswith(stems) or word.endswith(ends))):
                return after(line, at + 1)
        return -1

    return step


def _any(branches: tuple[Sequence, ...], after: Transition) -> Transition:
    """The first branch that comes to an end; one that begins with a word is built and tried only where that stands."""
    made: list[Transition | None] = [None] * len(branches)
    anywhere = []
    by_word: dict[str, list[int]] = {}
    for number, branch in enumerate(branches):
        first = branch[0] if len(branch) > 1 else None
        words = first.whole if isinstance(first, Words) and not any(first[1:]) else frozenset()
        if not words:
            anywhere.append(number)
        for word in words:
            by_word.setdefault(word, []).append(number)
    if anywhere:
        by_word = {word: sorted(numbers + anywhere) for word, numbers in by_word.items()}

    def step(line: Line, at: int) -> int:
        for number in by_word.get(line.words[at], anywhere) if at < line.count else anywhere:
            inner = made[number]
            if inner is None:
                inner = made[number] = steps(branches[number], after, spaced=True)
            end = inner(line, at)
            if end >= 0:
                return end
        return -1

    return step


def _first_of(every: list[Transition]) -> Transition:
    def step(line: Line, at: int) -> int:
        for inner in every:
            end = inner(line, at)
            if end >= 0:
                return end
        return -1

    return step


def _gap(most: int, after: Transition) -> Transition:
    def step(line: Line, at: int) -> int:
        for here in range(at, min(at + most, line.count) + 1):
            end = after(line, here)
            if end >= 0:
                return end
            if not line.soft[here]:
                return -1
        return -1

    return step


def _not_ahead(part: Part, after: Transition, *, spaced: bool) -> Transition:
    inner = steps((part,), spaced=spaced)
    if spaced:
        return lambda line, at: -1 if at < line.count and line.join[at] and inner(line, at) >= 0 else after(line, at)
    return lambda line, at: -1 if inner(line, at) >= 0 else after(line, at)


def _not_behind(part: Part, after: Transition, *, spaced: bool) -> Transition:
    inner, far = steps((part,), _reaches, spaced=spaced), 3 if spaced else 6

    def step(line: Line, at: int) -> int:
        if not spaced or (at and line.join[at]):
            line.behind = at
            if any(inner(line, back) >= 0 for back in range(max(0, at - far), at)):
                return -1
        return after(line, at)

    return step


def _reaches(line: Line, end: int) -> int:
    """`end` when what ended there stands directly before the place in question, but for spaces between signs."""
    is_there = end == line.behind or (not line.words and end < line.behind and not line.text[end : line.behind].strip())
    return end if is_there else -1


def _number(after: Transition) -> Transition:
    def step(line: Line, at: int) -> int:
        text, end = line.text, at
        while end < len(text) and text[end] in " \u3000":
            end += 1
        begun = end
        while end < len(text) and text[end].isdigit():
            end += 1
        return after(line, end) if end > begun else -1

    return step


def _signs(literals: tuple[str, ...], after: Transition) -> Transition:
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


_OPENERS, _UNSPACED_OPENERS = by_key("openers"), listed("openers_signs")
_WORD = regex.compile(WORD)
PLAIN = re.compile(r"\w+", re.ASCII)  # the same for ASCII, twice as fast

_LETTERS = regex.compile(r"[^\W_]")


def bare_fold(text: str) -> str:
    return bare(fold(text))


def spaced_line(folded: str) -> Line:
    """The words of a clause, with the places of each key."""
    words: list[str] = []
    starts, ends = [], []
    where: dict[str, list[int]] = {}
    plain = folded.isascii()
    found_words: Iterable[re.Match[str] | regex.Match[str]] = (PLAIN if plain else _WORD).finditer(folded)
    for match in found_words:
        word = match.group() if plain else bare(match.group())
        if not word:  # a vowel sign that stands alone
            continue
        at = len(words)
        words.append(word)
        starts.append(match.start())
        ends.append(match.end())
        where.setdefault(word, []).append(at)
        where.setdefault(word[:STEM] + "*", []).append(at)
        if "0" <= word[0] <= "9":
            where.setdefault(NUMBER, []).append(at)
    return Line(folded, words, starts, ends, frozenset({0}), where, spaced=True)


@lru_cache(maxsize=64)
def _openers(code: str) -> frozenset[str]:
    return frozenset(_OPENERS["en"]).union(_OPENERS.get(code, ()))


LABEL_WORDS, LABEL_SIGNS = 4, 10  # a label before a statement is no longer: "Security -", "one more thing:", "注意："
_LABEL_ENDS = re.compile(r":[*_]{0,9}\s|[*_\])]{1,9}:\s|\]\s|\s[-–—]\s")
_UNSPACED_LABEL = regex.compile(rf"[^\n:：、。，,]{{1,{LABEL_SIGNS}}}[:：]")


def openings(line: Line, code: str) -> frozenset[int]:
    """Where a clause may be said to begin: at its first word, behind a label, and behind openers like "and" and "please"."""
    begin = next((at for at in range(1, min(line.count, LABEL_WORDS + 1)) if _LABEL_ENDS.search(line.seps[at])), 0)
    return _behind_openers(line.words, 0, code) | (_behind_openers(line.words, begin, code) if begin else frozenset())


def _behind_openers(words: list[str], at: int, code: str) -> frozenset[int]:
    begin, openers = at, _openers(code)
    while at < min(len(words), begin + 5) and (words[at] in openers or words[at].isdigit()):
        at += 1
    return frozenset(range(begin, at + 1))


def unspaced_line(folded: str) -> Line:
    """The signs of a clause, with single signs and pairs as keys."""
    where: dict[str, list[int]] = {}
    for at in range(len(folded)):
        where.setdefault(folded[at], []).append(at)
        where.setdefault(folded[at : at + 2], []).append(at)
    label = _UNSPACED_LABEL.match(folded)
    openings = {0, *_unspaced_openings(folded, 0), *(_unspaced_openings(folded, label.end()) if label else ())}
    return Line(folded, [], [], [], frozenset(openings), where, spaced=False)


def _unspaced_openings(folded: str, at: int) -> set[int]:
    openings = set()
    while first := _LETTERS.search(folded, at):
        at = first.start()
        openings.add(at)
        word = next((word for word in _UNSPACED_OPENERS if folded.startswith(word, at)), "")
        if not word:
            break
        at += len(word)
        openings.add(at)
    return openings
