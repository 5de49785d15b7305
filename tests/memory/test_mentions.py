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
        pytest.param("ORD-5678", "order number five six seven eight", id="digits in words"),
        pytest.param("ORD-5678", "order fifty-six seventy-eight", id="pairs in words"),
        pytest.param("ORD-5678", "order five thousand six hundred seventy-eight", id="a number in words"),
        pytest.param("ORD-5678", "order ٥٦٧٨ again", id="Arabic digits"),
        pytest.param("555-0199", "call (555) 0199", id="other separators"),
        pytest.param("INC-40771", "incident no. 40 771 again", id="the word shortened"),
        pytest.param("TKT-4077", "ticket 4077 again", id="the word without its vowels"),
        pytest.param("+49 151 2345678", "call 0049 151 2345678", id="the country written otherwise"),
        pytest.param("+49 151 2345678", "call 0151/2345678", id="without the country"),
        pytest.param("globex.io", "see https://globex.io/help.", id="a page of it"),
        pytest.param("Zoë Núñez", "zoe nunez likes tea", id="case and accents"),
        pytest.param("Iwan Petrow", "Встреча: Iwan Petrow", id="within another script"),
        pytest.param("Ivan Petrov", "Иван Петров живёт в Омске", id="Cyrillic"),
        pytest.param("Dana Whitfield", "Whitfield, Dana: room 4", id="turned round"),
        pytest.param("Dana Whitfield", "DanaWhitfield@example.org", id="an address"),
        pytest.param("Katherine Miller", "Katharine Miller called", id="a slip in a longer name"),
        pytest.param("everything about my home address", "The address of my home is 4 Elm Road", id="described"),
    ],
)
def test_a_text_that_speaks_of_it(about: str, text: str) -> None:
    assert subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(
    ("about", "text"),
    [
        pytest.param("ORD-5678", "ORD-5679 is late", id="another number"),
        pytest.param("+49 151 2345678", "call 0049 151 2345679", id="another telephone"),
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
        "Wei is on leave in May",
        "Robert is also known as Bob",
        "Bob skis",
    ]
    wei, robert = subject_of("Zhang Wei", texts), subject_of("Robert", texts)
    assert [wei.is_in(text) for text in texts] == [True, True, True, False, False]
    assert [robert.is_in(text) for text in texts] == [False, False, False, True, True]


def test_a_first_name_that_two_share_is_neither() -> None:
    texts = ["Dana Whitfield leads the audit", "Then Dana Moore left", "Dana is on leave"]
    assert [subject_of("Dana Whitfield", texts).is_in(text) for text in texts] == [True, False, False]


def test_what_stands_in_brackets_is_no_other_name_in_the_same_script() -> None:
    texts = ["Dana Whitfield (Oslo) leads the audit", "Oslo is cold"]
    assert not subject_of("Dana Whitfield", texts).is_in(texts[1])


def test_another_number_is_another_thing():
    assert not subject_of("invoice 2024-117", []).is_in("Invoice 2024-118 is paid")
    assert subject_of("invoice 2024-117", []).is_in("invoice 2024/117 went to Globex")


def test_a_common_word_of_a_name_is_not_the_name():
    subject = subject_of("Project Bluebird", ["Project Bluebird ships in autumn"])
    assert not subject.is_in("Project plans are kept in the wiki")
    assert subject.is_in("The blue-bird repository is private")
