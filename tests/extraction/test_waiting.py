"""What is not understood alone waits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.waiting import LONGEST_TEXT, fault
from psychmem_py.model.records import Candidate, Message
from psychmem_py.model.terms import Kind, Origin, Role, Scope
from tests.data import cases
from tests.shipped_languages import MATCHER


def said(text: str, role: Role = Role.USER, kind: Kind = Kind.CONSTRAINT, names: tuple[str, ...] = ()) -> Candidate:
    return Candidate(
        text=text, quote=text, kind=kind, scope=Scope.PROJECT, importance=0.8, confidence=0.7, signals=(), role=role,
        origin=Origin.USER_PROMPT, message_id="m", start=0, end=len(text), names=names,
    )  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), cases("extraction", "a person s sentence"))
def test_a_person_s_sentence(text: str, reason: str) -> None:
    assert fault(said(text), ()) == reason


def test_a_sentence_that_speaks_of_this_waits_for_its_subject() -> None:
    assert fault(said("It must stay blue."), (), leaning=True) == "pointing"


@pytest.mark.parametrize(
    ("kind", "names", "words", "reason"),
    [
        pytest.param(Kind.BUGFIX, ("orders.py",), (), "", id="names a file"),
        pytest.param(Kind.BUGFIX, (), ("tool",), "", id="a cause names a tool"),
        pytest.param(Kind.DECISION, (), ("tool",), "unnamed", id="a tool alone is no decision"),
        pytest.param(Kind.BUGFIX, (), (), "unnamed", id="names nothing"),
        pytest.param(Kind.BUGFIX, ("orders.py",), ("pronoun",), "pointing", id="speaks of it"),
    ],
)
def test_an_assistant_s_statement(kind: Kind, names: tuple[str, ...], words: tuple[str, ...], reason: str) -> None:
    assert fault(said("The total was counted twice.", Role.ASSISTANT, kind, names), words) == reason


def test_what_is_said_of_a_link_waits_and_what_a_link_is_does_not() -> None:
    def kept(text: str) -> list[bool]:
        return [verdict.is_kept for verdict in sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], MATCHER)]

    assert kept(
        "https://example.com/issues/7 this issue says the import breaks because we changed the parser to strict mode."
    ) == [False]
    assert kept("Remember that https://staging.example.com is our staging server.") == [True]


def test_what_stands_in_brackets_alone_is_an_aside() -> None:
    text = "Moved the rest into `orders.md` (it lacked the section on refunds): totals, taxes, rounding."
    message = Message("m", Role.ASSISTANT, Origin.ASSISTANT, text)
    assert {verdict.reason for verdict in sweep([message], MATCHER) if verdict.waiting} == {"aside"}
    cause = "The root cause was that `orders.go` (which reads the totals) slept before the lock was free."
    assert [verdict.is_kept for verdict in sweep([message._replace(text=cause)], MATCHER)] == [True]


@pytest.mark.parametrize(("text", "expected"), cases("extraction", "what speaks against an assistant s statement"))
def test_what_speaks_against_an_assistant_s_statement(text: str, expected: str) -> None:
    message = Message("m", Role.ASSISTANT, Origin.ASSISTANT, text)
    assert [verdict.reason for verdict in sweep([message], MATCHER) if verdict.is_kept] == [expected]


_WORDS = st.sampled_from(
    [
        "the parcels",
        "of the depot",
        "never",
        "must",
        "we decided",
        ", because",
        ", besides",
        "—",
        ";",
        "(",
        ")",
        "`van`",
        "and",
        "weigh",
        "now",
    ]
)


@given(st.lists(_WORDS, min_size=20, max_size=80), st.sampled_from(list(Role)[:2]))
def test_nothing_longer_than_a_line_of_a_brief_is_kept(words: list[str], role: Role) -> None:
    text = "From now on we must never " + " ".join(words)
    message = Message("m", role, Origin.USER_PROMPT if role is Role.USER else Origin.ASSISTANT, text)
    kept = [verdict.candidate.text for verdict in sweep([message], MATCHER) if verdict.is_kept]
    assert all(len(one) <= LONGEST_TEXT for one in kept)


def test_an_unsure_sentence_that_is_not_understood_alone_says_so() -> None:
    message = Message("m", Role.USER, Origin.USER_PROMPT, "I want the parcels " + "of the depot in the yard " * 11)
    assert [(verdict.waiting, verdict.reason) for verdict in sweep([message], MATCHER)] == [(True, "long")]
