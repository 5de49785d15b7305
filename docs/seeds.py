"""Writes docs/seeds.md from docs/seeds.tsv: `python docs/seeds.py`, or `--check` to only say whether it is stale.

A line of the data: document, number, capability, then what does it and the test that shows it, or `otherwise`, `partly` and
`open` with the reason or what is not there.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
REASONED = ("otherwise", "partly", "open")  # decided otherwise; not all of it there; not there yet


class Row(NamedTuple):
    document: str
    number: str
    capability: str
    by: str  # a command or a folder, or one of REASONED
    shown: str  # a test, or the reason


def rows() -> list[Row]:
    """Every row of the data, in order."""
    return [Row(*line.split("\t")) for line in (HERE / "seeds.tsv").read_text("utf-8").splitlines()]


def page() -> str:
    """The whole document."""
    lines = [
        "# Where it differs from the systems before it",
        "",
        "Five documents describe 305 capabilities. `seeds.tsv` beside this page has a line for each: the command and the test that show it, or",
        "why it is decided otherwise. `python docs/seeds.py` makes this page.",
        "",
    ]
    found = rows()
    documents = list(dict.fromkeys(row.document for row in found))
    for name in documents:
        count = Counter(row.by if row.by in REASONED else "works" for row in found if row.document == name)
        lines.append(
            f"- {name}: {count['works']} work, {count['otherwise']} otherwise, {count['partly']} partly, {count['open']} open"
        )
    lines += ["", "Partly there:", ""]
    lines += [f"- {row.number} {row.capability}: {row.shown}" for row in found if row.by in ("partly", "open")]
    return "\n".join(lines) + "\n"


def main() -> int:
    """0; 1 when the page was stale."""
    path, text = HERE / "seeds.md", page()
    if path.exists() and path.read_text("utf-8") == text:
        return 0
    print("docs/seeds.md is stale; run python docs/seeds.py")
    if "--check" not in sys.argv:
        path.write_text(text, "utf-8")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
