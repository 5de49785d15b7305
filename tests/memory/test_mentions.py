"""Whether a text speaks of a subject: in other spellings, scripts and names, and not of its neighbours."""

from __future__ import annotations

import pytest

from psychmem_py.memory.mentions import subject_of
from tests.data import cases


@pytest.mark.parametrize(("about", "text"), cases("memory", "a text that speaks of it"))
def test_a_text_that_speaks_of_it(about: str, text: str) -> None:
    assert subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(("about", "text"), cases("memory", "a text that does not"))
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


@pytest.mark.parametrize(("about", "text"), cases("memory", "words around a name are no part of it"))
def test_words_around_a_name_are_no_part_of_it(about: str, text: str) -> None:
    assert subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(("about", "text"), cases("memory", "what is like a name is none"))
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


@pytest.mark.parametrize(("about", "text"), cases("memory", "however it is asked for"))
def test_however_it_is_asked_for(about: str, text: str) -> None:
    assert subject_of(about, [text, "Ole drives a lorry"]).is_in(text)


def test_a_word_in_brackets_is_no_name() -> None:
    texts = ["Ines Roth paid", "The customer is always right"]
    assert [subject_of("Ines Roth (the customer)", texts).is_in(text) for text in texts] == [True, False]
