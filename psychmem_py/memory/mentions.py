"""Which texts speak of a subject: in other spellings, separators, digits or words for digits, letters of another script, and under the
other names that the texts themselves tell. Words only; what happens to them is for others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from psychmem_py.memory.compiled_words import ANOTHER_NAME, BEFORE_ANOTHER_NAME, NOUNS_OF_MANY, VERBS_BEFORE_A_NAME
from psychmem_py.memory.subject_names import any_of, given, is_identifier
from psychmem_py.text.compiled_words import ENGLISH
from psychmem_py.text.folding import romanised
from psychmem_py.text.number_words import in_digits
from psychmem_py.text.spelling import nearest
from psychmem_py.text.tokenizer import content_words, index_form

_PIECE = re.compile(r"\d+|[^\W\d_]+")
_NAME = r"(?:(?<![\w.'’-])[^\W\d_][\w.'’-]{0,59})(?:\s{1,4}[A-Z0-9\u00c0-\U0010ffff][\w.'’-]{0,59}){0,3}"
# "X, also known as Y": the words between two names of one thing.
_ALSO = re.compile(
    rf"(?P<one>{_NAME})(?:'s|’s)?[\s,(]{{0,4}}\s(?i:(?:{any_of(BEFORE_ANOTHER_NAME)})\s{{1,4}}){{0,2}}(?i:{any_of(ANOTHER_NAME)})\s+"
    rf"[\"“]?(?P<other>{_NAME})"
)
_BRACKETS = re.compile(
    r"(?<![^\s()（）,;:])(?P<one>[^\s()（）,;:]{1,60}(?:\s{1,4}[^\s()（）,;:]{1,60}){0,3})\s{0,4}[(（](?P<other>[^()（）]{1,40})[)）]"
)
_LEAST_DIGITS = 3  # of a number that tells which order, ticket or account is meant
_LOCAL_DIGITS = 9  # of a telephone number without its country
_LONG_PART = 6  # letters of a name that is known when it is written in two: "blue-bird"
_TELLING_DIGITS = 6  # of one that does so without the word before it


class Subject(NamedTuple):
    """What is looked for: its names, the given one first."""

    names: tuple[str, ...]
    parts: frozenset[str] = frozenset()  # single words of a longer name by which nobody else is called
    besides: frozenset[str] = frozenset()  # of these words a text must have one, too: not all about it was asked for

    def is_in(self, text: str) -> bool:
        """Whether a text speaks of it."""
        return self.is_named_in(text) and (not self.besides or _tells_one(text, self.besides))

    def is_named_in(self, text: str) -> bool:
        """Whether a text names it, whatever it says of it."""
        for name in self.names:
            besides_longer = _without_longer(text, name)
            if _has(pieces_of(besides_longer), besides_longer, name) or _begins_with(name, text):
                return True
        if not self.parts.isdisjoint(_capitalised(text)):
            return True
        pieces = pieces_of(text)
        return any(part not in pieces and _run_together(pieces, (part,)) for part in self.parts if len(part) >= _LONG_PART)


def _without_longer(text: str, name: str) -> str:
    """The text without identifiers that only begin with `name`: "web-01-backup" and "xyz.com.br" are not "web-01" and "xyz.com"."""
    if not re.search(r"[\d.:_@/-]", name):
        return text
    return re.sub(rf"(?<!\w){re.escape(name)}[-_.:]\w[\w.:-]{{0,99}}", " ", text, flags=re.IGNORECASE)


def subject_of(about: str, texts: Iterable[str]) -> Subject:
    """The subject that `about` names, with the other names that `texts` tell of it."""
    known = list(texts)
    asked = given(about, known)
    names = list(asked.names)
    for name in names:  # grows: an alias may have an alias
        for text in known:
            names += [other for other in _other_names(text, name) if other not in names]
        if len(names) > 8:
            break
    subject = Subject(tuple(names), _own_parts(names, known))
    narrower = asked.besides and any(_tells_one(text, asked.besides) for text in known if subject.is_named_in(text))
    return subject._replace(besides=asked.besides) if narrower else subject


def _tells_one(text: str, words: Iterable[str]) -> bool:
    """Whether a text has one of these words, in the plural or another form of the same beginning too."""
    there = content_words(text)
    return any(_one_stem(word, one) for word in words for one in there)


_STEM = 5  # letters that forms of one word share: "prescription", "prescribed"


def _one_stem(one: str, other: str) -> bool:
    return _singular(one) == _singular(other) or (min(len(one), len(other)) > _STEM and one[:_STEM] == other[:_STEM])


def _other_names(text: str, name: str) -> list[str]:
    """What a text says that `name` is called besides."""
    names = []
    for bracketed in _BRACKETS.finditer(text):
        one, other = bracketed["one"], bracketed["other"].strip()
        if _script(one) and _script(other) and _script(one) != _script(other):
            if _is(other, name):
                names.append(_last_name(one))
            elif _has(pieces_of(one), one, name):
                names.append(other)
    for bracketed in _ALSO.finditer(text):
        one, other = _last_name(bracketed["one"]), bracketed["other"].strip()
        if name[0].isupper() and (one[0].islower() or other[0].islower()):
            continue  # "same employee, nickname Bob"
        if _is(other, name):
            names.append(one)
        elif _is(one, name):
            names.append(other)
    return [other for other in names if len(other) > 1]


def _is(text: str, name: str) -> bool:
    return pieces_of(text) == pieces_of(name)


def _last_name(words: str) -> str:
    """The capitalised words at the end, else all."""
    kept: list[str] = []
    for word in reversed(words.split()):
        if word[:1].islower():
            break
        kept.insert(0, word)
    return " ".join(kept) or words


def _script(text: str) -> str:
    letters = [char for char in text if char.isalpha()]
    return unicodedata.name(letters[0], "").partition(" ")[0] if letters else ""


def pieces_of(text: str) -> list[str]:
    """Letters and digits of a text as they are compared: romanised, folded, cut where letters meet digits; numbers in figures and in one
    run: "ORD-5678" and "order five six seven eight" end alike.
    """
    plain = in_digits(_PIECE.findall(index_form(romanised(_one_form(_western_digits(text))))))
    joined: list[str] = []
    for digits, group in groupby(plain, str.isdigit):
        run = list(group)
        joined += ["".join(run)] if digits else run
    return joined


_PADDED = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)")
_TAGGED = re.compile(r"(?<=[\w.-])\+[\w.-]{1,40}(?=@)")
_DAY = re.compile(r"(?<![\w/.-])(\d{1,2})([/.])(\d{1,2})\2((?:19|20)\d\d)(?![\w/-])")


def _one_form(text: str) -> str:
    """The text with identifiers that have several forms in one: 192.168.001.005, ada+news@example.com, 12/25/2025 for 2025-12-25."""
    text = _PADDED.sub(lambda match: ".".join(str(int(part)) for part in match[0].split(".")), text)
    return _DAY.sub(_day, _TAGGED.sub("", text))


def _day(match: re.Match[str]) -> str:
    one, sign, other, year = match.groups()
    month, day = (one, other) if (sign == "/" and int(one) <= 12) or int(other) > 12 else (other, one)
    return f"{year}-{int(month):02}-{int(day):02}"


_SHORT_HASH = re.compile(r"[0-9a-f]{7,31}", re.IGNORECASE)
_HASH = re.compile(
    r"(?<![\w-])[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}(?:[0-9a-f]{8}(?:[0-9a-f]{24})?)?(?![\w-])", re.IGNORECASE
)


def _begins_with(name: str, text: str) -> bool:
    """Whether a text has a long identifier of which `name` is the usual short form: a commit's or a UUID's first signs."""
    short = bool(_SHORT_HASH.fullmatch(name)) and any(map(str.isdigit, name))
    return short and any(match[0].lower().startswith(name.lower()) for match in _HASH.finditer(text))


def _western_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(char)) if not char.isascii() and char.isdigit() else char for char in text)


def _has(pieces: Sequence[str], text: str, name: str) -> bool:
    """Whether a text has a name: in order, turned round, run together, as a number under its word, or, of no name, all its words."""
    wanted = pieces_of(name)
    if not wanted:
        return False
    size = len(wanted)
    windows = [list(pieces[at : at + size]) for at in range(len(pieces) - size + 1)]
    if any(_same(window, wanted) for window in windows) or (1 < size <= 3 and any(sorted(w) == sorted(wanted) for w in windows)):
        return True
    if _unspaced(name):
        return "".join(wanted) in "".join(pieces)
    return _run_together(pieces, wanted) or _numbered(pieces, wanted) or _all_words(name, text)


def _same(window: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether pieces are those wanted; in a longer name one slip of the fingers is none."""
    if all(one in (other, f"{other}s") or _same_number(one, other) for one, other in zip(window, wanted, strict=True)):
        return True
    differing = [(one, other) for one, other in zip(window, wanted, strict=True) if one != other]
    if any(one.isdigit() or other.isdigit() for one, other in differing):
        return False  # another number is another thing
    return len(wanted) > 1 and len(differing) == 1 and all(other in nearest(one, [other]) for one, other in differing)


