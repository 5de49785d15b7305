"""Which exchange of an earlier conversation a prompt calls for, where a person wants that told; loaded for it alone.

Most prompts that share words with an earlier exchange need nothing of it, so this asks for more than a search does: docs/recall.md has
what it is worth.
"""

from __future__ import annotations

from math import log

from psychmem_py.extraction.mask import masked
from psychmem_py.recall.query import unasked
from psychmem_py.recall.ranking import log_ways, scored
from psychmem_py.store import episodes
from psychmem_py.store.matches import COLUMN_WEIGHTS, best_rows, weighed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from psychmem_py.recall.ranking import Scored
    from psychmem_py.store.episodes import Episode

FITS, STRONG = 7.0, 3  # nats beyond chance; words that few conversations of the project hold
_PROMPT_CHARS = 600  # that are read
_LOOKED_AT = 20  # exchanges
_LITTLE_CHARS = 100  # a shorter answer tells nothing
_STRANGERS = 100  # a young project is read as if it held so many more conversations
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
                holding[word] = _conversations_with(db, word, project) or conversations
        strong = sum(holding[word] <= max(2, conversations / 5) for word in hit.own)
        fit = _fit(hit, holding, conversations) - log(max(1, exchanges)) - log_ways(len(asked.surprises), len(hit.own)) / 2
        if strong >= STRONG and fit >= most:
            best, most = hit, fit
    return episodes.numbered(db, best.seq) if best else None


def _fit(hit: Scored, holding: dict[str, int], conversations: int) -> float:
    """Nats that the words told, each one less for what happens by chance."""
    by_length = max(0.0, log(hit.length / _USUAL_WORDS)) if hit.length else 0.0
    return sum(max(0.0, log((conversations + _STRANGERS) / (holding[word] + 0.5)) - 1 - by_length) for word in hit.own)


def _conversations_with(db: sqlite3.Connection, word: str, project: str) -> int:
    """In how many conversations of the project a word stands; 0 for one that is too common to be counted."""
    rows, number = db.execute(
        "select count(*), count(distinct case when project = ? then session end) from"
        " (select rowid as seq from episode_fts where episode_fts match ? limit ?) join episode using (seq)",
        (project, f'"{word}"', _COUNTED),
    ).fetchone()
    return int(number) if rows < _COUNTED else 0
