"""Cuts masked text into clauses: one statement each, with the offsets it has in the message. Conditions stay with their rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from psychmem_py import words
from psychmem_py.text.folding import late

LONGEST_CHARS = 600  # a "clause" beyond this is no sentence of a person
QUESTION_MARKS = ("?", "？", "؟")
_END = re.compile(  # a stop ends a clause when space or the end follows; signs of scripts without spaces always end one
    r"\n|[。！？；।॥]+[」』”\")]*|(?<![!?؟…])[!?؟…]+[\"')\]]*(?=\s|$|[A-Z])|(?<!\.)\.{2,}(?=\s|$)|\.[\"')\]]*(?=\s|$)|;(?=\s)|[؛۔](?=\s|$)"
    r"|\s(?:-+>|=+>|→|⇒)\s|(?<=[\s;,.:])(?=\(?\d{1,2}\)\s+[^\W\d_])|\s[-–—]{2,}\s"
)
_FIRST_HANGUL = 0x1100  # from here on one sign may be a whole word
_BLANKS = " \t\n\u3000\u00a0"
_AND_SO_ON = "etc"  # Latin in all languages: it closes a sentence as often as it stands inside one
_BULLET = late(r"[ \t]{0,80}(?:[-*•–·▪●✅❌☑✔➤►]{1,80}|\(?\d{1,2}[.)]|[a-z]\)|#{1,80})[ \t]+")
_LETTERS = late(r"\p{L}")
_WRAP = late(r"[\p{Ll}\p{Han}\p{Hangul},][ \t]*\n[ \t]*(?=\p{Ll})")
LIST_CHARS = 240
_DENSE_FROM = "\u2e80"  # from here on a sign says as much as three letters


class Clause(NamedTuple):
    """`text` is masked text between `start` and `end`, its closing mark included."""

    text: str
    start: int
    end: int
    item: bool = False  # a bullet or numbered item


def clauses(text: str, abbreviations: Iterable[str] = ()) -> list[Clause]:
    """The clauses of masked `text`, in order; those without letters are left out."""
    known = words.word_set("abbreviations_everywhere") | {word.rstrip(".").lower() for word in abbreviations}
    ends = [0]
    for stop in _END.finditer(text):
        if _ends(text, stop, ends[-1], known):
            ends.append(stop.end())
    return [clause for start, end in pairwise((*ends, len(text))) if (clause := _clause(text, start, end))]


def _ends(text: str, stop: re.Match[str], begin: int, known: frozenset[str] | set[str]) -> bool:
    if (mark := stop.group()) == "\n":  # the edge of a window behind a long line, where the next one goes on
        return stop.start() - text.rfind("\n", 0, stop.start()) <= 60 or not _WRAP.match(text, max(0, stop.start() - 1))
    if not mark.startswith(".") or len(mark.rstrip("\"')]")) > 1:
        return True
    head = text[begin : stop.start()].strip()
    word = head.rsplit(None, 1)[-1].lstrip("(").lower() if head else ""
    if word == _AND_SO_ON and text[stop.end() : stop.end() + 3].lstrip()[:1].isupper():
        return True
    initial = len(word) == 1 and word.isalpha() and ord(word) < _FIRST_HANGUL
    return bool(word) and word not in known and not initial and not (word.isdigit() and word == head)  # "1." of a list


def _clause(text: str, start: int, end: int) -> Clause | None:
    start = end - len(text[start:end].lstrip(_BLANKS))
    bullet = _BULLET.match(text, start, end)
    start = bullet.end() if bullet else start
    end = start + len(text[start:end].rstrip(_BLANKS))
    says = 2 <= end - start <= LONGEST_CHARS and _LETTERS.search(text, start, end)
    return Clause(text[start:end], start, end, bullet is not None) if says else None


def with_list(text: str, clause: Clause, after: Sequence[Clause]) -> Clause:
    """A clause that ends with a colon, together with the short list that it opens, or with the one line that stands below it."""
    if not clause.text.endswith((":", "：")) or not after:
        return clause
    end, first = clause.end, after[0]
    alone = text[: first.start].rstrip(" ").endswith("\n") and text[first.end :].lstrip(" ")[:2] in ("", "\n", "\n\n")
    for item in after if first.item else after[:alone]:
        if item.item is not first.item or text[end : item.start].count("\n") > 2 or item.end - clause.start > LIST_CHARS:
            break
        end = item.end
    return clause._replace(text=text[clause.start : end], end=end)


def letters_said(text: str) -> int:
    """How many letters a text says something with: a sign of a script without spaces counts three."""
    return sum(3 if char >= _DENSE_FROM else 1 for char in text if char.isalpha())
