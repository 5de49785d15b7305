"""Whether a sentence can be understood without the one before it: a brief says it alone. Pure, and careful: in doubt it can."""

from __future__ import annotations

from itertools import pairwise

from psychmem_py.text.tokenizer import carrying_words, content_words, index_form, words

# Words that stand for something said before, in fifteen languages, in the index's form; each stands alone and is no article.
_POINTING = frozenset(
    """it its they them these those that this esto eso ello aquello lo das dies dieses ca cela ceci isso isto aquilo questo cio
    quello dit bunu sunu bu tego это этого он она они ним него هذا ذلك यह इसे""".split()
)
# "this", "that" and their like point only when no noun follows: a verb does, or nothing.
_ALSO_BEFORE_A_NOUN = frozenset("these those that this lo das dies dieses questo quello dit bu это هذا ذلك यह".split())
_VERBS = frozenset(
    """is was are were should must will would has have had can could means needs does did do ist war muss soll sind est etait
    doit es era debe deberia esta e era deve sarebbe dovrebbe jest bylo musi olmali should cannot isn wasn shouldn
    должно было будет надо нужно очень""".split()
)
_PERSONAL = frozenset("it its they them he she он она они него".split())  # may point at what the same sentence has named
_POINTING_SIGNS = ("这", "那", "它", "此", "これ", "それ", "この", "その", "이것", "그것")
_FRONT = 4  # words in which the subject of a sentence stands
_FEW = 4  # words that carry a meaning; with no more of them, something pointed at is what the sentence is about


# Nouns that "this" and its like may stand before: what the session is in, not what was said before.
_HERE = frozenset(
    """project repo repository codebase app application package library module service site branch file folder directory
    proyecto repositorio projet depot projekt anwendung projeto progetto applicazione proyek проект проекта репозиторий
    user team company machine time way year week month""".split()
)
_BEFORE_A_NOUN = frozenset(
    """this these those such esta este ese esa estos estas esos esas aquel aquella cette ces dieser diese dieses diesen
    essa esse questa questo questi queste quella quel эта эти этот этого этой та тот те bu""".split()
)
_CLOSING, _OPENING = ")]}）】」", "([{（【「"


def is_whole(text: str, *, spoken: bool = True) -> bool:
    """Whether a sentence begins and ends as one: no question, no end of a bracket; and, unless a person `spoke`, with a capital.

    People write small letters; an assistant's sentence that begins with one was cut out of another.
    """
    bare = text.strip()
    if bare.endswith(("?", "？", "؟", ":", "：")) or _closes_more(bare):
        return False
    first = bare.partition(" ")[0]
    return spoken or not bare[:1].islower() or _named(first)


def _closes_more(text: str) -> bool:
    """Whether a bracket is closed that was never opened; "1)" and ":)" are none."""
    depth = 0
    for before, char in pairwise(" " + text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING and (depth or before.isalpha() or before in "`'\""):
            depth -= 1
            if depth < 0:
                return True
    return False


def has_own_subject(text: str) -> bool:
    """Whether a sentence names what it is about."""
    every = words(text)
    carrying = carrying_words(every)
    named = _named(text)
    if not every or (len(carrying) < 2 and not named) or (every[0] in _POINTING and _points(every, 0)):
        return False
    if any(_points_with_a_noun(every, place) for place in range(min(_FRONT, len(every) - 1))):
        return False
    if named:
        return True
    places = [] if _POINTING.isdisjoint(every) else [n for n, word in enumerate(every) if word in _POINTING and _points(every, n)]
    if any(place < _FRONT or len(carrying) <= _FEW for place in places):
        return False
    return not index_form(text).lstrip().startswith(_POINTING_SIGNS) or len(carrying) > 2 * _FEW


def _points(every: list[str], place: int) -> bool:
    """Whether a pointing word points out of its sentence."""
    word, follows = every[place], every[place + 1] if place + 1 < len(every) else ""
    if word == "that" and place:
        return False  # "all rows that are empty"
    if word in _PERSONAL and len(content_words(" ".join(every[:place]))) > 1:
        return False
    return word not in _ALSO_BEFORE_A_NOUN or not follows or follows in _VERBS


def _points_with_a_noun(every: list[str], place: int) -> bool:
    """Whether "that card" stands there: a thing pointed at, and not the place the session is in."""
    word, follows = every[place], every[place + 1]
    return word in _BEFORE_A_NOUN and follows not in _HERE and follows not in _VERBS and follows in content_words(follows)


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
