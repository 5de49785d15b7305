"""Evidence that needs no language: typography, a short correction, repetition, and what speaks against a clause. Raises or lowers, never makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import regex

from psychmem_py.core.clauses import Clause
from psychmem_py.core.gates import STANDING
from psychmem_py.core.model import Signal
from psychmem_py.core.phrases import Hit


class Surroundings(NamedTuple):
    """What stands around a message."""

    previous: str = ""  # the message before it
    earlier: tuple[str, ...] = ()  # the person's last messages
    failed: bool = False  # a tool failed since the last stop


_CAPITALS = regex.compile(r"\b\p{Lu}{3,}\b")
_BOLD = regex.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")
SHORT_LETTERS = 22
LEANING = 0.1  # a clause whose subject is "it" or "this" says little alone


# Scripts in which a short clause says much, even around Latin names.
_DENSE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Arabic}\p{Devanagari}]")


def signals(clause: Clause, around: Surroundings) -> tuple[Signal, ...]:
    """The structural signals of a clause with the seeds' weights."""
    found: list[tuple[str, float]] = []
    if "!!" in clause.text or _BOLD.search(clause.text):
        found.append(("typography", 0.7))
    if len(clause.text) < 100 and len(around.previous) > 500:
        found.append(("short_reply", 0.6))
    return tuple(Signal(name, None, weight, clause.start, clause.end) for name, weight in found)


def adjustment(clause: Clause, folded: str, hits: Sequence[Hit], words: set[str], around: Surroundings, pasted: float) -> float:
    """What structure adds to or takes from the confidence of a person's clause, in [-0.4, 0.15]."""
    change = 0.0
    standing = any(hit.name in STANDING for hit in hits)
    letters = sum(char.isalpha() for char in folded)
    if letters < SHORT_LETTERS and not standing and not _DENSE.search(folded):
        change -= 0.1
    if pasted > 0.6 and not standing:
        change -= 0.1
    return change