def _same_number(one: str, other: str) -> bool:
    """Whether two long numbers are one, told with its country ("+49 170 …", "0049 170 …") or without ("0170 …")."""
    less, more = sorted((one.lstrip("0"), other.lstrip("0")), key=len)
    return less.isdigit() and more.isdigit() and len(less) >= _LOCAL_DIGITS and more.endswith(less)


def _unspaced(text: str) -> bool:
    return any("\u3040" <= char <= "\ud7af" for char in text)


def _run_together(pieces: Sequence[str], wanted: Sequence[str]) -> bool:
    whole = "".join(wanted)
    if len(whole) < 4:
        return False
    for at in range(len(pieces)):
        run = ""
        for piece in pieces[at : at + 5]:
            run += piece
            if run == whole:
                return True
            if not whole.startswith(run):
                break
    return False


def _numbered(pieces: Sequence[str], wanted: Sequence[str]) -> bool:
    """ "ORD-5678" for "order no. 5678": the same number under a word that begins alike."""
    numbers = [piece for piece in wanted if piece.isdigit() and len(piece) >= _LEAST_DIGITS]
    labels = [piece for piece in wanted if not piece.isdigit() and len(piece) > 1]
    if len(numbers) != 1:
        return False
    behind = list(wanted[list(wanted).index(numbers[0]) + 1 :])  # "12345-x" is not "12345-y"
    for at, piece in enumerate(pieces):
        if piece != numbers[0] or list(pieces[at + 1 : at + 1 + len(behind)]) != behind:
            continue
        if len(piece) >= _TELLING_DIGITS:
            return True
        before = [one for one in pieces[max(0, at - 3) : at] if not one.isdigit()]
        if any(_one_label(one, label) for one in before if len(one) > 1 for label in labels):
            return True
    return False


