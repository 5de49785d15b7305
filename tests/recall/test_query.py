"""Questions taken apart, slips mended, scores ordered, and what is worth saying beyond chance."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.model.records import Kind, Scope
from psychmem_py.recall import ranking
from psychmem_py.recall.query import parsed, unasked
from psychmem_py.recall.ranking import MARK, WORTH_SAYING, Scored, beyond_chance, scored, surprise
from psychmem_py.text.likeness import nearest, unstemmed
from psychmem_py.text.tokenizer import search_terms
from psychmem_py.words import word_set
from tests.data import holds


def test_filters_and_phrases_are_taken_out_of_a_question_and_of_no_other_text() -> None:
    query = parsed('class:decision scope:user tag:ci after:2026-01-01 "merge queue" redis')
    assert (query.kinds, query.scope, query.tags, query.after) == ({Kind.DECISION}, Scope.USER, {"ci"}, 1_767_225_600.0)
    assert query.phrases == ("merge queue",)
    assert "redis" in dict(query.terms)
    assert "decision" not in dict(query.terms)
    assert [parsed(f"class:{name}").kinds for name in ("rule", "history")] == [{Kind.CONSTRAINT}, {Kind.EPISODIC}]
    query = unasked('class:decision rename "merge queue"')
    assert (query.phrases, query.kinds) == ((), frozenset())
    assert {"merge", "queue"} <= dict(query.terms).keys()


@pytest.mark.parametrize("text", ["class:nonsense", "after:soon", "scope:galaxy", "http://x", "a:b"])
def test_an_unknown_filter_is_plain_words(text: str) -> None:
    query = parsed(text)
    assert (query.kinds, query.scope, query.after) == (frozenset(), None, None)
    assert query.terms


def test_words_about_the_asking_are_spelt_as_the_index_spells_them() -> None:
    asking = word_set("words_of_asking")
    assert set(search_terms(" ".join(sorted(asking))).split()) == asking


test_a_question = holds("recall", {
    "the intent of a question": lambda text, intent: (parsed(text).intent, intent),
    "a slip is mended": lambda word, word_set: (nearest(word, [word_set]), [word_set]),
    "another word is not a slip": lambda word, word_set: (nearest(word, [word_set]), []),
})  # fmt: skip


@given(st.text(max_size=300))
def test_any_text_can_be_asked(text: str) -> None:
    assert all(0 < weight <= 1 for _, weight in parsed(text).terms)


def test_words_are_found_from_their_stem() -> None:
    assert unstemmed("polici")[:2] == ["polici", "policy"]
    assert "database" in unstemmed("databas")


def test_of_a_long_text_the_end_is_asked_before_the_beginning() -> None:
    text = " ".join(f"first{place}x" for place in range(80)) + " what about the carburettor"
    terms = [term for term, _ in parsed(text).terms]
    assert terms.index("carburettor") < terms.index("first0x")
    assert len(terms) == 64


def test_what_matches_counts_for_the_word_asked_and_more_words_beat_one_often() -> None:
    both = (1, f"{MARK}redis {MARK}port", "", "", "")
    often = (2, f"{MARK}redis {MARK}redis", "", "", "")
    assert [one.seq for one in scored([often, both], {"redis": 1.0, "port": 1.0})] == [1, 2]
    marked = (1, f"{MARK}deploys at night", "", "", f"{MARK}night")
    (one,) = scored([marked], {"deploying": 2.0, "night": 1.0, "x": 1.0})
    assert (set(one.matched), one.own, one.exact, one.share) == ({"deploying", "night"}, ("deploying",), (), 0.75)
    (one,) = scored([(1, f"{MARK}testing", "", "", "")], {"testimony": 1.0, "test": 1.0})
    assert one.own == ("test",)


def found(*own: str, exact: bool = True, length: int = 10) -> Scored:
    return Scored(1, 1.0, own, 1.0, own, own if exact else (), length)


def test_the_nats_beyond_chance_are_as_computed_by_hand() -> None:
    # 400 memories, "lint" in 4, "css" in 99: ln(500 / 4.5) = 4.711, ln(500 / 99.5) = 1.614, the most ln(500 / 0.5) = 6.908.
    # The whole: (4.711 + 6.908 + 1.614 + 6.908) / 2 = 10.071. 4.711 + 25 * 4.711 / 10.071 - ln 400 - ln 2 / 2 = 10.067
    surprises = {"lint": surprise(400, 4), "css": surprise(400, 99)}
    assert beyond_chance(found("lint"), surprises, 400) == pytest.approx(10.067, abs=0.001)


def test_a_rare_word_of_its_own_is_worth_saying_once_and_less_with_another_ending() -> None:
    assert beyond_chance(found("fastify"), {"fastify": surprise(500, 1)}, 500) >= WORTH_SAYING
    assert beyond_chance(found("try"), {"try": surprise(500, 200)}, 500) < WORTH_SAYING
    assert beyond_chance(found(), {"redis": 4.0}, 500) == -math.inf
    both = {"error": 4.0, "errors": 4.0, "login": 4.0, "page": 4.0}
    assert beyond_chance(found("error", "errors"), both, 500) == beyond_chance(found("errors"), both, 500)
    words = {"deploying": 5.0, "night": 3.0}
    assert beyond_chance(found("deploying", exact=False), words, 500) < beyond_chance(found("deploying"), words, 500)


@given(st.integers(1, 100_000), st.integers(0, 1000), st.integers(1, 2000))
def test_a_longer_memory_and_a_commoner_word_are_never_worth_more(total: int, holding: int, length: int) -> None:
    words = {"word": surprise(total, holding), "other": surprise(total, 0)}
    commoner = words | {"word": surprise(total, holding + 1)}
    one = beyond_chance(found("word", length=length), words, total)
    assert beyond_chance(found("word", length=length + 50), words, total) <= one
    assert beyond_chance(found("word", length=length), commoner, total) <= one + 1e-9


def test_one_word_of_a_question_about_something_else_is_weak_and_a_number_of_it_is_not() -> None:
    passing = found("user")._replace(share=0.1)
    assert ranking.is_weak(passing, 9.0)
    assert not ranking.is_weak(passing._replace(share=0.4), 9.0)
    assert not ranking.is_weak(found("pay", "1234")._replace(share=0.1), 9.0)
    assert not ranking.is_weak(found("1234")._replace(share=0.1), 9.0)
