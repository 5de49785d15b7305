"""Secrets never reach a byte on disk: what is caught, what stays, measured on strings drawn at random."""

import random
from pathlib import Path

import pytest

from benchmarks import secrets as draws
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import Message, Origin, Role
from psychmem_py.safety.secrets import redact, tells_only_a_secret

from .secrets_made import CARRIERS, LOOKALIKE, PROVIDER, _password, texts

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


def test_a_password_is_caught_by_what_is_written_around_it_and_a_look_alike_stays() -> None:
    for carrier in CARRIERS:
        r = random.Random(carrier)
        assert [t for s in (_password(r) for _ in range(ROUNDS)) if leaked(t := carrier.format(s=s), s)] == [], carrier
    for kind, draw in LOOKALIKE.items():
        r = random.Random(kind)
        assert [t for t in (draw(r) for _ in range(ROUNDS)) if redact(t) != t] == [], kind
    words = [*texts("a word of a schema is no secret")]
    assert [text for text in words if redact(text) != text] == []
    waking = ["password=session", 'pass="discord"', "password=telegram", 'client_secret: "bearerof"']  # may be a secret
    assert [text for text in waking if redact(text) == text] == []


def test_redacting_twice_changes_nothing_and_private_blocks_are_dropped() -> None:
    assert (redact("a <private>b\nc</private> d"), redact("a <PRIVATE>b\nc")) == ("a [private] d", "a [private]")
    r = random.Random(5)
    once = redact("=".join("".join(r.choices("ABCDEFGHKMabcdefghkm23456789", k=30)) for _ in range(8)))
    assert redact(once) == once
    r = random.Random(1)
    for carrier in CARRIERS:
        once = redact(carrier.format(s=_password(r)))
        assert redact(once) == once


OWN = Path(__file__).parents[1] / "data" / "secrets.txt"


@pytest.mark.parametrize("draw", [OWN, *draws.FITTED], ids=lambda path: path.stem)
def test_secrets_in_ordinary_words_go_and_honest_sentences_stay(draw: Path) -> None:
    found = draws.outcome(draw, seed=1)
    assert len(found.missed) <= 0.01 * found.tried, found.missed
    assert len(found.cut) <= (0.01 * found.honest if draw == OWN else 0), found.cut


ONLY = (
    "the API key is {r}", "Remember: my password is {r}.", "das Root-Passwort wurde auf {r} geändert", "パスワードは{r}です", "密码是{r}",
    "비밀번호는 {r} 입니다", "पासवर्ड {r} है", "We decided that the admin password is {r}!",
)  # fmt: skip
MORE = (
    "staging listens on port 5433 and its password is {r}", "never commit the key {r} to the repository", "密码是{r}，每月更换一次",
    "The API key is {r}, rotate it every month", "We rotate {r} every Friday", "the API key is kept in Vault",
)  # fmt: skip


def test_a_text_of_which_only_the_name_of_a_secret_is_left_tells_nothing() -> None:
    cut = "[REDACTED:assignment]"
    assert not tells_only_a_secret("nothing was cut here")
    assert [text for text in ONLY if not tells_only_a_secret(text.format(r=cut))] == []
    assert [text for text in MORE if tells_only_a_secret(text.format(r=cut))] == []


@pytest.mark.parametrize("said", ["Remember: the API key of the wiki is {r}", "Remember that our database password is {r}"])
def test_a_secret_that_was_said_leaves_no_memory_of_its_name(said: str) -> None:
    text = redact(said.format(r="kd93Jx7pQm2zR8vB4nW6tY1s"))
    assert "[REDACTED" in text
    verdicts = sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], files.matcher())
    assert verdicts
    assert {verdict.reason for verdict in verdicts} == {"secret"}
