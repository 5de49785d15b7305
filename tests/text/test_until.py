"""When something ends, as people write it."""

from __future__ import annotations

import pytest

from psychmem_py.text.dates import iso, moment, until

WEDNESDAY = moment("2026-03-04T10:30")


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("friday", "2026-03-06T23:59:59Z"),
        ("until Friday", "2026-03-06T23:59:59Z"),
        ("wed", "2026-03-04T23:59:59Z"),
        ("monday", "2026-03-09T23:59:59Z"),
        ("today", "2026-03-04T23:59:59Z"),
        ("tomorrow", "2026-03-05T23:59:59Z"),
        ("3 days", "2026-03-07T10:30:00Z"),
        ("in 2 weeks", "2026-03-18T10:30:00Z"),
        ("2 hours", "2026-03-04T12:30:00Z"),
        ("45min", "2026-03-04T11:15:00Z"),
        ("7d", "2026-03-11T10:30:00Z"),
        ("2026-04-01", "2026-04-01T23:59:59Z"),
        ("2026-04-01T12:00", "2026-04-01T12:00:00Z"),
    ],
)
def test_an_end_is_read_as_it_is_meant(text: str, end: str) -> None:
    assert iso(until(text, WEDNESDAY)) == end


@pytest.mark.parametrize("text", ["", "soon", "3 moons", "2026-13-40"])
def test_what_is_no_end_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no ISO 8601 time"):
        until(text, WEDNESDAY)
