"""How strong a memory is, how it fades, and what settles it."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory import forgetting
from psychmem_py.memory.forgetting import stm_retention, would_confirm
from psychmem_py.memory.reconcile import Planning, plan
from psychmem_py.model.records import Candidate, Kind, Memory, Scope, Status, Store, Tier
from psychmem_py.model.settings import DEFAULTS, Stores
from psychmem_py.recall.selection import select
from psychmem_py.text.dates import DAY_S
from tests.memories_made import NOW, made, said

T0 = 1_700_000_000.0


def gossip(**more: object) -> Memory:
    fields: dict[str, object] = {"kind": Kind.EPISODIC, "project": "p", "store": Store.LTM, "strength": 0.7}
    return made("standup was short", anchor_at=T0, created_at=T0, **(fields | more))


MEMORIES = st.builds(
    gossip, kind=st.sampled_from(list(Kind)), tier=st.sampled_from(list(Tier)), pinned=st.booleans(), store=st.sampled_from(list(Store)),
    strength=st.floats(0, 1), worked_d=st.integers(0, 1000),
)  # fmt: skip


def test_what_happened_or_is_called_temporary_fades_and_nothing_else_long_term() -> None:
    year = T0 + 365 * DAY_S
    fading = [kind for kind in Kind if forgetting.retrievability(gossip(kind=kind), year) < 1]
    assert fading == [Kind.EPISODIC]
    assert forgetting.retrievability(gossip(kind=Kind.DECISION, tier=Tier.TEMPORARY), T0 + 30 * DAY_S) == pytest.approx(0.6)
    event = gossip(strength=0.45)
    assert not forgetting.has_faded(event, T0 + 7 * DAY_S)
    assert forgetting.has_faded(event, T0 + 30 * DAY_S)


@pytest.mark.parametrize(
    "shield", [{"pinned": True}, *({"tier": Tier(one)} for one in ("constitutional", "critical", "important"))]
)
@pytest.mark.parametrize("store", [*Store])
def test_pins_and_protected_tiers_never_fade(store: Store, shield: dict[str, object]) -> None:
    memory = gossip(store=store, worked_d=999, **shield)
    assert forgetting.retrievability(memory, T0 + 9999 * DAY_S) == 1
    assert forgetting.strength_now(memory, T0 + 9999 * DAY_S) == memory.strength


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


def test_the_time_to_live_of_a_class_spares_pins_and_an_end_that_was_named_none() -> None:
    goal = made("finish the migration", kind=Kind.OBJECTIVE, expires_at=T0, created_at=T0 - 30 * DAY_S)
    assert forgetting.has_expired(goal, T0)
    assert not forgetting.has_expired(goal._replace(pinned=True), T0)
    assert forgetting.has_expired(goal._replace(pinned=True, created_at=T0 - DAY_S), T0)
    assert not forgetting.has_expired(goal._replace(expires_at=None), math.inf)


@pytest.mark.parametrize(
    ("left", "days", "state"),
    [(1.0, 0, "HOT"), (0.8, 1, "HOT"), (0.79, 1, "WARM"), (0.24, 1, "COLD"), (0.04, 1, "DORMANT"), (0.01, 80, "DORMANT"), (0.01, 91, "ARCHIVED")],
)  # fmt: skip
def test_states(left: float, days: int, state: str) -> None:
    memory = made("standup was short", Kind.EPISODIC, anchor_at=NOW - days * DAY_S)
    assert forgetting.state_of(left, memory, NOW) == state
    assert forgetting.state_of(left, memory._replace(status=Status.ARCHIVED), NOW) == "ARCHIVED"


def heard(text: str, store: Store = Store.STM) -> Candidate:
    return said(text, scope=Scope.PROJECT, at=NOW, store=store)


def planned(candidate: Candidate, known: list[Memory], session: str, settings=DEFAULTS) -> Memory:
    after = plan(Planning(settings, NOW, "p", session, ids=iter(["f" * 32])), [candidate], known)[-1].after
    assert after is not None
    return after


def test_what_is_told_again_in_another_conversation_or_as_for_good_settles_it() -> None:
    once = planned(heard("Never push to main."), [], "s1")
    assert once.store is Store.STM
    assert planned(heard("Never push to main."), [once], "s1").store is Store.STM, "the same conversation is no second one"
    assert planned(heard("Never push to main."), [once], "s2").store is Store.LTM
    assert planned(heard("Never push to main.", Store.LTM), [once], "s1").store is Store.LTM


@pytest.mark.parametrize(
    ("classes", "store"), [("bugfix, decision", Store.STM), ("decision,constraint", Store.LTM), ("all", Store.LTM)]
)
def test_classes_go_to_long_term_store_at_once_where_a_person_says_so(classes: str, store: Store) -> None:
    settings = DEFAULTS._replace(stores=Stores(long_term_classes=classes))
    assert planned(heard("Never push to main."), [], "s1", settings).store is store


# 0.5^(worked days / 21)
@pytest.mark.parametrize(("worked_d", "left"), [(0, 1.0), (21, 0.5), (42, 0.25)])
def test_what_was_only_heard_fades_by_days_of_work(worked_d: int, left: float) -> None:
    assert stm_retention(worked_d, 21) == pytest.approx(left)
    memory = made("never push", kind=Kind.CONSTRAINT)._replace(store=Store.STM, worked_d=worked_d, anchor_at=NOW)
    assert forgetting.retrievability(memory, NOW) == pytest.approx(left)
    a_project_at_rest = forgetting.retrievability(memory, NOW + 400 * 86_400)
    assert a_project_at_rest == pytest.approx(left)


@given(st.floats(0, 1e5), st.floats(0, 1e5))
def test_more_work_never_leaves_more(one: float, other: float) -> None:
    assert stm_retention(max(one, other), 21) <= stm_retention(min(one, other), 21) <= 1


def test_what_was_heard_takes_a_quarter_of_a_brief() -> None:
    settled = [made(f"never call the {word} service from the worker", kind=Kind.CONSTRAINT) for word in WORDS]
    once = {"kind": Kind.CONSTRAINT, "store": Store.STM, "strength": 0.99}
    heard_ones = [made(f"always log the {word} reply before parsing", **once) for word in WORDS]
    shown = select([*settled, *heard_ones], now=NOW, budget=1200, most=100).shown
    share = sum(memory.store is Store.STM for memory in shown) / len(shown)
    assert 0 < share <= 0.3


WORDS = "billing shipping pricing search audit export import mail login stock tax refund report cache queue invoice".split()


def test_it_says_what_would_settle_it() -> None:
    memory = made("never push", kind=Kind.CONSTRAINT)
    assert would_confirm(memory) == ""
    assert "another conversation" in would_confirm(memory._replace(store=Store.STM))


SHARE = st.floats(0, 1)
FEATURES = st.fixed_dictionaries(dict.fromkeys(forgetting.features(gossip()), SHARE))


def test_worked_strength_and_usage() -> None:
    found = forgetting.strength(
        forgetting.features(gossip(importance=0.8, utility=0.5, novelty=1, confidence=0.75, interference=0))
    )
    assert found == pytest.approx(0.2 + 0.15 * math.log10(2) + 0.2 + 0.1 + 0.1 + 0.075)
    assert forgetting.usage(0, 0) == 1
    assert forgetting.usage(0, 3) == pytest.approx(0.5)
    assert forgetting.usage(3, 0) == pytest.approx(4**0.6)
    assert forgetting.clamped(math.nan) == 0


@pytest.mark.parametrize(("factor", "worked"), [
    (forgetting.recency_factor, {-5: 1, 0: 1, 84: 0.5, 168: 0, 9999: 0}),  # linear over a week; -5: a clock set back
    (forgetting.frequency_factor, {0: 0, 1: 0.30103, 3: 0.60206, 9: 1, 99: 1}),
    # 0.5 + 0.7·0.3, whatever the order; 0.6 + 0.35 + 0.196 is more than all
    (forgetting.combined, {(): 0, (0.9,): 0.9, (0.3, 0.5): 0.71, (0.4, 0.6, 0.5): 1}),
    # 0.3 is another subject; half of the nearest; the same said again does not compete; a copy beside a rival
    (forgetting.interference, {(): 0, (0.3,): 0, (0.6, 0.4): 0.3, (0.8, 1.0): 0, (0.9, 0.5): 0.25}),
])  # fmt: skip
def test_worked_factors(factor: Any, worked: dict[Any, float]) -> None:
    assert {given: factor(given) for given in worked} == pytest.approx(worked, abs=1e-5)


@given(st.lists(SHARE, max_size=12), SHARE)
def test_more_evidence_never_lowers_importance(weights: list[float], one_more: float) -> None:
    assert forgetting.combined([*weights, one_more]) >= forgetting.combined(weights) - 1e-12


@given(FEATURES)
def test_strength_stays_in_range(features: dict[str, float]) -> None:
    assert 0 <= forgetting.strength(features) <= 1


@given(SHARE)
def test_votes_and_uses_move_utility_their_way_and_stay_in_range(utility: float) -> None:
    assert utility <= forgetting.used(utility) <= forgetting.voted(utility, good=True) <= 1
    assert 0 <= forgetting.voted(utility, good=False) <= utility


@given(SHARE)
def test_corroboration_never_reaches_certainty_from_doubt(confidence: float) -> None:
    after = forgetting.corroborated(confidence)
    assert confidence <= after <= 1
    assert after < 1 or confidence > 0.999
