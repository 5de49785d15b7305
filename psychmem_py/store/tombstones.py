"""What was purged, as digests: a conversation read again does not bring it back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from psychmem_py.store.connection import meta
from psychmem_py.text.tokenizer import content_words, digest


def _tombs(db: sqlite3.Connection, text: str) -> tuple[str, str]:
    """Keyed hashes of a text as written and of its words in any order: neither tells the text to who lacks the store's secret."""
    import hmac  # noqa: PLC0415 - loads OpenSSL: 3 ms that only purged texts need

    secret = meta(db, "nonce_secret").encode()
    words = " ".join(sorted(set(content_words(text))))
    return (
        hmac.new(secret, f"text {digest(text)}".encode(), "sha256").hexdigest(),
        hmac.new(secret, f"words {words}".encode(), "sha256").hexdigest(),
    )


def bury(db: sqlite3.Connection, texts: Iterable[str], now: float) -> None:
    """Never learn these texts again."""
    db.executemany(
        "insert into tombstone (digest, at) values (?, ?) on conflict do nothing",
        ((tomb, now) for text in texts if text.strip() for tomb in _tombs(db, text)),
    )


def any_buried(db: sqlite3.Connection) -> bool:
    """Whether anything was ever purged."""
    return db.execute("select 1 from tombstone limit 1").fetchone() is not None


def buried(db: sqlite3.Connection, texts: Sequence[str]) -> set[str]:
    """Those of the texts that were purged, in these words or the same words in another order."""
    if not any_buried(db):
        return set()
    found = set()
    for text in texts:
        if db.execute("select 1 from tombstone where digest in (?, ?)", _tombs(db, text)).fetchone():
            found.add(text)
    return found
