"""A store opened for reading, without what opening it for writing brings: for hooks, which wait for nothing and mend nothing."""

from __future__ import annotations

import os

from psychmem_py.errors import StoreError, UnwritableError
from psychmem_py.store.schema import MIGRATIONS
from psychmem_py.store.sqlite import Error, connected
from psychmem_py.text.tokenizer import INDEX_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

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
    if (schema, index) == (len(MIGRATIONS), str(INDEX_VERSION)):
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
