"""The compiled half of `sqlite3`, which is all that a hook loads: without `datetime` and converters (3 ms of CPU)."""

from __future__ import annotations

import os
import sys

from psychmem_py.home.light_json import decoded
from psychmem_py.home.places import sqlite_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3 as sqlite3  # noqa: PLC0414  # for whoever imports it from here
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from sqlite3 import Connection
    from typing import Any
else:
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

Error, connect = sqlite3.Error, sqlite3.connect

SCHEMA = 9  # migrations in schema.sql
INDEX_VERSION = 4  # raised when `text.tokenizer` gives other words for the same memory; the index is then made anew
_AT_ONCE = 500  # parameters of one statement


def value(db: sqlite3.Connection, statement: str, *values: object) -> Any:  # noqa: ANN401  # as the schema says
    """The first column of a statement's first row; None where it has no row."""
    return row[0] if (row := db.execute(statement, values).fetchone()) else None


def column(db: sqlite3.Connection, statement: str, *values: object) -> list[Any]:
    """The first column of all rows of a statement."""
    return [row[0] for row in db.execute(statement, values)]


def from_json(text: str) -> Any:  # noqa: ANN401  # as the caller knows it
    """What a column of JSON holds."""
    return decoded(text.encode())


def among(db: sqlite3.Connection, statement: str, keys: Sequence[object], *more: object) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement in which `{keys}` stands for any number of values; `more` are the parameters behind them."""
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        yield from db.execute(statement.replace("{keys}", ", ".join("?" * len(part))), (*part, *more))


def insert(db: sqlite3.Connection, table: str, columns: str, rows: Iterable[Sequence[object]], clash: str = "nothing") -> None:
    """Adds rows of these columns ("id, text"); on conflict with one that is there `clash` is done, as SQL says it."""
    marks = ", ".join("?" * (columns.count(",") + 1))
    db.executemany(f"insert into {table} ({columns}) values ({marks}) on conflict do {clash}", rows)


def state(database: str) -> str:
    """The store's own clock, which moves with every change of a memory, its tombstones and schema; "" when it cannot be read."""
    known = "(select value from meta where key = 'hlc'), (select count(*) from tombstone), user_version"
    try:
        # Where nobody writes: no locks, no shared memory.
        db = connected(database, timeout_s=0.2, still=not os.path.exists(database + "-wal"))
        try:
            return " ".join(map(str, db.execute(f"select {known} from pragma_user_version").fetchone()))
        finally:
            db.close()
    except Error:
        return ""


def not_a_file(database: str) -> str:
    """What stands where a database or its journal belongs and is no file, "" for nothing: for a pipe SQLite waits for ever."""
    return next((one for one in (database, database + "-journal") if os.path.exists(one) and not os.path.isfile(one)), "")


def connected(database: str, *, timeout_s: float, still: bool = False) -> Connection:
    """A connection that only reads; `still` promises that nobody writes meanwhile. Raises Error when there is no such file."""
    if wrong := not_a_file(database):
        raise Error(f"{wrong} is no file")
    return connect(sqlite_address(database) + "&immutable=1" * still, timeout=timeout_s, isolation_level=None, uri=True)


def meta(db: sqlite3.Connection, key: str) -> str:
    """A value of the store itself by its key (device_id, nonce_secret, hlc, whatever has no row of its own); "" when unset."""
    return value(db, "select value from meta where key = ?", key) or ""


def set_meta(db: sqlite3.Connection, key: str, text: str) -> None:
    insert(db, "meta", "key, value", [(key, text)], "update set value = excluded.value")
