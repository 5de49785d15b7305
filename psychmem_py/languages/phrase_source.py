"""Where a phrase stands: file and line. Read from the text of the language files, and only when somebody asks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from psychmem_py.languages import files
from psychmem_py.languages.language import Hit

_TABLE = re.compile(r"\[([\w.-]+)\]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')


class Source(NamedTuple):
    path: Path
    line: int  # from 1

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}"


def source_of(hit: Hit, overlay: Path | None = None) -> Source | None:
    """The last place that holds the phrase of `hit`, so a person's own file before the shipped one; None if no file does."""
    found = None
    for path in files.of_language(hit.language, overlay):
        line = _lines(path).get((f"{hit.group}.{hit.name}", hit.phrase))
        found = Source(path, line) if line else found
    return found


@lru_cache(maxsize=64)
def _lines(path: Path) -> dict[tuple[str, str], int]:
    """(family, phrase) -> line, for every string of a file's tables; the first line where one stands twice."""
    found: dict[tuple[str, str], int] = {}
    for family, text, line in _strings(path):
        found.setdefault((family, text), line)
    return found


def _strings(path: Path) -> Iterator[tuple[str, str, int]]:
    family = ""
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        heading = _TABLE.fullmatch(line.split("#", 1)[0].strip())
        if heading:
            family = heading.group(1)
        elif family:
            for text in _STRING.findall(line):
                yield family, text[1:-1] if text[0] == "'" else json.loads(text), number
