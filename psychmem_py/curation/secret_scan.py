"""Secrets that were stored all the same: where they are, and taking them out of every file of ours."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from psychmem_py.briefing import brief_cache
from psychmem_py.handover import journal_reader
from psychmem_py.safety.secrets import found as secrets_in
from psychmem_py.safety.secrets import redact
from psychmem_py.store.care import scrub


class SecretScan(NamedTuple):
    """Rows and journals that hold a secret."""

    rows: tuple[scrub.Occurrence, ...]
    journals: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.rows or self.journals)


def found(db: sqlite3.Connection, data: str | os.PathLike[str]) -> SecretScan:
    """Every row of the store and every journal with a secret in it."""
    return SecretScan(tuple(scrub.occurrences_of(db, _kinds)), tuple(journal_reader.files_that_tell(data, _tells)))


def take_out(db: sqlite3.Connection, database: str | os.PathLike[str], data: str | os.PathLike[str], now: float) -> list[str]:
    """Takes secrets out of journals, store, copies and prepared briefs; the copies that could not be cleaned."""
    journal_reader.without(data, _tells)  # first: what is taken up meanwhile is in the store, and cleaned there
    unclean = scrub.rewrite(db, database, redact, now)
    brief_cache.clear(os.fspath(database))
    return unclean


def _kinds(text: str) -> list[str]:
    return [secret.kind for secret in secrets_in(text)]


def _tells(text: str) -> bool:
    return bool(secrets_in(text))
