"""What a statement is that somebody wants remembered and names no class for: a way of working binds, how things are does not."""

from __future__ import annotations

import pytest

from psychmem_py.curation.act import Who
from psychmem_py.curation.usual_class import class_and_scope
from psychmem_py.model.terms import Kind, Origin, Scope
from tests.data import cases
from tests.shipped_languages import MATCHER

PERSON, AGENT = Who(Origin.USER_CLI), Who(Origin.ASSISTANT, "claude-code")


def class_of(text: str, who: Who = PERSON) -> Kind:
    return class_and_scope(text, "", who, lambda: MATCHER)[0]


@pytest.mark.parametrize("who", [PERSON, AGENT], ids=["a person", "an agent"])
@pytest.mark.parametrize("text", cases("curation", "how things are is a fact"))
def test_how_things_are_is_a_fact(text: str, who: Who) -> None:
    assert class_of(text, who) is Kind.SEMANTIC


@pytest.mark.parametrize("who", [PERSON, AGENT], ids=["a person", "an agent"])
@pytest.mark.parametrize("text", cases("curation", "what is used instead of something else was chosen"))
def test_what_is_used_instead_of_something_else_was_chosen(text: str, who: Who) -> None:
    assert class_of(text, who) in {Kind.DECISION, Kind.CONSTRAINT}


@pytest.mark.parametrize("who", [PERSON, AGENT], ids=["a person", "an agent"])
@pytest.mark.parametrize("text", cases("curation", "how the code is written binds"))
def test_how_the_code_is_written_binds(text: str, who: Who) -> None:
    assert class_of(text, who) in {Kind.CONSTRAINT, Kind.DECISION, Kind.PREFERENCE, Kind.PROCEDURAL}


def test_a_way_of_working_belongs_to_the_project_it_was_told_in() -> None:
    for text in ("We use tabs, not spaces", "We order imports by length"):
        assert class_and_scope(text, "", PERSON, lambda: MATCHER)[1] is Scope.PROJECT


def test_a_class_that_was_given_stands() -> None:
    assert class_and_scope("We order imports by length", "learning", PERSON, lambda: MATCHER)[0] is Kind.LEARNING
