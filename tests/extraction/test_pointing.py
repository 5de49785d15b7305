""" "Remember that." points at the sentence before it; "forget everything about X" is a wish, never a deed."""

from __future__ import annotations

from pathlib import Path

import pytest

from psychmem_py.extraction.sweep import sweep
from psychmem_py.memory.admission import FORGET_ABOUT
from psychmem_py.model.records import Message, Verdict
from psychmem_py.model.terms import Origin, Role
from tests.data import cases
from tests.shipped_languages import MATCHER

MANY = [tuple(line.split("\t")) for line in (Path(__file__).parents[1] / "data" / "pointing.tsv").read_text("utf-8").splitlines()]


def verdicts(text: str) -> list[Verdict]:
    return sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], MATCHER)


def kept(text: str) -> list[str]:
    return [verdict.candidate.text for verdict in verdicts(text) if verdict.is_kept]


@pytest.mark.parametrize(("fact", "pointing"), cases("extraction", "the sentence before is what is to be remembered"))
def test_the_sentence_before_is_what_is_to_be_remembered(fact, pointing):
    assert [text.rstrip(".。।") for text in kept(f"{fact} {pointing}")] == [fact.rstrip(".。।")]


@pytest.mark.parametrize("language", sorted({line[0] for line in MANY}))
def test_it_is_seen_in_many_words_of_each_language(language):
    """Fourteen sentences a language, half of them read while the phrases were made: 81 of 224 held before, 221 then."""
    said = [(fact, pointing) for code, fact, pointing in MANY if code == language]
    missed = [one for one in said if [text.rstrip(".。।") for text in kept(" ".join(one))] != [one[0].rstrip(".。।")]]
    assert len(missed) <= 2, missed


def test_what_points_at_nothing_is_no_memory():
    assert kept("Remember that.") == []
    assert kept("Is the box up? Remember that.") == []


def test_what_says_something_itself_does_not_point():
    assert kept("The box is slow. Remember that the port is 8080.") == ["the port is 8080."]


@pytest.mark.parametrize(("text", "subject"), cases("extraction", "a wish to forget names its subject"))
def test_a_wish_to_forget_names_its_subject(text, subject):
    assert [verdict.candidate.text for verdict in verdicts(text) if verdict.reason == FORGET_ABOUT] == [subject]


def test_a_single_thing_forgotten_is_no_such_wish():
    assert not [verdict for verdict in verdicts("Forget it, the build is green.") if verdict.reason == FORGET_ABOUT]


@pytest.mark.parametrize(("before", "rule"), cases("extraction", "what points takes the sentence before along"))
def test_what_points_takes_the_sentence_before_along(before, rule):
    assert [text for text in kept(f"{before} {rule}") if rule in text] == [f"{before} {rule}"]


def test_what_names_its_subject_stands_alone():
    assert "Never touch the ledger table by hand." in kept("Refunds are booked at night. Never touch the ledger table by hand.")
