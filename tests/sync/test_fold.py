"""The fold: the same state for every order and duplication, and what prevails over what."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psychmem_py.model.terms import Origin
from psychmem_py.sync.fold import STRANGER, State, rank, states_of
from psychmem_py.sync.op import Op, OpKind, hlc

A, B, C, D = (letter * 32 for letter in "abcd")
OWN, AGENT = rank("user_prompt", mine=True), rank("assistant", mine=True)


def op(device: str, at: int, kind: str, field: str = "", value: Any = None, memory: str = "m") -> Op:
    return Op(device, 1, hlc(at), "personal", "", "", memory, kind, field, value)


def put(device: str, at: int, text: str) -> Op:
    return op(device, at, "put", "text", text)


def made(device: str, at: int = 1) -> Op:
    return op(device, at, "put", "created_at", 5)


def folded(*ops: tuple[Op, int]) -> State:
    return states_of(ops)["m"]


def text(state: State) -> object:
    said = state.put("text")
    return said and said.value


def logs(luck: Random) -> list[tuple[Op, int]]:
    """What four devices say, 200 operations each: few memories, fields and times, so that much of it collides."""
    values: dict[str, list[tuple[str, Any]]] = {
        "put": [("text", "x"), ("text", "y"), ("created_at", 1), ("created_at", 2), ("tags", []), ("tags", ["a"])],
        "vote": [("use", 1), ("use", 7), ("session", 2)],
        "link": [("relates_to", "m1"), ("supersedes", "m2")],
        "unlink": [("relates_to", "m1"), ("supersedes", "m2")],
    }
    found = []
    for device, ranks in ((A, (OWN, AGENT)), (B, (OWN, AGENT)), (C, (STRANGER,)), (D, (STRANGER,))):
        for seq in range(1, 201):
            kind = luck.choices([*OpKind][:7], [9, 3, 2, 2, 2, 2, 0.2])[0]
            field, value = luck.choice(values.get(kind, [("", None)]))
            at = hlc(luck.randrange(40), luck.randrange(2))
            found.append(
                (Op(device, seq, at, "personal", "", "", f"m{luck.randrange(8)}", kind, field, value), luck.choice(ranks))
            )
    return found


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**64))
def test_every_order_and_duplication_gives_the_same_state(seed: int) -> None:
    luck = Random(seed)
    ops = logs(luck)
    whole = states_of(ops)
    mixed = ops + luck.sample(ops, 100)
    luck.shuffle(mixed)
    assert states_of(mixed) == whole


def test_a_later_wording_of_less_trust_does_not_replace_a_person_s() -> None:
    assert text(folded((put(A, 1, "mine"), OWN), (put(B, 2, "the agent's"), AGENT), (put(C, 3, "theirs"), STRANGER))) == "mine"


def test_forgetting_prevails_over_older_edits_and_over_newer_ones() -> None:
    assert folded((put(A, 1, "a"), OWN), (op(B, 2, "forget"), OWN), (put(A, 3, "b"), OWN)).is_forgotten


def test_a_later_restore_brings_it_back_with_the_newest_wording() -> None:
    state = folded((put(A, 1, "a"), OWN), (op(B, 2, "forget"), OWN), (put(A, 3, "b"), OWN), (op(B, 4, "restore"), OWN))
    assert not state.is_forgotten
    assert text(state) == "b"


def test_a_stranger_forgets_what_strangers_made_and_nothing_of_mine() -> None:
    gone = (op(C, 9, "forget"), STRANGER)
    assert folded((made(D), STRANGER), gone).is_forgotten
    assert not folded((made(A), OWN), gone).is_forgotten


@pytest.mark.parametrize("later", [put(B, 9, "again"), op(B, 9, "restore"), made(B, 9)], ids=["edit", "restore", "made anew"])
def test_a_purge_holds_whatever_comes_later(later: Op) -> None:
    assert folded((made(A), OWN), (op(A, 2, "purge"), OWN), (later, OWN)).is_purged


def test_a_stranger_purges_what_strangers_made_and_nothing_of_mine() -> None:
    gone = (op(C, 9, "purge"), STRANGER)
    assert folded((made(D), STRANGER), gone, (put(A, 10, "my wording of it"), OWN)).is_purged
    assert not folded((made(A), AGENT), gone).is_purged


def test_votes_are_the_sum_of_each_device_s_latest_total() -> None:
    said = [
        (op(A, 1, "vote", "use", 2), OWN),
        (op(A, 3, "vote", "use", 5), AGENT),
        (op(B, 2, "vote", "use", 1), OWN),
        (made(A), OWN),
    ]
    assert folded(*said, (op(C, 9, "vote", "use", 1_000), STRANGER)).votes("use") == 6


def test_a_link_stands_until_it_is_taken_away_later() -> None:
    link, unlink = op(A, 1, "link", "relates_to", "n"), op(B, 2, "unlink", "relates_to", "n")
    assert folded((unlink, OWN), (link, OWN)).links == set()
    assert folded((link._replace(hlc=hlc(3)), OWN), (unlink, OWN)).links == {("relates_to", "n")}


def test_what_is_worth_how_much_follows_the_origin_for_me_and_is_nothing_for_others() -> None:
    assert [rank(origin, mine=True) for origin in (Origin.IMPORT, Origin.TOOL, Origin.ASSISTANT, Origin.USER_CLI)] == [1, 2, 3, 4]
    assert rank(Origin.USER_CLI, mine=False) == STRANGER
    assert OpKind.PUT == "put"
