"""An operation on a line and everything that is none, and the state that operations fold into."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psychmem_py.model.records import Origin
from psychmem_py.sync import op as ops
from psychmem_py.sync.op import OTHERS_RANK, Op, OpError, OpKind, State, emptied, hlc, line, parsed, rank, states_of
from tests.data import cases, json_values

_PLACE = ("ab" * 16, 7, "1763838000000-000000", "project", "", "git:host/path")
PUT = Op(*_PLACE, "m1", "put", "text", "Never push to main", "user_prompt")


def told(**other: Any) -> str:
    """The line of PUT with some of its keys otherwise."""
    given = json.loads(line(PUT)) | other
    return json.dumps({key: value for key, value in given.items() if value is not ...})


def test_an_operation_has_one_line_which_emptied_says_nothing() -> None:
    assert line(parsed(line(PUT))) == line(PUT)
    assert parsed(line(PUT)) == PUT
    one, other = (PUT._replace(field="metadata", value=value) for value in ({"a": "1", "b": "2"}, {"b": "2", "a": "1"}))
    assert line(one) == line(other)
    text = line(PUT._replace(value="one\ntwo"))
    assert "\n" not in text
    assert tuple(json.loads(text)) == ops.KEYS[:-1]
    gone = emptied(PUT)
    assert (gone.lane, gone.seq, gone.memory, gone.value) == (PUT.lane, 7, "m1", None)
    assert "Never" not in line(gone)
    assert parsed(line(gone)) == gone


NEWER = {
    "a later format": told(v=2), "a kind not known": told(kind="paint"), "a field not known": told(field="mood"),
    "a value not known": told(field="status", value="asleep"), "a vote not known": told(kind="vote", field="smile", value=1),
}  # fmt: skip


@pytest.mark.parametrize("text", NEWER.values(), ids=NEWER)
def test_what_a_newer_version_may_say_is_told_from_what_nobody_says(text: str) -> None:
    with pytest.raises(OpError) as caught:
        parsed(text)
    assert caught.value.newer


@pytest.mark.parametrize("text", [
    pytest.param("", id="nothing"),
    pytest.param("[]", id="no object"),
    pytest.param("{}", id="an empty object"),
    pytest.param("[" * 20_000, id="nested"),
    pytest.param(line(PUT)[:-5], id="cut"),
    pytest.param(told(value="x" * 40_000), id="too long a line"),
    pytest.param(told(value="x" * 6_001), id="too long a text"),
    pytest.param(told(value=..., memory="m2"), id="no value is an empty text"),
    pytest.param(told(field="tags", value=["a"] * 65), id="too many tags"),
    *(pytest.param(told(**json.loads(case.values[0])), id=case.id) for case in cases("sync", "is no operation")),
])  # fmt: skip
def test_what_is_no_operation_is_refused(text: str) -> None:
    with pytest.raises(OpError) as caught:
        parsed(text)
    assert not caught.value.newer


@given(json_values(), st.sampled_from(ops.KEYS))
def test_whatever_stands_in_a_key_it_is_an_operation_or_refused(value: object, key: str) -> None:
    try:
        found = parsed(json.dumps(json.loads(line(PUT)) | {key: value}))
    except OpError:
        return
    assert parsed(line(found)) == found


def test_every_kind_has_an_operation() -> None:
    values: dict[OpKind, tuple[str, object]] = {
        OpKind.PUT: ("text", "a"), OpKind.VOTE: ("use", 3), OpKind.LINK: ("relates_to", "m2"), OpKind.UNLINK: ("relates_to", "m2"),
        OpKind.FORGET: ("", None), OpKind.RESTORE: ("", None), OpKind.PURGE: ("", None),
    }  # fmt: skip
    for kind in OpKind:
        field, value = values[kind]
        one = PUT._replace(kind=kind.value, field=field, value=value)
        assert parsed(line(one)) == one


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
    for device, ranks in ((A, (OWN, AGENT)), (B, (OWN, AGENT)), (C, (OTHERS_RANK,)), (D, (OTHERS_RANK,))):
        for seq in range(1, 201):
            kind = luck.choices([*OpKind][:7], [9, 3, 2, 2, 2, 2, 0.2])[0]
            field, value = luck.choice(values.get(kind, [("", None)]))
            at = hlc(luck.randrange(40), luck.randrange(2))
            said = Op(device, seq, at, "personal", "", "", f"m{luck.randrange(8)}", kind, field, value)
            found.append((said, luck.choice(ranks)))
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


def test_votes_add_up_by_device_and_a_link_stands_until_it_is_taken_away_later() -> None:
    votes = ((A, 1, 2, OWN), (A, 3, 5, AGENT), (B, 2, 1, OWN), (C, 9, 1_000, OTHERS_RANK))
    said = [(op(device, at, "vote", "use", total), rank) for device, at, total, rank in votes]
    assert folded(*said, (made(A), OWN)).votes("use") == 6
    assert folded(*said[3:], (made(C), OTHERS_RANK)).votes("use") == 1  # others are one voice
    link, unlink = op(A, 1, "link", "relates_to", "n"), op(B, 2, "unlink", "relates_to", "n")
    assert folded((unlink, OWN), (link, OWN)).links == {("relates_to", "n"): False}
    assert folded((link._replace(hlc=hlc(3)), OWN), (unlink, OWN)).links == {("relates_to", "n"): True}


def test_what_is_worth_how_much_follows_the_origin_for_me_and_is_nothing_for_others() -> None:
    assert [rank(origin, mine=True) for origin in (Origin.IMPORT, Origin.TOOL, Origin.ASSISTANT, Origin.USER_CLI)] == [1, 2, 3, 4]
    assert rank(Origin.USER_CLI, mine=False) == OTHERS_RANK
    assert OpKind.PUT == "put"


MINE, THEIRS, AGENTS = (made(A), OWN), (made(D), OTHERS_RANK), (made(A), AGENT)
FORGET, PURGE = (op(C, 9, "forget"), OTHERS_RANK), (op(C, 9, "purge"), OTHERS_RANK)
WORDED = [(put(A, 1, "a"), OWN), (op(B, 2, "forget"), OWN), (put(A, 3, "b"), OWN)]
STATES: dict[str, tuple[object, ...]] = {
    "less trust does not replace": ("text", "my", (put(A, 1, "my"), OWN), (put(B, 2, "x"), AGENT), (put(C, 3, "y"), OTHERS_RANK)),
    "forgetting prevails over edits": ("is_forgotten", True, *WORDED),
    "until a later restore": ("is_forgotten", False, *WORDED, (op(B, 4, "restore"), OWN)),
    "the later wording is restored": ("text", "b", *WORDED, (op(B, 4, "restore"), OWN)),
    "a stranger forgets what strangers made": ("is_forgotten", True, THEIRS, FORGET),
    "a stranger forgets nothing of mine": ("is_forgotten", False, MINE, FORGET),
    "a stranger purges what strangers made": ("is_purged", True, THEIRS, PURGE, (put(A, 10, "my wording of it"), OWN)),
    "a stranger purges nothing of mine": ("is_purged", False, AGENTS, PURGE),
    "a purge holds over an edit": ("is_purged", True, MINE, (op(A, 2, "purge"), OWN), (put(B, 9, "again"), OWN)),
    "a purge holds over a restore": ("is_purged", True, MINE, (op(A, 2, "purge"), OWN), (op(B, 9, "restore"), OWN)),
    "a purge holds over making it anew": ("is_purged", True, MINE, (op(A, 2, "purge"), OWN), (made(B, 9), OWN)),
}


@pytest.mark.parametrize("row", STATES.values(), ids=STATES)
def test_what_operations_fold_into(row: tuple[Any, ...]) -> None:
    what, expected, *ops = row
    state = folded(*ops)
    assert (text(state) if what == "text" else getattr(state, what)) == expected
