"""The log of changes, and what stands in a store, is listed and neighbours."""

import sqlite3
from uuid import uuid4

import pytest

from psychmem_py.curation import history
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Link, LinkType, Memory, Origin, Status, Tier
from psychmem_py.store import change_log, rows, sessions
from psychmem_py.store.search import neighbours
from tests.data import cases
from tests.memories_made import NOW, act, made, store


def taken_back(db: sqlite3.Connection, target: str | None, now: float = NOW, batch: str = "") -> None:
    history.undo(act(db, batch or uuid4().hex, now), target)


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
    taken_back(db, None, NOW)
    assert rows.by_id(db, first.id) == first
    taken_back(db, None, NOW)
    assert rows.get(db, first.id) is None
    assert rows.evidence(db, first.id) == []
    with pytest.raises(NotFoundError):
        taken_back(db, None, NOW)
    first = add(db, made("one"), "b3")
    taken_back(db, None, NOW, batch="oops")
    taken_back(db, "oops", NOW)
    assert (rows.by_id(db, first.id), len(rows.evidence(db, first.id))) == (first, 1)
    taken_back(db, None, NOW)
    assert rows.get(db, first.id) is None


def test_an_older_change_is_taken_back_alone_when_no_later_one_depends_on_it(db: sqlite3.Connection) -> None:
    first = add(db, made("one"))
    second = edit(db, first, "b2", text="two")
    edit(db, second, "b3", pinned=True)
    taken_back(db, "b2", NOW)
    found = rows.by_id(db, first.id)
    assert (found.text, found.pinned) == ("one", True)
    edit(db, edit(db, found, "b4", text="three"), "b5", text="four")
    with pytest.raises(RefusedError):
        taken_back(db, "b4", NOW)
    assert rows.by_id(db, first.id).text == "four"


def test_what_is_gone_already_leaves_nothing_behind_when_taken_back_again(db: sqlite3.Connection) -> None:
    add(db, made("one"))  # line 1
    for line in ("1", "2", "1", "3", "5", "4"):  # gone, back, gone; then "back" is taken back with nothing there, and that again
        taken_back(db, line, NOW + 1)
    assert db.execute("select count(*) from memory").fetchone() == db.execute("select count(*) from evidence").fetchone() == (1,)


def test_undo_cannot_make_two_of_one_statement(db: sqlite3.Connection) -> None:
    first = add(db, made("one"))
    edit(db, first, "b2", status=Status.FORGOTTEN)
    add(db, made("one"), batch="b3")
    with pytest.raises(RefusedError):
        taken_back(db, "b2", NOW)


def test_upkeep_is_undone_only_by_name(db: sqlite3.Connection) -> None:
    first = add(db, made("one"))
    edit(db, first, "upkeep-decay-1", status=Status.DECAYED)
    taken_back(db, "upkeep-decay-1", NOW)
    assert rows.by_id(db, first.id).status is Status.ACTIVE
    edit(db, first, "upkeep-decay-2", pinned=True)
    taken_back(db, None, NOW)
    assert rows.get(db, first.id) is None


def test_a_link_and_its_end_are_undone_alike(db: sqlite3.Connection) -> None:
    one, two = add(db, made("one")), add(db, made("two"), "b2")
    link = Link(one.id, two.id, LinkType.CAUSED, NOW)
    change_log.apply(db, [Change(ChangeType.LINK, one.id, one, one, link=link)], batch="b3", now=NOW)
    assert rows.links(db, two.id) == [link]
    change_log.apply(db, [Change(ChangeType.UNLINK, one.id, one, one, link=link)], batch="b4", now=NOW)
    assert rows.links(db, two.id) == []
    taken_back(db, None, NOW)
    assert rows.links(db, two.id) == [link]
    taken_back(db, None, NOW)
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


def near(db: sqlite3.Connection, text: str, project: str | None = "p") -> set[str]:
    return {memory.text for memory in neighbours(db, [text], project=project)}


@pytest.mark.parametrize(("asked", "found"), cases("store", "neighbours are what may say the same or the opposite"))
def test_neighbours_are_what_may_say_the_same_or_the_opposite(db: sqlite3.Connection, asked: str, found: list[str]) -> None:
    store(db, [made("never push to main"), made("prefer sonnet", Kind.PREFERENCE), made("数据库端口是5433", project="p")])
    assert near(db, asked) == set(found)


