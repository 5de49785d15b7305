import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from psychmem_py.curation import actions, history
from psychmem_py.curation.actions import Edit
from psychmem_py.curation.remember import Entry
from psychmem_py.curation.remember import remember as remember_entry
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.terms import Kind, LinkType
from psychmem_py.store import rows
from psychmem_py.store.care import checkpoints
from psychmem_py.store.care.purge import purge
from psychmem_py.store.connection import open_store
from tests.memories_made import NOW, act


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    with open_store(path, now=NOW) as found:
        yield found


def remember(db: sqlite3.Connection, text: str) -> str:
    return remember_entry(act(db, text), Entry(text, Kind.DECISION, project="p")).memory.id


def state(db: sqlite3.Connection) -> tuple[object, ...]:
    found = rows.listed(db, all_projects=True, statuses=())
    return tuple(sorted(found)), db.execute("select source, target, type from link order by 1, 2, 3").fetchall()


def test_going_back_and_coming_forward_again(db: sqlite3.Connection, path: Path) -> None:
    one, two = remember(db, "we ship on mondays"), remember(db, "the queue is redis")
    actions.link(act(db, "l"), one, two, LinkType.CAUSED)
    made = checkpoints.create(db, path, "monday")
    then = state(db)
    assert stat.S_IMODE(Path(made.path).stat().st_mode) == 0o600
    actions.forget(act(db, "f"), [one])
    actions.edit(act(db, "e"), two, Edit(text="the queue is rabbit"))
    actions.unlink(act(db, "u"), one, two, None)
    remember(db, "a third thing entirely")
    later = state(db)
    actions.restore(act(db, "restore"), path, "monday")
    assert state(db) == then
    history.undo(act(db), None)
    assert state(db) == later


def test_checkpoints_are_listed_and_deleted_by_name(db: sqlite3.Connection, path: Path) -> None:
    checkpoints.create(db, path, "a")
    with pytest.raises(RefusedError):
        checkpoints.create(db, path, "a")
    assert [one.name for one in checkpoints.listing(path)] == ["a"]
    checkpoints.delete(path, "a")
    assert checkpoints.listing(path) == []
    with pytest.raises(NotFoundError):
        actions.restore(act(db, "r"), path, "a")


def test_a_copy_is_consistent_while_another_writes(db: sqlite3.Connection, path: Path) -> None:
    remember(db, "committed")
    with open_store(path, now=NOW) as other:
        other.execute("begin immediate")
        other.execute("update memory set text = 'half done'")
        checkpoints.create(db, path, "now")
        other.rollback()
    with open_store(checkpoints.folder_of(path) + "/now.db", now=NOW) as copy:
        assert [memory.text for memory in rows.listed(copy, all_projects=True)] == ["committed"]


def test_databases_of_others_in_a_folder_of_that_name_are_none(db: sqlite3.Connection, path: Path) -> None:
    folder = path.parent / "checkpoints"
    folder.mkdir()
    other = sqlite3.connect(folder / "model.db")
    other.execute("create table weights (text)")
    other.execute("insert into weights values ('we ship on mondays')")
    other.commit()
    other.close()
    before = (folder / "model.db").read_bytes()
    assert checkpoints.listing(path) == []
    with pytest.raises(NotFoundError):
        checkpoints.delete(path, "model")
    receipt = purge(db, [remember(db, "we ship on mondays")], path, NOW)
    assert (receipt.copies, receipt.unclean) == ((), ())
    assert (folder / "model.db").read_bytes() == before


def test_a_copy_that_was_never_finished_is_no_checkpoint_and_is_cleaned_like_one(
    db: sqlite3.Connection, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Going back to an empty one would take every memory away."""
    key = remember(db, "we ship on mondays")
    with monkeypatch.context() as killed:
        killed.setattr(os, "rename", _ended)
        killed.setattr(os, "unlink", _ended)
        with pytest.raises(KeyboardInterrupt):
            checkpoints.create(db, path, "monday")
    assert checkpoints.listing(path) == []
    with pytest.raises(NotFoundError):
        actions.restore(act(db, "r"), path, "monday")
    (half,) = Path(checkpoints.folder_of(path)).iterdir()
    assert b"mondays" in half.read_bytes()
    assert purge(db, [key], path, NOW).copies == (str(half),)
    assert b"mondays" not in half.read_bytes()
    checkpoints.create(db, path, "monday")
    assert [one.name for one in checkpoints.listing(path)] == ["monday"]


def _ended(*_: object) -> None:
    raise KeyboardInterrupt
