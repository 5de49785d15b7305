"""A sentence that a brief says alone must say what it is about."""

from __future__ import annotations

import pytest

from psychmem_py.text.own_subject import has_own_subject, is_whole
from tests.data import cases


@pytest.mark.parametrize("text", cases("text", "says what it is about"))
def test_says_what_it_is_about(text: str) -> None:
    assert has_own_subject(text)


@pytest.mark.parametrize("text", cases("text", "points at something said before"))
def test_points_at_something_said_before(text: str) -> None:
    assert not has_own_subject(text)


def test_a_question_an_announcement_and_the_end_of_a_bracket_are_no_whole_sentences() -> None:
    assert not is_whole("why do we still ship the old parser?")
    assert not is_whole("これは必要ですか？")
    assert not is_whole("The tables in question:")
    assert not is_whole("only slashes are disallowed there)")
    assert is_whole("1) tests first, 2) then the code :)")
    assert is_whole("use `make` (or `just`)")


def test_an_assistant_begins_its_sentences_with_a_capital_or_a_name() -> None:
    assert not is_whole("defines two helpers for the parser", spoken=False)
    assert is_whole("never push on Fridays", spoken=True)
    assert is_whole("parser.py reads the file twice", spoken=False)
    assert is_whole("Der Parser liest zweimal", spoken=False)
