"""What is allowed is a rule as well; what has to be decided yet is none; what is never so is a fact, what shall not ever be a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from psychmem_py.extraction.sweep import sweep
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Kind, Origin, Role
from tests.data import cases
from tests.shipped_languages import MATCHER

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


@pytest.mark.parametrize(
    "text",
    [
        "The full schema should not be updated ever, it is a point in time snapshot.",
        "Old migrations should not be changed ever.",
        "Secrets may not be logged, ever.",
        "The vendor folder shouldn't be touched under any circumstances.",
    ],
)
def test_what_shall_not_ever_be_is_a_rule_whatever_reason_stands_behind_it(text: str) -> None:
    assert kinds(text) == [Kind.CONSTRAINT]


def test_what_a_kind_of_thing_never_is_is_a_fact() -> None:
    assert kinds("Timestamps are always UTC.") == [Kind.SEMANTIC]
    assert kinds("Patch releases are never breaking releases, only majors are.") == [Kind.SEMANTIC]
