"""A statement that tells several things, taken apart, so that one of them can change and the others stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.memory import assertion_words as table
from psychmem_py.memory.assertions import ONE_VALUE, Assertion, assertion, assertions, clauses, relation_phrases
from psychmem_py.memory.compiled_words import NEGATIVE
from psychmem_py.memory.matters import fitting, matters_of
from psychmem_py.text.pointing_words import POINTING
from psychmem_py.text.tokenizer import index_form, words


class Half(NamedTuple):
    """A clause of a statement that tells several things, as a statement of its own."""

    text: str
    assertion: Assertion


def left_over(known: str, new: str, about: str = "") -> list[str]:
    """What a compound statement still says when `new` changes one part of it: the other clauses, each with its subject.

    The part that changes is the one `about` names, else the one of whose relation or matter `new` speaks. Nothing when it speaks of
    none of the clauses, or of all of them.
    """
    parts = halves(known)
    if len(parts) < 2:
        return []
    concerned = _named(parts, about) if about else []
    if not any(concerned):
        concerned = _stated(parts, new)
    if not any(concerned):
        concerned = _of_one_matter(parts, new)
    return [half.text for half, hit in zip(parts, concerned, strict=True) if not hit] if any(concerned) else []


def _stated(parts: Sequence[Half], new: str) -> list[bool]:
    stated = assertions(new)
    return [any(_same_matter(one, half.assertion) for one in stated) for half in parts]


def _named(parts: Sequence[Half], about: str) -> list[bool]:
    fits = fitting(about, [half.text for half in parts], telling_apart=True)
    return [fit > 0 and fit >= max(fits) / 2 for fit in fits]


def _of_one_matter(parts: Sequence[Half], new: str) -> list[bool]:
    return [not matters_of(half.text).isdisjoint(matters_of(new)) for half in parts]


def _same_matter(one: Assertion, other: Assertion) -> bool:
    if one.subject and other.subject and one.subject != other.subject:
        return False
    if one.relation != other.relation:
        return False
    multiple = one.relation not in ONE_VALUE and one.relation not in ("choice", "is")
    return bool(one.value & other.value) or (not multiple and (one.relation != "is" or one.subject == other.subject))


def halves(text: str) -> list[Half]:
    """The clauses of a compound statement; fewer than two where a part does not stand alone."""
    both: list[Half] = []
    subject = ""
    for part in clauses(text):
        one = assertion(part, continued=bool(both))
        if one is None or (both and not POINTING.isdisjoint(words(part))):  # "and has never been there" says nothing alone
            return []
        if one.subject or not subject:
            subject = _subject_words(part) if one.subject else ""
            both.append(Half(_sentence(part), one))
        else:
            both.append(Half(_sentence(f"{subject} {part}"), one._replace(subject=both[-1].assertion.subject)))
    return both


def _sentence(text: str) -> str:
    return text.strip().rstrip(".,;")


_AUXILIARIES = frozenset(("do", "does", "did"))


def _subject_words(clause: str) -> str:
    """The words before the verb, as they were written."""
    kept: list[str] = []
    verbs = {phrase[0] for phrase in relation_phrases()} | table.VERBS_OF_MANY | table.FORMS_OF_BE
    for word in clause.split():
        folded = index_form(word).strip(",.;:")
        if kept and (folded in verbs or folded in table.IN_PASSING or folded in NEGATIVE | _AUXILIARIES):
            break
        kept.append(word)
    return " ".join(kept)
