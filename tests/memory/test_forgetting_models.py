"""The formulas of the programs before this one, by numbers worked out by hand."""

import pytest

from psychmem_py.memory import forgetting as models
from psychmem_py.model.terms import Kind, Status
from psychmem_py.text.dates import DAY_S
from tests.memories_made import NOW, made


def test_usage_model_counts_the_first_look_as_one() -> None:
    # (0 + 1)^0.6 · e^0 = 1; after three days one half; used three times (3 + 1)^0.6 = 2.297
    assert models.usage(0, 0) == 1
    assert models.usage(0, 3) == pytest.approx(0.5)
    assert models.usage(3, 0) == pytest.approx(4**0.6)


@pytest.mark.parametrize(
    ("left", "days", "state"),
    [(1.0, 0, "HOT"), (0.8, 1, "HOT"), (0.79, 1, "WARM"), (0.24, 1, "COLD"), (0.04, 1, "DORMANT"), (0.01, 80, "DORMANT"), (0.01, 91, "ARCHIVED")],
)  # fmt: skip
def test_states(left: float, days: int, state: str) -> None:
    memory = made("standup was short", Kind.EPISODIC, anchor_at=NOW - days * DAY_S)
    assert models.state_of(left, memory, NOW) == state
    assert models.state_of(left, memory._replace(status=Status.ARCHIVED), NOW) == "ARCHIVED"
