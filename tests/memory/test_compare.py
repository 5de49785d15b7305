import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory.compare import Relation, compared
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import Kind
from tests.data import cases

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


@pytest.mark.parametrize(("new", "known", "kind"), cases("memory", "similar statements that must both stay"))
def test_similar_statements_that_must_both_stay(new: str, known: str, kind: Kind) -> None:
    assert compared(new, known, kind, LIMITS).relation in (Relation.RELATED, Relation.OTHER)


@pytest.mark.parametrize(("new", "known", "kind", "cue"), cases("memory", "a changed value is seen"))
def test_a_changed_value_is_seen(new: str, known: str, kind: Kind, cue: str) -> None:
    found = compared(new, known, kind, LIMITS)
    assert (found.relation, found.cue) == (Relation.CHANGED, cue)


@pytest.mark.parametrize(("new", "known", "kind"), cases("memory", "the same in other letters"))
def test_the_same_in_other_letters(new: str, known: str, kind: Kind) -> None:
    assert compared(new, known, kind, LIMITS).relation is Relation.SAME


@pytest.mark.parametrize(("new", "known", "kind"), cases("memory", "a fuller wording is the same statement"))
def test_a_fuller_wording_is_the_same_statement(new: str, known: str, kind: Kind) -> None:
    assert compared(new, known, kind, LIMITS).relation is Relation.WIDER
    assert compared(known, new, kind, LIMITS).relation is Relation.SAME


@pytest.mark.parametrize(("new", "known", "opposite"), cases("memory", "rules that cannot both be followed"))
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


@pytest.mark.parametrize("kind", cases("memory", "rules that differ in an object are two"))
@pytest.mark.parametrize("pair", _TWO_RULES.strip().splitlines())
def test_rules_that_differ_in_an_object_are_two(pair: str, kind: Kind) -> None:
    one, other = (text.strip() for text in pair.split("|"))
    beside = {Relation.RELATED, Relation.OTHER}
    assert {compared(one, other, kind, LIMITS).relation, compared(other, one, kind, LIMITS).relation} <= beside


@pytest.mark.parametrize("row", cases("memory", "a changed value replaces the old one"))
def test_a_changed_value_replaces_the_old_one(row: str) -> None:
    known, new, kind = (text.strip() for text in row.split("|"))
    assert compared(new, known, {"S": S, "D": D, "C": C}[kind], LIMITS).relation is Relation.CHANGED


@pytest.mark.parametrize(("one", "other"), cases("memory", "statements about different names are two"))
def test_statements_about_different_names_are_two(one: str, other: str) -> None:
    for new, known in ((one, other), (other, one)):
        assert compared(new, known, Kind.SEMANTIC, DEFAULTS.reconcile).relation not in (Relation.SAME, Relation.WIDER)


def test_one_name_in_two_spellings_is_one() -> None:
    found = compared(
        "the pre-commit hook is slow on Windows", "the precommit hook is slow on Windows", Kind.SEMANTIC, DEFAULTS.reconcile
    )
    assert found.relation in (Relation.SAME, Relation.WIDER, Relation.RELATED)
