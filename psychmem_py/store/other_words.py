"""The words of the index that a question's words may stand for: mended slips, and others of the same family."""

from __future__ import annotations

from psychmem_py.text.spelling import LONGEST_ENDING, family, nearest, unstemmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping

_TYPED_CHARS = 5  # shorter unknown words are not looked up in other spellings
_SLIPS = 12  # words of a question in which slips are mended; a longer one has words enough without


def mended(db: sqlite3.Connection, terms: Mapping[str, int], count: Callable[[str], int]) -> dict[str, str]:
    """For unknown words among `terms` (with how many memories hold each) the known words they may be slips of.

    `count` tells how many memories hold a word.
    """
    if len(terms) > _SLIPS:
        return {}
    texts = {}
    for term, holding in terms.items():
        if not holding and len(term) >= _TYPED_CHARS and term.isascii() and term.isalpha():
            stems = db.execute(
                "select term from memory_terms where term >= ? and term < ? and length(term) between ? and ?",
                (term[:2], term[:2] + "\U0010ffff", len(term) - LONGEST_ENDING - 1, len(term) + 1),
            )
            if meant := next(_words(nearest(term, (stem for (stem,) in stems)), count), None):
                texts[term] = meant
    return texts


def _words(stems: Iterable[str], count: Callable[[str], int]) -> Iterator[str]:
    """Of each stem a word that the index finds by it."""
    for stem in stems:
        yield from (word for word in unstemmed(stem)[:4] if count(word))


def of_the_family(terms: Iterable[str], count: Callable[[str], int]) -> dict[str, str]:
    """Known words of the same family as one of `terms`, each with that one."""
    asked = dict.fromkeys(terms)
    return {other: term for term in asked for other in family(term) if other not in asked and count(other)}
