from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.home.places import globbed


@given(st.text("ab/*.?[]!", max_size=12), st.text("ab/.", max_size=14))
def test_a_pattern_fits_what_fnmatch_says_it_fits(glob: str, path: str) -> None:
    assert globbed(path, glob) == fnmatchcase(path, glob)


@given(st.lists(st.sampled_from(["ab", "/", "*", "b.", "a"]), max_size=8), st.lists(st.text("ab/.", max_size=3), max_size=8))
def test_a_pattern_fits_a_path_made_from_it(pieces: list[str], filling: list[str]) -> None:
    filled = iter(filling)
    path = "".join(next(filled, "") if piece == "*" else piece for piece in pieces)
    assert globbed(path, "".join(pieces))


@pytest.mark.parametrize(
    ("path", "glob"),
    [
        pytest.param("/a/private", "/a/private/*", id="the folder is not in itself"),
        pytest.param("aba", "ab*ba", id="start and end share no letter"),
        pytest.param("/home/x/secret", "secret", id="without a star the whole path is meant"),
        pytest.param("/A/b", "/a/*", id="case counts"),
    ],
)
def test_a_pattern_does_not_fit(path: str, glob: str) -> None:
    assert not globbed(path, glob)
