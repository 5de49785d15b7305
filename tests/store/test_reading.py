"""A store opened for reading by a hook: only as it is, and never changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from psychmem_py.store.connection import open_store
from psychmem_py.store.read_only import reading
from psychmem_py.store.sqlite import meta, set_meta
from tests.memories_made import NOW


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_store(tmp_path / "memory.db", now=NOW):
        return tmp_path / "memory.db"


def test_what_was_written_is_read_and_nothing_can_be_written(path: Path) -> None:
    found = reading(str(path))
    assert found is not None
    with open_store(path, now=NOW) as db:
        assert found.secret == meta(db, "nonce_secret")
    with pytest.raises(sqlite3.OperationalError):
        found.db.execute("delete from meta")
    found.db.close()


@pytest.mark.parametrize("pragma", ["user_version = 0", "user_version = 99"])
def test_another_schema_is_not_read(path: Path, pragma: str) -> None:
    db = sqlite3.connect(path)
    db.execute(f"pragma {pragma}")
    db.close()
    assert reading(str(path)) is None


def test_another_index_and_a_link_are_not_read(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    assert reading(str(link)) is None
    with open_store(path, now=NOW) as db:
        set_meta(db, "index_version", "0")
    assert reading(str(path)) is None


def test_no_store_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        reading(str(tmp_path / "missing.db"))
    assert not (tmp_path / "missing.db").exists()
