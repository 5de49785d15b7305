"""The class of a statement by its grammar."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.classify import kind_of
from psychmem_py.model.terms import RULES, Kind, Role
from tests.data import cases
from tests.extraction.test_sweep import kept


@pytest.mark.parametrize(("families", "words", "kind"), cases("extraction", "what a person states"))
def test_what_a_person_states(families: str, words: str, kind: str) -> None:
    assert kind_of(families.split(), words.split(), Role.USER) == kind


@pytest.mark.parametrize("families", ["never", "always", "must", "prefer", "remember", "complaint", "forever", "dont_want"])
def test_an_assistant_makes_no_rules(families: str) -> None:
    assert kind_of(families.split(), (), Role.ASSISTANT) in {Kind.SEMANTIC, Kind.DECISION, Kind.LEARNING, Kind.BUGFIX}


@pytest.mark.parametrize("word", ["critical", "essential", "important"])
def test_words_of_emphasis_in_a_rule_are_kept_with_it(word: str) -> None:
    ((kind, text),) = kept(f"It is {word} that every migration has a rollback.")
    assert kind in RULES | {Kind.DECISION}
    assert word in text


@pytest.mark.parametrize(
    "text",
    [
        "prices are integers of cents because floats rounded wrongly",
        "Beträge stehen in Cent, weil Floats falsch gerundet wurden",
        "Мы храним цены в копейках, потому что float округлял неправильно",
    ],
)
def test_a_cause_behind_a_choice_is_its_reason(text: str) -> None:
    ((kind, _),) = kept(text)
    assert kind is Kind.DECISION


@pytest.mark.parametrize(
    "text",
    [
        "the build failed because the runner image has no git",
        "login broke because the cookie was set without SameSite",
    ],
)
def test_a_cause_behind_a_failure_is_a_cause(text: str) -> None:
    ((kind, _),) = kept(text)
    assert kind is Kind.BUGFIX


def test_an_aim_and_a_series_are_a_procedure() -> None:
    ((kind, _),) = kept("To release: bump the version, run make dist, then push the tag.")
    assert kind is Kind.PROCEDURAL