def _one_label(one: str, other: str) -> bool:
    """Whether two words before a number mean the same: one begins or abbreviates the other, as "ord" and "tkt" do."""
    less, more = sorted((one, other), key=len)
    letters = iter(more)
    shortened = len(less) > 2 and less[0] == more[0] and all(letter in letters for letter in less)
    return shortened or more.startswith(less)


def _all_words(name: str, text: str) -> bool:
    """For what is described and not named ("my home address"): all its words, in any order and form."""
    if name != name.lower() or any(map(is_identifier, name.split())):
        return False
    wanted, there = content_words(name), content_words(text)
    return bool(wanted) and all(any(_one_stem(word, one) for one in there) for word in wanted)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _capitalised(text: str) -> set[str]:
    """The folded words of a text that begin with a capital."""
    return {index_form(word) for word in re.findall(r"[^\W\d_]+", text) if word[0].isupper()}


def _own_parts(names: Sequence[str], texts: Sequence[str]) -> frozenset[str]:
    """Words of a person's full name by which, in these texts, nobody else is called: "Wei" where no other Wei is told of."""
    parts = set()
    for name in names:
        words = name.split()
        if 2 <= len(words) <= 3 and all(word[0].isupper() and word.isalpha() and not word.isupper() for word in words):
            own = {index_form(word) for word in words}
            parts |= {
                part for part in own - NOUNS_OF_MANY if len(part) > 2 and not any(_of_another(part, own, text) for text in texts)
            }
    return frozenset(parts)


_NO_NAMES = ENGLISH | VERBS_BEFORE_A_NAME


def _of_another(part: str, own: set[str], text: str) -> bool:
    """Whether a text has the word as part of another name, or as a common word."""
    words = re.findall(r"[^\W\d_]+", text)
    for at, word in enumerate(words):
        if index_form(word) != part:
            continue
        if word[0].islower():
            return True
        beside = [words[index] for index in (at - 1, at + 1) if 0 <= index < len(words)]
        if any(one[0].isupper() and index_form(one) not in own | _NO_NAMES for one in beside):
            return True
    return False
