"""What a sentence is about; globs; what stands above a text; ends in words."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.home.places import globbed
from psychmem_py.text.dates import iso, moment, until
from psychmem_py.text.front_matter import parted
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


@given(st.text("ab/*.?[]!", max_size=12), st.text("ab/.", max_size=14))
def test_a_pattern_fits_what_fnmatch_says_it_fits(glob: str, path: str) -> None:
    assert globbed(path, glob) == fnmatchcase(path, glob)


@given(st.lists(st.sampled_from(["ab", "/", "*", "b.", "a"]), max_size=8), st.lists(st.text("ab/.", max_size=3), max_size=8))
def test_a_pattern_fits_a_path_made_from_it(pieces: list[str], filling: list[str]) -> None:
    filled = iter(filling)
    path = "".join(next(filled, "") if piece == "*" else piece for piece in pieces)
    assert globbed(path, "".join(pieces))


@pytest.mark.parametrize(("path", "glob"), cases("text", "a pattern does not fit"))
def test_a_pattern_does_not_fit(path: str, glob: str) -> None:
    assert not globbed(path, glob)


@pytest.mark.parametrize(("text", "head", "body"), cases("text", "front matter is parted from the text"))
def test_front_matter_is_parted_from_the_text(text: str, head: str, body: str) -> None:
    assert parted(text) == (head, body)


WEDNESDAY = moment("2026-03-04T10:30")


@pytest.mark.parametrize(("text", "end"), cases("text", "an end is read as it is meant"))
def test_an_end_is_read_as_it_is_meant(text: str, end: str) -> None:
    assert iso(until(text, WEDNESDAY)) == end


@pytest.mark.parametrize("text", ["", "soon", "3 moons", "2026-13-40"])
def test_what_is_no_end_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no ISO 8601 time"):
        until(text, WEDNESDAY)
