"""Search over a real store: what is found, what never is."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from psychmem_py.model.records import Kind, Memory, Status
from psychmem_py.store import matches, search
from psychmem_py.store.connection import open_store
from psychmem_py.store.matches import Question
from psychmem_py.text.dates import moment
from tests.data import cases
from tests.memories_made import DAY_S, NOW, made, store

MEMORIES = [
    made("The API listens on port 8081"),
    made("Never commit to main", Kind.CONSTRAINT, tags=("git",)),
    made("Sessions are kept in Redis", project="one"),
    made("The queue runs on RabbitMQ", project="two"),
    made("Redis was replaced", status=Status.SUPERSEDED),
    made("Redis rule from nowhere", status=Status.QUARANTINED),
    made("Redis is old news", status=Status.DECAYED, created_at=NOW - 300 * DAY_S),
    made("提交前必须运行测试"),
    made("getUserName lives in src/auth/user_service.py"),
    made("k8s cluster on EKS"),
]


def filled(factory: pytest.TempPathFactory, memories: list[Memory]) -> Iterator[sqlite3.Connection]:
    with open_store(factory.mktemp("s") / "memory.db", now=NOW) as found:
        store(found, memories)
        yield found


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    yield from filled(tmp_path_factory, MEMORIES)


def texts(db: sqlite3.Connection, query: str, **given: object) -> list[str]:
    return [hit.memory.text for hit in search.hits(db, Question(query, **({"project": None, "now": NOW} | given)))]  # type: ignore[arg-type]


@pytest.mark.parametrize(("query", "first"), cases("store", "is found"))
def test_is_found(db: sqlite3.Connection, query: str, first: str) -> None:
    assert texts(db, query)[:1] == [first]


def test_other_projects_what_is_not_in_force_and_half_a_phrase_are_not_found(db: sqlite3.Connection) -> None:
    assert texts(db, "redis sessions queue rabbitmq", project="one") == ["Sessions are kept in Redis", "Redis is old news"]
    assert texts(db, "rabbitmq", project=None) == []
    assert texts(db, "rabbitmq", all_projects=True) == ["The queue runs on RabbitMQ"]
    assert texts(db, "redis", statuses=[Status.QUARANTINED]) == ["Redis rule from nowhere"]
    assert texts(db, '"port listens" api') == []


@pytest.mark.parametrize("query", ["", "???", '"', '""', "NEAR(", "a AND", "col:x", "*", "-redis", "class:", "𝔘𝔫𝔦", "\x00"])
def test_any_query_is_answered(db: sqlite3.Connection, query: str) -> None:
    assert isinstance(texts(db, query), list)


def test_common_words_open_no_rows_but_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    common = [made(f"build number{n} of the service") for n in range(60)]
    wanted = made("build number7 of the service uses zstandard")
    monkeypatch.setattr(matches, "MOST_OPENED", 20)
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        store(db, [*common, wanted])
        found = search.hits(db, Question("zstandard build number7 service", None, NOW))
        assert found[0].memory.text == wanted.text
        assert set(found[0].words.matched) >= {"zstandard", "number7", "service"}
        only_common = search.hits(db, Question("build service", None, NOW))
        assert len(only_common) == 10


def test_a_filter_reads_on_until_the_answer_is_full(tmp_path: Path) -> None:
    many: list[Memory] = [made(f"redis note {n}", project="loud") for n in range(300)]
    quiet = [made(f"redis remark {n} with many more words in its text", project="quiet") for n in range(5)]
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        store(db, [*many, *quiet])
        assert len(search.hits(db, Question("redis note", "quiet", NOW))) == 5


EXACT = [
    "PAY-1234 is the refund bug", "PAY-1243 is the receipt bug", "error E4012 means the quota is used up",
    "error E4021 means the token has expired", "the gate listens on port 7001", "the mirror listens on port 7010",
    "src/billing/tax.py rounds down", "src/billing/tip.py rounds up", "The badge office is in Building A",
    "The canteen is in Building B", "Terraform keeps its state in the vault",
]  # fmt: skip


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    yield from filled(tmp_path_factory, [made(text) for text in EXACT])


@pytest.mark.parametrize(("query", "first"), cases("store", "the exact one comes first"))
def test_the_exact_one_comes_first(exact: sqlite3.Connection, query: str, first: str) -> None:
    assert search.hits(exact, Question(query, None, NOW))[0].memory.text.startswith(first)


def test_a_hit_that_fits_no_better_than_chance_is_called_weak(exact: sqlite3.Connection) -> None:
    (fits, *_) = search.hits(exact, Question("terraform state vault", None, NOW))
    asked = "where do people of this town listen to loud music in the evening before dinner while children paint colourful birds"
    (weak, *_) = search.hits(exact, Question(asked, None, NOW))
    assert (fits.weak, weak.weak) == (False, True)


@pytest.mark.parametrize(("query", "weak"), cases("store", "what is of the day asked for is no weak answer"))
def test_what_is_of_the_day_asked_for_is_no_weak_answer(tmp_path: Path, query: str, weak: bool) -> None:
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        notes = (made(f"A note on the {name}") for name in "ship pier mast sail rope hull deck crew".split())
        store(db, [made("The release went fine", created_at=moment("2026-05-08")), *notes])
        assert search.hits(db, Question(query, None, NOW))[0].weak is weak


@pytest.mark.parametrize(("name", "other"), cases("store", "a name with a number is answered by that name alone"))
def test_a_name_with_a_number_is_answered_by_that_name_alone(tmp_path: Path, name: str, other: str) -> None:
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        store(db, [made(f"{name} is where refunds are rounded"), made("the canteen is in the yard")])
        for spelt in (name, name.lower()):
            assert [hit.weak for hit in search.hits(db, Question(spelt, None, NOW))] == [False]
        assert all(hit.weak for hit in search.hits(db, Question(other, None, NOW)))
        assert not any(hit.weak for hit in search.hits(db, Question(f"refunds rounded in {other}", None, NOW)))


@pytest.mark.parametrize(("text", "other", "question"), cases("store", "scripts of the world find their memory"))
def test_scripts_of_the_world_find_their_memory(tmp_path: Path, text: str, other: str, question: str) -> None:
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        store(db, [made(text), made(other)])
        assert search.hits(db, Question(question, None, NOW))[0].memory.text == text
