"""Where a statement begins and ends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.extraction.clauses import clauses
from tests.data import cases


@pytest.mark.parametrize(("text", "expected"), cases("extraction", "cut"))
def test_cut(text: str, expected: list[str]):
    assert [clause.text for clause in clauses(text)] == expected


def test_a_wrapped_line_goes_on():
    text = "this sentence is long enough to have been wrapped by an editor at its\nright edge and never ends there"
    assert len(clauses(text)) == 1


@given(st.text(alphabet="ab.!?\n 1)-。", max_size=80))
def test_offsets_are_true_and_in_order(text: str):
    found = clauses(text)
    assert all(text[c.start : c.end] == c.text for c in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
