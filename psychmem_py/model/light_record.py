"""`NamedTuple` for the modules that every hook loads: written and checked as the one of `typing`, without importing `typing`.

`typing` costs 5 ms of CPU and brings `re` along; a whole prompt is answered in about 23. What is made here is a plain
`collections.namedtuple`, which comes with `sqlite3` anyway.
"""

from __future__ import annotations

__all__ = ["NamedTuple"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from collections import namedtuple

    class _Fields(type):
        """Turns a class of annotated fields, defaults and methods into a named tuple."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:  # NamedTuple itself
                return super().__new__(cls, name, bases, body)
            fields = body.get("__annotations__", {})
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in fields and key not in ("__module__", "__qualname__", "__annotations__"):
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Fields):
        """Base of a record; leaves no trace in it."""
