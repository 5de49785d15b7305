"""The lines above a Markdown text."""

from __future__ import annotations

import pytest

from psychmem_py.text.front_matter import parted
from tests.data import cases


@pytest.mark.parametrize(("text", "head", "body"), cases("text", "front matter is parted from the text"))
def test_front_matter_is_parted_from_the_text(text: str, head: str, body: str) -> None:
    assert parted(text) == (head, body)
