import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory.compare import Relation, compared
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import Kind

LIMITS = DEFAULTS.reconcile
C, P, D, S, E, B, PR = (
    Kind.CONSTRAINT,
    Kind.PREFERENCE,
    Kind.DECISION,
    Kind.SEMANTIC,
    Kind.EPISODIC,
    Kind.BUGFIX,
    Kind.PROCEDURAL,
)

BOTH_STAY = [
    pytest.param(
        "never deploy the search service to production on friday",
        "never deploy the billing service to production on friday",
        C,
        id="prohibitions add up",
    ),
    pytest.param(
        "always run the search tests before pushing", "always run the billing tests before pushing", C, id="another subject"
    ),
    pytest.param("数据库端口是5433", "测试环境不要使用5433", S, id="Chinese sentences that share a number"),
    pytest.param("永远不要提交到主分支", "日志必须写入文件5433", C, id="Chinese sentences that share nothing"),
    pytest.param("Логи пиши в файл 5433", "Порт базы данных 5433", S, id="Russian sentences that share a number"),
    pytest.param("Phase 2 is complete", "Phase 1 is complete", D, id="a number that names"),
    pytest.param("Bug 12 was caused by the cache", "Bug 13 was caused by the cache", B, id="things that happened"),
    pytest.param(
        "Deployed version 2.4 to staging yesterday", "Deployed version 2.3 to staging yesterday", E, id="happened twice"
    ),
    pytest.param("The API listens on 8081 in prod", "The API listens on 8080 in dev", S, id="two circumstances"),
    pytest.param("Never push to main on Fridays", "Never push to main", C, id="a narrower rule"),
    pytest.param("Run the unit tests before every push", "Run the unit tests before every commit", PR, id="another occasion"),
    pytest.param("The frontend uses React", "The backend uses React", S, id="another owner of the same value"),
    pytest.param(
        "Деплой по пятницам запрещён для billing", "Деплой по пятницам запрещён для search", C, id="Russian prohibitions"
    ),
]
CHANGES = [
    pytest.param(
        "the billing queue is called jobs_fast", "Our billing queue is called jobs_slow", S, "value", id="a name of several parts"
    ),
    pytest.param("the quota is 60", "the quota is 40", S, "number", id="one word beside it"),
    pytest.param("The API listens on port 8081", "The API listens on port 8080", S, "number", id="number"),
    pytest.param("The project requires Node 20", "The project requires Node 18", C, "number", id="version"),
    pytest.param("数据库端口是5434", "数据库端口是5433", S, "number", id="number, Chinese"),
    pytest.param("We use MySQL for the orders database", "We use Postgres for the orders database", D, "value", id="named value"),
    pytest.param("I prefer spaces for indentation", "I prefer tabs for indentation", P, "value", id="rival choice"),
    pytest.param("Use spaces, not tabs", "Use tabs, not spaces", P, "order", id="same words, turned round"),
    pytest.param(
        "We no longer use Redis for the queue, we use RabbitMQ", "We use Redis for the queue", D, "ended", id="no longer"
    ),
    pytest.param("数据库端口改为5434", "数据库端口是5433", S, "number", id="changed to, Chinese"),
    pytest.param("Ab jetzt läuft die API auf Port 9090", "Die API läuft auf Port 8080", S, "number", id="from now on, German"),
    pytest.param("Теперь используем MySQL для заказов", "Используем Postgres для заказов", D, "value", id="now, Russian"),
]
SAME = [
    pytest.param("Run  tests with PYTEST", "run tests with pytest", PR, id="case and spaces"),
    pytest.param("run the tests with pytest", "Run tests with pytest.", PR, id="articles"),
]
WIDER = [
    pytest.param("User prefers using TypeScript", "User prefers TypeScript", P, id="more words, nothing else"),
    pytest.param("Never push to main because CI deploys it", "Never push to main", C, id="with its reason"),
]


@pytest.mark.parametrize(("new", "known", "kind"), BOTH_STAY)
def test_similar_statements_that_must_both_stay(new: str, known: str, kind: Kind) -> None:
    assert compared(new, known, kind, LIMITS).relation in (Relation.RELATED, Relation.OTHER)


@pytest.mark.parametrize(("new", "known", "kind", "cue"), CHANGES)
def test_a_changed_value_is_seen(new: str, known: str, kind: Kind, cue: str) -> None:
    found = compared(new, known, kind, LIMITS)
    assert (found.relation, found.cue) == (Relation.CHANGED, cue)


@pytest.mark.parametrize(("new", "known", "kind"), SAME)
def test_the_same_in_other_letters(new: str, known: str, kind: Kind) -> None:
    assert compared(new, known, kind, LIMITS).relation is Relation.SAME


@pytest.mark.parametrize(("new", "known", "kind"), WIDER)
def test_a_fuller_wording_is_the_same_statement(new: str, known: str, kind: Kind) -> None:
    assert compared(new, known, kind, LIMITS).relation is Relation.WIDER
    assert compared(known, new, kind, LIMITS).relation is Relation.SAME


