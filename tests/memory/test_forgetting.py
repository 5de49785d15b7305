import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory import forgetting
from psychmem_py.memory.forgetting import HOUR_S, Band
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.model.settings_notes import MODELS
from psychmem_py.model.terms import Kind, Scope, Status, Store, Tier
from psychmem_py.text.dates import DAY_S
from tests.memories_made import made

T0 = 1_700_000_000.0


def using(model: str, **more: object) -> Settings:
    return DEFAULTS._replace(forgetting=DEFAULTS.forgetting._replace(model=model, **more))  # type: ignore[arg-type]


def gossip(**more: object) -> Memory:
    fields: dict[str, object] = {
        "kind": Kind.EPISODIC,
        "scope": Scope.PROJECT,
        "project": "p",
        "store": Store.STM,
        "strength": 0.7,
    }
    return made("standup was short", anchor_at=T0, created_at=T0, **(fields | more))


MEMORIES = st.builds(
    lambda kind, tier, pinned, store, strength, uses: gossip(
        kind=kind, tier=tier, pinned=pinned, store=store, strength=strength, use_count=uses
    ),
    st.sampled_from(list(Kind)),
    st.sampled_from(list(Tier)),
    st.booleans(),
    st.sampled_from(list(Store)),
    st.floats(0, 1),
    st.integers(0, 1000),
)
SETTINGS = st.builds(lambda model, tiers: using(model, tier_fading=tiers), st.sampled_from(MODELS), st.booleans())


@pytest.mark.parametrize(
    ("days", "left"),
    [(0, 1.0), (30, 0.800), (60, 0.640), (90, 0.512), (180, 0.262)],
)
def test_normal_tier_loses_a_fifth_a_month(days: float, left: float) -> None:
    # 0.80^(days/30): 0.8, 0.64, 0.512; 180 days: 0.8^6 = 0.262144
    assert forgetting.tier_retention(Tier.NORMAL, days) == pytest.approx(left, abs=5e-4)


def test_temporary_tier_loses_two_fifths_a_month() -> None:
    assert forgetting.tier_retention(Tier.TEMPORARY, 60) == pytest.approx(0.36)


@pytest.mark.parametrize("half_life_d", [1.0, 7.0, 180.0, 365.0])
def test_power_law_is_one_half_at_the_half_life(half_life_d: float) -> None:
    assert forgetting.power_law(half_life_d, half_life_d) == pytest.approx(0.5)
    assert forgetting.power_law(half_life_d, 0) == 1


@pytest.mark.parametrize(
    ("store", "hours"),
    [
        pytest.param(Store.STM, 13.863, id="ln 2 / 0.05, not the 32 h of the original"),
        pytest.param(Store.LTM, 69.315, id="ln 2 / 0.01"),
    ],
)
def test_ebbinghaus_halves(store: Store, hours: float) -> None:
    assert forgetting.retrievability(gossip(store=store), T0 + hours * HOUR_S, using("ebbinghaus")) == pytest.approx(
        0.5, abs=1e-4
    )


def test_usage_model_counts_the_first_look_as_one() -> None:
    # (0 + 1)^0.6 · e^0 = 1; after three days one half; used three times (3 + 1)^0.6 = 2.297
    assert forgetting.usage(0, 0) == 1
    assert forgetting.usage(0, 3) == pytest.approx(0.5)
    assert forgetting.usage(3, 0) == pytest.approx(4**0.6)


def test_only_what_happened_fades_by_default() -> None:
    year = T0 + 365 * DAY_S
    fading = [kind for kind in Kind if forgetting.retrievability(gossip(kind=kind), year) < 1]
    assert fading == [Kind.EPISODIC]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "shield", [{"pinned": True}, {"tier": Tier.CONSTITUTIONAL}, {"tier": Tier.CRITICAL}, {"tier": Tier.IMPORTANT}]
)
def test_pins_and_protected_tiers_never_fade(model: str, shield: dict[str, object]) -> None:
    memory = gossip(**shield)
    assert forgetting.state_of(memory, T0 + 9999 * DAY_S, using(model)) is Band.HOT
    assert forgetting.strength_now(memory, T0 + 9999 * DAY_S, using(model)) == memory.strength


def test_what_is_called_temporary_fades_whatever_its_class() -> None:
    assert forgetting.retrievability(gossip(kind=Kind.DECISION, tier=Tier.TEMPORARY), T0 + 30 * DAY_S) == pytest.approx(0.6)


