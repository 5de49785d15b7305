"""Where a statement begins and ends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.extraction.clauses import clauses

CASES = [
    pytest.param("Use v20.11.1. Never older.", ["Use v20.11.1.", "Never older."], id="versions hold together"),
    pytest.param("Edit config.prod.yaml only.", ["Edit config.prod.yaml only."], id="file names hold together"),
    pytest.param("Use one, e.g. this. Then stop.", ["Use one, e.g. this.", "Then stop."], id="abbreviations"),
    pytest.param("必须用中文。不要用英文！好吗？", ["必须用中文。", "不要用英文！", "好吗？"], id="signs of Han scripts"),
    pytest.param("यह सही है। वह नहीं।", ["यह सही है।", "वह नहीं।"], id="danda"),
    pytest.param("هل هذا صحيح؟ نعم", ["هل هذا صحيح؟", "نعم"], id="Arabic question mark"),
    pytest.param("- one thing\n- two things", ["one thing", "two things"], id="bullets"),
    pytest.param("1. one thing\n2. two things", ["one thing", "two things"], id="numbered lines"),
    pytest.param("please: 1) do this 2) do that", ["please:", "do this", "do that"], id="numbers inside a line"),
    pytest.param(
        "when --json is used, print only JSON", ["when --json is used, print only JSON"], id="a condition stays with its rule"
    ),
    pytest.param("make it so -> never again", ["make it so ->", "never again"], id="arrows"),
    pytest.param("cats, dogs etc. are banned", ["cats, dogs etc. are banned"], id="and so on, inside"),
    pytest.param("cats, dogs etc. They bite.", ["cats, dogs etc.", "They bite."], id="and so on, at the end"),
    pytest.param("...\n!!!\n1.", [], id="nothing said"),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
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
