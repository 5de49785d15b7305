"""The class of a statement by its grammar."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.classify import kind_of
from psychmem_py.model.terms import RULES, Kind, Role
from tests.extraction.test_sweep import kept


@pytest.mark.parametrize(
    ("families", "words", "kind"),
    [
        pytest.param("cause", "", Kind.BUGFIX, id="a cause found"),
        pytest.param("choice", "", Kind.DECISION, id="a choice made"),
        pytest.param("choice forever", "", Kind.CONSTRAINT, id="a choice for good is a rule"),
        pytest.param("milestone", "", Kind.EPISODIC, id="something happened"),
        pytest.param("prefer", "", Kind.PREFERENCE, id="a taste"),
        pytest.param("learned", "", Kind.LEARNING, id="something learned"),
        pytest.param("never", "", Kind.CONSTRAINT, id="a ban"),
        pytest.param("must", "product", Kind.DECISION, id="what the product must do is settled"),
        pytest.param("must", "code", Kind.DECISION, id="what one piece of code must be is settled"),
        pytest.param("must universal", "product code", Kind.CONSTRAINT, id="what all code must be binds the work"),
        pytest.param("must", "code agent", Kind.CONSTRAINT, id="what the agent must do binds the work"),
        pytest.param("use_not should", "code", Kind.DECISION, id="what it should be instead is settled"),
        pytest.param("use_not should always", "code", Kind.CONSTRAINT, id="what should always be instead is a rule"),
        pytest.param("milestone want", "", Kind.DECISION, id="what is wished from a day on did not happen"),
        pytest.param("fact because", "", Kind.DECISION, id="what needs a reason was chosen"),
        pytest.param("remember always", "", Kind.PROCEDURAL, id="how something is done, to be remembered"),
        pytest.param("remember habit never", "tool", Kind.PROCEDURAL, id="how it is done, and how never"),
        pytest.param("remember", "", Kind.SEMANTIC, id="a fact to be remembered"),
        pytest.param("want", "agent", Kind.PREFERENCE, id="a wish about the agent's work"),
        pytest.param("dont_want", "agent", Kind.CONSTRAINT, id="what the agent shall not do"),
        pytest.param("want", "", Kind.DECISION, id="a wish about the product"),
        pytest.param("fact", "", Kind.SEMANTIC, id="a fact"),
        pytest.param("correction fact", "", Kind.SEMANTIC, id="a fact corrected"),
    ],
)
def test_what_a_person_states(families: str, words: str, kind: Kind) -> None:
    assert kind_of(families.split(), words.split(), Role.USER) is kind


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
