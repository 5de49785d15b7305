"""Where a phrase stands: file and line. Read from the text of the language files, and only when somebody asks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from psychmem_py.languages import files
from psychmem_py.languages.language import Hit

# A heading, a string, or a comment, which may hold quotes of its own.
_TOKEN = re.compile(
    r"""^\[(?P<table>[\w.-]+)\]|(?P<string>"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|#[^\n]*""",
    re.MULTILINE | re.DOTALL,
)


class PhraseSource(NamedTuple):
    path: Path
    line: int  # from 1

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}"


def source_of(hit: Hit, overlay: Path | None = None) -> PhraseSource | None:
    """The last place that holds the phrase of `hit`, so a person's own file before the shipped one; None if no file does."""
    source = None
    for path in _files(hit.language, overlay):
        line = _lines(path).get((f"{hit.group}.{hit.name}", hit.phrase))
        source = PhraseSource(path, line) if line else source
    return source


@lru_cache(maxsize=64)
def _files(language: str, overlay: Path | None) -> list[Path]:
    return files.of_language(language, overlay)


@lru_cache(maxsize=64)
def _lines(path: Path) -> dict[tuple[str, str], int]:
    """(family, phrase) -> line, for every string of a file's tables; the first line where one stands twice."""
    lines: dict[tuple[str, str], int] = {}
    for table, text, line in _strings(path):
        for family in (table, table.rpartition(".")[0]):  # a group stands below its family
            lines.setdefault((family, text), line)
    return lines


def _strings(path: Path) -> Iterator[tuple[str, str, int]]:
    """Every string of a file's tables: table, the string as one line, the line on which it begins."""
    text = path.read_text("utf-8")
    table, line, counted = "", 1, 0
    for token in _TOKEN.finditer(text):
        line, counted = line + text.count("\n", counted, token.start()), token.start()
        if token["table"]:
            table = token["table"]
        elif token["string"] and table:
            begin = line + token["string"].startswith(('"""\n', "'''\n"))
            yield table, files.unwrapped(_value(token["string"])), begin


def _value(string: str) -> str:
    """The text that a string of TOML stands for; one without escapes, as nearly all are, stands for what is between its quotes."""
    if "\\" not in string and not string.startswith(('"""', "'''")):
        return string[1:-1]
    text: str = tomllib.loads(f"string = {string}")["string"]
    return text
