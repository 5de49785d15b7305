"""Finds earlier conversations in which a person said the same; shared words alone do not show that."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from math import log

from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause, clauses
from psychmem_py.memory.change_cues import exchange, is_negative
from psychmem_py.memory.compare import stems
from psychmem_py.store import episodes
from psychmem_py.store.matches import holders, last_number
from psychmem_py.text.tokenizer import normalised

_LOOKED_AT = 20  # exchanges

# What two messages share: the weight of the shared words, times its share of all their words' weight.
AGAIN, AGAIN_HERE = 3.6, 4.2  # said elsewhere; earlier in the same conversation, whose subject comes back with every turn
LATER_S = 3_600.0  # after which the same conversation is another occasion
_SHARED_WORDS = 3
_MOSTLY = 0.4  # of what the words of a sentence weigh, said before
_BRIEF_CHARS, _BRIEF_LINES = 450, 5
_OTHERS = 30  # exchanges more that a young store is read as if it held
_PATH = re.compile(  # a link, a command of the client, or a path
    r"https?://\S+|(?<!\S)[/@][\w:-]+(?!\S)|(?<!\w)(?:[@~]?/|@)[\w.-]+/\S*|(?<![\w/.$-])[\w.$-]+/[\w./-]+\.[a-z]{1,5}\b"
)
_THING = re.compile(r"https?://\S+|(?<![\w-])[\w-]++\.[a-zA-Z]{1,5}\b")  # a link or a file


def said_again(db: sqlite3.Connection, text: str, *, project: str, session: str, at: float) -> tuple[int, int]:
    """Where in a message the sentence begins by which it says what the person typed in another conversation, or an hour ago,
    and in how many conversations; (-1, 0) where there is none.
    """
    if exchange(text):  # "we switched from X to Y" says nothing again
        return -1, 0
    mine = clauses(text, ())
    said = _statements(text, mine)
    words = frozenset[str]().union(*said.values())
    if len(words) < _SHARED_WORDS:
        return -1, 0
    earlier = []
    for episode in (found.episode for found in episodes.search(db, text, project, limit=_LOOKED_AT)):
        theirs = clauses(episode.typed, ())
        other = frozenset[str]().union(*_statements(episode.typed, theirs).values())
        elsewhere = episode.session != session and episode.at <= at
        same = len(words & other) >= _SHARED_WORDS and is_negative(episode.typed) is is_negative(text)
        if same and (elsewhere or episode.at <= at - LATER_S) and not _of_one_form(mine, theirs):
            earlier.append((other, AGAIN if elsewhere else AGAIN_HERE, episode.typed, episode.session))
    if not earlier:
        return -1, 0
    weight = _weights(db, words.union(*(other for other, *_ in earlier)))

    def worth(some: Iterable[str]) -> float:
        return sum(weight[word] for word in some)

    fits = [
        (2 * worth(words & other) ** 2 / (worth(words) + worth(other)) / least, words & other, typed, where)
        for other, least, typed, where in earlier
    ]
    _, shared, typed, _ = max(fits)
    start = max(said, key=lambda start: worth(said[start] & shared))
    things = _THING.findall(next(clause.text for clause in mine if clause.start <= start < clause.end))
    of_another = things and not any(thing in typed for thing in things)  # what is asked of a file is asked of that one
    mostly = worth(said[start] & shared) >= _MOSTLY * worth(said[start])  # else something is asked beside what was asked before
    times = len({where for one, *_, where in fits if one >= 1}) if mostly and not of_another else 0
    return (start, times) if times else (-1, 0)


def is_brief(text: str) -> bool:
    """Whether a message says a thing or two; whoever types more describes or pastes something."""
    return len(text) <= _BRIEF_CHARS and text.count("\n") < _BRIEF_LINES


def _of_one_form(sentences: Sequence[Clause], others: Sequence[Clause]) -> bool:
    """Whether a message is sent again word for word, or one of its sentences with other words in some places."""
    new, known = ([normalised(one.text).split() for one in every] for every in (sentences, others))
    return new == known or any(_is_filled_otherwise(one, other) for one in new for other in known)


def _is_filled_otherwise(one: list[str], other: list[str]) -> bool:
    differing = sum(a != b for a, b in zip(one, other, strict=False))
    return len(one) == len(other) and 0 < 2 * differing <= len(one)


def _statements(text: str, sentences: Sequence[Clause]) -> dict[int, frozenset[str]]:
    """The telling words, without links and paths, of each sentence of a short message that is no question, by offset."""
    return {
        clause.start: frozenset(word for word in stems(_PATH.sub(" ", clause.text)) if len(word) > 2)
        for clause in sentences
        if is_brief(text) and not clause.text.rstrip().endswith(QUESTION_MARKS)
    }


def _weights(db: sqlite3.Connection, words: Iterable[str]) -> dict[str, float]:
    """What each word weighs, in nats: the fewer exchanges hold it, the more."""
    every = last_number(db, "episode") + _OTHERS
    return {word: max(0.0, log(every / max(1, count))) for word, count in holders(db, words, "episode").items()}
