"""What was purged, as digests: a conversation read again does not bring it back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from psychmem_py.store.change_log import move_clock
from psychmem_py.store.sqlite import meta, set_meta
from psychmem_py.text.tokenizer import content_words, digest


def _tombs(db: sqlite3.Connection, text: str) -> list[str]:
    """Keyed hashes of a text as written and of its words in any order: neither tells the text to who lacks the store's secret."""
    import hmac  # noqa: PLC0415 - loads OpenSSL: 3 ms that only purged texts need

    secret = meta(db, "nonce_secret").encode()
    words = " ".join(sorted(set(content_words(text))))
    forms = [f"text {digest(text)}", f"words {words}"]
    return [hmac.new(secret, form.encode(), "sha256").hexdigest() for form in forms]


def bury(db: sqlite3.Connection, texts: Iterable[str], now: float) -> None:
    """Never learn these texts again."""
    db.executemany(
        "insert into tombstone (digest, at) values (?, ?) on conflict do nothing",
        ((tomb, now) for text in texts if text.strip() for tomb in _tombs(db, text)),
    )


_LAST_PURGE = "purged_at"


def note_purge(db: sqlite3.Connection, now: float) -> None:
    """Says that something was purged, also where no text was buried: in the caller's transaction."""
    move_clock(db, now)
    set_meta(db, _LAST_PURGE, meta(db, "hlc"))


def last_purge(db: sqlite3.Connection) -> str:
    """When something was purged last, "" for never: what was read before it must not be written after it."""
    return meta(db, _LAST_PURGE)


def any_buried(db: sqlite3.Connection) -> bool:
    """Whether anything was ever purged."""
    return db.execute("select 1 from tombstone limit 1").fetchone() is not None


def buried(db: sqlite3.Connection, texts: Sequence[str]) -> set[str]:
    """Those of the texts that were purged: in these words, or in the same words in another order."""
    if not any_buried(db):
        return set()
    buried_texts = set()
    for text in texts:
        if db.execute("select 1 from tombstone where digest in (?, ?)", _tombs(db, text)).fetchone():
            buried_texts.add(text)
    return buried_texts
