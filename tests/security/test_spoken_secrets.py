"""Secrets named in ordinary words go, in sixteen languages; what people write about passwords, keys and tokens stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import secrets as draws
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role
from psychmem_py.safety.secrets import redact, tells_only_a_secret

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
