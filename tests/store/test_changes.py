import sqlite3

import pytest

from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Link, LinkType, Memory, Origin, Status
from psychmem_py.store import change_log, rows, undo
from tests.memories_made import NOW, made


def add(db: sqlite3.Connection, memory: Memory, batch: str = "b1", at: float = NOW) -> Memory:
    told = Evidence(memory.id, at, "cli", Origin.USER_CLI, quote=memory.text)
    change_log.apply(db, [Change(ChangeType.ADD, memory.id, None, memory, evidence=told)], batch=batch, now=at)
    return memory


def edit(db: sqlite3.Connection, before: Memory, batch: str, at: float = NOW, **fields: object) -> Memory:
    after = before._replace(**fields)  # type: ignore[arg-type]
    change_log.apply(db, [Change(ChangeType.EDIT, before.id, before, after)], batch=batch, now=at)
    return after


MORE = {"tags": ("a", "ü"), "names": ("x.py",), "context": "so", "metadata": (("outcome", "ok"),)}
FULL = made("Zürich → 東京", Kind.EPISODIC, project="git:x", **MORE)


def test_a_memory_comes_back_as_it_went_in_and_its_log_cannot_be_altered(db: sqlite3.Connection) -> None:
    add(db, FULL)
    assert rows.get(db, FULL.id) == FULL
    assert change_log.history(db, FULL.id)[0].change.after == FULL
    for statement in ("update change set reason = 'x'", "delete from change"):
        with pytest.raises(sqlite3.IntegrityError, match="cannot be altered"):
            db.execute(statement)


def test_the_clock_of_the_log_only_goes_forward(db: sqlite3.Connection) -> None:
    first = add(db, made("one"), at=NOW)
    second = edit(db, first, "b2", at=NOW - 1000, text="two")
    edit(db, second, "b3", at=NOW + 1, text="three")
    clocks = [line.hlc for line in change_log.history(db, first.id)]
    assert (clocks, len(set(clocks))) == (sorted(clocks), 3)
    assert len({line.device for line in change_log.history(db, first.id)}) == 1


def test_undo_takes_back_the_last_batch_then_the_one_before_and_by_name_itself(db: sqlite3.Connection) -> None:
    first = add(db, made("one"))
    edit(db, first, "b2", text="two")
    undo.undo(db, None, NOW)
    assert rows.by_id(db, first.id) == first
    undo.undo(db, None, NOW)
    assert rows.get(db, first.id) is None
    assert rows.evidence(db, first.id) == []
    with pytest.raises(NotFoundError):
        undo.undo(db, None, NOW)
    first = add(db, made("one"), "b3")
    undo.undo(db, None, NOW, batch="oops")
    undo.undo(db, "oops", NOW)
    assert (rows.by_id(db, first.id), len(rows.evidence(db, first.id))) == (first, 1)
    undo.undo(db, None, NOW)
    assert rows.get(db, first.id) is None


def test_an_older_change_is_taken_back_alone_when_no_later_one_depends_on_it(db: sqlite3.Connection) -> None:
    first = add(db, made("one"))
    second = edit(db, first, "b2", text="two")
    edit(db, second, "b3", pinned=True)
    undo.undo(db, "b2", NOW)
    found = rows.by_id(db, first.id)
    assert (found.text, found.pinned) == ("one", True)
    edit(db, edit(db, found, "b4", text="three"), "b5", text="four")
    with pytest.raises(RefusedError):
        undo.undo(db, "b4", NOW)
    assert rows.by_id(db, first.id).text == "four"


def test_what_is_gone_already_leaves_nothing_behind_when_taken_back_again(db: sqlite3.Connection) -> None:
    add(db, made("one"))  # line 1
    for line in ("1", "2", "1", "3", "5", "4"):  # gone, back, gone; then "back" is taken back with nothing there, and that again
        undo.undo(db, line, NOW + 1)
    assert db.execute("select count(*) from memory").fetchone() == db.execute("select count(*) from evidence").fetchone() == (1,)


def test_undo_cannot_make_two_of_one_statement(db: sqlite3.Connection) -> None:
    first = add(db, made("one"))
    edit(db, first, "b2", status=Status.FORGOTTEN)
    add(db, made("one"), batch="b3")
    with pytest.raises(RefusedError):
        undo.undo(db, "b2", NOW)


def test_upkeep_is_undone_only_by_name(db: sqlite3.Connection) -> None:
    first = add(db, made("one"))
    edit(db, first, "upkeep-decay-1", status=Status.DECAYED)
    undo.undo(db, "upkeep-decay-1", NOW)
    assert rows.by_id(db, first.id).status is Status.ACTIVE
    edit(db, first, "upkeep-decay-2", pinned=True)
    undo.undo(db, None, NOW)
    assert rows.get(db, first.id) is None


def test_a_link_and_its_end_are_undone_alike(db: sqlite3.Connection) -> None:
    one, two = add(db, made("one")), add(db, made("two"), "b2")
    link = Link(one.id, two.id, LinkType.CAUSED, NOW)
    change_log.apply(db, [Change(ChangeType.LINK, one.id, one, one, link=link)], batch="b3", now=NOW)
    assert rows.links(db, two.id) == [link]
    change_log.apply(db, [Change(ChangeType.UNLINK, one.id, one, one, link=link)], batch="b4", now=NOW)
    assert rows.links(db, two.id) == []
    undo.undo(db, None, NOW)
    assert rows.links(db, two.id) == [link]
    undo.undo(db, None, NOW)
    assert rows.links(db, two.id) == []


@pytest.mark.parametrize("words", ["zurich", "東京", "two"])
def test_the_index_follows_the_text(db: sqlite3.Connection, words: str) -> None:
    add(db, FULL)
    edit(db, FULL, "b2", text="two zurich 東京")
    edit(db, rows.by_id(db, FULL.id), "b3", text="plain")
    assert db.execute("select count(*) from memory_fts where memory_fts match ?", (f'text:"{words}"',)).fetchone() == (0,)
    assert db.execute("select count(*) from memory_fts where memory_fts match 'plain'").fetchone() == (1,)


def test_a_unique_beginning_names_a_memory(db: sqlite3.Connection) -> None:
    add(db, made("one", id="abc1" + "0" * 28))
    add(db, made("two", id="abc2" + "0" * 28))
    assert rows.by_id(db, "abc2").text == "two"
    for wrong in ("abc", "zzz", "", "  "):
        with pytest.raises(NotFoundError):
            rows.by_id(db, wrong)
