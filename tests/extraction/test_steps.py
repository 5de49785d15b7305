"""Steps told in their order, in every language: a rule that tells them is a procedure."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.classify import tells_steps
from psychmem_py.model.terms import Kind
from tests.data import cases
from tests.extraction.test_sweep import kept


@pytest.mark.parametrize("text", cases("extraction", "one word of order tells no steps"))
def test_one_word_of_order_tells_no_steps(text: str) -> None:
    assert not tells_steps(text)


@pytest.mark.parametrize("text", cases("extraction", "first then finally tells steps"))
def test_first_then_finally_tells_steps(text: str) -> None:
    assert tells_steps(text)


@pytest.mark.parametrize("text", cases("extraction", "a series numbers and arrows tell steps"))
def test_a_series_numbers_and_arrows_tell_steps(text: str) -> None:
    assert tells_steps(text)


def test_a_rule_that_tells_steps_is_a_procedure() -> None:
    ((kind, _),) = kept("To release: first bump the version, then tag it, finally push the tag.")
    assert kind is Kind.PROCEDURAL
    ((kind, _),) = kept("Always use pnpm in this repository.")
    assert kind is Kind.CONSTRAINT


def test_steps_that_are_only_asked_for_now_are_kept_of_nobody() -> None:
    assert kept("First run the migrations, then restart the workers, and finally warm the cache.") == []
