"""A person's statement that belongs to the task at hand, or is a guess, waits; one told as lasting is kept."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role
from tests.data import cases


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
