"""The class of a statement, by its grammar: rules, permissions, steps, and what is said in passing."""

from pathlib import Path

import pytest

from psychmem_py.extraction.classify import kind_of, tells_steps
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import RULES, Kind, Message, Origin, Role
from tests.data import cases
from tests.extraction.test_sweep import kept
from tests.shipped_languages import MATCHER


@pytest.mark.parametrize(("families", "words", "kind"), cases("extraction", "what a person states"))
def test_what_a_person_states(families: str, words: str, kind: str) -> None:
    assert kind_of(families.split(), words.split(), Role.USER) == kind


@pytest.mark.parametrize("families", ["never", "always", "must", "prefer", "remember", "complaint", "forever", "dont_want"])
def test_an_assistant_makes_no_rules(families: str) -> None:
    assert kind_of(families.split(), (), Role.ASSISTANT) in {Kind.SEMANTIC, Kind.DECISION, Kind.LEARNING, Kind.BUGFIX}


@pytest.mark.parametrize("word", cases("extraction", "words of emphasis in a rule are kept with it"))
def test_words_of_emphasis_in_a_rule_are_kept_with_it(word: str) -> None:
    ((kind, text),) = kept(f"It is {word} that every migration has a rollback.")
    assert kind in RULES | {Kind.DECISION}
    assert word in text


@pytest.mark.parametrize("text", cases("extraction", "a cause behind a choice is its reason"))
def test_a_cause_behind_a_choice_is_its_reason(text: str) -> None:
    ((kind, _),) = kept(text)
    assert kind is Kind.DECISION


@pytest.mark.parametrize("text", cases("extraction", "a cause behind a failure is a cause"))
def test_a_cause_behind_a_failure_is_a_cause(text: str) -> None:
    ((kind, _),) = kept(text)
    assert kind is Kind.BUGFIX


def test_an_aim_and_a_series_are_a_procedure() -> None:
    ((kind, _),) = kept("To release: bump the version, run make dist, then push the tag.")
    assert kind is Kind.PROCEDURAL


@pytest.mark.parametrize("text", cases("extraction", "one word of order tells no steps"))
def test_one_word_of_order_tells_no_steps(text: str) -> None:
    assert not tells_steps(text)


@pytest.mark.parametrize("text", cases("extraction", "first then finally tells steps"))
def test_first_then_finally_tells_steps(text: str) -> None:
    assert tells_steps(text)


@pytest.mark.parametrize("text", cases("extraction", "a series numbers and arrows tell steps"))
def test_a_series_numbers_and_arrows_tell_steps(text: str) -> None:
    assert tells_steps(text)


def test_a_rule_that_tells_steps_is_a_procedure() -> None:
    ((kind, _),) = kept("To release: first bump the version, then tag it, finally push the tag.")
    assert kind is Kind.PROCEDURAL
    ((kind, _),) = kept("Always use pnpm in this repository.")
    assert kind is Kind.CONSTRAINT


def test_steps_that_are_only_asked_for_now_are_kept_of_nobody() -> None:
    assert kept("First run the migrations, then restart the workers, and finally warm the cache.") == []


ALLOWED = [line.split("\t") for line in (Path(__file__).parents[1] / "data" / "permissions.tsv").read_text("utf-8").splitlines()]


def kinds(text: str) -> list[Kind]:
    verdicts = sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], MATCHER)
    return [verdict.candidate.kind for verdict in verdicts if verdict.is_kept]


@pytest.mark.parametrize("language", sorted({code for code, _ in ALLOWED}))
def test_what_is_allowed_is_kept(language: str) -> None:
    said = [text for code, text in ALLOWED if code == language]
    missed = [text for text in said if not kinds(text)]
    assert len(missed) <= 1, missed


@pytest.mark.parametrize("text", cases("extraction", "what rules nothing is not kept"))
def test_what_rules_nothing_is_not_kept(text: str) -> None:
    assert kinds(text) == []


def test_an_obligation_that_returns_is_a_rule_even_with_the_verb_of_a_task() -> None:
    assert kinds("リリースの前に必ずテスト結果を検討しなければならない。")
    assert kinds("배포 전에 반드시 담당자를 정해야 합니다.")


@pytest.mark.parametrize("text", cases("extraction", "what shall not ever be is a rule whatever reason stands behind it"))
def test_what_shall_not_ever_be_is_a_rule_whatever_reason_stands_behind_it(text: str) -> None:
    assert kinds(text) == [Kind.CONSTRAINT]


def test_what_a_kind_of_thing_never_is_is_a_fact() -> None:
    assert kinds("Timestamps are always UTC.") == [Kind.SEMANTIC]
    assert kinds("Patch releases are never breaking releases, only majors are.") == [Kind.SEMANTIC]


@pytest.fixture(scope="module")
def verdicts():
    matcher = files.matcher()

    def of(text: str) -> list[tuple[bool, str]]:
        message = Message(id="a", role=Role.USER, text=text, origin=Origin.USER_PROMPT)
        return [(one.is_kept, one.reason) for one in sweep([message], matcher) if one.is_kept or one.waiting]

    return of


@pytest.mark.parametrize(("text", "reason"), cases("extraction", "what belongs to the task waits"))
def test_what_belongs_to_the_task_waits(verdicts, text: str, reason: str):
    assert (False, reason) in verdicts(text)
    assert not any(kept for kept, _ in verdicts(text))


@pytest.mark.parametrize("text", cases("extraction", "what is told as lasting is kept"))
def test_what_is_told_as_lasting_is_kept(verdicts, text: str):
    assert any(kept for kept, _ in verdicts(text))


@pytest.mark.parametrize("text", cases("extraction", "what speaks of nothing lasting is not kept"))
def test_what_speaks_of_nothing_lasting_is_not_kept(verdicts, text: str):
    assert not any(kept for kept, _ in verdicts(text))


def test_a_rule_asked_for_is_worded_as_a_rule():
    message = Message(id="a", role=Role.USER, text="can you always print the time at the end?", origin=Origin.USER_PROMPT)
    assert [one.candidate.text for one in sweep([message], files.matcher()) if one.is_kept] == [
        "always print the time at the end"
    ]
