"""What the hits of a clause are evidence for."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.clause_evidence import (
    ClauseEvidence,
    announces,
    behind_wrapper,
    evidence_behind,
    lexical_signals,
    says_enough,
    shifted,
    without_doubles,
)
from psychmem_py.languages.matcher import Hit
from psychmem_py.model.terms import Role


def hit(name: str, start: int, end: int, group: str = "signals.constraint") -> Hit:
    return Hit(group=group, name=name, language="en", start=start, end=end)


def evidence(*signals: Hit) -> ClauseEvidence:
    return ClauseEvidence(signals, (), (), frozenset(), opens_with_pronoun=False)


@pytest.mark.parametrize(
    ("text", "family", "announcing"),
    [
        ("decided.", "choice", True),
        ("good to know:", "learned", True),
        pytest.param("never.", "never", False, id="a ban is about something"),
        pytest.param("decided on the new database of the shop.", "choice", False, id="it says itself what was decided"),
    ],
)
def test_a_clause_of_few_words_speaks_of_the_next(text: str, family: str, announcing: bool) -> None:
    length = min(len(text), 7)
    assert bool(announces(evidence(hit(family, 0, length)), text)) is announcing


def test_should_beside_a_stronger_rule_on_the_same_words_is_no_second_evidence() -> None:
    never, should, elsewhere = hit("never", 0, 12), hit("should", 3, 9), hit("should", 20, 26)
    assert without_doubles([never, should, elsewhere]) == (never, elsewhere)


def test_a_wrapper_ends_where_the_sentence_begins() -> None:
    text = "remember that CI is very slow"
    assert text[behind_wrapper(text, evidence(hit("remember", 0, 8))) :] == "CI is very slow"
    assert behind_wrapper(text, evidence(hit("never", 0, 8))) == 0


def test_offsets_follow_the_sentence_that_is_cut_out() -> None:
    assert shifted([hit("never", 10, 15)], 8) == (hit("never", 2, 7),)


def test_a_family_found_twice_is_one_signal_and_a_person_s_ban_weighs_more_than_an_assistant_s() -> None:
    twice = [hit("never", 0, 5), hit("never", 10, 15)]
    (person,) = lexical_signals(twice, Role.USER, 100)
    (assistant,) = lexical_signals(twice, Role.ASSISTANT, 100)
    assert (person.start, person.end) == (100, 105)
    assert person.weight > assistant.weight == 0


@pytest.mark.parametrize(("text", "enough"), [("the tests run on Python 3.12", True), ("note this:", False), ("yes", False)])
def test_what_was_announced_must_say_something(text: str, enough: bool) -> None:
    assert says_enough(text) is enough


def test_behind_a_wrapper_only_what_it_says_of_itself_is_dropped() -> None:
    ask, pasted, at_cut, later = (
        hit(name, at, at + 6, "filters")
        for name, at in (("task_request", 0), ("pasted", 0), ("narration", 14), ("task_request", 20))
    )
    whole = evidence()._replace(filters=(ask, pasted, at_cut, later))
    left = evidence_behind(whole, 14, evidence()).filters
    assert [(one.name, one.start) for one in left] == [("pasted", -14), ("narration", 0), ("task_request", 6)]
