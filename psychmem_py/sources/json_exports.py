"""Reads JSON that other memory programs hand out: mem0 (its API's answers, what OpenMemory's backup holds) and claude-mem's export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from psychmem_py.errors import PsychMemError
from psychmem_py.sources import CONTEXT_CHARS, MOST_BYTES, ImportLine, class_of, field, made, texts
from psychmem_py.text.tokenizer import clip

_LISTS = ("results", "memories", "data", "items")  # under which a memory program's answer holds its memories
_GONE = frozenset({"deleted", "archived", "paused"})
_TEXT_CHARS = 600
# What claude-mem calls what it saw, by the class it is nearest to; the rest merely happened.
_OBSERVED = {"decision": "decision", "bugfix": "bugfix", "discovery": "learning"}


def content_of(path: Path) -> str:
    """The text of a JSON file. Raises PsychMemError for too much, and for none."""
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as exc:
        raise PsychMemError(f"{path} cannot be read: {exc.strerror}; export it once more") from exc
    if len(raw) > MOST_BYTES:
        raise PsychMemError(f"{path} holds more than {MOST_BYTES >> 20} MB; split it")
    return raw.decode("utf-8-sig", "replace")


def program_of(text: str) -> str:
    """Whose JSON this is by the fields it has; "" for nobody's we know."""
    content = parsed(text)
    if isinstance(content, dict) and isinstance(content.get("observations"), list):
        return "claude-mem"
    first = next(iter(_records(content)), None) if content is not None else _first_line(text)
    if isinstance(first, dict) and not field(first, "text") and field(first, "memory", "content", "data"):
        return "mem0"
    return ""


def lines(text: str, program: str) -> Iterator[ImportLine]:
    """What a program's export holds. Raises PsychMemError for text that is no JSON."""
    content = parsed(text)
    if program == "claude-mem":
        for row in _objects(content, "observations"):
            yield from observation(row)
        for row in _objects(content, "summaries"):
            yield from summary(row)
        return
    rows = _records(content) if content is not None else [parsed(line) for line in text.splitlines() if line.strip()]
    for given in rows:
        if not isinstance(given, dict):
            yield ImportLine({})  # a fault of its line
        elif field(given, "state").lower() not in _GONE:
            yield _mem0(given)


def observation(row: dict[str, Any]) -> Iterator[ImportLine]:
    """What claude-mem noted: its title with the sentence below it."""
    title, below = field(row, "title"), field(row, "subtitle")
    facts = texts(_list(row.get("facts")))
    text = ". ".join(part.rstrip(".") for part in (title, below) if part) or (
        facts[0] if facts else field(row, "text", "narrative")
    )
    if not text:
        return
    yield made(
        clip(text, _TEXT_CHARS),
        kind=_OBSERVED.get(field(row, "type"), "episodic"),
        scope="project",
        project=field(row, "merged_into_project", "project"),
        names=texts(_list(row.get("files_modified"))),
        tags=texts(_list(row.get("concepts"))),
        context=clip(" ".join(facts) or field(row, "narrative"), CONTEXT_CHARS),
        created_at=_time(row),
    )


def summary(row: dict[str, Any]) -> Iterator[ImportLine]:
    """What claude-mem says that a conversation taught; the rest of its summary was true that day."""
    learned = field(row, "learned")
    if learned:
        yield made(
            clip(" ".join(learned.split()), _TEXT_CHARS),
            kind="learning",
            scope="project",
            project=field(row, "merged_into_project", "project"),
            context=clip(field(row, "request"), CONTEXT_CHARS),
            created_at=_time(row),
        )


def _mem0(given: dict[str, Any]) -> ImportLine:
    about = given["metadata"] if isinstance(given.get("metadata"), dict) else {}
    project = field(about, "project", "repository", "cwd")
    return made(
        field(given, "memory", "content", "text", "data"),
        kind=class_of(field(about, "type", "category", "class")),
        scope="project" if project else "",
        project=project,
        tags=texts(given.get("categories")),
        created_at=field(given, "created_at"),
    )


def _time(row: dict[str, Any]) -> object:
    """The moment as text; of milliseconds since 1970 where nothing else is said."""
    at = row.get("created_at_epoch")
    return field(row, "created_at") or (at / 1000 if isinstance(at, (int, float)) else "")


def _list(value: object) -> object:
    """A list, also one that stands as JSON in a text."""
    return parsed(value) if isinstance(value, str) else value


def _records(content: object) -> Iterable[object]:
    if isinstance(content, list):
        return content
    if isinstance(content, dict):
        return next((value for name in _LISTS if isinstance(value := content.get(name), list)), [content])
    return []


def _objects(content: object, name: str) -> list[dict[str, Any]]:
    value = content.get(name) if isinstance(content, dict) else None
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _first_line(text: str) -> object:
    return parsed(next((line for line in text.splitlines() if line.strip()), ""))


def parsed(text: str) -> object:
    """What JSON holds; None for text that is none, or nested too deep."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
