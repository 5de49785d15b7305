"""Every rule for secrets is held to its own examples, alone and in what people and programs write around a secret."""

from __future__ import annotations

import random
import re
import string

import pytest

from psychmem_py.safety.secret_rules import RULES, SecretRule
from psychmem_py.safety.secrets import redact

ALPHABETS = {
    "": string.ascii_letters + string.digits,
    "x": "0123456789abcdef",
    "A": string.ascii_uppercase + string.digits,
    "a": string.ascii_lowercase + string.digits,
    "d": string.digits,
}
DRAWN = re.compile(r"\{(\d+)([xAad]?)\}")
CARRIERS = ("{}", "please use {} here", "Error: 401 for {}\nretry", "- {}", "`{}`", "({})")
CAUGHT = [pytest.param(rule, example, id=f"{rule.name}: {example[:40]!r}") for rule in RULES for example in rule.catches]
LEFT = [pytest.param(example, id=f"{rule.name}: {example[:40]!r}") for rule in RULES for example in rule.leaves]


def drawn(example: str) -> tuple[str, list[str]]:
    """The example with its signs filled in, and what they were filled with."""
    chance, filled = random.Random(example), []

    def fill(sign: re.Match[str]) -> str:
        filled.append("".join(chance.choice(ALPHABETS[sign[2]]) for _ in range(int(sign[1]))))
        return filled[-1]

    return DRAWN.sub(fill, example), filled


@pytest.mark.parametrize(("rule", "example"), CAUGHT)
def test_a_rule_catches_its_examples_wherever_they_stand(rule: SecretRule, example: str) -> None:
    text, secrets = drawn(example)
    assert secrets
    for carrier in CARRIERS:
        left = redact(carrier.format(text))
        assert not [secret for secret in secrets if secret in left], left
        assert "[REDACTED:" in left


@pytest.mark.parametrize(("rule", "example"), CAUGHT)
def test_a_rule_s_own_pattern_matches_its_examples(rule: SecretRule, example: str) -> None:
    text, _ = drawn(example)
    assert re.search(rule.pattern, text, rule.flags)
    assert any(word in text.lower() for word in rule.words)


@pytest.mark.parametrize("example", LEFT)
def test_a_rule_leaves_its_look_alikes(example: str) -> None:
    for carrier in CARRIERS:
        assert redact(carrier.format(example)) == carrier.format(example)


def test_every_rule_says_where_its_form_comes_from_and_what_it_catches_and_leaves() -> None:
    assert [rule.name for rule in RULES if not (rule.source and rule.catches and rule.leaves)] == []
