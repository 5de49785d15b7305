"""Whether a person's message does no more than agree with what was said before it. Pure."""

from __future__ import annotations

from psychmem_py.extraction.clauses import QUESTION_MARKS, clauses, letters_said
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.matcher import Matcher
from psychmem_py.text.folding import fold

LONGEST_LETTERS = 60  # who writes more says something of his own


def agrees(text: str, answer: str, matcher: Matcher) -> bool:
    """Whether `text` is a short yes to `answer`, whose language it may be in: "exactly, go ahead"; not "yes, but …" or "really?"."""
    folded = fold(text.strip())
    if not folded or letters_said(folded) > LONGEST_LETTERS or any(mark in folded for mark in QUESTION_MARKS):
        return False
    known = tuple(matcher.languages.values())
    codes = dict.fromkeys((*languages_of(folded, known), *languages_of(fold(answer), known)))
    first = next(iter(clauses(folded)), None)
    if first is None:
        return False
    hits = matcher.hits(folded, codes, "agreement", _is_answer)
    return any(hit.name == "agreement" and hit.start <= first.start for hit in hits) and not any(
        hit.name == "reserve" for hit in hits
    )


def _is_answer(group: str, name: str) -> bool:
    return group == "lexicon" and name in ("agreement", "reserve")
