"""Search over a real store: what is found, what never is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Kind, Status
from psychmem_py.store import matches, search
from psychmem_py.store.connection import open_store
from psychmem_py.store.matches import Question
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


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    with open_store(Path(tmp_path_factory.mktemp("s")) / "memory.db", now=NOW) as found:
        store(found, MEMORIES)
        yield found


def texts(db: sqlite3.Connection, query: str, **given: object) -> list[str]:
    return [hit.memory.text for hit in search.hits(db, Question(query, **({"project": None, "now": NOW} | given)))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param("which port has the api?", "The API listens on port 8081", id="words"),
        pytest.param("commits", "Never commit to main", id="stems"),
        pytest.param("运行测试", "提交前必须运行测试", id="Chinese"),
        pytest.param("user name", "getUserName lives in src/auth/user_service.py", id="parts of an identifier"),
        pytest.param("user_service.py", "getUserName lives in src/auth/user_service.py", id="a file name"),
        pytest.param("kubernetes", "k8s cluster on EKS", id="another word of the trade"),
        pytest.param("kuberntes", "k8s cluster on EKS", id="a slip"),
        pytest.param('"listens on port"', "The API listens on port 8081", id="a phrase"),
        pytest.param("tag:git", "Never commit to main", id="a tag alone"),
        pytest.param("class:constraint main", "Never commit to main", id="a class"),
    ],
)
def test_is_found(db: sqlite3.Connection, query: str, first: str) -> None:
    assert texts(db, query)[:1] == [first]


def test_another_project_is_never_found(db: sqlite3.Connection) -> None:
    assert texts(db, "redis sessions queue rabbitmq", project="one") == ["Sessions are kept in Redis", "Redis is old news"]
    assert texts(db, "rabbitmq", project=None) == []
    assert texts(db, "rabbitmq", all_projects=True) == ["The queue runs on RabbitMQ"]


def test_superseded_and_quarantined_ones_only_when_asked_for(db: sqlite3.Connection) -> None:
    assert texts(db, "redis", statuses=[Status.QUARANTINED]) == ["Redis rule from nowhere"]


def test_a_phrase_must_be_there(db: sqlite3.Connection) -> None:
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
    "The canteen is in Building B", "Mira owns the billing service", "Terraform keeps its state in the vault",
    "Mira is allergic to walnuts", "Symmetry matters to the designers",
]  # fmt: skip


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    with open_store(Path(tmp_path_factory.mktemp("e")) / "memory.db", now=NOW) as found:
        store(found, [made(text) for text in EXACT])
        yield found


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param("what was PAY-1243", "PAY-1243", id="a ticket"),
        pytest.param("error E4021", "error E4021", id="an error code"),
        pytest.param("who listens on 7010", "the mirror", id="a number"),
        pytest.param("src/billing/tip.py", "src/billing/tip.py", id="a path"),
        pytest.param("what is in Building B?", "The canteen", id="a name of one letter"),
        pytest.param("billing ownership", "Mira owns", id="another word of the family"),
        pytest.param("allergies", "Mira is allergic", id="a noun for a quality"),
        pytest.param("a symmetric cipher", "Symmetry", id="a quality for a noun"),
        pytest.param("where is the state of terrafrom kept", "Terraform", id="a slip beside words that are known"),
        pytest.param("terrafrom", "Terraform", id="a slip alone"),
        pytest.param("expiraton of the token", "error E4021", id="a slip in an ending"),
    ],
)
def test_the_exact_one_comes_first(exact: sqlite3.Connection, query: str, first: str) -> None:
    assert search.hits(exact, Question(query, None, NOW))[0].memory.text.startswith(first)


def test_a_hit_that_fits_no_better_than_chance_is_called_weak(exact: sqlite3.Connection) -> None:
    (fits, *_) = search.hits(exact, Question("terraform state vault", None, NOW))
    (weak, *_) = search.hits(
        exact,
        Question(
            "where do people of this town listen to loud music in the evening before dinner while children paint colourful birds",
            None,
            NOW,
        ),
    )
    assert (fits.weak, weak.weak) == (False, True)


@pytest.mark.parametrize(
    ("name", "other"), [("PAY-1234", "PAY-9999"), ("E4012", "E4013"), ("src/billing/tax.py:3", "src/billing/tax.py:4")]
)
def test_a_name_with_a_number_is_answered_by_that_name_alone(tmp_path: Path, name: str, other: str) -> None:
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        store(db, [made(f"{name} is where refunds are rounded"), made("the canteen is in the yard")])
        assert [hit.weak for hit in search.hits(db, Question(name, None, NOW))] == [False]
        assert [hit.weak for hit in search.hits(db, Question(name.lower(), None, NOW))] == [False]
        assert all(hit.weak for hit in search.hits(db, Question(other, None, NOW)))
        assert not any(hit.weak for hit in search.hits(db, Question(f"refunds rounded in {other}", None, NOW)))


# A memory in each script, one beside it about something else, and a question in other words around the same subject.
PROBES = [
    ("データベースのバックアップは毎週日曜日に取る", "画面の色は青で統一する", "バックアップはいつ取りますか"),
    ("テストは必ずpytestで書く", "設定ファイルはYAMLで書く", "テストはどうやって書くのですか"),
    ("배포는 매주 목요일에만 한다", "로그는 서버에 저장한다", "배포를 언제 하나요"),
    ("데이터베이스는 PostgreSQL을 사용한다", "화면은 React를 사용한다", "어떤 데이터베이스를 쓰나요"),
    ("نستخدم قاعدة البيانات الجديدة للتقارير", "نكتب الاختبارات قبل الشيفرة", "أين قواعد البيانات للتقارير؟"),
    ("हम डेटाबेस का बैकअप हर रविवार लेते हैं", "हम परीक्षण पहले लिखते हैं", "बैकअप कब लेते हैं?"),
    ("สำรองฐานข้อมูลทุกวันอาทิตย์", "เขียนการทดสอบก่อนโค้ด", "สำรองฐานข้อมูลเมื่อไร"),
    ("資料庫每週備份一次", "介面文字用繁體中文", "数据库备份的频率"),
    ("提交前必须运行测试", "界面颜色用蓝色", "提交之前我要做什么测试"),
]


@pytest.mark.parametrize(("text", "other", "question"), PROBES)
def test_scripts_of_the_world_find_their_memory(tmp_path: Path, text: str, other: str, question: str) -> None:
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        store(db, [made(text), made(other)])
        assert search.hits(db, Question(question, None, NOW))[0].memory.text == text
