"""The names in what a person wants forgotten: "customer Zhang Wei aka 张伟" names two, "order_2024_001 record" one. Words only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from psychmem_py.memory.compiled_words import ABOUT, ANOTHER_NAME, EVERYTHING
from psychmem_py.text.tokenizer import content_words, index_form


def any_of(phrases: Iterable[str]) -> str:
    """An expression for any of these words."""
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in phrases)


class Given(NamedTuple):
    """What was asked for, taken apart."""

    names: tuple[str, ...]
    besides: frozenset[str] = frozenset()  # what of it is meant, where not all was asked for: "Olivia's languages"


_EVERYTHING = re.compile(rf"^(?:{any_of(sorted(EVERYTHING, key=len, reverse=True))}) ", re.IGNORECASE)
_ABOUT = re.compile(rf"^(?:{any_of(ABOUT)}) ", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(rf" / | ?[;|] | ?\(| (?:{any_of(ANOTHER_NAME)}) ", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?$")
_IDENTIFIER = re.compile(r"[\d@_]|\w[/.:+]\w")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_TELLING_SIGNS = 6  # of an identifier of figures alone that is known without the word before it


def given(about: str, texts: Iterable[str]) -> Given:
    """The names in `about`. Words that only describe what is named are left out, unless a text has them behind one another like that."""
    stripped = " ".join(about.split())
    whole = _EVERYTHING.sub("", stripped)
    everything = whole != stripped
    whole = _ABOUT.sub("", whole).strip(" .\"'") or stripped
    lines = [f" {index_form(text)} " for text in texts]
    names: list[str] = []
    besides: set[str] = set()
    parts = [part.strip(" \"'()") for part in _BETWEEN_NAMES.split(whole)]
    for part in _with_names([part for part in parts if part]):
        made = _names_in(part, lines)
        names += [name for name in made.names if name not in names]
        besides |= made.besides if not everything or _possessive(part) else set()
    narrowed = len(names) == 1 and " " not in names[0] and not _IDENTIFIER.search(names[0])
    return Given(tuple(names) or (whole,), frozenset(besides if narrowed else ()))


def _with_names(parts: list[str]) -> list[str]:
    """The parts that name something, where any does: "Zhang Wei (the customer)" has one name."""
    naming = [part for part in parts if any(_sort(word) != "word" for word in part.split())]
    return naming or parts


def _names_in(part: str, lines: Iterable[str]) -> Given:
    """The identifiers and names among the words of one designation; all of it where it is one, or has none."""
    words = part.split()
    sorts = [_sort(word) for word in words]
    runs = [(sort, [word for _, word in run]) for sort, run in groupby(zip(sorts, words, strict=True), key=lambda pair: pair[0])]
    called = [sort for sort, _ in runs] == ["word", "name"] and len(runs[0][1]) == 1  # "patient John"
    literal = not called and not _possessive(part) and any(f" {index_form(part)} " in line for line in lines)
    if len(runs) < 2 or literal:
        return Given((part,))
    names: list[str] = []
    behind: list[str] = []
    for at, (sort, run) in enumerate(runs):
        if sort == "identifier":
            names += _identifiers(runs[at - 1][1][-1:] if at else [], run)
        elif sort != "word":
            names.append(" ".join(_POSSESSIVE.sub("", word) for word in run))
        elif names:
            behind += run
    besides = frozenset(word for word in content_words(" ".join(behind)))
    return Given(tuple(name for name in names if name), besides) if names else Given((part,))


def _sort(word: str) -> str:
    """What a word is by its signs: an identifier, a name, the script of one that knows no capitals, or a word."""
    bare = word.strip("\"'(),")
    if is_identifier(bare):
        return "identifier"
    letter = next(filter(str.isalpha, bare), "")
    if letter and letter.lower() == letter.upper():
        return unicodedata.name(letter, "").partition(" ")[0]
    acronym = len(bare) > 1 and bare.isupper()  # "API", "SSN": a sort of thing, not a thing
    return "name" if letter and letter.isupper() and not acronym else "word"


def is_identifier(word: str) -> bool:
    """Whether a word is no word of a language but the mark of one thing: with figures (a year is none) or signs inside."""
    return bool(_IDENTIFIER.search(word)) and not _YEAR.match(word)


def _identifiers(before: list[str], run: list[str]) -> list[str]:
    """Identifiers that follow each other; a short number with the word before it, without which it is any number."""
    named: list[str] = []
    last = "".join(before)
    for word in (one.strip("\"'(),") for one in run):
        if word.isdigit() and len(word) < _TELLING_SIGNS:
            if named and named[-1] == last:  # "case_id 12345"
                named.pop()
            named.append(f"{last} {word}".strip())
        else:
            named.append(word)
        last = word
    return named


def _possessive(part: str) -> bool:
    return any(_POSSESSIVE.search(word) for word in part.split()[:-1])
