"""The class of a statement, by its grammar: rules, permissions, and what is said in passing."""

from pathlib import Path

import pytest

from psychmem_py.extraction.classify import kind_of
from psychmem_py.model.records import RULES, Kind, Role
from tests.data import cases, holds
from tests.shipped_languages import kept, swept

test_a_statement = holds("extraction", {
    "what a person states": lambda families, words, kind: (kind_of(families.split(), words.split(), Role.USER), kind),
    "a cause behind a choice is its reason": lambda text: (kinds(text), [Kind.DECISION]),
    "a cause behind a failure is a cause": lambda text: (kinds(text), [Kind.BUGFIX]),
    "what rules nothing is not kept": lambda text: (kinds(text), []),
    "what shall not ever be is a rule whatever reason stands behind it": lambda text: (kinds(text), [Kind.CONSTRAINT]),
    "what belongs to the task waits": lambda text, reason: ((bool(kinds(text)), reason in waiting(text)), (False, True)),
    "what is told as lasting is kept": lambda text: (bool(kinds(text)), True),
    "what speaks of nothing lasting is not kept": lambda text: (kinds(text), []),
    "what is wished of one thing is marked": lambda text, marked: ([bool(one.candidate.metadata) for one in swept(text) if one.is_kept], [marked]),
})  # fmt: skip


@pytest.mark.parametrize("families", ["never", "always", "must", "prefer", "remember", "complaint", "forever", "dont_want"])
def test_an_assistant_makes_no_rules(families: str) -> None:
    assert kind_of(families.split(), (), Role.ASSISTANT) in {Kind.SEMANTIC, Kind.DECISION, Kind.LEARNING, Kind.BUGFIX}


@pytest.mark.parametrize("word", cases("extraction", "words of emphasis in a rule are kept with it"))
def test_words_of_emphasis_in_a_rule_are_kept_with_it(word: str) -> None:
    ((kind, text),) = kept(f"It is {word} that every migration has a rollback.")
    assert kind in RULES | {Kind.DECISION}
    assert word in text


ALLOWED = [line.split("\t") for line in (Path(__file__).parents[1] / "data" / "permissions.tsv").read_text("utf-8").splitlines()]


def kinds(text: str) -> list[Kind]:
    return [kind for kind, _ in kept(text)]


def waiting(text: str) -> list[str]:
    return [verdict.reason for verdict in swept(text) if verdict.waiting]


@pytest.mark.parametrize("language", sorted({code for code, _ in ALLOWED}))
def test_what_is_allowed_is_kept(language: str) -> None:
    said = [text for code, text in ALLOWED if code == language]
    missed = [text for text in said if not kinds(text)]
    assert len(missed) <= 1, missed