@pytest.mark.parametrize(
    ("new", "known", "opposite"),
    [
        pytest.param("Always use Opus", "Prefer Sonnet", True, id="no word in common, one choice"),
        pytest.param("Never run tests before pushing", "Always run tests before pushing", True, id="asked for, then forbidden"),
        pytest.param("Commit to the main branch", "Don't commit to the main branch", True, id="forbidden, then asked for"),
        pytest.param("Always rebase before merging", "Never rebase", True, id="one act, and few words besides"),
        pytest.param("Always rebase before merging", "Never merge on Fridays", False, id="another act"),
        pytest.param("Never use npm here", "Use pnpm, not npm", False, id="they agree"),
        pytest.param("Use pnpm for the frontend", "Never use npm for the frontend", False, id="they agree, other words"),
    ],
)
def test_rules_that_cannot_both_be_followed(new: str, known: str, opposite: bool) -> None:
    assert (compared(new, known, P, LIMITS).relation is Relation.OPPOSITE) is opposite


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(list(Kind)))
def test_any_two_texts_can_be_compared(new: str, known: str, kind: Kind) -> None:
    assert 0 <= compared(new, known, kind, LIMITS).similarity <= 1


@given(st.text(min_size=1, max_size=80), st.sampled_from(list(Kind)))
def test_a_text_is_the_same_as_itself(text: str, kind: Kind) -> None:
    assert compared(text, text, kind, LIMITS).relation is Relation.SAME


_TWO_RULES = """
Always run ruff before committing | Always run mypy before committing
Never deploy billing on Friday | Never deploy search on Friday
Use pytest for unit tests | Use playwright for e2e tests
Always name queue handlers after their queue | From now on always name event listeners after their event
Function names in Go are in MixedCaps | Function names in Python are snake_case
Tests must run with xdist | Tests must run with coverage
In the backend tests always use factories | In the backend tests always use fixtures
Always use ruff for linting the whole backend code | Always use mypy for linting the whole backend code
Ejecuta siempre ruff antes de hacer commit | Ejecuta siempre mypy antes de hacer commit
Nunca despliegues facturación los viernes | Nunca despliegues búsqueda los viernes
Usa pytest para los tests unitarios | Usa playwright para los tests e2e
Vor jedem Commit immer ruff ausführen | Vor jedem Commit immer mypy ausführen
Niemals freitags Billing deployen | Niemals freitags Search deployen
Nutze pytest für Unit-Tests | Nutze playwright für E2E-Tests
提交前务必运行ruff | 提交前务必运行mypy
星期五不要部署计费服务 | 星期五不要部署搜索服务
单元测试使用pytest | 端到端测试使用playwright
コミット前に必ずruffを実行する | コミット前に必ずmypyを実行する
金曜日に課金サービスをデプロイしない | 金曜日に検索サービスをデプロイしない
単体テストにはpytestを使う | E2Eテストにはplaywrightを使う
"""


@pytest.mark.parametrize("kind", [C, P, PR])
@pytest.mark.parametrize("pair", _TWO_RULES.strip().splitlines())
def test_rules_that_differ_in_an_object_are_two(pair: str, kind: Kind) -> None:
    one, other = (text.strip() for text in pair.split("|"))
    beside = {Relation.RELATED, Relation.OTHER}
    assert {compared(one, other, kind, LIMITS).relation, compared(other, one, kind, LIMITS).relation} <= beside


_NEW_VALUES = """
The API listens on 8080 | The API listens on 8081 now | S
We use Redis for sessions | We use Postgres for sessions now instead | D
La API escucha en 8080 | La API ahora escucha en 8081 | S
Usamos Redis para las sesiones | Ahora usamos Postgres para las sesiones | D
Die API hört auf 8080 | Die API hört jetzt auf 8081 | S
Wir nutzen Redis für Sessions | Wir nutzen jetzt Postgres für Sessions | D
API监听8080端口 | API现在监听8081端口 | S
APIは8080で待ち受ける | APIは今は8081で待ち受ける | S
セッションにはRedisを使う | セッションには今はPostgresを使う | D
Always use npm to install packages | Always use pnpm to install packages | C
Timeout is 30 seconds | Timeout is 60 seconds | C
Tests must run with xdist | Tests must run with coverage now instead | C
"""


@pytest.mark.parametrize("row", _NEW_VALUES.strip().splitlines())
def test_a_changed_value_replaces_the_old_one(row: str) -> None:
    known, new, kind = (text.strip() for text in row.split("|"))
    assert compared(new, known, {"S": S, "D": D, "C": C}[kind], LIMITS).relation is Relation.CHANGED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the git-town string now effectively breaks old hooks", "the git-machete string now effectively breaks old hooks"),
        ("settings are read from app.toml at the start", "settings are read from site.toml at the start"),
    ],
)
def test_statements_about_different_names_are_two(one: str, other: str) -> None:
    for new, known in ((one, other), (other, one)):
        assert compared(new, known, Kind.SEMANTIC, DEFAULTS.reconcile).relation not in (Relation.SAME, Relation.WIDER)


def test_one_name_in_two_spellings_is_one() -> None:
    found = compared(
        "the pre-commit hook is slow on Windows", "the precommit hook is slow on Windows", Kind.SEMANTIC, DEFAULTS.reconcile
    )
    assert found.relation in (Relation.SAME, Relation.WIDER, Relation.RELATED)
