"""Another wording is taken only when it says nothing that was not said."""

from __future__ import annotations

import pytest

from psychmem_py.judging.rewording import LIMIT_CHARS, KnownWords, borne_out, supported, written_out
from psychmem_py.languages import files
from tests.data import cases

ENGLISH = KnownWords(*files.everyday(("en",)))


@pytest.mark.parametrize(("text", "said"), cases("judging", "what was not said is refused"))
def test_what_was_not_said_is_refused(text: str, said: str) -> None:
    assert not borne_out(text, said)
    assert not borne_out(text, said, "", said, ENGLISH)


@pytest.mark.parametrize(("text", "previous", "said"), cases("judging", "the message s own words may be put better"))
def test_the_message_s_own_words_may_be_put_better(text: str, previous: str, said: str) -> None:
    assert len(text) <= LIMIT_CHARS
    assert borne_out(text, said, previous)


AROUND = "the exporter sends one mail per invoice\nkeep the archive as it is"


@pytest.mark.parametrize(("text", "said", "previous"), cases("judging", "everyday words may be the readers own"))
def test_everyday_words_may_be_the_readers_own(text: str, said: str, previous: str) -> None:
    assert borne_out(text, said, previous, AROUND, ENGLISH)


@pytest.mark.parametrize(("text", "said", "previous"), cases("judging", "a lie in everyday words is refused"))
def test_a_lie_in_everyday_words_is_refused(text: str, said: str, previous: str) -> None:
    assert not borne_out(text, said, previous, AROUND, ENGLISH)


def test_what_only_its_end_is_invented_of_stands_without_it() -> None:
    said, whole = "one mail per invoice", "There is one mail for each invoice (RFC 9999), never a digest."
    assert supported(whole, said, "", AROUND, ENGLISH) == "There is one mail for each invoice"
    assert supported("Digests end with RFC 9999: mail one per invoice.", said, "", AROUND, ENGLISH) == "Mail one per invoice."
    assert not supported("Mail each invoice by Sendgrid, never a digest.", said, "", AROUND, ENGLISH)


@pytest.mark.parametrize(("said", "previous", "text"), cases("judging", "a bare answer is written out with what it answers"))
def test_a_bare_answer_is_written_out_with_what_it_answers(said: str, previous: str, text: str) -> None:
    assert written_out(said, previous) == text
