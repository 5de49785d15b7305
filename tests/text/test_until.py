"""When something ends, as people write it."""

from __future__ import annotations

import pytest

from psychmem_py.text.dates import iso, moment, until
from tests.data import cases

WEDNESDAY = moment("2026-03-04T10:30")


@pytest.mark.parametrize(("text", "end"), cases("text", "an end is read as it is meant"))
def test_an_end_is_read_as_it_is_meant(text: str, end: str) -> None:
    assert iso(until(text, WEDNESDAY)) == end


@pytest.mark.parametrize("text", ["", "soon", "3 moons", "2026-13-40"])
def test_what_is_no_end_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no ISO 8601 time"):
        until(text, WEDNESDAY)
