"""Which exchange of an earlier conversation a prompt calls for, where a person wants that told, and in which one a person said a statement
before.

Most prompts that share words with an earlier exchange need nothing of it, so this asks for more than a search does: docs/recall.md has
what it is worth.
"""

from __future__ import annotations

import re
from math import log

from psychmem_py.extraction.clauses import QUESTION_MARKS, clauses
from psychmem_py.extraction.mask import masked
from psychmem_py.memory.change_cues import is_negative
from psychmem_py.memory.compare import stems
from psychmem_py.recall.query import unasked
from psychmem_py.recall.ranking import log_ways, scored
from psychmem_py.store import episodes
from psychmem_py.store.matches import COLUMN_WEIGHTS, best_rows, weighed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from psychmem_py.recall.ranking import Scored
    from psychmem_py.store.episodes import Episode

FITS, STRONG = 7.0, 3  # nats beyond chance; words that few conversations of the project hold
_PROMPT_CHARS = 600  # that are read
_LOOKED_AT = 20  # exchanges
_LITTLE_CHARS = 100  # a shorter answer tells nothing
_STRANGERS = 100  # a young project is read as if it held so many more conversations
_LEAST_WEIGHT = 0.3  # of a word that every conversation holds, in nats
_USUAL_WORDS = 60  # of an exchange; a longer one has more words by chance
_COUNTED = 3_000  # rows of one word; one that has more is in every conversation


def fitting(db: sqlite3.Connection, prompt: str, *, project: str, session: str) -> Episode | None:
    """The exchange of another conversation of the project that a prompt calls for; mostly None."""
    query = unasked(masked(prompt[:_PROMPT_CHARS]).text)
    query = query._replace(terms=tuple(pair for pair in query.terms if not pair[0].isdigit()))
    asked = weighed(db, query, asked=False, table="episode")
    if not asked.sought:
        return None
    elsewhere = f"episode.project = ? and episode.session != ? and length(episode.answer) >= {_LITTLE_CHARS}"
    rows = best_rows(db, asked.sought, (elsewhere, [project, session]), _LOOKED_AT, COLUMN_WEIGHTS, "episode")
    conversations, exchanges = db.execute(
        "select count(distinct session), count(*) from episode where project = ?", (project,)
    ).fetchone()
    holding = dict[str, int]()
    best, most = None, FITS
    for hit in scored(rows, asked.weights, COLUMN_WEIGHTS):
        for word in hit.own:
            if word not in holding:
                count = _conversations_with(db, word, project)
                holding[word] = conversations if count < 0 else count
        strong = sum(holding[word] <= max(2, conversations / 5) for word in hit.own)
        fit = _fit(hit, holding, conversations) - log(max(1, exchanges)) - log_ways(len(asked.surprises), len(hit.own)) / 2
        if strong >= STRONG and fit >= most:
            best, most = hit, fit
    return episodes.numbered(db, best.seq) if best else None


# Of the weight of two sentences' words what they must share, by how many of the shared ones few conversations hold.
SHARED = {0: 2.0, 1: 0.5, 2: 0.45, 3: 0.4}
LATER_S = 3_600.0  # after which the same conversation is another occasion
_SENTENCE_WORDS = 3
_WHERE = re.compile(r"https?://\S+|(?<!\w)[@~]?/[\w.-]+/\S*")
_FEW, _MOST_OF_THEM = 2, 0.25  # conversations that hold a rare word: at most so many, or that share of all


def restated(db: sqlite3.Connection, text: str, *, project: str, session: str, at: float) -> str:
    """The sentence of the same matter and direction that a person typed in another conversation, or an hour ago; "" where none is."""
    words = _matter(text)
    if len(words) < _SENTENCE_WORDS:
        return ""
    near = [one.episode for one in episodes.search(db, text, project, limit=_LOOKED_AT)]
    earlier = [one for one in near if one.at <= at - LATER_S or (one.session != session and one.at <= at)]
    query = "select count(distinct session) from episode where project = ?"
    conversations = max(1, int(db.execute(query, (project,)).fetchone()[0]))
    counts = {word: _conversations_with(db, word, project) for word in words} if earlier else {}
    spread = {word: conversations if count < 0 else max(1, count) for word, count in counts.items()}
    negative = is_negative(text)
    for one in earlier:
        # What a conversation is about comes back in it with every turn: there only nearly the same sentence is a second mention.
        least = dict.fromkeys(SHARED, SHARED[1]) if one.session == session else SHARED
        for clause in clauses(one.typed, ()):
            if is_negative(clause.text) is negative and _says_it(clause.text, words, spread, conversations, least):
                return clause.text
    return ""


def _matter(text: str) -> frozenset[str]:
    """The telling words of a text, without links and whole paths, which say where something is and are often repeated."""
    return frozenset(word for word in stems(_WHERE.sub(" ", text)) if len(word) > 2)


def _says_it(text: str, words: frozenset[str], spread: Mapping[str, int], conversations: int, least: Mapping[int, float]) -> bool:
    """Whether a sentence shares enough with these words, by how many of the shared ones are rare; a question asks and does not say."""
    other = _matter(text)
    if len(other) < _SENTENCE_WORDS or text.rstrip().endswith(QUESTION_MARKS):
        return False
    shared, most = words & other, max(_FEW, _MOST_OF_THEM * conversations)
    weight = {word: max(_LEAST_WEIGHT, log((conversations + 1) / count)) for word, count in spread.items()}
    usual = sum(weight.values()) / len(weight)
    both = sum(weight.values()) + sum(weight.get(word, usual) for word in other)
    rare = min(max(SHARED), sum(spread[word] <= most for word in shared))
    return 2 * sum(weight[word] for word in shared) / both >= least[rare]


def _fit(hit: Scored, holding: dict[str, int], conversations: int) -> float:
    """Nats that the words told, each one less for what happens by chance."""
    by_length = max(0.0, log(hit.length / _USUAL_WORDS)) if hit.length else 0.0
    return sum(max(0.0, log((conversations + _STRANGERS) / (holding[word] + 0.5)) - 1 - by_length) for word in hit.own)


def _conversations_with(db: sqlite3.Connection, word: str, project: str) -> int:
    """In how many conversations of the project a word stands; -1 for one that is too common to be counted."""
    rows, number = db.execute(
        "select count(*), count(distinct case when project = ? then session end) from"
        " (select rowid as seq from episode_fts where episode_fts match ? limit ?) join episode using (seq)",
        (project, f'"{word}"', _COUNTED),
    ).fetchone()
    return int(number) if rows < _COUNTED else -1
