import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from psychmem_py.curation import actions, history
from psychmem_py.curation.actions import Edit
from psychmem_py.curation.remember import Entry
from psychmem_py.curation.remember import remember as remember_entry
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.records import Candidate, Verdict
from psychmem_py.model.terms import Gate, Kind, Origin, Role, Scope
from psychmem_py.store import candidates, change_log, rows
from psychmem_py.store.care import checkpoints
from psychmem_py.store.care.purge import purge
from psychmem_py.store.connection import open_store
from psychmem_py.store.sqlite import state
from tests.memories_made import NOW, act, made, store

SECRET = "the vault of Brobdingnag opens with marzipan at midnight"
FORMER = "the vault of Laputa opens with nougat"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    with open_store(path, now=NOW) as found:
        yield found


def remember(db: sqlite3.Connection, text: str, batch: str, **more: object) -> str:
    entry = Entry(text, Kind.SEMANTIC, project="git:x", **more)  # type: ignore[arg-type]
    return remember_entry(act(db, batch), entry).memory.id


def bytes_of(folder: Path) -> bytes:
    return b"".join(entry.read_bytes() for entry in folder.rglob("*") if entry.is_file()).lower()


def test_no_byte_of_a_purged_text_stays(db: sqlite3.Connection, path: Path) -> None:
    key = remember(db, FORMER, "b1", quote="and remember that " + FORMER)
    actions.edit(act(db, "b2"), key, Edit(text=SECRET))
    checkpoints.create(db, path, "early")
    beside = remember(db, "the lighthouse keeper likes tea", "b3", context=f"before: {SECRET[:40]}")
    rejected = Candidate(SECRET, SECRET, Kind.SEMANTIC, Scope.PROJECT, 0.5, 0.5, (), Role.USER, Origin.USER_PROMPT, "m", 0, 9)
    candidates.keep_verdicts(db, [Verdict(rejected, Gate.EVIDENCE, "weak")], session="s", project="git:x", batch="b5", now=NOW)
    actions.edit(act(db, "b6"), beside, Edit(tags=["keeper"]))
    for word in (b"marzipan", b"nougat", b"brobdingnag", b"laputa"):
        assert word in bytes_of(path.parent)

    receipt = purge(db, [key], path, NOW)

    assert receipt.memories == 1
    assert len(receipt.copies) == 1
    assert receipt.unclean == ()
    for word in (b"marzipan", b"nougat", b"brobdingnag", b"laputa"):
        assert word not in bytes_of(path.parent), word
    assert rows.get(db, key) is None
    assert rows.by_id(db, beside).text == "the lighthouse keeper likes tea"
    assert rows.by_id(db, beside).context == ""


def test_what_was_purged_cannot_be_undone_restored_or_learned_again(db: sqlite3.Connection, path: Path) -> None:
    key = remember(db, SECRET, "b1")
    checkpoints.create(db, path, "early")
    purge(db, [key], path, NOW)
    with pytest.raises(NotFoundError):
        history.undo(act(db), None)
    assert actions.restore(act(db, "r"), path, "early") == []
    with pytest.raises(RefusedError, match="purged"):
        remember(db, SECRET.upper(), "b2")
    assert change_log.buried(db, [SECRET, "something else"]) == {SECRET}


def test_copies_in_other_projects_go_too_and_the_log_stays_closed(db: sqlite3.Connection, path: Path) -> None:
    key = remember(db, SECRET, "b1")
    remember_entry(act(db, "b2"), Entry(SECRET, Kind.DECISION, project="git:y"))
    assert purge(db, [key], path, NOW).memories == 2
    remember(db, "an ordinary fact about lighthouses", "b3")
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("delete from change")


def test_a_memory_that_quotes_it_is_named(db: sqlite3.Connection, path: Path) -> None:
    key = remember(db, "marzipan opens it", "b1")
    other = remember(db, "as the story goes marzipan opens it and everyone was happy about the feast that followed", "b2")
    assert purge(db, [key], path, NOW).still_in == (other,)


def test_a_tombstone_tells_nothing(db: sqlite3.Connection, path: Path) -> None:
    purge(db, [remember(db, SECRET, "b1")], path, NOW)
    tombs = [line[0] for line in db.execute("select digest from tombstone")]
    assert all(len(tomb) == 64 and int(tomb, 16) for tomb in tombs)


def test_a_copy_that_cannot_be_read_is_told(db: sqlite3.Connection, path: Path) -> None:
    key = remember(db, SECRET, "b1")
    broken = path.parent / "memory.db.corrupt-20260101"
    broken.write_bytes(b"x" * 5000)
    assert purge(db, [key], path, NOW).unclean == (str(broken),)


def test_every_purge_moves_the_clock_of_the_store(db: sqlite3.Connection, path: Path) -> None:
    """What is made ready for a client counts as current while the clock stands."""
    purges = [change_log.last_purge(db)]
    for memory in (made(SECRET), made(SECRET)):  # the second time its text is buried already
        store(db, [memory])
        before = state(str(path))
        purge(db, [memory.id], path, NOW)
        assert state(str(path)) != before
        purges.append(change_log.last_purge(db))
    before = state(str(path))
    purge(db, [], path, NOW)  # of a subject of which only quotes and contexts told
    assert state(str(path)) != before
    purges.append(change_log.last_purge(db))
    assert len(set(purges)) == 4
