"""Our own export as Markdown: bullets for people, and behind them the whole rows in a comment, so that reading it back loses nothing.

Whoever changes a bullet changes the memory that comes in; whoever takes one out leaves it out; a bullet without a mark is a new one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from psychmem_py.safety.control_chars import line as one_line
from psychmem_py.sources.line import ImportLine, made

_ROWS, _END = "<!-- psychmem:rows", "-->"
EVERYWHERE = "In every project"
_BULLET = re.compile(r"- (.*?)(?: <!-- ([\w-]+) -->)?", re.DOTALL)


def is_ours(text: str) -> bool:
    """Whether a file is an export of ours."""
    return text.lstrip("\ufeff").startswith("# PsychMem") and f"\n{_ROWS}\n" in text


def written(rows: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[str]:
    """The lines of an export: memories by project and class, then their rows. `names` are those of projects by id."""
    all_rows = list(rows)
    keys = _keys(all_rows)
    yield f"# PsychMem: {len(all_rows)} memories"
    project = kind = None
    for number, row in sorted(enumerate(all_rows), key=lambda pair: (pair[1]["project"] or "", pair[1]["class"])):
        heading = one_line(names.get(row["project"], row["project"])) if row["project"] else EVERYWHERE
        if (row["project"], row["class"]) != (project, kind):
            yield from ("", f"## {heading}") if row["project"] != project or kind is None else ()
            yield from ("", f"### {row['class']}", "")
        project, kind = row["project"], row["class"]
        yield f"- {one_line(row['text'])} <!-- {keys[number]} -->"
    yield from ("", _ROWS)
    for number, row in enumerate(all_rows):
        yield _sealed({"key": keys[number], **row})
    yield _END


def _keys(all_rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A short mark for each row: the beginning of its id, or its number where two begin alike."""
    short = [row["id"][:8] for row in all_rows]
    plain = [re.fullmatch(r"[0-9a-f]{8}", key) and short.count(key) == 1 for key in short]
    return [key if good else f"row-{number + 1}" for number, (key, good) in enumerate(zip(short, plain, strict=True))]


def _sealed(row: Mapping[str, Any]) -> str:
    """JSON that cannot end the comment it stands in."""
    return json.dumps(row).replace("<", "\\u003c").replace(">", "\\u003e").replace("--", "-\\u002d")


def lines(text: str) -> Iterator[ImportLine]:
    """The memories of an export of ours, in the order of its rows, then what was written in by hand."""
    above, _, below = text.partition(f"\n{_ROWS}\n")
    bullets_above = list(_bullets(above))
    bullets = {key: bullet for key, bullet, _, _ in bullets_above if key}
    rows = [row for raw in below.partition(f"\n{_END}")[0].splitlines() if (row := _row(raw)) is not None]
    known = set()
    for row in rows:
        key = str(row.pop("key", ""))
        known.add(key)
        bullet = bullets.get(key)
        if bullet is None:
            continue
        if bullet == one_line(str(row.get("text"))):
            yield ImportLine(row)
        elif bullet:  # another sentence than the one the evidence speaks of
            yield ImportLine(
                {name: value for name, value in row.items() if name not in ("id", "evidence", "links")} | {"text": bullet}
            )
    for key, bullet, heading, kind in bullets_above:
        if bullet and (not key or key not in known):
            yield made(
                bullet, kind=kind, project="" if heading == EVERYWHERE else heading, scope="user" if heading == EVERYWHERE else ""
            )


def _bullets(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Mark, sentence, place and class of each bullet."""
    heading = kind = ""
    for line in text.splitlines():
        if line.startswith("## "):
            heading, kind = line[3:].strip(), ""
        elif line.startswith("### "):
            kind = line[4:].strip()
        elif match := _BULLET.fullmatch(line.rstrip()):
            yield match[2] or "", match[1].strip(), heading, kind


def _row(raw: str) -> dict[str, Any] | None:
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
