"""Which phrases of the language files matched a text, and where each stands: for `why --not` and `patterns why`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from psychmem_py.cli import output
from psychmem_py.extraction.trace import ClauseTrace, trace
from psychmem_py.languages.language import Hit
from psychmem_py.languages.matcher import Matcher
from psychmem_py.languages.phrase_source import source_of


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
