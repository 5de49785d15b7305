"""Whether a text speaks of a subject: in other spellings, scripts and names, and not of its neighbours."""

import pytest

from psychmem_py.memory.mentions import subject_of
from tests.data import cases


@pytest.mark.parametrize(("about", "text"), cases("memory", "a text that speaks of it"))
def test_a_text_that_speaks_of_it(about: str, text: str) -> None:
    assert subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(("about", "text"), cases("memory", "a text that does not"))
def test_a_text_that_does_not(about: str, text: str) -> None:
    assert not subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(("about", "speak", "others"), cases("memory", "which of several texts speak of it"))
def test_which_of_several_texts_speak_of_it(about: str, speak: list[str], others: list[str]) -> None:
    subject = subject_of(about, [*speak, *others])
    assert [text for text in (*speak, *others) if subject.is_in(text)] == speak


def test_another_number_is_another_thing():
    assert not subject_of("invoice 2024-117", []).is_in("Invoice 2024-118 is paid")
    assert subject_of("invoice 2024-117", []).is_in("invoice 2024/117 went to Globex")


@pytest.mark.parametrize(("about", "text"), cases("memory", "words around a name are no part of it"))
def test_words_around_a_name_are_no_part_of_it(about: str, text: str) -> None:
    assert subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(("about", "text"), cases("memory", "what is like a name is none"))
def test_what_is_like_a_name_is_none(about: str, text: str) -> None:
    assert not subject_of(about, [text]).is_in(text)


@pytest.mark.parametrize(("about", "text"), cases("memory", "however it is asked for"))
def test_however_it_is_asked_for(about: str, text: str) -> None:
    assert subject_of(about, [text, "Ole drives a lorry"]).is_in(text)
