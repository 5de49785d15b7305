"""What settles a memory, and what one that was only heard is entitled to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory import forgetting
from psychmem_py.memory.forgetting import stm_retention, would_confirm
from psychmem_py.memory.reconcile import plan
from psychmem_py.model.records import Candidate, Memory
from psychmem_py.model.settings import DEFAULTS, Stores
from psychmem_py.model.terms import Kind, Origin, Role, Scope, Store
from psychmem_py.recall.selection import select
from tests.memories_made import made

NOW = 1_800_000_000.0


def heard(text: str, store: Store = Store.STM) -> Candidate:
    return Candidate(
        text=text, quote=text, kind=Kind.CONSTRAINT, scope=Scope.PROJECT, importance=0.8, confidence=0.7, signals=(), role=Role.USER,
        origin=Origin.USER_PROMPT, message_id="m", start=0, end=len(text), at=NOW, store=store,
    )  # fmt: skip


def planned(candidate: Candidate, known: list[Memory], session: str, settings=DEFAULTS) -> Memory:
    changes = plan([candidate], known, settings, NOW, project="p", session=session, agent="", ids=iter(["f" * 32]))
    after = changes[-1].after
    assert after is not None
    return after


def test_one_mention_is_heard_and_a_second_conversation_settles_it() -> None:
    once = planned(heard("Never push to main."), [], "s1")
    assert once.store is Store.STM
    assert planned(heard("Never push to main."), [once], "s1").store is Store.STM, "the same conversation is no second one"
    assert planned(heard("Never push to main."), [once], "s2").store is Store.LTM


def test_what_is_told_as_for_good_settles_what_was_heard() -> None:
    once = planned(heard("Never push to main."), [], "s1")
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
    assert forgetting.retrievability(memory, NOW + 400 * 86_400) == pytest.approx(left), "a project at rest forgets nothing"


@given(st.floats(0, 1e5), st.floats(0, 1e5))
def test_more_work_never_leaves_more(one: float, other: float) -> None:
    assert stm_retention(max(one, other), 21) <= stm_retention(min(one, other), 21) <= 1


def test_what_was_heard_takes_a_quarter_of_a_brief() -> None:
    settled = [made(f"never call the {word} service from the worker", kind=Kind.CONSTRAINT) for word in WORDS]
    heard_ones = [
        made(f"always log the {word} reply before parsing", kind=Kind.CONSTRAINT)._replace(store=Store.STM, strength=0.99)
        for word in WORDS
    ]
    shown = select([*settled, *heard_ones], now=NOW, budget=1200, most=100).shown
    share = sum(memory.store is Store.STM for memory in shown) / len(shown)
    assert 0 < share <= 0.3


WORDS = "billing shipping pricing search audit export import mail login stock tax refund report cache queue invoice".split()


def test_it_says_what_would_settle_it() -> None:
    memory = made("never push", kind=Kind.CONSTRAINT)
    assert would_confirm(memory) == ""
    assert "another conversation" in would_confirm(memory._replace(store=Store.STM))
