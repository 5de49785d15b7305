"""`NamedTuple` without importing `collections`: for what is loaded before every tool call, where that is a tenth of all it costs.

Making one is slower than making a `collections.namedtuple`; here it is a handful for a call.
"""

from __future__ import annotations

__all__ = ["NamedTuple"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from _operator import itemgetter

    class _Fields(type):
        """Turns a class of annotated fields and defaults into a tuple with names."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:  # NamedTuple itself
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            own = {"__slots__": (), "_fields": fields, "_defaults": defaults, "__doc__": body.get("__doc__")}
            own |= {field: property(itemgetter(at)) for at, field in enumerate(fields)}
            return type(name, (_Record,), own | {"__module__": body["__module__"], "__qualname__": name})

    class _Record(tuple):
        __slots__ = ()

        def __new__(cls, *given: object, **named: object) -> _Record:
            values = list(given)
            for field in cls._fields[len(given) :]:
                if field in named:
                    values.append(named.pop(field))
                elif field in cls._defaults:
                    values.append(cls._defaults[field])
                else:
                    raise TypeError(f"{cls.__name__} needs {field}")
            if named or len(values) > len(cls._fields):
                raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}")
            return tuple.__new__(cls, values)

        def _replace(self, **named: object) -> _Record:
            return type(self)(**(dict(zip(self._fields, self, strict=True)) | named))

        def __repr__(self) -> str:
            return (
                f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self, strict=True))})"
            )

    class NamedTuple(metaclass=_Fields):
        """Base of a record; leaves no trace in it."""
