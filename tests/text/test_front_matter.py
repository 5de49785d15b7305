"""The lines above a Markdown text."""

from __future__ import annotations

import pytest

from psychmem_py.text.front_matter import parted


@pytest.mark.parametrize(
    ("text", "head", "body"),
    [
        pytest.param("x\n---\na: 1\n---\n", "", "x\n---\na: 1\n---\n", id="none, for it does not begin the text"),
        pytest.param("---\na: 1\nx", "", "---\na: 1\nx", id="none, for it does not end"),
        pytest.param("---\na: 1\n---b\nx", "", "---\na: 1\n---b\nx", id="none, for the line has more"),
        pytest.param("---\na: 1\n---\nx", "a: 1\n", "x", id="a line"),
        pytest.param("\ufeff---\r\na: 1\r\nb: 2\r\n---\r\nx", "a: 1\r\nb: 2\r\n", "x", id="from Windows"),
        pytest.param("---\na: 1\n---", "a: 1\n", "", id="nothing behind it"),
    ],
)
def test_front_matter_is_parted_from_the_text(text: str, head: str, body: str) -> None:
    assert parted(text) == (head, body)
