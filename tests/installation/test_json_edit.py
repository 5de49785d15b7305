"""Editing JSON as text: comments, trailing commas and blanks survive."""

from __future__ import annotations

import pytest

from psychmem_py.installation import json_edit
from tests.data import cases


@pytest.mark.parametrize(("text", "expected"), cases("installation", "an item is added in the files own style"))
def test_an_item_is_added_in_the_files_own_style(text: str, expected: str) -> None:
    array = json_edit.parse(text).get("a")
    assert array is not None
    assert json_edit.item(text, array, 2).into(text) == expected


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        pytest.param("[1, 2, 3]", 0, "[2, 3]", id="first"),
        pytest.param("[1, 2, 3]", 1, "[1, 3]", id="middle"),
        pytest.param("[1, 2, 3]", 2, "[1, 2]", id="last"),
        pytest.param("[1, 2,]", 1, "[1,]", id="last before a trailing comma"),
        pytest.param("[ 1 ]", 0, "[]", id="only"),
        pytest.param('{\n  "a": 1,\n  "b": 2\n}', 0, '{\n  "b": 2\n}', id="first member"),
        pytest.param('{\n  "a": 1,\n  "b": 2\n}', 1, '{\n  "a": 1\n}', id="last member"),
    ],
)
def test_a_child_goes_with_its_comma(text: str, index: int, expected: str) -> None:
    assert json_edit.without(text, json_edit.parse(text), index) == expected


@pytest.mark.parametrize("text", ["", "{", '{"a"}', '{"a" 1}', "[1 2]", "[1]]", "{a: 1}", "{1: 2}", "[", '"x'])
def test_what_is_not_json_is_said(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        json_edit.parse(text)
