"""The text of a memory: what is taken off a clause, and what is put before it."""

import pytest

from psychmem_py.extraction import wording
from tests.data import cases


@pytest.mark.parametrize(("text", "wanted"), cases("extraction", "politeness and marks are trimmed"))
def test_politeness_and_marks_are_trimmed(text: str, wanted: str) -> None:
    assert wording.trimmed(text) == wanted


@pytest.mark.parametrize(
    ("correction", "previous", "wanted"), cases("extraction", "a short correction is put into the sentence it corrects")
)
def test_a_short_correction_is_put_into_the_sentence_it_corrects(correction: str, previous: str, wanted: str | None) -> None:
    assert wording.resolved(correction, previous) == (wanted or correction)


@pytest.mark.parametrize(("text", "previous", "wanted"), cases("extraction", "a choice is told with what was offered under it"))
def test_a_choice_is_told_with_what_was_offered_under_it(text: str, previous: str, wanted: str | None) -> None:
    assert wording.chosen(text, previous) == (wanted or "")


@pytest.mark.parametrize(("text", "until", "rest"), cases("extraction", "the sentence behind a wrapper is found"))
def test_the_sentence_behind_a_wrapper_is_found(text: str, until: int, rest: str) -> None:
    assert text[wording.unwrapped(text, until) :] == rest


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see src/app/main.py and getUserById", ("src/app/main.py", "getUserById")),
        ("set `--no-cache` and MAX_RETRIES in snake_case", ("--no-cache", "MAX_RETRIES", "snake_case")),
        ("we like tea", ()),
    ],
)
def test_files_and_identifiers_are_named(text: str, names: tuple[str, ...]) -> None:
    assert wording.names_in(text) == names


def test_a_lead_is_put_before_what_leans_on_it_unless_it_is_a_question() -> None:
    before = "The old API is used by two teams"
    assert wording.with_lead("It must stay.", before, 240) == f"{before}. It must stay."
    assert wording.with_lead("It must stay.", "What about the old API?", 240) == "It must stay."
    assert wording.with_lead("It must stay.", before, 40) == "It must stay."
    assert wording.with_lead("It must stay.", "The old API (5.4", 240) == "It must stay."


@pytest.mark.parametrize(("text", "wanted"), cases("extraction", "a long sentence ends where something is added"))
def test_a_long_sentence_ends_where_something_is_added(text: str, wanted: str | None) -> None:
    assert wording.shortened(text, (0, 20), 80) == (wanted or text)


@pytest.mark.parametrize(
    ("text", "rule", "wanted"), cases("extraction", "a long sentence begins where a statement of its own does")
)
def test_a_long_sentence_begins_where_a_statement_of_its_own_does(text: str, rule: str, wanted: str | None) -> None:
    at = text.index(rule)
    wording_of = wording.shortened(text, (at, at + len(rule)), 80)
    assert wording_of == (wanted or text)


@pytest.mark.parametrize(
    ("tail", "is_cut"),
    [
        ("invoices are never deleted by a job" + " of the night" * 2, True),
        pytest.param("never delete any invoice", False, id="too little would be left"),
        pytest.param("invoices are never deleted by a job" + " of the night" * 5, False, id="still too long"),
        pytest.param("invoices are never deleted by a job of the night) again", False, id="a bracket would be cut open"),
    ],
)
def test_a_long_sentence_begins_late_where_what_is_left_stands_by_itself(tail: str, is_cut: bool) -> None:
    text = f"We talked about all this for an hour with the people of sales and law - {tail}"
    assert len(text) > 80
    assert wording.shortened(text, (text.index("never"), text.index("never") + 5), 80) == (tail if is_cut else text)
