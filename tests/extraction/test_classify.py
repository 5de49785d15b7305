"""The class of a statement, by its grammar: rules, permissions, steps, and what is said in passing."""

from pathlib import Path

import pytest

from psychmem_py.extraction.classify import kind_of, tells_steps
from psychmem_py.extraction.sweep import sweep
from psychmem_py.model.records import RULES, Kind, Message, Origin, Role, Verdict
from tests.data import cases, holds
from tests.extraction.test_sweep import kept
from tests.shipped_languages import MATCHER

test_a_statement = holds("extraction", {
    "what a person states": lambda families, words, kind: (kind_of(families.split(), words.split(), Role.USER), kind),
    "a cause behind a choice is its reason": lambda text: ([kind for kind, _ in kept(text)], [Kind.DECISION]),
    "a cause behind a failure is a cause": lambda text: ([kind for kind, _ in kept(text)], [Kind.BUGFIX]),
    "one word of order tells no steps": lambda text: (tells_steps(text), False),
    "first then finally tells steps": lambda text: (tells_steps(text), True),
    "a series numbers and arrows tell steps": lambda text: (tells_steps(text), True),
    "what rules nothing is not kept": lambda text: (kinds(text), []),
    "what shall not ever be is a rule whatever reason stands behind it": lambda text: (kinds(text), [Kind.CONSTRAINT]),
    "what belongs to the task waits": lambda text, reason: ((bool(kinds(text)), reason in waiting(text)), (False, True)),
    "what is told as lasting is kept": lambda text: (bool(kinds(text)), True),
    "what speaks of nothing lasting is not kept": lambda text: (kinds(text), []),
})  # fmt: skip


@pytest.mark.parametrize("families", ["never", "always", "must", "prefer", "remember", "complaint", "forever", "dont_want"])
def test_an_assistant_makes_no_rules(families: str) -> None:
    assert kind_of(families.split(), (), Role.ASSISTANT) in {Kind.SEMANTIC, Kind.DECISION, Kind.LEARNING, Kind.BUGFIX}


@pytest.mark.parametrize("word", cases("extraction", "words of emphasis in a rule are kept with it"))
def test_words_of_emphasis_in_a_rule_are_kept_with_it(word: str) -> None:
    ((kind, text),) = kept(f"It is {word} that every migration has a rollback.")
    assert kind in RULES | {Kind.DECISION}
    assert word in text


def test_a_rule_that_tells_steps_is_a_procedure() -> None:
    ((kind, _),) = kept("To release: bump the version, run make dist, then push the tag.")
    assert kind is Kind.PROCEDURAL
    ((kind, _),) = kept("To release: first bump the version, then tag it, finally push the tag.")
    assert kind is Kind.PROCEDURAL
    ((kind, _),) = kept("Always use pnpm in this repository.")
    assert kind is Kind.CONSTRAINT


def test_steps_that_are_only_asked_for_now_are_kept_of_nobody() -> None:
    assert kept("First run the migrations, then restart the workers, and finally warm the cache.") == []


ALLOWED = [line.split("\t") for line in (Path(__file__).parents[1] / "data" / "permissions.tsv").read_text("utf-8").splitlines()]


def swept(text: str) -> list[Verdict]:
    return sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], MATCHER)


def kinds(text: str) -> list[Kind]:
    return [verdict.candidate.kind for verdict in swept(text) if verdict.is_kept]


def waiting(text: str) -> list[str]:
    return [verdict.reason for verdict in swept(text) if verdict.waiting]


@pytest.mark.parametrize("language", sorted({code for code, _ in ALLOWED}))
def test_what_is_allowed_is_kept(language: str) -> None:
    said = [text for code, text in ALLOWED if code == language]
    missed = [text for text in said if not kinds(text)]
    assert len(missed) <= 1, missed


def test_an_obligation_that_returns_is_a_rule_and_what_a_kind_of_thing_never_is_a_fact() -> None:
    assert kinds("リリースの前に必ずテスト結果を検討しなければならない。")
    assert kinds("배포 전에 반드시 담당자를 정해야 합니다.")
    assert kinds("Timestamps are always UTC.") == [Kind.SEMANTIC]
    assert kinds("Patch releases are never breaking releases, only majors are.") == [Kind.SEMANTIC]


def test_a_rule_asked_for_is_worded_as_a_rule() -> None:
    assert [text for _, text in kept("can you always print the time at the end?")] == ["always print the time at the end"]
