"""Which texts speak of a subject: in other case, separators, order or letters, and under names the texts themselves give it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from psychmem_py.memory.change_cues import any_of
from psychmem_py.text.folding import romanised
from psychmem_py.text.tokenizer import content_words, index_form
from psychmem_py.words import word_list

_MOST_NAMES = 8
_TELLING_DIGITS = 6  # of a number that is known without the word before it
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_IDENTIFIER = re.compile(r"[\d@_]|\w[/.:+]\w")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_POSSESSIVE = re.compile(r"['’]s?$")
_NAME = r"(?:(?<![\w.'’-])[^\W\d_][\w.'’-]{0,59})(?:\s{1,4}[A-Z0-9\u00c0-\U0010ffff][\w.'’-]{0,59}){0,3}"
_BRACKETS = re.compile(
    r"(?<![^\s()（）,;:])(?P<one>[^\s()（）,;:]{1,60}(?:\s{1,4}[^\s()（）,;:]{1,60}){0,3})\s{0,4}[(（](?P<other>[^()（）]{1,40})[)）]"
)

_ALSO = re.compile(
    rf"(?P<one>{_NAME})[\s,(]{{1,4}}(?:\w{{2,10}}\s{{1,4}}){{0,2}}(?i:{any_of(word_list('another_name'))})\s+[\"“]?(?P<other>{_NAME})"
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
    """The subject that `about` names, with the other names that `texts` tell of it."""
    known = list(texts)
    asked = " ".join(about.split())
    whole = _OPENING.sub("", asked).strip(" .\"'") or asked
    parts = [part.strip(" \"'()") for part in _BETWEEN_NAMES.split(whole)]
    naming = [part for part in parts if any(_sort(word) != "word" for word in part.split())]  # "Zhang Wei (the customer)"
    names = list(dict.fromkeys(name for part in naming or parts if part for name in _names_in(part))) or [whole]
    for name in names:  # grows: an alias may have an alias
        for text in known:
            names += [other for other in _other_names(text, name) if other not in names]
        if len(names) > _MOST_NAMES:
            break
    return Subject(tuple(names))


def _names_in(part: str) -> list[str]:
    """The names and identifiers in a designation; all of it where it has none, or a number that needs its word."""
    words = part.split()
    if _of_somebody(part) or any(word.isdigit() and len(word) < _TELLING_DIGITS and not _YEAR.match(word) for word in words):
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
    bare = word.strip("\"'(),")
    if _is_identifier(bare):
        return "identifier"
    letter = next(filter(str.isalpha, bare), "")
    if letter and letter.lower() == letter.upper():
        return _script(letter)
    acronym = len(bare) > 1 and bare.isupper()  # "API", "SSN": a sort of thing, not a thing
    return "name" if letter.isupper() and not acronym else "word"


def _is_identifier(word: str) -> bool:
    """Whether a word is the mark of one thing: with figures (a year is none) or signs inside."""
    return bool(_IDENTIFIER.search(word)) and not _YEAR.match(word)


def _other_names(text: str, name: str) -> list[str]:
    """What a text says that `name` is called besides: in brackets in another script, or by the words for it."""
    pairs = [(match["one"], match["other"].strip()) for match in _BRACKETS.finditer(text)]
    pairs = [pair for pair in pairs if all(map(_script, pair)) and _script(pair[0]) != _script(pair[1])]
    named = [(match["one"], match["other"]) for match in _ALSO.finditer(text)]
    pairs += [(one, other) for one, other in named if one[0].isupper() and other[0].isupper()]
    names = []
    for one, other in pairs:
        if pieces_of(other) == pieces_of(name):
            words = one.split()  # those at its end that are not small, else all
            small = next((at for at in range(len(words), 0, -1) if words[at - 1][:1].islower()), 0)
            names.append(" ".join(words[small:]) or one)
        elif _has(one, name):
            names.append(other)
    return [other for other in names if len(other) > 1]


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
    if not re.search(r"[\d.:_@/-]", name):
        return text
    return re.sub(rf"(?<!\w){re.escape(name)}[-_.:]\w[\w.:-]{{0,99}}", " ", text, flags=re.IGNORECASE)


def _has(text: str, name: str) -> bool:
    """Whether a text has a name: in order, turned round, run together or, of what is described, all its words."""
    pieces, wanted = pieces_of(text), pieces_of(name)
    size = len(wanted)
    if not wanted:
        return False
    windows = [pieces[at : at + size] for at in range(len(pieces) - size + 1)]
    if wanted in windows or (1 < size <= 3 and sorted(wanted) in map(sorted, windows)):
        return True
    if any("\u3040" <= char <= "\ud7af" for char in name):  # no spaces between its words
        return "".join(wanted) in "".join(pieces)
    runs = ("".join(pieces[at : at + length]) for at in range(len(pieces)) for length in range(1, 6))
    whole = "".join(wanted)
    if (len(whole) > 3 and whole in runs) or _numbered(pieces, wanted):
        return True
    if (name != name.lower() and not _of_somebody(name)) or any(map(_is_identifier, name.split())):
        return False
    # What is described and not named ("my home address", "Ole's invoices"): all its words, in any order and form.
    words = set(content_words(name.replace("'s ", " ").replace("’s ", " ")))
    return bool(words) and words <= set(content_words(text))


def _numbered(pieces: Sequence[str], wanted: Sequence[str]) -> bool:
    """ "ORD-5678" for "order 5678": the same number behind a word that begins alike."""
    if len(wanted) != 2 or not wanted[1].isdigit():
        return False
    return any(number == wanted[1] and word[:3] == wanted[0][:3] for word, number in pairwise(pieces))
