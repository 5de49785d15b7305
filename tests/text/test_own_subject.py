"""What a sentence is about; globs; what stands above a text; ends in words."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.home.places import matches_glob
from psychmem_py.text.dates import end_named, iso, moment, until
from psychmem_py.text.front_matter import parted
from psychmem_py.text.own_subject import has_own_subject, is_whole
from tests.data import holds

test_a_text = holds("text", {
    "says what it is about": lambda text: (has_own_subject(text), True),
    "points at something said before": lambda text: (has_own_subject(text), False),
    "a whole sentence of a person or of an assistant": lambda text, spoken, whole: (is_whole(text, spoken=spoken), whole),
    "a pattern does not fit": lambda path, glob: (matches_glob(path, glob), False),
    "front matter is parted from the text": lambda text, head, body: (parted(text), (head, body)),
    "a text says when it ends": lambda text, end: (iso(end_named(text, WEDNESDAY) or 0.0)[:10], end),
    "an end is read as it is meant": lambda text, end: (iso(until(text, WEDNESDAY))[:19] + "Z", end),
})  # fmt: skip


@given(st.text("ab/*.?[]!", max_size=12), st.text("ab/.", max_size=14))
def test_a_pattern_fits_what_fnmatch_says_it_fits(glob: str, path: str) -> None:
    assert matches_glob(path, glob) == fnmatchcase(path, glob)


@given(st.lists(st.sampled_from(["ab", "/", "*", "b.", "a"]), max_size=8), st.lists(st.text("ab/.", max_size=3), max_size=8))
def test_a_pattern_fits_a_path_made_from_it(pieces: list[str], filling: list[str]) -> None:
    filled = iter(filling)
    path = "".join(next(filled, "") if piece == "*" else piece for piece in pieces)
    assert matches_glob(path, "".join(pieces))


WEDNESDAY = moment("2026-03-04T10:30")


@pytest.mark.parametrize("text", ["", "soon", "3 moons", "days", "2026-13-40"])
def test_what_is_no_end_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no ISO 8601 time"):
        until(text, WEDNESDAY)
