"""Whether two statements say the same of a thing, one of them turned round: "likes" and "hates", "always" and "never". Words only."""

from __future__ import annotations

import re
from functools import lru_cache

from psychmem_py.memory import assertion_words as table
from psychmem_py.memory.compiled_words import NEGATIVE
from psychmem_py.text.compiled_words import ENGLISH
from psychmem_py.text.tokenizer import index_form, words

_TOKEN = re.compile(r"[\w'’][\w'’.:/-]*[\w'’]|[\w]|[,;]|\.(?=\s|$)")


def tokens_of(text: str) -> list[str]:
    """The folded words and the commas and stops of a text, contractions taken apart."""
    return [piece for token in _TOKEN.findall(index_form(text)) for piece in _apart(token.replace("’", "'"))]


def _apart(token: str) -> list[str]:
    """A contraction in its parts: "doesn't" is not, "alice's" alice, "n'habite" ne and habite."""
    if token.endswith(("n't", "nt")) and token.replace("'", "") in table.CONTRACTED_NEGATIONS:
        return ["not"]
    head, mark, tail = token.partition("'")
    if not mark:
        return [token]
    if tail in ("s", "re", "ll", "ve", "m", "d"):
        return [head, "is"] if tail in ("m", "re") else [head]
    return [{"n": "ne", "j": "je"}.get(head, head), tail]


def turned_round(new: str, known: str) -> bool:
    """Whether two statements say the same words, one of them turned round: "likes", "hates"; "always", "never"."""
    one, flipped = _poled(new)
    other, also = _poled(known)
    return flipped != also and one == other and (len(one) > 1 or table.ALWAYS_OR_NEVER.isdisjoint(words(new)) is False)


@lru_cache(1024)
def _poled(text: str) -> tuple[frozenset[str], bool]:
    """What a statement is about whichever way it is said, and whether it is said the other way round."""
    flips = 0
    kept = set()
    for token in tokens_of(text):
        if token in NEGATIVE or token in table.STOPPED:
            flips = 1 - flips if token not in ("ne", "longer") else flips
        elif token in table.OPPOSITES:
            flips = 1 - flips
            kept.add(table.OPPOSITES[token])
        elif token in table.SAME_POLE:
            kept.add(table.SAME_POLE[token])
        elif token in table.SPEAKER:
            kept.add("me")
        elif len(token) > 1 and not _passing(token):
            kept.add(_stem(token))
    if not kept.isdisjoint(_POLES):
        kept.discard("me")  # "me gusta", "odio": not every language names who feels so
    return frozenset(kept), bool(flips)


def speaks_of_oneself(text: str) -> bool:
    """Whether the speaker is spoken of: "I", "my"."""
    return not table.SPEAKER.isdisjoint(tokens_of(text))


def is_own_taste(text: str) -> bool:
    """Whether the speaker says what they like or do not like: "I enjoy pairing", "me gusta el café"."""
    kept = {table.OPPOSITES.get(token) or table.SAME_POLE.get(token, token) for token in tokens_of(text)}
    speaks = not table.SPEAKER.isdisjoint(kept)
    return (speaks and not kept.isdisjoint(("like", "mag", "aime"))) or {"me", "gusta"} <= kept


_POLES = frozenset(table.SAME_POLE.values())


_USED = "used"  # "used to"


def _passing(token: str) -> bool:
    return (
        token in table.IN_PASSING
        or token in table.WITHOUT_MEANING
        or token == _USED
        or (token in ENGLISH and token not in table.PLACES_AND_TIMES)
    )


def _stem(word: str) -> str:
    if len(word) > 4 and word.isascii():
        for ending in ("ing", "es", "ed", "s", "e"):
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                return word[: -len(ending)]
    return word
