"""JSON as `json` reads and writes it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.home.light_json import decoded, encoded

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_what_json_writes_is_read(value: object) -> None:
    assert decoded(json.dumps(value).encode()) == value


@given(VALUES)
def test_what_is_written_json_reads(value: object) -> None:
    assert json.loads(encoded(value)) == value


@pytest.mark.parametrize("raw", [b"", b" ", b"{", b"[1] x", b"1 2", b"\xff", b"nope", b'{"a":1,}'])
def test_what_is_no_json_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # as with `json`
        decoded(raw)


def test_a_mark_and_white_space_around_a_value_are_nothing() -> None:
    assert decoded(b'\xef\xbb\xbf {"a": [1]}\n') == {"a": [1]}


def test_a_lone_surrogate_is_written_so_that_it_can_be_stored() -> None:
    assert encoded("a\ud800b") == '"a?b"'
