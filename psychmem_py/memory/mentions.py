"""Which texts speak of a subject: in other case, separators, order or letters, and under names they give it in another script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from psychmem_py.memory.change_cues import any_of
from psychmem_py.text.folding import romanised
from psychmem_py.text.tokenizer import content_words, index_form
from psychmem_py.words import word_list

_TELLING_DIGITS = 6  # of a number that is known without the word before it
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_IDENTIFIER, _YEAR = re.compile(r"[\d@_]|\w[/.:+]\w"), re.compile(r"(?:19|20)\d\d$")
_POSSESSIVE = re.compile(r"['’]s?$")
_BRACKETS = re.compile(
    r"(?<![^\s()（）,;:])([^\s()（）,;:]{1,60}(?:\s{1,4}[^\s()（）,;:]{1,60}){0,3})\s{0,4}[(（]([^()（）]{1,40})[)）]"
)
_OPENING = re.compile(rf"^(?:(?:{any_of(word_list('everything'))}) )?(?:(?:{any_of(word_list('about'))}) )?", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(rf" / | ?[;|] | ?\(| (?:{any_of(word_list('another_name'))}) ", re.IGNORECASE)


class Subject(NamedTuple):
    """What is looked for: its names, those given first."""

    names: tuple[str, ...]

    def is_in(self, text: str) -> bool:
        """Whether a text speaks of it."""
        return any(_has(_without_longer(text, name), name) for name in self.names)


def subject_of(about: str, texts: Iterable[str]) -> Subject:
    """The subject that `about` names, with the names in another script that `texts` tell of it."""
    asked = " ".join(about.split())
    whole = _OPENING.sub("", asked).strip(" .\"'") or asked
    parts = [part.strip(" \"'()") for part in _BETWEEN_NAMES.split(whole)]
    naming = [part for part in parts if any(_sort(word) != "word" for word in part.split())]  # "Zhang Wei (the customer)"
    names = list(dict.fromkeys(name for part in naming or parts if part for name in _names_in(part))) or [whole]
    aside = [(one, other.strip()) for text in texts for one, other in _BRACKETS.findall(text)]
    aside = [pair for pair in aside if "" not in map(_script, pair) and _script(pair[0]) != _script(pair[1])]
    for one, other in aside:
        if any(pieces_of(other) == pieces_of(name) for name in names):
            words = one.split()  # those at its end that are not small, else all
            small = next((at for at in range(len(words), 0, -1) if words[at - 1][:1].islower()), 0)
            names.append(" ".join(words[small:]) or one)
        elif len(other) > 1 and any(_has(one, name) for name in names):
            names.append(other)
    return Subject(tuple(dict.fromkeys(names)))


def _names_in(part: str) -> list[str]:
    """The names and identifiers in a designation; all of it where it has none, or a number that needs its word."""
    words = part.split()
    if _of_somebody(part) or any(word.isdigit() and len(word) < _TELLING_DIGITS and _is_identifier(word) for word in words):
        return [part]
    names = []
    for sort, run in groupby(words, _sort):
        if sort == "identifier":
            names += [word.strip("\"'(),") for word in run]
        elif sort != "word":
            names.append(" ".join(_POSSESSIVE.sub("", word) for word in run))
    return names or [part]


def _of_somebody(part: str) -> bool:
    """Whether a part of what is known is meant: "Olivia's languages"."""
    return any(_POSSESSIVE.search(word) for word in part.split()[:-1])


def _sort(word: str) -> str:
    """A word's type by its characters: "identifier", "name", "word", or its script where that has no capitals."""
    if _is_identifier(bare := word.strip("\"'(),")):
        return "identifier"
    if (letter := next(filter(str.isalpha, bare), "")) and letter.lower() == letter.upper():
        return _script(letter)
    acronym = len(bare) > 1 and bare.isupper()  # "API", "SSN": a sort of thing, not a thing
    return "name" if letter.isupper() and not acronym else "word"


def _is_identifier(word: str) -> bool:
    """Whether a word is the mark of one thing: with figures (a year is none) or signs inside."""
    return bool(_IDENTIFIER.search(word)) and not _YEAR.match(word)


def _script(text: str) -> str:
    letter = next(filter(str.isalpha, text), "")
    return unicodedata.name(letter, "").partition(" ")[0] if letter else ""


def pieces_of(text: str) -> list[str]:
    """Letters and digits of a text as they are compared: romanised, folded, cut where letters meet digits, figures in one run."""
    western = "".join(str(unicodedata.digit(char)) if not char.isascii() and char.isdigit() else char for char in text)
    joined: list[str] = []
    for digits, group in groupby(_PIECE.findall(index_form(romanised(western))), str.isdigit):
        run = list(group)
        joined += ["".join(run)] if digits else run
    return joined


def _without_longer(text: str, name: str) -> str:
    """The text without identifiers that only begin with `name`: "web-01-backup" is not "web-01", "xyz.com.br" not "xyz.com"."""
    longer = rf"(?<!\w){re.escape(name)}[-_.:]\w[\w.:-]{{0,99}}"
    return re.sub(longer, " ", text, flags=re.IGNORECASE) if re.search(r"[\d.:_@/-]", name) else text


def _has(text: str, name: str) -> bool:
    """Whether a text has a name: in order, turned round, run together or, of what is described, all its words."""
    pieces, wanted = pieces_of(text), pieces_of(name)
    size, whole = len(wanted), "".join(wanted)
    windows = [pieces[at : at + size] for at in range(len(pieces) - size + 1)] if wanted else []
    if wanted in windows or (1 < size <= 3 and sorted(wanted) in map(sorted, windows)):
        return True
    if any("\u3040" <= char <= "\ud7af" for char in name):  # no spaces between its words
        return whole in "".join(pieces)
    runs = ("".join(pieces[at : at + length]) for at in range(len(pieces)) for length in range(1, 6))
    if len(whole) > 3 and whole in runs:
        return True
    if (name != name.lower() and not _of_somebody(name)) or any(map(_is_identifier, name.split())):
        return False
    # What is described and not named ("my home address", "Ole's invoices"): all its words, in any order and form.
    words = set(content_words(name.replace("'s ", " ").replace("’s ", " ")))
    return bool(words) and words <= set(content_words(text))
