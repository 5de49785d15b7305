"""What is called plain is what the redaction leaves alone."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from psychmem_py.safety.secret_free import is_plain
from psychmem_py.safety.secrets import redact
from tests.data import cases
from tests.security.secrets_made import PROVIDER


@given(st.text(alphabet="abcxyzXYZ0189 -_./:=@'\"<>,", max_size=80))
@example("echo hi")
@example("/home/dev/project/src/module2/file.py")
def test_redaction_leaves_plain_text_as_it_is(text: str) -> None:
    if is_plain(text):
        assert redact(text) == text


@pytest.mark.parametrize("kind", PROVIDER)
def test_no_token_of_a_provider_is_plain(kind: str) -> None:
    drawn = random.Random(kind)
    for _ in range(40):
        secret = PROVIDER[kind](drawn)
        assert not is_plain(f"curl {secret} here") or redact(secret) == secret


@pytest.mark.parametrize(
    "text",
    [
        "echo hi",
        "npm test",
        "/tmp/tmpx8k3_q2f/project/price.py",
        "fix the file with vim",
        'npm error Missing script: "test"',
        "/home/dev/project/package.json",
        "git status --short",
        "",
    ],
)
def test_everyday_lines_are_plain(text: str) -> None:
    assert is_plain(text)


@pytest.mark.parametrize("text", cases("safety", "what might hold a secret is not"))
def test_what_might_hold_a_secret_is_not(text: str) -> None:
    assert not is_plain(text)
