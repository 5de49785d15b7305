"""How ages are told."""

from __future__ import annotations

import pytest

from psychmem_py.cli import output


@pytest.mark.parametrize(("seconds", "told"), [(0, "now"), (59, "now"), (300, "5 min ago"), (200_000, "2 d ago")])
def test_an_age_reads_as_a_sentence_has_it(seconds: int, told: str) -> None:
    assert output.since(1_000_000.0 - seconds, 1_000_000.0) == told
