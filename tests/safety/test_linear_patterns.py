"""No regular expression of the program or of a language file costs more than its input grows by."""

import importlib
import inspect
import itertools
import pkgutil
import re
import signal
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import regex

import psychmem_py
from psychmem_py.languages import files
from psychmem_py.memory.change_cues import FORMS
from psychmem_py.safety.secrets import RULES
from psychmem_py.text.folding import LatePattern

SHORT, LONG = 500, 4_000
FREE_S = 0.004  # what takes less on the long text is no danger, however it grew: a message has at most 100,000 characters
GROWTH = 20.0  # eight times the text may cost eight times as much; sixty-four times is what this looks for
# Runs of blanks, letters, signs, and the beginnings of what a pattern might wait for.
RUNS = (
    " ", "\n", "\t", "a", "A", "1", "é", "я", "字", "-", "=", ":", "/", ".", ",", "*", "#", "|", "<", "(", "[", "{", "`", '"', "'", "_", "+",
    "a ", "a.", "a-", "a/", "aB", "a_", "- ", ", ", "* a", "`a", "<a ", "<a-b", "<A", "1.", "1:", "a@", "://", "a:", "https://", "\n- ", "\n ", " \n", "| ",
    "password ", "key=", "token:", "eyJ", "a1", "-p ", "is ", "user ", "and ", "password the ", "mysql ", "**a", "==", "a, ", "「a", "“a", "::", "x/",
)  # fmt: skip
HEADS = (
    "",
    "password",
)  # the second for what waits for one; "a=", "<a-b ", "1" and tails as "=x what": minutes, for a change of the patterns


@cache
def patterns() -> dict[str, re.Pattern[str] | regex.Pattern[str]]:
    """Every compiled pattern that stands in a module, those of the secrets, and the expressions of the language files."""
    found: dict[str, Any] = {}
    for module in pkgutil.walk_packages(psychmem_py.__path__, "psychmem_py."):
        if module.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            held = value() if _gives_a_pattern(value) else value
            for at, one in enumerate(_inside(held)):
                found.setdefault(f"{one.pattern}", (f"{module.name}.{name}.{at}", one))
    for number, rule in enumerate(RULES):
        found.setdefault(rule.pattern, (f"secret {rule.name} {number}", re.compile(rule.pattern, rule.flags)))
    for number, (_, *both) in enumerate(FORMS):
        for text in filter(None, both):
            found.setdefault(text, (f"exchange {number} {text}", re.compile(text)))
    for language in files.load():
        for (group, name), own in language.families.items():
            for text in own.phrases:
                if text.startswith("~"):
                    found.setdefault(text, (f"{language.code} {group}.{name} {text}", regex.compile(text[1:])))
    return dict(found.values())


def _gives_a_pattern(value: Any) -> bool:
    """Whether it is a function of a module that makes its pattern when it is first asked."""
    made = hasattr(value, "cache_info") and not isinstance(value, type) and inspect.signature(value).return_annotation
    return "Pattern[str]" in str(made) and not inspect.signature(value).parameters


def _inside(value: object) -> Iterator[re.Pattern[str] | regex.Pattern[str]]:
    if isinstance(value, (re.Pattern, regex.Pattern, LatePattern)):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _inside(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _inside(one)


def _cost_s(pattern: Any, text: str, times: int = 1) -> float:
    """The least of so many readings: what else the machine does slows some of them, a bad pattern slows all."""
    costs = []
    for _ in range(times):
        begun = time.process_time()
        for _ in pattern.finditer(text):
            pass
        costs.append(time.process_time() - begun)
    return min(costs)


def worst(pattern: Any) -> tuple[str, float]:
    """The text on which a pattern grows fastest, and the seconds for the long one; ("", 0.0) where it grows linearly."""
    for head, run in itertools.product(HEADS if "pass" in pattern.pattern.lower() else HEADS[:1], RUNS):
        short, long = (head + run * (size // len(run)) for size in (SHORT, LONG))
        if _cost_s(pattern, short) < FREE_S / 40:
            continue
        if all((long_s := _cost_s(pattern, long, n)) > max(FREE_S, GROWTH * _cost_s(pattern, short, n)) for n in (1, 12)):
            return f"{head!r} + {run!r}", long_s
    return "", 0.0


@pytest.mark.slow
def test_a_pattern_costs_no_more_than_its_text_is_long() -> None:
    assert worst(re.compile(r"\s+x"))[1] > 0  # such a one is found
    assert {name: found for name, pattern in patterns().items() if (found := worst(pattern))[1]} == {}


ENDS = ("!", "\n5\x00", "x;", "\udcd15")  # what a run of sixty signs may end in that a pattern does not allow
SHORT_RUNS = (*RUNS, "Aa", "A-", "a_", "1-", "a1 ", "é ", "x, ")


def test_sixty_signs_never_hang_a_pattern() -> None:
    name = text = ""

    def ring(*_: object) -> None:
        raise TimeoutError(f"{name}: {text!r}")

    before = signal.signal(signal.SIGALRM, ring)
    try:
        for name, pattern in patterns().items():  # noqa: B007  # `ring` says it
            signal.setitimer(signal.ITIMER_REAL, 20)  # a hang takes years, a busy machine seconds
            for head, run, end in itertools.product(("", "x"), SHORT_RUNS, ENDS):
                text = head + (run * 60)[:60] + end
                pattern.search(text)
                pattern.match(text)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