@given(MEMORIES, SETTINGS, st.floats(-1e12, 1e12))
def test_what_is_left_is_a_share_and_never_not_a_number(memory: Memory, settings: Settings, now: float) -> None:
    for value in (forgetting.retrievability(memory, now, settings), forgetting.strength_now(memory, now, settings)):
        assert 0 <= value <= 1


@given(MEMORIES, SETTINGS, st.floats(0, 1e10), st.floats(0, 1e10))
def test_waiting_never_strengthens(memory: Memory, settings: Settings, wait: float, more: float) -> None:
    sooner, later = T0 + wait, T0 + wait + more
    assert forgetting.retrievability(memory, later, settings) <= forgetting.retrievability(memory, sooner, settings)
    assert forgetting.strength_now(memory, later, settings) <= forgetting.strength_now(memory, sooner, settings)


@given(MEMORIES, SETTINGS, st.floats(0, 1e10))
def test_a_clock_set_back_strengthens_nothing(memory: Memory, settings: Settings, back: float) -> None:
    assert forgetting.strength_now(memory, T0 - back, settings) == forgetting.strength_now(memory, T0, settings)


@given(MEMORIES, SETTINGS, st.lists(st.floats(0, 1e7), min_size=1, max_size=8))
def test_many_looks_forget_no_more_than_one(memory: Memory, settings: Settings, steps: list[float]) -> None:
    now = T0
    for step in steps:
        now += step
        seen = forgetting.strength_now(memory, now, settings)
    assert seen == forgetting.strength_now(memory, now, settings)
    assert memory.strength == memory.strength  # nothing was written back


@pytest.mark.parametrize(
    ("hours", "state"),
    [
        pytest.param(0, Band.HOT, id="1.00"),
        pytest.param(4.4, Band.HOT, id="e^-0.22 = 0.80"),
        pytest.param(5, Band.WARM, id="e^-0.25 = 0.78"),
        pytest.param(28, Band.COLD, id="e^-1.40 = 0.247"),
        pytest.param(60, Band.DORMANT, id="e^-3.00 = 0.0498"),
        pytest.param(80 * 24, Band.DORMANT, id="gone, but not long enough"),
        pytest.param(91 * 24, Band.ARCHIVED, id="gone for more than 90 days"),
    ],
)
def test_bands(hours: float, state: Band) -> None:
    assert forgetting.state_of(gossip(), T0 + hours * HOUR_S, using("ebbinghaus")) is state


def test_a_newborn_is_not_consolidated_by_its_strength_alone() -> None:
    rule = made("never push to main", Kind.CONSTRAINT, store=Store.STM, strength=0.95, created_at=T0, anchor_at=T0)
    assert forgetting.should_consolidate(rule, T0) == ""
    assert forgetting.should_consolidate(rule._replace(session_count=2), T0) == "strength"
    assert forgetting.should_consolidate(rule, T0 + DAY_S) == "strength"
    assert forgetting.should_consolidate(rule._replace(strength=0.6, session_count=3), T0) == "sessions"
    assert forgetting.should_consolidate(rule._replace(strength=0.6), T0 + 30 * DAY_S) == ""


def test_time_to_live_spares_pins() -> None:
    goal = made("finish the migration", kind=Kind.OBJECTIVE, expires_at=T0)
    assert forgetting.has_expired(goal, T0)
    assert not forgetting.has_expired(goal._replace(pinned=True), T0)
    assert not forgetting.has_expired(goal._replace(expires_at=None), math.inf)


def test_archived_status_is_archived_whatever_is_left() -> None:
    assert forgetting.state_of(gossip(status=Status.ARCHIVED), T0) is Band.ARCHIVED


def test_what_happened_once_lasts_a_working_week_and_not_a_month() -> None:
    event = gossip(strength=0.45)
    assert not forgetting.has_faded(event, T0 + 7 * DAY_S)
    assert forgetting.has_faded(event, T0 + 30 * DAY_S)


@given(st.integers(0, 500), st.integers(0, 500))
def test_stability_grows_with_use_and_ever_less(uses: int, more: int) -> None:
    assert 1.0 <= forgetting.grown(uses) <= forgetting.grown(uses + more)
    assert forgetting.grown(uses + 1) - forgetting.grown(uses) >= forgetting.grown(uses + 2) - forgetting.grown(uses + 1) - 1e-9
    used, unused = gossip(use_count=uses + 1), gossip()
    later = T0 + 20 * DAY_S
    assert forgetting.retrievability(used, later, using("fsrs")) > forgetting.retrievability(unused, later, using("fsrs"))
