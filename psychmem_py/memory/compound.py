"""A statement that tells several things, taken apart, so that one of them can change and the others stay."""

from __future__ import annotations

from typing import NamedTuple

from psychmem_py.memory import assertion_words as table
from psychmem_py.memory.assertions import ONE_VALUE, Assertion, assertion, assertions, clauses, relation_phrases
from psychmem_py.memory.compiled_words import NEGATIVE
from psychmem_py.text.tokenizer import index_form


class Half(NamedTuple):
    """A clause of a statement that tells several things, as a statement of its own."""

    text: str
    assertion: Assertion


def left_over(known: str, new: str) -> list[str]:
    """What a compound statement still says when `new` changes one part of it: the other clauses, each with its subject.

    Nothing when `new` speaks of none of the clauses, or of all of them.
    """
    parts = halves(known)
    stated = assertions(new)
    if len(parts) < 2 or not stated:
        return []
    concerned = [any(_same_matter(one, half.assertion) for one in stated) for half in parts]
    return [half.text for half, hit in zip(parts, concerned, strict=True) if not hit] if any(concerned) else []


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
        one = assertion(part)
        if one is None:
            return []
        if one.subject or not subject:
            subject = _subject_words(part) if one.subject else ""
            both.append(Half(_sentence(part), one))
        else:
            both.append(Half(_sentence(f"{subject} {part}"), one._replace(subject=both[-1].assertion.subject)))
    return both


def _sentence(text: str) -> str:
    return text.strip().rstrip(".,;")


def _subject_words(clause: str) -> str:
    """The words before the verb, as they were written."""
    kept: list[str] = []
    verbs = {phrase[0] for phrase in relation_phrases()} | table.VERBS_OF_MANY | table.FORMS_OF_BE
    for word in clause.split():
        folded = index_form(word).strip(",.;:")
        if kept and (folded in verbs or folded in table.IN_PASSING or folded in NEGATIVE):
            break
        kept.append(word)
    return " ".join(kept)
