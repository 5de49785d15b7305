"""The `sqlite3` that a hook loads: the compiled half of it, without `datetime` and the converters that the other half adds (3 ms of CPU).

Errors and connections are the same objects, so whoever imports the whole of `sqlite3` catches what is raised here.
"""

from __future__ import annotations

import os
import sys

from psychmem_py.home.places import sqlite_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from sqlite3 import Connection
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

__all__ = ["INDEX_VERSION", "SCHEMA", "Error", "among", "connected", "meta", "set_meta", "sqlite3", "state"]

Error, connect = sqlite3.Error, sqlite3.connect

SCHEMA = 9  # migrations in schema.sql
INDEX_VERSION = 3  # raised when `text.tokenizer` gives other words for the same memory; the index is then made anew
_AT_ONCE = 500  # parameters of one statement


def among(db: sqlite3.Connection, statement: str, keys: Sequence[object], *more: object) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement in which `{keys}` stands for any number of values; `more` are the parameters behind them."""
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        yield from db.execute(statement.replace("{keys}", ", ".join("?" * len(part))), (*part, *more))


_STATE = (
    "select (select value from meta where key = 'hlc'), (select count(*) from tombstone), user_version from pragma_user_version"
)


def state(database: str) -> str:
    """The store's own clock, which moves with every change of a memory, its tombstones and schema; "" when it cannot be read."""
    try:
        # Where nobody writes: no locks, no shared memory.
        db = connected(database, timeout_s=0.2, still=not os.path.exists(database + "-wal"))
        try:
            row = db.execute(_STATE).fetchone()
        finally:
            db.close()
    except Error:
        return ""
    return " ".join(map(str, row)) if row else ""


def connected(database: str, *, timeout_s: float, still: bool = False) -> Connection:
    """A connection that only reads; `still` promises that nobody writes meanwhile. Raises Error when there is no such file."""
    return connect(sqlite_address(database) + "&immutable=1" * still, timeout=timeout_s, isolation_level=None, uri=True)


def meta(db: sqlite3.Connection, key: str) -> str:
    """The value of the store itself under a key (device_id, nonce_secret, hlc, what else has no row of its own); "" when unset."""
    row = db.execute("select value from meta where key = ?", (key,)).fetchone()
    return row[0] if row else ""


def set_meta(db: sqlite3.Connection, key: str, value: str) -> None:
    db.execute("insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value", (key, value))
