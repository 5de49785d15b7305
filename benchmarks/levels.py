"""Measures besides "was anything kept of the message": memory by memory, and what a single word would tell."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Row = dict[str, Any]
TOUCH = 0.5  # share of the shorter one's words that two texts must have in common


def tokens(text: str) -> list[str]:
    """Lower-cased words; in scripts without spaces every character is one."""
    found, word = [], ""
    for char in unicodedata.normalize("NFKC", text).lower():
        unspaced = (
            "\u2e80" <= char <= "\u2fff"
            or "\u3040" <= char <= "\u30ff"
            or "\u3400" <= char <= "\u9fff"
            or "\uf900" <= char <= "\ufaff"
        )
        inside = char.isalnum() or char == "_" or (word and unicodedata.category(char)[0] == "M")
        if inside and not unspaced:
            word += char
            continue
        found += [word] if word else []
        word = ""
        found += [char] if inside else []
    return found + ([word] if word else [])


def overlap(a: list[str], b: list[str]) -> float:
    """F1 of the words two texts have in common, in [0, 1]."""
    common = sum((Counter(a) & Counter(b)).values())
    return 2 * common / (len(a) + len(b)) if common else 0.0


def touches(memory: str, span: str) -> bool:
    """Whether a memory says at least half of what a labelled span says, or lies in it."""
    a, b = tokens(memory), tokens(span)
    return bool(a and b) and sum((Counter(a) & Counter(b)).values()) >= TOUCH * min(len(a), len(b))


class Memories(NamedTuple):
    """Counts of stored memories."""

    stored: int = 0
    any: int = 0  # touch a labelled span
    sure: int = 0  # touch one the reader was sure of

    def and_those(self, row: Row, texts: Iterable[str]) -> Memories:
        """These and what is stored of one message."""
        stored, every, sure = self
        for text in texts:
            hit = [label for label in row["labels"] if touches(text, label["span"])]
            stored, every, sure = stored + 1, every + bool(hit), sure + any(label.get("strength") == "must" for label in hit)
        return Memories(stored, every, sure)


def by_first_word(rows: Iterable[Row]) -> Mapping[str, bool]:
    """What a table of first words would keep: a message whose first word holds something in most other conversations.

    If it comes near the figures of the rules, the set asks for no more than that word.
    """
    every = [row for row in rows if row["role"] != "tool"]
    total: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    own: dict[tuple[str, str, str], Counter[bool]] = defaultdict(Counter)
    for row in every:
        wanted = any(label.get("strength") == "must" for label in row["labels"])
        if wanted or not row["labels"]:
            total[row["role"], _first(row)][wanted] += 1
            own[row["role"], _first(row), row.get("conv", row["id"])][wanted] += 1
    found = {}
    for row in every:
        left = total[row["role"], _first(row)].copy()
        left.subtract(own[row["role"], _first(row), row.get("conv", row["id"])])
        found[row["id"]] = left[True] > left[False]
    return found


def _first(row: Row) -> str:
    return next(iter(tokens(row["text"])), "")
