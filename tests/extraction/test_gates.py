"""What a clause says of itself that keeps it from being a memory."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.gates import filtered
from psychmem_py.languages.matcher import Hit
from psychmem_py.model.terms import Gate, Role


def hits(names: str, group: str = "filters") -> list[Hit]:
    return [Hit(group=group, name=name, language="en", start=0, end=5) for name in names.split()]


@pytest.mark.parametrize(
    ("text", "families", "filters", "role", "gate", "reason"),
    [
        pytest.param("never push to main", "never", "", Role.USER, None, "", id="a plain rule passes"),
        pytest.param("never push, ok?", "never", "question", Role.USER, None, "", id="a tag question leaves a rule a rule"),
        pytest.param("why do you always push?", "complaint", "question", Role.USER, None, "", id="a complaint is a rule"),
        pytest.param("should we use redis?", "should", "question", Role.USER, Gate.QUESTION, "question", id="a question"),
        pytest.param("we use redis?", "fact", "", Role.USER, Gate.QUESTION, "question", id="its mark alone makes a question"),
        pytest.param("forget that we never push", "never", "forget", Role.USER, Gate.FILTER, "forget", id="an order to forget"),
        pytest.param("if we must push", "must", "hypothetical", Role.USER, Gate.FILTER, "hypothetical", id="a condition"),
        pytest.param("for now always push", "always", "temporary", Role.USER, Gate.FILTER, "temporary", id="only for now"),
        pytest.param("we chose redis for now", "choice", "temporary", Role.USER, None, "", id="a choice may be for now"),
        pytest.param("always late haha", "always", "", Role.USER, Gate.FILTER, "smalltalk", id="laughter"),
        pytest.param("perhaps it is the cache", "cause", "hedge", Role.ASSISTANT, Gate.FILTER, "hedge", id="an assistant's guess"),
        pytest.param("perhaps never push", "never", "hedge", Role.USER, None, "", id="a person's guess is only doubted"),
        pytest.param("let me look", "fixed", "narration", Role.ASSISTANT, Gate.FILTER, "narration", id="what it is about to do"),
        pytest.param("found it", "cause", "narration", Role.ASSISTANT, None, "", id="a finding is no narration"),
    ],
)  # fmt: skip
def test_a_clause_is_refused_for_what_it_says_of_itself(
    text: str, families: str, filters: str, role: Role, gate: Gate | None, reason: str
) -> None:
    refusal = filtered(text, hits(families, "signals.x"), hits(filters), role).refusal
    assert (refusal and refusal.gate, refusal.reason if refusal else "") == (gate, reason)


@pytest.mark.parametrize(
    ("text", "denied", "rule", "refused"),
    [
        pytest.param("we do not say that we must test", "do not say", "must", True, id="takes the rule back"),
        pytest.param("I don't mind it, but we must test", "don't mind", "must", False, id="of another part"),
        pytest.param("我不介意，但必须测试", "不介意", "必须", False, id="the same in Chinese"),
        pytest.param("must it be tested, nobody said so", "nobody said", "must", False, id="of a part behind"),
    ],
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
