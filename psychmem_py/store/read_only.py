"""A store opened for reading, without what opening it for writing brings, and memories as far as a line about them needs: for hooks, which
wait for nothing and mend nothing.
"""

from __future__ import annotations

import os

from psychmem_py.errors import StoreError, UnwritableError
from psychmem_py.home.light_json import decoded
from psychmem_py.model.light_record import Excerpt
from psychmem_py.store.sqlite import SCHEMA, Error, among, connected
from psychmem_py.text.tokenizer import INDEX_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    from psychmem_py.store.matches import Match

_AT_HAND = (
    "select user_version, (select value from meta where key = 'index_version'), (select value from meta where key = 'nonce_secret')"
    " from pragma_user_version"
)


class ReadOnlyStore:
    """An open store and the secret its fences are made with."""

    __slots__ = ("db", "secret")

    def __init__(self, db: Connection, secret: str) -> None:
        self.db, self.secret = db, secret


def reading(database: str, *, still: bool = False) -> ReadOnlyStore | None:
    """The store at this path; None where it has another schema or index than ours, or is a link: that is for `open_store`.

    `still` promises that nobody can write to it now. Raises sqlite3.Error for a file that cannot be read.
    """
    if os.path.islink(database):
        return None
    # A database in WAL mode can only be opened where its side file can be made; where nobody writes, it need not be.
    db = connected(database, timeout_s=1.0, still=still or not os.access(os.path.dirname(database), os.W_OK))
    schema, index, secret = db.execute(_AT_HAND).fetchone()
    if (schema, index) == (SCHEMA, str(INDEX_VERSION)):
        return ReadOnlyStore(db, secret or "")
    db.close()
    return None


def opened(database: str, now: float) -> ReadOnlyStore:
    """The store at this path, made or brought up to date first where that is needed. Raises StoreError with what is wrong with it."""
    try:
        store = reading(database)
    except Error:
        store = None
    if store is None:  # missing, of an older schema, damaged: opening for writing makes it or says what is wrong
        from psychmem_py.store.connection import open_store  # noqa: PLC0415

        try:
            with open_store(database, now=now, timeout_s=1.0):
                store = reading(database)
        except UnwritableError:  # a full disk: what is there is told all the same
            store = reading(database, still=True)
    if store is None:
        raise StoreError(f"{database} is being changed by another version of PsychMem; try again")
    return store


_EXCERPT = "id, text, class, updated_at, names, metadata, store, created_at, session"


def excerpts(db: sqlite3.Connection, matched: Sequence[Match]) -> list[Excerpt]:
    """What a line about each of these memories needs, in their order."""
    query = f"select seq, {_EXCERPT} from memory where seq in ({{keys}})"
    by_seq = {seq: _excerpt(row) for seq, *row in among(db, query, [match.seq for match in matched])}
    return [by_seq[match.seq] for match in matched]


def standing_excerpts(db: sqlite3.Connection, ids: Sequence[str]) -> list[Excerpt]:
    """What a line about each of these memories needs, by id, of those that are in use."""
    query = f"select {_EXCERPT} from memory where id in ({{keys}}) and status in ('active', 'promoted') order by id"
    return [_excerpt(row) for row in among(db, query, ids)]


def _excerpt(row: Sequence[Any]) -> Excerpt:
    id_, text, kind, updated_at, names, metadata, *rest = row
    named: Any = decoded(names.encode())
    fields: Any = decoded(metadata.encode())
    return Excerpt(id_, text, kind, updated_at, tuple(named), tuple(fields.items()), *rest)
