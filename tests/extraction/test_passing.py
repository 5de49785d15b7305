"""A person's statement that belongs to the task at hand, or is a guess, waits; one told as lasting is kept."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role

FILLER = "The page shows the parcels of a depot, sorted by the hour in which they came in, with the weight beside each of them. "


@pytest.fixture(scope="module")
def verdicts():
    matcher = files.matcher()

    def of(text: str) -> list[tuple[bool, str]]:
        message = Message(id="a", role=Role.USER, text=text, origin=Origin.USER_PROMPT)
        return [(one.is_kept, one.reason) for one in sweep([message], matcher) if one.is_kept or one.waiting]

    return of


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("Don't touch the footer.", "at hand", id="a ban on one definite thing"),
        pytest.param("Don't create a branch, just a commit.", "at hand", id="this once something else"),
        pytest.param("No toques el pie de página.", "at hand", id="the same in Spanish"),
        pytest.param("この画面は触らないで", "at hand", id="the same in Japanese"),
        pytest.param("go ahead with the second fix, the old flag is no longer needed", "unsure", id="a yes to what was proposed"),
        pytest.param("For example, never put two parcels into one row.", "example", id="an illustration"),
        pytest.param("Zum Beispiel niemals zwei Pakete in eine Zeile schreiben.", "example", id="an illustration in German"),
        pytest.param("Please go through all pages of the depot and make sure that nothing is hardcoded.", "task",
                     id="a limit of what is asked for"),
        pytest.param("Perhaps we must always use metric units in every report.", "guess", id="a preference told as a guess"),
        pytest.param(FILLER * 6 + "Never load images.", "passage", id="all the evidence of a long message"),
        pytest.param("We need the depot page to load twice as fast, just make sure it keeps the old address.", "wish", id="what a request is to bring about"),
        pytest.param(FILLER * 2 + "The parser only handles parcels with a weight.", "unowned", id="a fact that speaks of nobody"),
        pytest.param(FILLER * 2 + "Don't do a full scan for previews.", "limit", id="a bare ban in a longer request"),
        pytest.param("Necesitamos que los recibos tengan la opción de imprimir.", "wish", id="the same in Spanish"),
    ],
)  # fmt: skip
def test_what_belongs_to_the_task_waits(verdicts, text: str, reason: str):
    assert (False, reason) in verdicts(text)
    assert not any(kept for kept, _ in verdicts(text))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Don't edit the lock file by hand.", id="a way of doing is named"),
        pytest.param("Never touch the footer.", id="never is never"),
        pytest.param(FILLER * 2 + "Our parser only handles parcels with a weight.", id="a fact that says whose it is"),
        pytest.param("Add a rule that every answer must end with the list of changed files.", id="a rule to be written down"),
        pytest.param("Don't touch the files under `vendor/`.", id="a place is named"),
        pytest.param("please never commit straight to the release branch", id="asked for politely"),
        pytest.param("Rename the depot page. From now on write short commit messages.", id="told as lasting behind a request"),
        pytest.param(FILLER * 6 + "Remember that images are never loaded in lists.", id="told as lasting in a long message"),
        pytest.param("The export failed because the disk quota was exceeded.", id="a cause without a request"),
        pytest.param(FILLER * 6 + "We decided to keep the weights in Postgres.", id="what was chosen, in a long message"),
        pytest.param("don't do a full scan for previews", id="a bare ban that is all that is typed"),
        pytest.param(
            "let's rename the flag but make sure the old one should work because scripts use it", id="a reason is given"
        ),
        pytest.param("I think we should drop it here, we don't want to hide failures", id="a refusal told politely"),
        pytest.param("I'd like to see golden files rather than inline asserts", id="one thing wished for instead of another"),
        pytest.param("it would be nice if it didn't push on every save", id="a refusal worded as a wish"),
        pytest.param("The exporter should only write changed rows", id="what something should only do"),
        pytest.param("I'd like every command to support --json", id="a wish for all of a kind"),
        pytest.param("stop using mocks for the database, use the container", id="to be stopped"),
        pytest.param("the gap is on purpose", id="on purpose"),
        pytest.param("only run the tests of the package you changed", id="only so"),
        pytest.param("that's not how we name branches, it's feat/NAME", id="not how it is done here"),
        pytest.param("it's ok if old links break", id="what may be"),
        pytest.param(
            "I think I don't like abbreviations in column names, because nobody can read them.", id="a taste told politely"
        ),
    ],
)
def test_what_is_told_as_lasting_is_kept(verdicts, text: str):
    assert any(kept for kept, _ in verdicts(text))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ok we can just keep them", id="a choice of nothing named"),
        pytest.param("For the depot I've selected both as target.", id="what was clicked"),
        pytest.param("I've noticed that our page reloads on every click.", id="a symptom"),
        pytest.param("don't do that", id="a ban on nothing named"),
        pytest.param("this should only take a minute", id="an expectation"),
        pytest.param(FILLER * 2 + "Since rows may be empty, this can cause the whole import to fail.", id="a review's reason"),
    ],
)
def test_what_speaks_of_nothing_lasting_is_not_kept(verdicts, text: str):
    assert not any(kept for kept, _ in verdicts(text))


def test_a_rule_asked_for_is_worded_as_a_rule():
    message = Message(id="a", role=Role.USER, text="can you always print the time at the end?", origin=Origin.USER_PROMPT)
    assert [one.candidate.text for one in sweep([message], files.matcher()) if one.is_kept] == [
        "always print the time at the end"
    ]
