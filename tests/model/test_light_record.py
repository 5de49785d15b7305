"""Our light `NamedTuple` behaves as the one of `typing`."""

from __future__ import annotations

import pickle
import typing

import pytest

from psychmem_py.model import light_record


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


@pytest.mark.parametrize("given", [(), (1, "b", 3)])
def test_too_few_and_too_many_values_are_an_error(given: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        Ours(*given)  # type: ignore[arg-type]


def test_a_field_given_twice_is_an_error() -> None:
    with pytest.raises(TypeError):
        Ours(1, first=2)  # type: ignore[misc]


@pytest.mark.parametrize("given", [{}, {"first": 1, "third": 2}])
def test_a_wrong_field_is_an_error(given: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Ours(**given)  # type: ignore[arg-type]
