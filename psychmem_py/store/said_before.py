"""Finds earlier conversations in which a person said the same; shared words alone do not show that."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from math import log

from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause, clauses
from psychmem_py.memory.change_cues import any_of, exchange, is_from_now, is_negative
from psychmem_py.memory.compare import stems
from psychmem_py.store import episodes
from psychmem_py.text.folding import late
from psychmem_py.text.tokenizer import normalised
from psychmem_py.words import word_list

_LOOKED_AT = 20  # exchanges
_COUNTED = 3_000  # rows of one word; one that has more is in every conversation

# What two messages share: the weight of the shared words, times its share of all their words' weight.
AGAIN, AGAIN_HERE = 3.6, 4.2  # said elsewhere; earlier in the same conversation, whose subject comes back with every turn
LATER_S = 3_600.0  # after which the same conversation is another occasion
_SHARED_WORDS = 3
_MOSTLY = 0.4  # of what the words of a sentence weigh, said before
_BRIEF_CHARS, _BRIEF_LINES = 450, 5
_OTHERS = 30  # exchanges more that a young project is read as if it held
_FILLING = 3  # words in one place of a form
_THING = re.compile(r"https?://\S+|(?<![\w-])[\w-]++\.[a-zA-Z]{1,5}\b")  # a link or a file
_ONE_PLACE = re.compile(r"^\s*https?://|\w\.\w+:\d")  # a message that opens with a link or names a line is about that place alone
_CONTRAST = late(rf"(?:[,;，、；]\s?|\s)(?i:{any_of(word_list('words_of_contrast'))})(?:\s|(?=[^\x00-\u2e7f]))")
_WHERE = re.compile(
    r"https?://\S+|(?<!\S)[/@][\w:-]+(?!\S)|(?<![A-Za-z0-9_])(?:[@~]?/|@)[\w.-]+/[!-~]*"
    r"|(?<![\w/.$-])[\w.$-]+/[\w./-]+\.[a-z]{1,5}\b"
)


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
    weight = _weights(db, words.union(*(other for other, *_ in earlier)), project)

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
    """Whether a message is sent again word for word, or one of its sentences with another word in a place or two:
    a rule beside the one about main.
    """
    new, known = ([normalised(one.text).split() for one in every] for every in (sentences, others))
    return new == known or any(_is_filled_otherwise(one, other) for one in new for other in known)


def _is_filled_otherwise(one: list[str], other: list[str]) -> bool:
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    same = sum(end - start for tag, start, end, _, _ in blocks if tag == "equal")
    filled = [(end - start, until - begin) for tag, start, end, begin, until in blocks if tag != "equal"]
    few = bool(filled) and all(min(pair) > 0 and max(pair) <= _FILLING for pair in filled)
    return few and 2 * same >= max(len(one), len(other))


def _statements(text: str, sentences: Sequence[Clause]) -> dict[int, frozenset[str]]:
    """The telling words, without links and paths, of each part of a sentence of a short message that is no question and not of
    "the current" thing, by offset.
    """
    if not is_brief(text) or _ONE_PLACE.search(text):
        return {}
    return {
        clause.start + at: frozenset(word for word in stems(_WHERE.sub(" ", part)) if len(word) > 2)
        for clause in sentences
        if not clause.text.rstrip().endswith(QUESTION_MARKS) and not is_from_now(clause.text)
        for at, part in _parts(clause.text)
    }


def _parts(sentence: str) -> Iterator[tuple[int, str]]:
    """What a sentence asks and what it adds behind a "but", each with its offset: one may be of today, the other a habit."""
    at = 0
    for match in _CONTRAST.finditer(sentence):
        yield at, sentence[at : match.start()]
        at = match.end()
    yield at, sentence[at:]


def _weights(db: sqlite3.Connection, words: Iterable[str], project: str) -> dict[str, float]:
    """What each word weighs, in nats: the fewer of the project's exchanges it was typed in, the more."""
    held = int(db.execute("select count(*) from episode where project = ?", (project,)).fetchone()[0]) + _OTHERS
    counted = (
        "select count(*) from (select rowid as seq from episode_fts where episode_fts match ? limit ?)"
        " join episode using (seq) where project = ?"
    )
    found = ((word, db.execute(counted, (f'text : "{word}"', _COUNTED, project)).fetchone()[0]) for word in words)
    return {word: max(0.0, log(held / max(1, count))) for word, count in found}
