"""`StrEnum` for the vocabularies that hooks load: used and checked as the one of `enum`, without importing it.

`enum` and a dozen classes made with it cost 1.7 ms of CPU, where a brief is made in about 25.
"""

from __future__ import annotations

__all__ = ["StrEnum"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum
else:

    class _Vocabulary(type):
        """Turns the strings in a class into its members, which are all it will ever have."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            words = {key: value for key, value in body.items() if type(value) is str and not key.startswith("__")}
            made = super().__new__(cls, name, bases, {key: value for key, value in body.items() if key not in words})
            members = {key: str.__new__(made, value) for key, value in words.items()}
            for key, member in members.items():
                member.name, member.value = key, words[key]
                setattr(made, key, member)
            made.__members__ = members
            made._by_value = {member.value: member for member in members.values()}
            return made

        def __call__(cls, value: str) -> StrEnum:
            try:
                return cls._by_value[value]
            except KeyError:
                raise ValueError(f"{value!r} is not a valid {cls.__qualname__}") from None

        def __iter__(cls) -> Iterator[StrEnum]:
            return iter(cls.__members__.values())

        def __len__(cls) -> int:
            return len(cls.__members__)

        def __contains__(cls, value: object) -> bool:
            return value in cls._by_value

    class StrEnum(str, metaclass=_Vocabulary):
        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

        def __reduce__(self) -> tuple[type, tuple[str]]:
            return type(self), (self.value,)
