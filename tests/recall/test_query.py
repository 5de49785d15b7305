"""Questions taken apart, slips mended, scores ordered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.model.terms import Kind, Scope
from psychmem_py.recall.query import parsed, unasked
from psychmem_py.recall.ranking import MARK, MarkedColumns, scored
from psychmem_py.text.spelling import family, nearest, unstemmed
from psychmem_py.text.tokenizer import search_terms
from psychmem_py.words import known
from tests.data import cases

WEIGHTS = (1.0, 1.5, 0.7, 0.35)


def test_filters_and_phrases_are_taken_out_of_the_words() -> None:
    query = parsed('class:decision scope:user tag:ci after:2026-01-01 "merge queue" redis')
    assert (query.kinds, query.scope, query.tags, query.after) == ({Kind.DECISION}, Scope.USER, {"ci"}, 1_767_225_600.0)
    assert query.phrases == ("merge queue",)
    assert "redis" in dict(query.terms)
    assert "decision" not in dict(query.terms)


@pytest.mark.parametrize("text", ["class:nonsense", "after:soon", "scope:galaxy", "http://x", "a:b"])
def test_an_unknown_filter_is_plain_words(text: str) -> None:
    query = parsed(text)
    assert (query.kinds, query.scope, query.after) == (frozenset(), None, None)
    assert query.terms


def test_words_about_the_asking_are_spelt_as_the_index_spells_them() -> None:
    asking = known("words_of_asking")
    assert set(search_terms(" ".join(sorted(asking))).split()) == asking


@pytest.mark.parametrize(("text", "intent"), cases("recall", "the intent of a question"))
def test_the_intent_of_a_question(text: str, intent: str) -> None:
    assert parsed(text).intent == intent


@given(st.text(max_size=300))
def test_any_text_can_be_asked(text: str) -> None:
    assert all(0 < weight <= 1 for _, weight in parsed(text).terms)


@pytest.mark.parametrize(("word", "known"), cases("recall", "a slip is mended"))
def test_a_slip_is_mended(word: str, known: str) -> None:
    assert nearest(word, [known]) == [known]


@pytest.mark.parametrize(("word", "known"), cases("recall", "another word is not a slip"))
def test_another_word_is_not_a_slip(word: str, known: str) -> None:
    assert nearest(word, [known]) == []


def test_a_stem_is_asked_for_by_a_word_it_is_of() -> None:
    assert unstemmed("polici")[:2] == ["polici", "policy"]
    assert "database" in unstemmed("databas")


def test_words_of_a_family_are_found_from_each_other() -> None:
    assert "own" in family("ownership")
    assert "ownership" in family("own")
    assert family("id") == []


def test_a_text_that_is_no_question_has_no_filters() -> None:
    query = unasked('class:decision rename "merge queue"')
    assert (query.phrases, query.kinds) == ((), frozenset())
    assert {"merge", "queue"} <= dict(query.terms).keys()


def test_of_a_long_text_the_end_is_asked_before_the_beginning() -> None:
    text = " ".join(f"first{place}x" for place in range(80)) + " what about the carburettor"
    terms = [term for term, _ in parsed(text).terms]
    assert terms.index("carburettor") < terms.index("first0x")
    assert len(terms) == 64


def test_more_of_the_words_beats_more_often_the_same_word() -> None:
    both = MarkedColumns(1, (f"{MARK}redis {MARK}port", "", "", ""))
    often = MarkedColumns(2, (f"{MARK}redis {MARK}redis", "", "", ""))
    assert [one.seq for one in scored([often, both], {"redis": 1.0, "port": 1.0}, WEIGHTS)] == [1, 2]


def test_a_stemmed_word_counts_for_the_word_asked() -> None:
    (one,) = scored(
        [MarkedColumns(1, (f"{MARK}deploys at night", "", "", f"{MARK}night"))],
        {"deploying": 2.0, "night": 1.0, "x": 1.0},
        WEIGHTS,
    )
    assert (set(one.matched), one.own, one.exact, one.share) == ({"deploying", "night"}, ("deploying",), (), 0.75)


def test_a_matched_word_counts_for_the_word_whose_ending_differs_least() -> None:
    (one,) = scored([MarkedColumns(1, (f"{MARK}testing", "", "", ""))], {"testimony": 1.0, "test": 1.0}, WEIGHTS)
    assert one.own == ("test",)
