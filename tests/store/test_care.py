import multiprocessing
import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from psychmem_py.curation import actions, history
from psychmem_py.curation.actions import Edit
from psychmem_py.curation.remember import Entry
from psychmem_py.curation.remember import remember as remember_entry
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.records import Candidate, Gate, Kind, LinkType, Origin, Role, Scope, Verdict
from psychmem_py.store import candidates, change_log, copies, rows
from psychmem_py.store.connection import open_store
from psychmem_py.store.sqlite import state
from tests.memories_made import NOW, act, killed, made, purge, store

SECRET = "the vault of Brobdingnag opens with marzipan at midnight"
FORMER = "the vault of Laputa opens with nougat"


def remember(db: sqlite3.Connection, text: str, batch: str = "", **more: object) -> str:
    entry = Entry(text, Kind.SEMANTIC, project="git:x", **more)  # type: ignore[arg-type]
    return remember_entry(act(db, batch or text), entry).memory.id


def bytes_of(folder: Path) -> bytes:
    return b"".join(entry.read_bytes() for entry in folder.rglob("*") if entry.is_file()).lower()


def test_no_byte_of_a_purged_text_stays(db: sqlite3.Connection, path: Path) -> None:
    key = remember(db, FORMER, "b1", quote="and remember that " + FORMER)
    actions.edit(act(db, "b2"), key, Edit(text=SECRET))
    copies.create(db, path, "early")
    beside = remember(db, "the lighthouse keeper likes tea", "b3", context=f"before: {SECRET[:40]}")
    rejected = Candidate(SECRET, SECRET, Kind.SEMANTIC, Scope.PROJECT, 0.5, 0.5, (), Role.USER, Origin.USER_PROMPT, "m", 0, 9)
    candidates.keep_verdicts(db, [Verdict(rejected, Gate.EVIDENCE, "weak")], session="s", project="git:x", batch="b5", now=NOW)
    actions.edit(act(db, "b6"), beside, Edit(tags=["keeper"]))
    for word in (b"marzipan", b"nougat", b"brobdingnag", b"laputa"):
        assert word in bytes_of(path.parent)

    receipt = purge(db, [key], path, NOW)

    assert (receipt.memories, len(receipt.copies), receipt.unclean) == (1, 1, ())
    for word in (b"marzipan", b"nougat", b"brobdingnag", b"laputa"):
        assert word not in bytes_of(path.parent), word
    assert rows.get(db, key) is None
    assert (rows.by_id(db, beside).text, rows.by_id(db, beside).context) == ("the lighthouse keeper likes tea", "")


def test_what_was_purged_cannot_be_undone_restored_or_learned_again(db: sqlite3.Connection, path: Path) -> None:
    key = remember(db, SECRET, "b1")
    copies.create(db, path, "early")
    purge(db, [key], path, NOW)
    with pytest.raises(NotFoundError):
        history.undo(act(db), None)
    assert actions.restore(act(db, "r"), path, "early") == []
    with pytest.raises(RefusedError, match="purged"):
        remember(db, SECRET.upper(), "b2")
    assert change_log.erased(db, [SECRET, "something else"]) == {SECRET}


def test_what_says_it_elsewhere_stays_and_is_named_and_a_tombstone_is_silent(db: sqlite3.Connection, path: Path) -> None:
    key = remember(db, SECRET, "b1")
    twin = remember_entry(act(db, "b2"), Entry(SECRET, Kind.DECISION, project="git:y")).memory.id
    other = remember(db, f"as the story goes {SECRET} and everyone was happy about the feast that followed", "b3")
    broken = path.parent / "memory.db.corrupt-20260101"
    broken.write_bytes(b"x" * 5000)
    receipt = purge(db, [key], path, NOW)
    assert (receipt.memories, receipt.still_in, receipt.unclean) == (1, (twin, other), (str(broken),))
    with pytest.raises(sqlite3.IntegrityError):  # the log is closed again
        db.execute("delete from change")
    tombs = [line[0] for line in db.execute("select digest from tombstone")]
    assert all(len(tomb) == 64 and int(tomb, 16) for tomb in tombs)


