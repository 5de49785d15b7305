import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory import forgetting
from psychmem_py.memory import forgetting as models
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Kind, Scope, Status, Store, Tier
from psychmem_py.text.dates import DAY_S
from tests.memories_made import NOW, made

T0 = 1_700_000_000.0


def gossip(**more: object) -> Memory:
    fields: dict[str, object] = {
        "kind": Kind.EPISODIC,
        "scope": Scope.PROJECT,
        "project": "p",
        "store": Store.LTM,
        "strength": 0.7,
    }
    return made("standup was short", anchor_at=T0, created_at=T0, **(fields | more))


MEMORIES = st.builds(
    lambda kind, tier, pinned, store, strength, worked: gossip(
        kind=kind, tier=tier, pinned=pinned, store=store, strength=strength, worked_d=worked
    ),
    st.sampled_from(list(Kind)),
    st.sampled_from(list(Tier)),
    st.booleans(),
    st.sampled_from(list(Store)),
    st.floats(0, 1),
    st.integers(0, 1000),
)


def test_only_what_happened_fades_once_it_is_long_term() -> None:
    year = T0 + 365 * DAY_S
    fading = [kind for kind in Kind if forgetting.retrievability(gossip(kind=kind), year) < 1]
    assert fading == [Kind.EPISODIC]


@pytest.mark.parametrize(
    "shield", [{"pinned": True}, {"tier": Tier.CONSTITUTIONAL}, {"tier": Tier.CRITICAL}, {"tier": Tier.IMPORTANT}]
)
@pytest.mark.parametrize("store", Store)
def test_pins_and_protected_tiers_never_fade(store: Store, shield: dict[str, object]) -> None:
    memory = gossip(store=store, worked_d=999, **shield)
    assert forgetting.retrievability(memory, T0 + 9999 * DAY_S) == 1
    assert forgetting.strength_now(memory, T0 + 9999 * DAY_S) == memory.strength


def test_what_is_called_temporary_fades_whatever_its_class() -> None:
    assert forgetting.retrievability(gossip(kind=Kind.DECISION, tier=Tier.TEMPORARY), T0 + 30 * DAY_S) == pytest.approx(0.6)


@given(MEMORIES, st.floats(-1e12, 1e12))
def test_what_is_left_is_a_share_and_never_not_a_number(memory: Memory, now: float) -> None:
    for value in (forgetting.retrievability(memory, now), forgetting.strength_now(memory, now)):
        assert 0 <= value <= 1


@given(MEMORIES, st.floats(0, 1e10), st.floats(0, 1e10))
def test_waiting_never_strengthens(memory: Memory, wait: float, more: float) -> None:
    sooner, later = T0 + wait, T0 + wait + more
    assert forgetting.retrievability(memory, later) <= forgetting.retrievability(memory, sooner)
    assert forgetting.strength_now(memory, later) <= forgetting.strength_now(memory, sooner)


@given(MEMORIES, st.floats(0, 1e10))
def test_a_clock_set_back_strengthens_nothing(memory: Memory, back: float) -> None:
    assert forgetting.strength_now(memory, T0 - back) == forgetting.strength_now(memory, T0)


def test_time_to_live_spares_pins() -> None:
    goal = made("finish the migration", kind=Kind.OBJECTIVE, expires_at=T0)
    assert forgetting.has_expired(goal, T0)
    assert not forgetting.has_expired(goal._replace(pinned=True), T0)
    assert not forgetting.has_expired(goal._replace(expires_at=None), math.inf)


def test_what_happened_once_lasts_a_working_week_and_not_a_month() -> None:
    event = gossip(strength=0.45)
    assert not forgetting.has_faded(event, T0 + 7 * DAY_S)
    assert forgetting.has_faded(event, T0 + 30 * DAY_S)


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
