"""Runs a phrase over a clause, as closures that step from word to word or sign to sign; and a clause as they see it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence, Set

import regex

from psychmem_py.languages import grammar as tree
from psychmem_py.languages.grammar import NUMBER, STEM, WORD, Any, Edge, Gap, Mark, Not, Part, Words
from psychmem_py.text.folding import bare, fold
from psychmem_py.words import lists_by_key, word_list

_JOINING = frozenset(" \t\n,;:-–—\"'*_()[]«»“”\u02d0\u3000、，")
_SOFT = _JOINING | frozenset("./@\\&+#%=<>")
_BLANKS = " \u3000"
_NUMERAL = re.compile(rf"[{_BLANKS}]{{0,9}}\d+")
_OPENERS = {code: frozenset(words) for code, words in lists_by_key("openers").items()}
_UNSPACED_OPENERS = word_list("openers_signs")
_WORD = regex.compile(WORD)
_LETTERS = regex.compile(r"[^\W_]")
LABEL_WORDS, LABEL_SIGNS = 4, 10  # a label before a statement is no longer: "Security -", "one more thing:", "注意："
_LABEL_ENDS = re.compile(r":[*_]{0,9}\s|[*_\])]{1,9}:\s|\]\s|\s[-–—]\s")
_UNSPACED_LABEL = regex.compile(rf"[^\n:：、。，,]{{1,{LABEL_SIGNS}}}[:：]")


class Line:
    """A clause ready for matching: its words with what stands between them, or its signs."""

    __slots__ = ("behind", "count", "edges", "join", "openings", "seps", "soft", "start", "starts", "text", "where", "words")

    def __init__(
        self, text: str, words: list[str], starts: Sequence[int], edges: Sequence[int], where: dict[str, list[int]]
    ) -> None:
        """`words` is empty where signs are matched; `edges` are where the gaps before each word and behind the last begin."""
        self.text, self.words, self.starts, self.edges, self.where = text, words, starts, edges, where
        self.openings = frozenset({0})
        self.count = len(starts)
        self.start = 0
        self.behind = 0  # where what must not stand before would have to end
        self.seps = [text[edge:start] for edge, start in zip(edges, (*starts, len(text)), strict=True)]
        self.join = [sep == " " or _JOINING.issuperset(sep) for sep in self.seps]
        self.soft = [joined or _SOFT.issuperset(sep) for joined, sep in zip(self.join, self.seps, strict=True)]


Transition = Callable[[Line, int], int]


def steps(phrase: tree.Sequence, after: Transition = lambda _line, at: at, *, spaced: bool) -> Transition:
    """A step over the words of a line, or over the signs of one without spaces: the position behind the match, or -1."""
    for index in range(len(phrase) - 1, -1, -1):
        before = phrase[:index]
        match phrase[index]:
            case Not(inner):
                opens = all(isinstance(part, Edge if spaced else Edge | Not) for part in before)
                after = (_not_behind if opens else _not_ahead)(inner, after, spaced=spaced)
            case Words() as words if spaced:
                after = _words(words, after, glued=index > 0 and isinstance(before[-1], Mark))
            case part:
                after = _step(part, after, spaced=spaced)
    return after


def _step(part: Part, after: Transition, *, spaced: bool) -> Transition:
    match part:
        case Words(whole, digits):
            return _first_of([_signs(whole, after), _number(after)]) if digits else _signs(whole, after)
        case Mark(char):
            return (lambda line, at: after(line, at) if char in line.seps[at] else -1) if spaced else _signs({char}, after)
        case Any(branches):
            return _first_of([steps(branch, after, spaced=spaced) for branch in branches])
        case Gap(most):
            return _gap(most if spaced else 3 * most, after)  # three signs are worth a word
        case Edge("^"):
            return lambda line, at: after(line, at) if at in line.openings else -1
    return lambda line, at: -1 if any(map(str.isalnum, line.text[line.edges[at] :])) else after(line, at)


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


def _first_of(every: list[Transition]) -> Transition:
    def step(line: Line, at: int) -> int:
        for inner in every:
            if (end := inner(line, at)) >= 0:
                return end
        return -1

    return step


def _gap(most: int, after: Transition) -> Transition:
    def step(line: Line, at: int) -> int:
        for here in range(at, min(at + most, line.count) + 1):
            if (end := after(line, here)) >= 0:
                return end
            if not line.soft[here]:
                return -1
        return -1

    return step


def _not_ahead(phrase: tree.Sequence, after: Transition, *, spaced: bool) -> Transition:
    inner = steps(phrase, spaced=spaced)
    return lambda line, at: -1 if at < line.count and line.join[at] and inner(line, at) >= 0 else after(line, at)


def _not_behind(phrase: tree.Sequence, after: Transition, *, spaced: bool) -> Transition:
    def reaches(line: Line, end: int) -> int:
        """`end` when what ended there stands directly before the place in question, but for spaces between signs."""
        is_there = end == line.behind or (not line.words and end < line.behind and not line.text[end : line.behind].strip())
        return end if is_there else -1

    inner, far = steps(phrase, reaches, spaced=spaced), 3 if spaced else 6

    def step(line: Line, at: int) -> int:
        if at and line.join[at]:
            line.behind = at
            if any(inner(line, back) >= 0 for back in range(max(0, at - far), at)):
                return -1
        return after(line, at)

    return step


def _number(after: Transition) -> Transition:
    return lambda line, at: after(line, number.end()) if (number := _NUMERAL.match(line.text, at)) else -1


def _signs(literals: Set[str], after: Transition) -> Transition:
    lengths = sorted(set(map(len, literals)), reverse=True)

    def step(line: Line, at: int) -> int:
        text = line.text
        while at < len(text) and text[at] in _BLANKS:
            at += 1
        for length in lengths:
            if at + length <= len(text) and text[at : at + length] in literals and (end := after(line, at + length)) >= 0:
                return end
        return -1

    return step


def bare_fold(text: str) -> str:
    return bare(fold(text))


def spaced_line(folded: str) -> Line:
    """The words of a clause, with the places of each key."""
    words: list[str] = []
    starts, edges = [], [0]
    where = defaultdict[str, list[int]](list)
    for match in _WORD.finditer(folded):
        if not (word := bare(match.group())):  # a vowel sign that stands alone
            continue
        for key in (word, word[:STEM] + "*", *([NUMBER] if "0" <= word[0] <= "9" else ())):
            where[key].append(len(words))
        words.append(word)
        starts.append(match.start())
        edges.append(match.end())
    return Line(folded, words, starts, edges, where)


def openings(line: Line, code: str) -> frozenset[int]:
    """Where a clause may be said to begin: at its first word, behind a label, and behind openers like "and" and "please"."""
    openers, found = _OPENERS["en"] | _OPENERS.get(code, frozenset()), set[int]()
    labels = (at for at in range(1, min(line.count, LABEL_WORDS + 1)) if _LABEL_ENDS.search(line.seps[at]))
    for begin in {0, next(labels, 0)}:
        at = begin
        while at < min(len(line.words), begin + 5) and (line.words[at] in openers or line.words[at].isdigit()):
            at += 1
        found.update(range(begin, at + 1))
    return frozenset(found)


def unspaced_line(folded: str) -> Line:
    """The signs of a clause, with single signs and pairs as keys."""
    where = defaultdict[str, list[int]](list)
    for at in range(len(folded)):
        for key in {folded[at], folded[at : at + 2]}:
            where[key].append(at)
    line = Line(folded, [], range(len(folded)), range(len(folded) + 1), where)
    label, openings = _UNSPACED_LABEL.match(folded), {0}
    for begin in (0, label.end()) if label else (0,):
        at = begin
        while first := _LETTERS.search(folded, at):
            openings.add(first.start())
            if not (word := next((word for word in _UNSPACED_OPENERS if folded.startswith(word, first.start())), "")):
                break
            at = first.start() + len(word)
            openings.add(at)
    line.openings = frozenset(openings)
    return line
