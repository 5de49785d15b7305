"""What the language files see in a text, clause by clause: every phrase that matched, whether or not it decided anything. Pure."""

from __future__ import annotations

from typing import NamedTuple

from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.mask import masked
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.language import Hit
from psychmem_py.languages.matcher import Matcher
from psychmem_py.text.folding import fold


class ClauseTrace(NamedTuple):
    """A clause as it was written, and its hits in order of position."""

    text: str
    hits: tuple[Hit, ...]


def trace(text: str, matcher: Matcher) -> list[ClauseTrace]:
    """The clauses of `text` with all phrases of its likely languages found in each; lexicon lists included."""
    hidden = masked(text).text
    folded = fold(hidden)
    codes = languages_of(folded, tuple(matcher.languages.values()))
    abbreviations = [word for code in codes for word in matcher.languages[code].abbreviations]
    return [
        ClauseTrace(
            text[clause.start : clause.end], tuple(sorted(matcher.hits(folded[clause.start : clause.end], codes), key=_order))
        )
        for clause in clauses(hidden, abbreviations)
    ]


def _order(hit: Hit) -> tuple[int, int, str, str, str]:
    return hit.start, hit.end, hit.group, hit.name, hit.phrase
