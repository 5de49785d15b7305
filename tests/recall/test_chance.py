"""A memory is worth saying when it fits better than the best of so many strangers would."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.recall.ranking import WORTH_SAYING, Scored, beyond_chance, is_weak, surprise, without_the_idle


def found(*own: str, exact: bool = True, length: int = 10) -> Scored:
    return Scored(1, 1.0, own, 1.0, own, own if exact else (), length)


def test_the_nats_beyond_chance_are_as_computed_by_hand() -> None:
    # 400 memories, "lint" in 4, "css" in 99: ln(500 / 4.5) = 4.711, ln(500 / 99.5) = 1.614, the most ln(500 / 0.5) = 6.908.
    # The whole: (4.711 + 6.908 + 1.614 + 6.908) / 2 = 10.071. 4.711 + 25 * 4.711 / 10.071 - ln 400 - ln 2 / 2 = 10.067
    surprises = {"lint": surprise(400, 4), "css": surprise(400, 99)}
    assert beyond_chance(found("lint"), surprises, 400) == pytest.approx(10.067, abs=0.001)


def test_a_rare_word_alone_is_worth_saying_and_a_common_one_is_not() -> None:
    assert beyond_chance(found("fastify"), {"fastify": surprise(500, 1)}, 500) >= WORTH_SAYING
    assert beyond_chance(found("try"), {"try": surprise(500, 200)}, 500) < WORTH_SAYING


def test_nothing_of_its_own_is_never_worth_saying() -> None:
    assert beyond_chance(found(), {"redis": 4.0}, 500) == -math.inf


def test_the_same_word_in_two_forms_counts_once() -> None:
    both = {"error": 4.0, "errors": 4.0, "login": 4.0, "page": 4.0}
    assert beyond_chance(found("error", "errors"), both, 500) == beyond_chance(found("errors"), both, 500)


def test_another_ending_tells_less() -> None:
    words = {"deploying": 5.0, "night": 3.0}
    assert beyond_chance(found("deploying", exact=False), words, 500) < beyond_chance(found("deploying"), words, 500)


def test_two_overlapping_pairs_of_signs_count_as_one_word() -> None:
    pairs = {"资料": 5.0, "料库": 5.0}
    assert beyond_chance(found(*pairs), pairs, 500) == pytest.approx(beyond_chance(found("redis"), {"redis": 5.0}, 500), abs=0.01)


@given(st.integers(1, 100_000), st.integers(0, 1000), st.integers(1, 2000))
def test_a_longer_memory_and_a_commoner_word_are_never_worth_more(total: int, holding: int, length: int) -> None:
    words = {"word": surprise(total, holding), "other": surprise(total, 0)}
    commoner = words | {"word": surprise(total, holding + 1)}
    one = beyond_chance(found("word", length=length), words, total)
    assert beyond_chance(found("word", length=length + 50), words, total) <= one
    assert beyond_chance(found("word", length=length), commoner, total) <= one + 1e-9


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=8), st.integers(3000, 100_000))
def test_a_memory_that_holds_only_idle_words_is_not_worth_saying(holdings: list[int], total: int) -> None:
    words = {f"word{chr(97 + place)}x": surprise(total, holding) for place, holding in enumerate(holdings)}
    idle = words.keys() - without_the_idle(words, total, WORTH_SAYING)
    assert not idle or beyond_chance(found(*idle), words, total) < WORTH_SAYING


def test_no_word_is_idle_to_somebody_who_asked() -> None:
    words = {"the": surprise(500, 400), "redis": surprise(500, 2)}
    assert without_the_idle(words, 500, -math.inf) == words.keys()
    assert without_the_idle(words, 500, WORTH_SAYING) == {"redis"}


def test_one_word_of_a_question_about_something_else_is_weak_and_a_number_of_it_is_not() -> None:
    passing = found("user")._replace(share=0.1)
    assert is_weak(passing, 9.0)
    assert not is_weak(passing._replace(share=0.4), 9.0)
    assert not is_weak(found("pay", "1234")._replace(share=0.1), 9.0)
    assert not is_weak(found("1234")._replace(share=0.1), 9.0)
