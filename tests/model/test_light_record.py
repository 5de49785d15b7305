"""Our light `NamedTuple` behaves as the one of `typing`."""

import copy
import enum
import json
import pickle
import typing

import pytest

from psychmem_py.model import light_record
from psychmem_py.model.light_record import StrEnum


class Ours(light_record.NamedTuple):
    """A record."""

    first: int
    second: str = "b"

    def both(self) -> str:
        return f"{self.first}{self.second}"


class Theirs(typing.NamedTuple):
    """A record."""

    first: int
    second: str = "b"


def test_fields_defaults_and_methods_are_there() -> None:
    made = Ours(first=1)
    assert made == (1, "b") == Theirs(1)
    assert (Ours._fields, Ours._field_defaults, Ours.__doc__) == (Theirs._fields, Theirs._field_defaults, Theirs.__doc__)
    assert made._replace(second="c").both() == "1c"
    assert repr(made) == "Ours(first=1, second='b')"
    assert made._asdict() == {"first": 1, "second": "b"}
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, "b", 3), {}), ((1,), {"first": 2}), ((), {"first": 1, "third": 2})])
def test_too_few_too_many_and_other_values_are_an_error(values: tuple[object, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Ours(*values, **named)  # type: ignore[arg-type]


class Ours_light_enum(StrEnum):
    """Two colours."""

    RED = "red"
    DEEP_BLUE = "deep blue"  # of two words

    def is_short(self) -> bool:
        return len(self) < 5


class Theirs_light_enum(enum.StrEnum):
    """Two colours."""

    RED = "red"
    DEEP_BLUE = "deep blue"

    def is_short(self) -> bool:
        return len(self) < 5


BOTH = pytest.mark.parametrize("colours", [Ours_light_enum, Theirs_light_enum])


@BOTH
def test_what_is_no_member_is_refused(colours: type[Ours_light_enum]) -> None:
    with pytest.raises(ValueError, match=r"^'green' is not a valid (Ours_light_enum|Theirs_light_enum)$"):
        colours("green")
    assert "green" not in set(colours)
    assert not hasattr(colours, "GREEN")


@BOTH
def test_members_are_texts_and_one_of_a_kind(colours: type[Ours_light_enum]) -> None:
    assert colours("deep blue") is colours.DEEP_BLUE
    assert colours(colours.RED) is colours.RED
    assert (list(colours), len(colours)) == (["red", "deep blue"], 2)
    assert (colours.RED.name, colours.RED.value, str(colours.RED), f"{colours.RED:>5}") == ("RED", "red", "red", "  red")
    assert type(colours.RED.value) is type(str(colours.RED)) is str
    assert repr(colours.DEEP_BLUE) == f"<{colours.__name__}.DEEP_BLUE: 'deep blue'>"
    assert {colours.RED: 1}["red"] == 1
    assert json.dumps([colours.RED]) == '["red"]'
    assert (isinstance(colours.RED, colours), colours.RED.is_short(), colours.DEEP_BLUE.is_short()) == (True, True, False)
    assert colours.__doc__ == "Two colours."


@BOTH
def test_a_copy_is_the_member_itself(colours: type[Ours_light_enum]) -> None:
    assert copy.deepcopy(colours.DEEP_BLUE) is colours.DEEP_BLUE
    assert pickle.loads(pickle.dumps(colours.RED)) is colours.RED
