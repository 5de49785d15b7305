"""Whether a sentence can be understood without the one before it: a brief says it alone. Pure, and careful: in doubt it can."""

from __future__ import annotations

from itertools import pairwise

from psychmem_py.text.tokenizer import carrying_words, index_form, words
from psychmem_py.words import word_list, word_set

POINTING, POINTING_SIGNS = word_set("pointing_words"), word_list("pointing_words_signs")
POINTING_BEFORE_VERBS, POINTING_BEFORE_NOUNS = word_set("pointing_before_verbs"), word_set("pointing_before_nouns")
VERBS_BEHIND_POINTING, VERBS_BEHIND_A_SUBJECT = word_set("verbs_behind_pointing"), word_set("verbs_behind_a_subject")
PERSONS, PLACES_ONE_IS_IN = word_set("pronouns_of_persons"), word_set("places_one_is_in")
POSSESSIVES, _BEHIND_ITS_OWNER = frozenset({"its", "their"}), 2  # "gyms on their trial", not "run their tests"
_FRONT = 4  # words in which the subject of a sentence stands
_FEW = 4  # words that carry a meaning; with no more of them, something pointed at is what the sentence is about
_LINKS = ("http://", "https://")  # what it is about stands elsewhere
_CLOSING, _OPENING = ")]}）】」", "([{（【「"


def is_whole(text: str, *, spoken: bool = True) -> bool:
    """Whether a sentence begins, with a capital unless a person spoke, and ends as one: no question, no end of a bracket."""
    bare = text.strip()
    # Brackets that close something: "1)" and ":)" do not.
    closed = sum(char in _CLOSING and (before.isalpha() or before in "`'\"") for before, char in pairwise(" " + bare))
    if bare.endswith(("?", "？", "؟", ":", "：")) or closed > sum(map(bare.count, _OPENING)):
        return False
    return spoken or not bare[:1].islower() or _named(bare.partition(" ")[0])


def has_own_subject(text: str) -> bool:
    """Whether a sentence names what it is about."""
    every, named = words(text), _named(text)
    carrying = carrying_words(every)
    if not every or (len(carrying) < 2 and not named) or text.startswith(_LINKS):
        return False
    if every[0] in VERBS_BEHIND_A_SUBJECT or (every[0] in POINTING and _points(every, 0)):
        return False
    for index, (word, follows) in enumerate(pairwise(every[: _FRONT + 1])):
        is_verb = index > 0 and word in VERBS_BEHIND_POINTING  # "la base está lista", without its accent
        if word in POINTING_BEFORE_NOUNS and not is_verb and follows not in PLACES_ONE_IS_IN | VERBS_BEHIND_POINTING:
            return False  # "that card", and not the place the session is in
    if named:
        return True
    indexes = [] if POINTING.isdisjoint(every) else [n for n, word in enumerate(every) if word in POINTING and _points(every, n)]
    if any(index < _FRONT or len(carrying) <= _FEW for index in indexes):
        return False
    return not index_form(text).lstrip().startswith(POINTING_SIGNS) or len(carrying) > 2 * _FEW


def speaks_of_a_link(text: str) -> bool:
    """Whether a sentence begins with a link and goes on about it: "https://… this issue reports that"."""
    link, _, rest = text.partition(" ")
    first = words(rest)[:1] if link.startswith(_LINKS) else []
    return bool(first) and (first[0] in POINTING or first[0] in POINTING_BEFORE_NOUNS)


def _points(every: list[str], index: int) -> bool:
    word, follows = every[index], every[index + 1] if index + 1 < len(every) else ""
    if (word == "that" and index) or (word == "it" and follows in ("when", "if")):
        return False  # "all rows that are empty", "I hate it when tests sleep"
    if word in PERSONS and len(carrying_words(every[:index])) > (word not in POSSESSIVES or index < _BEHIND_ITS_OWNER):
        return False
    return word not in POINTING_BEFORE_VERBS or not follows or follows in VERBS_BEHIND_POINTING


def _named(text: str) -> bool:
    """Whether something is called by its name: code, a path, an identifier, a number, a capital inside the sentence."""
    pieces = text.split()
    inside = (piece for before, piece in pairwise(pieces) if not before.endswith((".", "!", "?", ":")))
    return (
        any(sign in text for sign in "`/_@#=")
        or any("." in piece.strip(".,;:!?()'\"") for piece in pieces)
        or any(char.isdigit() for char in text)
        or any(piece[:1].isupper() and len(piece) > 1 and not text.isupper() for piece in inside)
    )
