"""The text of a memory: what is taken off a clause, and what is put before it."""

from __future__ import annotations

import pytest

from psychmem_py.extraction import wording


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ok, please never push to main, thanks!", "never push to main"),
        ("- **Never** push to main", "Never push to main"),
        ("Bitte immer mit pnpm bauen, danke", "immer mit pnpm bauen"),
        ("Use these:\n- pnpm\n- vitest", "Use these: pnpm; vitest"),
        pytest.param("thanks!", "thanks!", id="what would be empty stays"),
        ("__never push__ to main", "never push to main"),
        pytest.param("never edit __init__.py or a_b__c", "never edit __init__.py or a_b__c", id="signs of names stay"),
    ],
)
def test_politeness_and_marks_are_trimmed(text: str, wanted: str) -> None:
    assert wording.trimmed(text) == wanted


@pytest.mark.parametrize(
    ("correction", "previous", "wanted"),
    [
        ("use 8081", "The API listens on 8080.", "The API listens on 8081."),
        pytest.param("use 8081", "Listens on 8080 and 9090.", "use 8081", id="two values: which one is meant is not known"),
        ("the port is 8081", "The API listens on port 8080.", "The API listens on port 8081."),
        pytest.param("I meant the remark on ticket 8081", "All 8080 tests pass.", None, id="a number of something else"),
        pytest.param("switch to the stage 3 branch", "4 steps are left.", None, id="a number of another thing"),
        pytest.param("use 8081", "Is it 8080?", "use 8081", id="a question states nothing"),
        pytest.param("use 8081 because the proxy of the other team needs the port", "It is 8080.", None, id="says enough itself"),
    ],
)
def test_a_short_correction_is_put_into_the_sentence_it_corrects(correction: str, previous: str, wanted: str | None) -> None:
    assert wording.resolved(correction, previous) == (wanted or correction)


@pytest.mark.parametrize(
    ("text", "until", "rest"),
    [
        ("Also remember: never push to main", 13, "never push to main"),
        ("keep in mind that CI is very slow", 12, "CI is very slow"),
        pytest.param("remember: ok", 8, "remember: ok", id="too little would be left"),
    ],
)
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


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("short enough", "short enough", id="as it is"),
        pytest.param(
            "We keep the queue in SQLite " + "x" * 40 + " — it needs no server",
            "We keep the queue in SQLite " + "x" * 40,
            id="dash",
        ),
        pytest.param(
            "We keep the queue in one file " + "x" * 40 + ", and it is small",
            "We keep the queue in one file " + "x" * 40,
            id="comma",
        ),
        pytest.param("We keep the queue (in SQLite " + "x" * 40 + " — it needs no server", None, id="never inside a bracket"),
        pytest.param("We keep the queue" + "x" * 80, None, id="nowhere to end"),
        pytest.param(
            "We keep the queue in one file " + "x" * 40 + ", which is small, but in truth it shall go",
            None,
            id="never before a but",
        ),
        pytest.param(
            "我们把队列放在一个文件里" + "很" * 60 + "，它很小，但以后要去掉" + "的" * 10, None, id="the same in Chinese"
        ),
    ],
)
def test_a_long_sentence_ends_where_something_is_added(text: str, wanted: str | None) -> None:
    assert wording.shortened(text, (0, 20), 80) == (wanted or text)


@pytest.mark.parametrize(
    ("text", "rule", "wanted"),
    [
        pytest.param(
            "I will write the report over the weekend when all numbers of the depot are in, besides note that the export runs on the old machine",
            "note that",
            "note that the export runs on the old machine",
            id="a statement of its own behind besides",
        ),
        pytest.param(
            "Den Bericht schreibe ich am Wochenende, wenn alle Zahlen des Lagers da sind, außerdem läuft der Export nur auf dem alten Rechner",
            "nur auf",
            "läuft der Export nur auf dem alten Rechner",
            id="the same in German",
        ),
        pytest.param(
            "I will write the report over the weekend when all the numbers are in, which must never leave the depot of the firm",
            "must never",
            None,
            id="a relative clause is none",
        ),
    ],
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
