"""Which phrases of the language files matched a text, and where each stands: for `why --not` and `patterns why`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from psychmem_py.cli import output
from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.mask import masked
from psychmem_py.languages import files
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.language import Hit
from psychmem_py.languages.matcher import Matcher
from psychmem_py.text.folding import fold


class ClauseTrace(NamedTuple):
    """A clause as it was written, and its hits in order of position."""

    text: str
    hits: tuple[Hit, ...]


def trace(text: str, matcher: Matcher) -> list[ClauseTrace]:
    """The clauses of `text` with all phrases of its likely languages found in each; lexicon lists included."""
    hidden = masked(text).text
    folded = fold(hidden)
    codes = languages_of(folded, tuple(matcher.languages.values()))
    abbreviations = [word for code in codes for word in matcher.languages[code].abbreviations]
    return [
        ClauseTrace(
            text[clause.start : clause.end], tuple(sorted(matcher.hits(folded[clause.start : clause.end], codes), key=_order))
        )
        for clause in clauses(hidden, abbreviations)
    ]


def _order(hit: Hit) -> tuple[int, int, str, str, str]:
    return hit.start, hit.end, hit.group, hit.name, hit.phrase


def rows(text: str, matcher: Matcher, overlay: Path) -> list[dict[str, Any]]:
    """One row for each clause of `text`: its words and every phrase found in it."""
    return [_row(clause, overlay) for clause in trace(text, matcher)]


def _row(clause: ClauseTrace, overlay: Path) -> dict[str, Any]:
    return {"clause": clause.text, "phrases": [_phrase(clause, hit, overlay) for hit in clause.hits]}


def _phrase(clause: ClauseTrace, hit: Hit, overlay: Path) -> dict[str, Any]:
    source = source_of(hit, overlay)
    return {
        "family": f"{hit.group}.{hit.name}",
        "words": clause.text[hit.start : hit.end],
        "phrase": hit.phrase,
        "file": str(source.path) if source else None,
        "line": source.line if source else None,
        "language": hit.language,
    }


def show(found: list[dict[str, Any]]) -> None:
    """The same for people: place, family and matched words of each phrase, the phrase itself below."""
    for clause in found:
        output.say(clause["clause"])
        for one in clause["phrases"]:
            at = f"{Path(one['file']).name}:{one['line']}" if one["file"] else one["language"]
            output.say(f'  {at}  {one["family"]}  "{one["words"]}"')
            output.say(f"      {one['phrase']}")
        if not clause["phrases"]:
            output.say("  no phrase matches")


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
