"""What tells a changed statement from a similar one: polarity, words of change, rival choices. Small tests on the words of the language
files (`words`, folded as `tokenizer.index_form` does), no decisions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest

from psychmem_py.text.tokenizer import index_form, words
from psychmem_py.words import known, listed

NEGATIVE, NEGATIVE_SIGNS = known("negations"), listed("negations_signs")
CHANGE, CHANGE_SIGNS = known("words_of_change"), listed("words_of_change_signs")
NOW, NOW_SIGNS = known("words_of_now"), listed("words_of_now_signs")
VALUE, CIRCUMSTANCE, REASON = (known(f"words_before_a_{what}") for what in ("value", "circumstance", "reason"))
ALWAYS, TURNING_DOWN = known("always"), known("words_that_turn_down")
RIVALS = [group.split() for group in listed("rivals")]
# word -> the choices that exclude each other when both are wanted for the same thing
_EXCLUDING: dict[str, set[str]] = {}
for _group in RIVALS:
    for _choice in _group:
        _EXCLUDING.setdefault(_choice, set()).update(_group)
_WORD = re.compile(r"[\w'’]+")


def words_with_apostrophes(text: str) -> list[str]:
    """The words of a folded text with their apostrophes, so that "don't" stays one."""
    return [word.replace("’", "'") for word in _WORD.findall(index_form(text))]


def _holds(text: str, telling: frozenset[str], signs: Sequence[str]) -> bool:
    return not telling.isdisjoint(words_with_apostrophes(text)) or any(sign in text for sign in signs)


def is_negative(text: str) -> bool:
    """Whether the statement forbids or denies something."""
    return _holds(text, NEGATIVE, NEGATIVE_SIGNS)


def affirmed(text: str) -> str:
    """The statement without the signs by which scripts without spaces deny: what it is about, yes or no."""
    for sign in NEGATIVE_SIGNS:
        text = text.replace(sign, " ")
    return text


def gives_reason(longer: str, extra: Collection[str]) -> bool:
    """Whether the words a longer statement has more come after a word like "because"."""
    every = words_with_apostrophes(longer)
    after = next((index for index, word in enumerate(every) if index and word in REASON), len(every))
    return set(every[:after]).isdisjoint(extra) and after < len(every)


def tells_change(text: str) -> bool:
    """Whether the statement says of itself that it replaces another: "instead", "no longer"."""
    return _holds(text, CHANGE, CHANGE_SIGNS)


def any_of(phrases: Iterable[str]) -> str:
    """An expression for any of these, the longest first, however their words are spaced."""
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in sorted(phrases, key=len, reverse=True))


FROM_NOW = re.compile(rf"\b(?:{any_of(listed('from_now'))})\b")


def tells_now(text: str) -> bool:
    """Whether the statement says of itself that it holds from now on: what it differs in may be a new value, or a new rule beside the old."""
    return bool(FROM_NOW.search(index_form(text))) or _holds(text, NOW, NOW_SIGNS)


def without_change(text: str) -> list[str]:
    """The words of a text in order, without those that tell of a change or of now."""
    for sign in CHANGE_SIGNS + NOW_SIGNS:
        text = text.replace(sign, "")
    return [word for word in words(FROM_NOW.sub(" ", index_form(text))) if word not in CHANGE and word not in NOW]


def rivals(text: str) -> list[str]:
    """Words that compete with a choice named in the text: what to look for when asking whether it contradicts something known."""
    named = [word for word in _with_pairs(words(text)) if word in _EXCLUDING]
    return sorted({part for word in named for rival in _EXCLUDING[word] - set(named) for part in rival.split("_")})


def _with_pairs(spoken: Sequence[str]) -> Iterator[str]:
    """The words in their order, each followed by the pair it begins: "us english" is a choice that neither word is."""
    for word, following in zip_longest(spoken, spoken[1:], fillvalue=""):
        yield word
        yield f"{word}_{following}"


_TURN = TURNING_DOWN | (NEGATIVE - {"no"})


def stance(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The rival choices a statement wants, and those it turns down. In "use pnpm, not npm" that is pnpm and npm."""
    wanted, unwanted = set[str](), set[str]()
    turned = False
    for word in _with_pairs(words_with_apostrophes(text)):
        if word in _EXCLUDING:
            (unwanted if turned else wanted).add(word)
        elif word in _TURN:
            turned = True
    return frozenset(wanted), frozenset(unwanted)


def clash(one: str, other: str) -> bool:
    """Whether two statements want rival things, or one wants what the other turns down."""
    wants, turns = stance(one)
    others, turned = stance(other)
    if wants & turned or others & turns:
        return not wants & others
    return any(_EXCLUDING[a] & others - {a} for a in wants) and not wants & others
