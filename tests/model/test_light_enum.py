"""Our light `StrEnum` behaves as the one of `enum`."""

from __future__ import annotations

import copy
import enum
import json
import pickle

import pytest

from psychmem_py.model.light_record import StrEnum


class Ours(StrEnum):
    """Two colours."""

    RED = "red"
    DEEP_BLUE = "deep blue"  # of two words

    def is_short(self) -> bool:
        return len(self) < 5


class Theirs(enum.StrEnum):
    """Two colours."""

    RED = "red"
    DEEP_BLUE = "deep blue"

    def is_short(self) -> bool:
        return len(self) < 5


BOTH = pytest.mark.parametrize("colours", [Ours, Theirs])


@BOTH
def test_what_is_no_member_is_refused(colours: type[Ours]) -> None:
    with pytest.raises(ValueError, match=r"^'green' is not a valid (Ours|Theirs)$"):
        colours("green")
    assert "green" not in set(colours)
    assert not hasattr(colours, "GREEN")


@BOTH
def test_members_are_texts_and_one_of_a_kind(colours: type[Ours]) -> None:
    assert colours("deep blue") is colours.DEEP_BLUE
    assert colours(colours.RED) is colours.RED
    assert list(colours) == ["red", "deep blue"]
    assert len(colours) == 2
    assert (colours.RED.name, colours.RED.value, str(colours.RED), f"{colours.RED:>5}") == ("RED", "red", "red", "  red")
    assert type(colours.RED.value) is type(str(colours.RED)) is str
    assert repr(colours.DEEP_BLUE) == f"<{colours.__name__}.DEEP_BLUE: 'deep blue'>"
    assert {colours.RED: 1}["red"] == 1
    assert json.dumps([colours.RED]) == '["red"]'
    assert (isinstance(colours.RED, colours), colours.RED.is_short(), colours.DEEP_BLUE.is_short()) == (True, True, False)
    assert colours.__doc__ == "Two colours."


@BOTH
def test_a_copy_is_the_member_itself(colours: type[Ours]) -> None:
    assert copy.deepcopy(colours.DEEP_BLUE) is colours.DEEP_BLUE
    assert pickle.loads(pickle.dumps(colours.RED)) is colours.RED
