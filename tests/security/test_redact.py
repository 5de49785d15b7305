"""Secrets never reach a byte on disk: what is caught, what stays, measured on strings drawn at random."""

from __future__ import annotations

import random

import pytest

from psychmem_py.safety.secrets import redact
from tests.data import cases

from .secrets_made import CARRIERS, LOOKALIKE, PROVIDER, _password

ROUNDS = 40


def leaked(text: str, secret: str) -> bool:
    """Whether a telling part of the secret is still there."""
    left = redact(text)
    core = max(secret.split("\n"), key=len) if "\n" in secret else secret.removeprefix("AccountKey=").rsplit("/", 1)[-1]
    return core in left or core[: max(8, len(core) // 2)] in left


# Nothing but chance tells these from an identifier or a path, so some stay: at most this share.
BARE = {"aws_secret": 0.05, "random_base62": 0.03}


@pytest.mark.parametrize("kind", PROVIDER)
def test_a_providers_token_is_caught_wherever_it_stands(kind: str) -> None:
    r = random.Random(kind)
    made = [PROVIDER[kind](r) for _ in range(ROUNDS * 5)]
    missed = [s for s in made for text in (s, f"please use {s} here", f"Error: 401 for key={s}, retry") if leaked(text, s)]
    assert len(missed) <= 3 * len(made) * BARE.get(kind, 0.0)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_password_is_caught_by_what_is_written_around_it(carrier: str) -> None:
    r = random.Random(carrier)
    missed = [t for s in (_password(r) for _ in range(ROUNDS)) if leaked(t := carrier.format(s=s), s)]
    assert not missed


@pytest.mark.parametrize("kind", LOOKALIKE)
def test_a_look_alike_stays(kind: str) -> None:
    r = random.Random(kind)
    touched = [t for t in (LOOKALIKE[kind](r) for _ in range(ROUNDS)) if redact(t) != t]
    assert not touched


@pytest.mark.parametrize("text", cases("security", "a word of a schema is no secret"))
def test_a_word_of_a_schema_is_no_secret(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("text", ["password=session", 'pass="discord"', "password=telegram", 'client_secret: "bearerof"'])
def test_a_word_that_wakes_a_rule_may_be_a_secret(text: str) -> None:
    assert redact(text) != text


def test_private_blocks_are_dropped_even_when_not_closed() -> None:
    assert redact("a <private>b\nc</private> d") == "a [private] d"
    assert redact("a <PRIVATE>b\nc") == "a [private]"


def test_a_chain_of_random_values_is_redacted_to_its_end_at_once() -> None:
    r = random.Random(5)
    once = redact("=".join("".join(r.choices("ABCDEFGHKMabcdefghkm23456789", k=30)) for _ in range(8)))
    assert redact(once) == once


def test_redacting_twice_changes_nothing() -> None:
    r = random.Random(1)
    for carrier in CARRIERS:
        once = redact(carrier.format(s=_password(r)))
        assert redact(once) == once
