"""The `sqlite3` that a hook loads: the compiled half of it, without `datetime` and the converters that the other half adds (3 ms of CPU).

Errors and connections are the same objects, so whoever imports the whole of `sqlite3` catches what is raised here.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any
else:
    try:
        import _functools

        class _Functools:
            """All that the compiled half asks of `functools`, whose own imports cost 2 ms of CPU: a cache for its statements."""

            @staticmethod
            def lru_cache(most: int) -> Callable[[Callable[[str], object]], Callable[[str], object]]:
                return lambda prepare: _functools._lru_cache_wrapper(prepare, most, False, tuple)

        is_stand_in = sys.modules.setdefault("functools", _Functools) is _Functools
        try:
            import _sqlite3 as sqlite3
        finally:
            if is_stand_in:
                del sys.modules["functools"]
    except ImportError:  # another interpreter
        import sqlite3

__all__ = ["among", "sqlite3"]

_AT_ONCE = 500  # parameters of one statement


def among(db: sqlite3.Connection, statement: str, keys: Sequence[object], *more: object) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement in which `{keys}` stands for any number of values; `more` are the parameters behind them."""
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        yield from db.execute(statement.replace("{keys}", ", ".join("?" * len(part))), (*part, *more))
