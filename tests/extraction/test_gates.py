"""What a clause says of itself that keeps it from being a memory."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.gates import filtered
from psychmem_py.languages.matcher import Hit
from psychmem_py.model.terms import Role
from tests.data import cases


def hits(names: str, group: str = "filters") -> list[Hit]:
    return [Hit(group=group, name=name, language="en", start=0, end=5) for name in names.split()]


@pytest.mark.parametrize(
    ("text", "families", "filters", "role", "gate", "reason"),
    cases("extraction", "a clause is refused for what it says of itself"),
)
def test_a_clause_is_refused_for_what_it_says_of_itself(
    text: str, families: str, filters: str, role: str, gate: str | None, reason: str
) -> None:
    refusal = filtered(text, hits(families, "signals.x"), hits(filters), Role(role)).refusal
    assert (refusal and refusal.gate, refusal.reason if refusal else "") == (gate, reason)


@pytest.mark.parametrize(
    ("text", "denied", "rule", "refused"), cases("extraction", "a negation denies what stands in its part of the sentence")
)
def test_a_negation_denies_what_stands_in_its_part_of_the_sentence(text: str, denied: str, rule: str, refused: bool) -> None:
    def hit(group: str, name: str, words: str) -> Hit:
        return Hit(group=group, name=name, language="en", start=text.index(words), end=text.index(words) + len(words))

    result = filtered(text, [hit("signals.constraint", "must", rule)], [hit("filters", "negation", denied)], Role.USER)
    assert (result.refusal is not None) is refused


def test_a_signal_inside_an_idiom_says_nothing() -> None:
    always = Hit(group="signals.emphasis_cue", name="always", language="en", start=3, end=9)
    idiom = Hit(group="filters", name="smalltalk", language="en", start=0, end=9)
    result = filtered("as always", [always], [idiom], Role.USER)
    assert result.void == (always,)
    assert result.refusal is not None
    assert result.refusal.reason == "smalltalk"


@pytest.mark.parametrize(
    ("families", "filters", "doubt"),
    [
        pytest.param("never", "", 0.0, id="nothing soft"),
        pytest.param("must", "hedge", -0.2, id="hedged"),
        pytest.param("never", "hedge", -0.1, id="a standing rule, hedged"),
        pytest.param("fact", "task_request", -0.15, id="part of a request"),
        pytest.param("always", "task_request", -0.05, id="a rule in a request"),
        pytest.param("never", "task_request", 0.0, id="a standing rule in a request"),
    ],
)
def test_soft_filters_take_from_the_confidence(families: str, filters: str, doubt: float) -> None:
    assert filtered("x", hits(families, "signals.x"), hits(filters), Role.USER).adjustment == pytest.approx(doubt)
