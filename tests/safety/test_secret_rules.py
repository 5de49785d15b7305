"""Every rule for secrets is held to its own examples, alone and in what people and programs write around a secret."""

from __future__ import annotations

import random
import re
import string

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
CAUGHT = [(rule, example) for rule in RULES for example in rule.catches]


def drawn(example: str) -> tuple[str, list[str]]:
    """The example with its signs filled in, and what they were filled with."""
    chance, filled = random.Random(example), []

    def fill(sign: re.Match[str]) -> str:
        filled.append("".join(chance.choice(ALPHABETS[sign[2]]) for _ in range(int(sign[1]))))
        return filled[-1]

    return DRAWN.sub(fill, example), filled


def test_a_rule_catches_its_examples_wherever_they_stand() -> None:
    missed = []
    for rule, example in CAUGHT:
        text, secrets = drawn(example)
        for carrier in CARRIERS:
            left = redact(carrier.format(text))
            if not secrets or any(secret in left for secret in secrets) or "[REDACTED:" not in left:
                missed.append(f"{rule.name}: {left}")
    assert missed == []


def test_a_rule_s_own_pattern_matches_its_examples() -> None:
    def matched(rule: SecretRule, text: str) -> bool:
        return bool(re.search(rule.pattern, text, rule.flags)) and any(word in text.lower() for word in rule.words)

    assert [f"{rule.name}: {example}" for rule, example in CAUGHT if not matched(rule, drawn(example)[0])] == []


def test_a_rule_leaves_its_look_alikes() -> None:
    texts = [carrier.format(example) for rule in RULES for example in rule.leaves for carrier in CARRIERS]
    assert [text for text in texts if redact(text) != text] == []


def test_every_rule_says_where_its_form_comes_from_and_what_it_catches_and_leaves() -> None:
    assert [rule.name for rule in RULES if not (rule.source and rule.catches and rule.leaves)] == []
