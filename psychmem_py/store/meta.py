"""Values of the store itself: device_id, nonce_secret, hlc, created_at and what else has no row of its own."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3


def meta(db: sqlite3.Connection, key: str) -> str:
    """The value under a key; "" when unset."""
    row = db.execute("select value from meta where key = ?", (key,)).fetchone()
    return row[0] if row else ""


def set_meta(db: sqlite3.Connection, key: str, value: str) -> None:
    db.execute("insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value", (key, value))