def test_every_purge_moves_the_clock_of_the_store(db: sqlite3.Connection, path: Path) -> None:
    """What is made ready for a client counts as current while the clock stands."""
    purges = [change_log.last_purge(db)]
    for memory in (made(SECRET), made(SECRET)):  # the second time its text is erased already
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


def whole(db: sqlite3.Connection) -> tuple[object, ...]:
    found = rows.listed(db, all_projects=True, statuses=())
    return tuple(sorted(found)), db.execute("select source, target, type from link order by 1, 2, 3").fetchall()


def test_going_back_and_coming_forward_again(db: sqlite3.Connection, path: Path) -> None:
    one, two = remember(db, "we ship on mondays"), remember(db, "the queue is redis")
    actions.link(act(db, "l"), one, two, LinkType.CAUSED)
    made = copies.create(db, path, "monday")
    then = whole(db)
    assert stat.S_IMODE(Path(made.path).stat().st_mode) == 0o600
    actions.forget(act(db, "f"), [one])
    actions.edit(act(db, "e"), two, Edit(text="the queue is rabbit"))
    actions.unlink(act(db, "u"), one, two, None)
    remember(db, "a third thing entirely")
    later = whole(db)
    actions.restore(act(db, "restore"), path, "monday")
    assert whole(db) == then
    history.undo(act(db), None)
    assert whole(db) == later


def made_at_once(path: Path) -> str:
    with open_store(path, now=NOW) as db, suppress(RefusedError):
        return copies.create(db, path, "a").name
    return ""


def test_checkpoints_are_listed_and_deleted_by_name(db: sqlite3.Connection, path: Path) -> None:
    remember(db, SECRET * 1000)
    with multiprocessing.get_context("fork").Pool(6) as pool:
        assert sorted(pool.map(made_at_once, [path] * 6)) == ["", "", "", "", "", "a"]
    with pytest.raises(RefusedError):
        copies.create(db, path, "a", dry_run=True)
    assert [one.name for one in copies.listing(path)] == ["a"]
    copies.delete(path, "a")
    assert copies.listing(path) == []
    with pytest.raises(NotFoundError):
        actions.restore(act(db, "r"), path, "a")


def test_a_copy_is_consistent_while_another_writes(db: sqlite3.Connection, path: Path) -> None:
    remember(db, "committed")
    with open_store(path, now=NOW) as other:
        other.execute("begin immediate")
        other.execute("update memory set text = 'half done'")
        copies.create(db, path, "now")
        other.rollback()
    with open_store(copies.folder_of(path) + "/now.db", now=NOW) as copy:
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
    assert copies.listing(path) == []
    with pytest.raises(NotFoundError):
        copies.delete(path, "model")
    receipt = purge(db, [remember(db, "we ship on mondays")], path, NOW)
    assert (receipt.copies, receipt.unclean) == ((), ())
    assert (folder / "model.db").read_bytes() == before


def test_a_copy_never_finished_is_no_checkpoint(db: sqlite3.Connection, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going back to an empty one would take every memory away."""
    key = remember(db, "we ship on mondays")
    with monkeypatch.context() as half_way:
        half_way.setattr(os, "link", killed)
        half_way.setattr(os, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            copies.create(db, path, "monday")
    assert copies.listing(path) == []
    with pytest.raises(NotFoundError):
        actions.restore(act(db, "r"), path, "monday")
    (half,) = Path(copies.folder_of(path)).iterdir()
    assert b"mondays" in half.read_bytes()
    assert purge(db, [key], path, NOW).copies == (str(half),)
    assert b"mondays" not in half.read_bytes()
    copies.create(db, path, "monday")
    assert [one.name for one in copies.listing(path)] == ["monday"]
