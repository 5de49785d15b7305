"""The sums of evidence, worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.extraction.weights import confidence

WEIGHTS = st.lists(st.floats(0.05, 0.9), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([0.8], 0.65),  # (0.8 + 0.3 + 0.2) / 2
        ([0.6], 0.55),  # (0.6 + 0.3 + 0.2) / 2
        ([0.6, 0.3], 0.625),  # (0.6 + 0.3 + 0.2 + 0.15) / 2
        ([0.6, 0.6], 0.65),  # (0.6 + 0.3 + 0.4) / 2
        ([0.3], 0.375),  # (0.3 + 0.3 + 0.15) / 2
        ([], 0.0),
    ],
)
def test_confidence(weights: list[float], expected: float):
    assert confidence(weights) == pytest.approx(expected)


@given(WEIGHTS, st.floats(0.05, 0.9))
def test_more_evidence_never_lowers_confidence(weights: list[float], more: float):
    assert confidence([*weights, more]) >= confidence(weights) - 1e-9


@given(WEIGHTS, st.floats(-1, 1))
def test_confidence_stays_a_share(weights: list[float], adjustment: float):
    assert 0 <= confidence(weights, adjustment) <= 1
