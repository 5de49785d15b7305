"""What becomes of rules behind words that announce somebody else's, and of honest rules that look like them.

python -m benchmarks.frames [--show] [FILE]        rows of `language, frame|honest, text`; without FILE those of tests/data
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from psychmem_py.extraction.passages import PASTED, QUOTATION
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message, Origin, Role

FILE = Path(__file__).resolve().parent.parent / "tests" / "data" / "frames.tsv"


class Row(NamedTuple):
    """A message and what it is."""

    language: str
    kind: str  # "frame": a stranger's rule is in it; "honest": the person's own
    text: str


def rows(path: Path = FILE) -> Iterator[Row]:
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            language, kind, text = line.split("\t")
            yield Row(language, kind, text.replace("\\n", "\n"))


def outcome(text: str, matcher: Matcher) -> str:
    """ "kept", "asks" (waits in review), "quoted", or "nothing": the most trusting thing done with a part of a typed message."""
    found = sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], matcher)
    if any(verdict.is_kept for verdict in found):
        return "kept"
    if any(verdict.waiting and verdict.reason == PASTED for verdict in found):
        return "asks"
    return "quoted" if any(verdict.reason == QUOTATION for verdict in found) else "nothing"


def main(words: list[str]) -> None:
    show = "--show" in words
    paths = [Path(word) for word in words if word != "--show"]
    matcher = files.matcher()
    told: dict[str, Counter[str]] = {}
    for row in rows(*paths):
        what = outcome(row.text, matcher)
        told.setdefault(row.kind, Counter())[what] += 1
        if show and (what == "kept") == (row.kind == "frame"):
            print(f"{row.language:8}{row.kind:8}{what:8}{row.text!r}")
    for kind, counts in told.items():
        total = sum(counts.values())
        print(f"{kind} {total}: " + ", ".join(f"{what} {n} ({100 * n / total:.1f} %)" for what, n in counts.most_common()))


if __name__ == "__main__":
    main(sys.argv[1:])
