"""Whether a text speaks of a subject: in other spellings, scripts and names, and not of its neighbours."""

from __future__ import annotations

import pytest

from psychmem_py.memory.mentions import subject_of


@pytest.mark.parametrize(
    ("about", "text"),
    [
        pytest.param("ORD-5678", "order 5678 was refunded", id="the word written out"),
        pytest.param("ORD-5678", "Ask about ord5678", id="run together"),
        pytest.param("order 5678", "ORD_5678 is late", id="the word cut short"),
        pytest.param("555-0199", "call (555) 0199", id="other separators"),
        pytest.param("globex.io", "see https://globex.io/help.", id="a page of it"),
        pytest.param("Zoë Núñez", "zoe nunez likes tea", id="case and accents"),
        pytest.param("Iwan Petrow", "Встреча: Iwan Petrow", id="within another script"),
        pytest.param("Ivan Petrov", "Иван Петров живёт в Омске", id="Cyrillic"),
        pytest.param("Dana Whitfield", "Whitfield, Dana: room 4", id="turned round"),
        pytest.param("Dana Whitfield", "DanaWhitfield@example.org", id="an address"),
        pytest.param("everything about my home address", "The address of my home is 4 Elm Road", id="described"),
    ],
)
def test_a_text_that_speaks_of_it(about: str, text: str) -> None:
    assert subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(
    ("about", "text"),
    [
        pytest.param("ORD-5678", "ORD-5679 is late", id="another number"),
        pytest.param("ACC-77120-A", "account 77120-B is closed", id="another part of one number"),
        pytest.param("cache-07", "cache-07-replica is slow", id="a longer host"),
        pytest.param("globex.io", "globex.io.pl is parked", id="a longer domain"),
        pytest.param("kim@acme.io", "kim.lee@acme.io signs", id="a longer address"),
        pytest.param("ORD-5678", "ticket 5678", id="another sort of number"),
        pytest.param("ORD-5678", "order 15678", id="a longer number"),
        pytest.param("Dana", "Danae plays chess", id="a longer name"),
        pytest.param("Dana Whitfield", "Dana Moore likes tea", id="another of that name"),
        pytest.param("my home address", "The email address of support", id="half of a description"),
        pytest.param("Ann", "An apple", id="a short word"),
    ],
)
def test_a_text_that_does_not(about: str, text: str) -> None:
    assert not subject_of(about, [text]).is_in(text)


def test_other_names_are_known_from_what_the_texts_tell() -> None:
    texts = [
        "Zhang Wei (张伟) leads the audit",
        "张伟喜欢绿茶",
        "Robert is also known as Bob",
        "Bob skis",
    ]
    wei, robert = subject_of("Zhang Wei", texts), subject_of("Robert", texts)
    assert [wei.is_in(text) for text in texts] == [True, True, False, False]
    assert [robert.is_in(text) for text in texts] == [False, False, True, True]


def test_what_stands_in_brackets_is_no_other_name_in_the_same_script() -> None:
    texts = ["Dana Whitfield (Oslo) leads the audit", "Oslo is cold"]
    assert not subject_of("Dana Whitfield", texts).is_in(texts[1])


def test_another_number_is_another_thing():
    assert not subject_of("invoice 2024-117", []).is_in("Invoice 2024-118 is paid")
    assert subject_of("invoice 2024-117", []).is_in("invoice 2024/117 went to Globex")


def test_a_common_word_of_a_name_is_not_the_name():
    subject = subject_of("Project Bluebird", ["Project Bluebird ships in autumn"])
    assert not subject.is_in("Project plans are kept in the wiki")


@pytest.mark.parametrize(
    ("about", "text"),
    [
        pytest.param("vendor Halvor Dahl aka 达尔", "达尔 sent the bill", id="either of two names given"),
        pytest.param("Ines Roth / Inês Roth record", "Ines Roth called", id="two spellings and what they are of"),
        pytest.param("client Park Jiwoo 박지우", "박지우 paid", id="two scripts beside each other"),
        pytest.param("job_77_a result", "job_77_a was green", id="an identifier and a word"),
        pytest.param("@ruff-lead reviewer", "Same person without a sign: ruff-lead.", id="a handle without its sign"),
        pytest.param("everything about customer Ole", "Ole likes calls", id="what somebody is"),
        pytest.param("everything about Ole the customer", "Ole likes calls", id="what somebody is, behind the name"),
        pytest.param("order 17 / 17-EUR", "Order 17-EUR is open", id="two identifiers, one longer"),
    ],
)
def test_words_around_a_name_are_no_part_of_it(about: str, text: str) -> None:
    assert subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(
    ("about", "text"),
    [
        pytest.param("run_id 4411", "run_id 44112 failed", id="a longer number under the same word"),
        pytest.param("run_id 4411", "run_id is a column", id="the word before a number"),
        pytest.param("/srv/app/main", "/srv/app/main.old is a copy", id="a longer path"),
        pytest.param("the API gateway", "The API is versioned", id="an abbreviation is no name"),
        pytest.param("the spring party 2024", "2024 was a good year", id="a year is no identifier"),
    ],
)
def test_what_is_like_a_name_is_none(about: str, text: str) -> None:
    assert not subject_of(about, [text]).is_in(text)


def test_a_part_that_is_told_of_is_all_that_is_meant() -> None:
    texts = ["Ole's invoices are late", "Ole likes calls"]
    assert [subject_of("Ole's invoices", texts).is_in(text) for text in texts] == [True, False]
    assert [subject_of("everything about Ole", texts).is_in(text) for text in texts] == [True, True]


def test_a_word_in_brackets_behind_a_number_is_not_its_name() -> None:
    texts = ["415-555-0123 (no country)", "There is no country like it"]
    assert [subject_of("415-555-0123", texts).is_in(text) for text in texts] == [True, False]


def test_a_common_word_before_a_nickname_is_not_the_name() -> None:
    texts = ["Same employee, nickname Kim Lund, was promoted", "An employee left"]
    assert [subject_of("Kim Lund", texts).is_in(text) for text in texts] == [True, False]


@pytest.mark.parametrize(
    ("about", "text"),
    [
        pytest.param("client Ines Roth (Инес Рот)", "Ines Roth paid", id="a name before brackets"),
        pytest.param("client Ines Roth (Инес Рот)", "Инес Рот called", id="a name in brackets"),
        pytest.param("information about Ole the driver", "Ole likes calls", id="information about"),
        pytest.param("Informationen über Ole", "Ole mag Anrufe", id="Informationen über"),
        pytest.param("toda la información sobre Ole", "Ole llamó", id="toda la información sobre"),
        pytest.param("toutes les informations sur Ole", "Ole a appelé", id="toutes les informations sur"),
    ],
)
def test_however_it_is_asked_for(about: str, text: str) -> None:
    assert subject_of(about, [text, "Ole drives a lorry"]).is_in(text)


def test_a_word_in_brackets_is_no_name() -> None:
    texts = ["Ines Roth paid", "The customer is always right"]
    assert [subject_of("Ines Roth (the customer)", texts).is_in(text) for text in texts] == [True, False]
