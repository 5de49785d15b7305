import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory import strength
from psychmem_py.memory.strength import Features

SHARE = st.floats(0, 1)
FEATURES = st.builds(
    Features,
    importance=SHARE,
    utility=SHARE,
    novelty=SHARE,
    confidence=SHARE,
    interference=SHARE,
    sessions=st.integers(0, 10_000),
    recency_h=st.floats(-1e6, 1e9),
)


def test_worked_strength() -> None:
    # 0.20·1 + 0.15·(ln 2 / ln 10) + 0.25·0.8 + 0.20·0.5 + 0.10·1 + 0.10·0.75 - 0.10·0 = 0.7202
    found = strength.strength(Features(importance=0.8, utility=0.5, novelty=1, confidence=0.75, interference=0))
    assert found == pytest.approx(0.2 + 0.15 * math.log10(2) + 0.2 + 0.1 + 0.1 + 0.075)


@pytest.mark.parametrize(
    ("hours", "factor"),
    [
        pytest.param(-5, 1, id="a clock set back"),
        pytest.param(0, 1, id="now"),
        pytest.param(84, 0.5, id="half a week"),
        pytest.param(168, 0, id="a week"),
        pytest.param(9999, 0, id="long ago"),
    ],
)
def test_recency_falls_linearly_over_a_week(hours: float, factor: float) -> None:
    assert strength.recency_factor(hours) == pytest.approx(factor)


@pytest.mark.parametrize(("sessions", "factor"), [(0, 0), (1, 0.30103), (3, 0.60206), (9, 1), (99, 1)])
def test_frequency_is_log_normalised(sessions: int, factor: float) -> None:
    assert strength.frequency_factor(sessions) == pytest.approx(factor, abs=1e-5)


@pytest.mark.parametrize(
    ("weights", "importance"),
    [
        pytest.param([], 0, id="nothing"),
        pytest.param([0.9], 0.9, id="one"),
        pytest.param([0.3, 0.5], 0.71, id="0.5 + 0.7·0.3, whatever the order"),
        pytest.param([0.4, 0.6, 0.5], 1, id="0.6 + 0.35 + 0.196 is more than all"),
    ],
)
def test_worked_combination(weights: list[float], importance: float) -> None:
    assert strength.combined(weights) == pytest.approx(importance)


@given(st.lists(SHARE, max_size=12), SHARE)
def test_more_evidence_never_lowers_importance(weights: list[float], one_more: float) -> None:
    assert strength.combined([*weights, one_more]) >= strength.combined(weights) - 1e-12


@given(FEATURES)
def test_strength_stays_in_range(features: Features) -> None:
    assert 0 <= strength.strength(features) <= 1


@pytest.mark.parametrize(
    ("similarities", "penalty"),
    [
        pytest.param([], 0, id="alone"),
        pytest.param([0.3], 0, id="0.3 is another subject"),
        pytest.param([0.6, 0.4], 0.3, id="half of the nearest"),
        pytest.param([0.8, 1.0], 0, id="the same said again does not compete"),
        pytest.param([0.9, 0.5], 0.25, id="a copy beside a rival"),
    ],
)
def test_interference_comes_from_what_is_close_but_not_the_same(similarities: list[float], penalty: float) -> None:
    assert strength.interference(similarities) == pytest.approx(penalty)


@given(SHARE)
def test_votes_and_uses_move_utility_their_way_and_stay_in_range(utility: float) -> None:
    assert utility <= strength.used(utility) <= strength.voted(utility, good=True) <= 1
    assert 0 <= strength.voted(utility, good=False) <= utility


@given(SHARE)
def test_corroboration_never_reaches_certainty_from_doubt(confidence: float) -> None:
    after = strength.corroborated(confidence)
    assert confidence <= after <= 1
    assert after < 1 or confidence > 0.999


def test_not_a_number_counts_as_nothing() -> None:
    assert strength.clamped(math.nan) == 0
