"""`NamedTuple` and `StrEnum` for the modules that hooks load: as those of `typing` and `enum`, without their 5 and 1.7 ms of CPU,
where a prompt takes 23 and a call 12; and what every prompt loads: statuses, memory lines, settings of search and briefs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum as StrEnum  # noqa: PLC0414  # for whoever imports it from here
    from typing import Any
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414
else:
    from _collections import _tuplegetter as _field  # what `collections.namedtuple` uses, compiled into the interpreter

    _OF_THE_CLASS = frozenset({"__module__", "__qualname__", "__annotations__"})

    class _Fields(type):
        """Turns a class of annotated fields, defaults and methods into a tuple with names."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:  # NamedTuple itself
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            own = {key: value for key, value in body.items() if key not in fields and key not in _OF_THE_CLASS}
            own |= {field: _field(at, "") for at, field in enumerate(fields)}
            defaults = {field: body[field] for field in fields if field in body}
            own |= {"__slots__": (), "_fields": fields, "_field_defaults": defaults}
            return type(name, (_Record,), own | {"__module__": body["__module__"], "__qualname__": body["__qualname__"]})

    class _Record(tuple):
        __slots__ = ()

        def __new__(cls, *given: object, **named: object) -> _Record:
            fields = cls._fields
            if len(given) == len(fields) and not named:
                return tuple.__new__(cls, given)
            values = cls._field_defaults | named | dict(zip(fields, given, strict=False))
            if len(values) > len(fields) or len(given) > len(fields) or not named.keys().isdisjoint(fields[: len(given)]):
                raise TypeError(f"{cls.__name__} takes {', '.join(fields)}, each once")
            try:
                return tuple.__new__(cls, [values[field] for field in fields])
            except KeyError as exc:
                raise TypeError(f"{cls.__name__} needs {exc.args[0]}") from None

        def __repr__(self) -> str:
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **named: object) -> _Record:
            return type(self)(**(self._asdict() | named))

    class NamedTuple(metaclass=_Fields):
        """Base of a record; leaves no trace in it."""

    class _Vocabulary(type):
        """Turns the strings in a class into its members, which are all it will ever have."""

        def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> None:
            super().__init__(name, bases, body)
            cls._members = {}
            for key, value in body.items():
                if type(value) is str and not key.startswith("__"):
                    member = cls._members[value] = str.__new__(cls, value)
                    member.name, member.value = key, value
                    setattr(cls, key, member)

        def __call__(cls, value: str) -> StrEnum:
            try:
                return cls._members[value]
            except (KeyError, TypeError):  # a list is none either
                raise ValueError(f"{value!r} is not a valid {cls.__qualname__}") from None

        def __iter__(cls) -> Iterator[StrEnum]:
            return iter(cls._members.values())

        def __contains__(cls, value: object) -> bool:
            return value in cls._members

    class StrEnum(str, metaclass=_Vocabulary):
        """Base of a vocabulary; a member prints as its text."""


RECALLABLE = ("active", "promoted")  # put before an agent unasked; it fades and moves between the stores
LIVE = (*RECALLABLE, "decayed")  # found by a search: fading lowers the rank only
KEPT = ("active", "quarantined", "promoted", "decayed")  # a statement is kept once among these; as the index memory_once has it
KNOWN = (*KEPT, "forgotten")  # what a new statement is compared with: what was forgotten is not learned again
FILE_FIELD = "file:"  # of a memory's metadata, before the path of a file that it names: git's hash of that file then

CALL_CLASSES = ("constraint", "preference", "procedural", "decision")  # enforced at tool calls: "we decided on pnpm" is one


class Excerpt(NamedTuple):
    """A memory as far as a line about it needs."""

    id: str
    text: str
    kind: str
    updated_at: float
    names: tuple[str, ...]
    metadata: tuple[tuple[str, str], ...]
    store: str
    created_at: float
    session: str  # in which it was first stated


class FailingCall(NamedTuple):
    """A form of call that fails in a project."""

    form: str
    sessions: int
    fault: str
    worked: str


class Retrieval(NamedTuple):
    inject_on_compaction: bool = True
    max_session_memories: int = 20
    max_compaction_memories: int = 10
    max_prompt_memories: int = 3
    max_context_tokens: int = 4000
    brief_limit_chars: int = 9500
    retrieval_limit: int = 10
    act_reminders: bool = True
    guidance: bool = True