def test_neighbours_never_live_in_another_project_and_are_found_among_thousands(db: sqlite3.Connection) -> None:
    store(db, [made("we use sqlite", project="a"), made("we use sqlite", project="b", status=Status.FORGOTTEN)])
    assert near(db, "we use sqlite", "c") == near(db, "we use sqlite", None) == set()
    assert [memory.project for memory in neighbours(db, ["we use sqlite"], project="b")] == ["b"]
    verbs, things, places = ("push", "merge", "deploy"), ("code", "drafts", "secrets"), ("main", "staging", "production")
    crowd = [f"never {a} {b} to {c} number {n}" for n in range(60) for a in verbs for b in things for c in places]
    store(db, [made(text) for text in crowd])
    store(db, [made("never push to main")])
    found = neighbours(db, ["never push straight to main"], project=None)
    assert "never push to main" in {memory.text for memory in found}
    assert len(found) <= 200


def test_a_list_keeps_to_its_filters(db: sqlite3.Connection) -> None:
    store(db, [
        made("a", tags=("x",)),
        made("b", Kind.SEMANTIC, project="p", pinned=True),
        made("c", project="q"),
        made("d", status=Status.QUARANTINED),
        made("e", tier=Tier.DEPRECATED),
        made("asks", Kind.CONSTRAINT, project="r", metadata=(("guard", "ask"),), created_at=1.0),
        made("rule", Kind.CONSTRAINT, project="r", created_at=2.0, anchor_at=NOW),
        made("pinned", project="r", pinned=True, created_at=3.0),
    ])  # fmt: skip
    kept = [memory.text for memory in rows.listed(db, project="r", order=rows.AS_RULES, limit=3)]
    assert kept == ["asks", "pinned", "rule"], "an old rule goes before a new decision"
    assert {memory.text for memory in rows.listed(db, project="p")} == {"a", "b", "e"}
    assert {memory.text for memory in rows.listed(db, all_projects=True)} == {"a", "b", "c", "e", "asks", "rule", "pinned"}
    assert [memory.text for memory in rows.listed(db, project="p", tags=["x"])] == ["a"]
    assert [memory.text for memory in rows.listed(db, statuses=[Status.QUARANTINED])] == ["d"]
    assert {memory.text for memory in rows.recallable(db, "p")} == {"a", "b"}
    assert len(rows.listed(db, project="p", statuses=())) == 4


def test_a_conversation_is_read_once(db: sqlite3.Connection) -> None:
    sessions.begin(db, "s", agent="claude-code", project="p", transcript="/t.jsonl", now=NOW)
    sessions.advance(db, "s", 100, now=NOW + 1, head="h", last_message="m")
    again = sessions.begin(db, "s", agent="claude-code", project=None, now=NOW + 2)
    found = (again.watermark, again.transcript, again.project, again.head, again.seen_at)
    assert found == (100, "/t.jsonl", "p", "h", NOW + 2)
    sessions.note_seen(db, ["a", "b"], "s", NOW)
    assert sessions.unseen(db, ["a", "b", "c"]) == {"c"}
    sessions.begin_reading(db, NOW)  # what is taken up later and was typed before is not read
    sessions.note_seen(db, ["d", "e", "f"], "s", NOW, {"d": NOW - 1, "e": NOW + 1})
    assert [keys for _, keys in sessions.unread(db, 0.0)] == [{"e"}]


def test_a_failing_span_is_given_up_in_the_end(db: sqlite3.Connection) -> None:
    sessions.begin(db, "s", agent="claude-code", project="p", now=NOW)
    tried = [sessions.record_failure(db, "s", 10, 50) for _ in range(sessions.TRIES + 1)]
    assert tried == [True] * sessions.TRIES + [False]
    found = sessions.session(db, "s")
    assert found is not None
    assert (found.failed_from, found.watermark) == (None, 50)
    # Kills in quick succession count as one.
    assert all(sessions.record_failure(db, "s", 60, 90, at_once=number > 0) for number in range(200))
    sessions.weigh_failure(db, "s", excused=False)  # but what fails of itself is tried once more, however soon
    assert [sessions.record_failure(db, "s", 60, 90, at_once=True) for _ in range(2)] == [True, False]


def test_a_statement_is_looked_for_in_the_index_that_keeps_it_single(db: sqlite3.Connection) -> None:
    plans = []
    db.set_trace_callback(plans.append)
    rows.stored(db, ("hash", "semantic", None))
    db.set_trace_callback(None)
    assert "memory_once" in db.execute(f"explain query plan {plans[0]}").fetchone()[3]
