"""What is printed: tables for people, rows for programs. Stored text is cleaned of control characters again on its way out.

rich is loaded with the first table or the first line on a terminal: 20 ms of CPU that --json and pipes do without.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from psychmem_py.curation import history
from psychmem_py.errors import RefusedError
from psychmem_py.home import files
from psychmem_py.home.places import refuse_link
from psychmem_py.memory.admission import AUTHOR, DOUBT, SPEAKERS
from psychmem_py.model.records import Memory, Origin, Store
from psychmem_py.recall.memory_line import SAID_ONCE
from psychmem_py.safety.control_chars import clean, escaped, line
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store.change_log import LogLine
from psychmem_py.store.rows import record
from psychmem_py.text import dates
from psychmem_py.text.tokenizer import clip

SHORT_ID = 8
if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

SAID_BY = {Origin.USER_PROMPT: "you, in a conversation", Origin.USER_CLI: "you, at the command line", **SPEAKERS}


@cache
def console(stream: str = "stdout") -> Console:
    from rich.console import Console  # noqa: PLC0415

    made = Console(stderr=stream == "stderr", highlight=False)
    made.width = max(40, made.width)  # a table of fewer columns shows no text; some shells say 0
    return made


def iso(at: float | None) -> str | None:
    """UTC in ISO 8601 to the second, or None."""
    return None if at is None else dates.to_second(at)


def minute(at: float | None) -> str:
    """UTC to the minute for people, "2026-03-01 14:05"; "" for never."""
    return (iso(at) or "")[:16].replace("T", " ")


def since(at: float, now: float) -> str:
    """How long ago, in a sentence: "now", "5 min ago"."""
    age = dates.age(now - at)
    return age if age == dates.NOW else f"{age} ago"


def row(memory: Memory) -> dict[str, Any]:
    """A memory as the contract shows it: what an export holds, without evidence and links."""
    author = dict(memory.metadata).get(AUTHOR)
    if not author:
        return record(memory)
    whose = {"origin": f"{memory.origin.value}:{author}"} if memory.origin is Origin.SYNC else {}
    return record(memory) | whose | {"author": author}


def picked(record: object, names: str, **more: object) -> dict[str, Any]:
    """These fields of a record, and more beside them."""
    return {name: getattr(record, name) for name in names.split()} | more


def logged_row(found: LogLine) -> dict[str, Any]:
    """A line of the change log: what happened, and how the memory was afterwards."""
    change, after = found.change, found.change.after
    became = (after.text, after.status.value, round(after.strength, 4)) if after else (None, None, None)
    return {
        **picked(found, "seq device session batch undone", at=iso(found.at), type=change.type.value, reason=change.reason),
        "changed": history.differences(change),
        **dict(zip(("text", "status", "strength"), became, strict=True)),
        "who": found.who or "you",
    }


def print_json(value: object) -> None:
    """One JSON document; indented for a terminal, on one line for a pipe. Never styled, never wrapped."""
    sys.stdout.write(escaped(json.dumps(value, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)) + "\n")


def say(*lines: str, stream: str = "stdout") -> None:
    """Prints lines for people: no markup; wrapped between words on a terminal only."""
    for text in map(clean, lines):
        if getattr(sys, stream).isatty():
            from rich.text import Text  # noqa: PLC0415

            console(stream).print(Text(text))
        else:
            print(text, file=getattr(sys, stream))


def warn(*lines: str) -> None:
    say(*lines, stream="stderr")


def cell(text: str, style: str = "") -> Text:
    """Text for a table or a line: no markup in it, on one line, nothing a terminal would obey."""
    from rich.text import Text  # noqa: PLC0415

    return Text(line(text) + " " * text.endswith(" "), style=style)


def short(identity: str, among: Iterable[str] = ()) -> str:
    """The shortest beginning of an id, at least eight characters, that no other of `among` shares."""
    length = SHORT_ID
    others = [other for other in among if other != identity]
    while length < len(identity) and any(other.startswith(identity[:length]) for other in others):
        length += 1
    return identity[:length]


def conversation(identity: str) -> str:
    """A prefix of a conversation's id long enough to be unique: OpenCode's begin alike for weeks."""
    return identity[: 16 if identity.startswith("ses_") else SHORT_ID]


def table(*columns: str) -> Table:
    """An empty table that fits 80 columns; the column named `text` wraps, the others never do."""
    from rich.table import Table  # noqa: PLC0415

    made = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for name in columns:
        made.add_column(name, no_wrap=name != "text", overflow="fold", ratio=1 if name == "text" else None)
    return made


def memories(found: Sequence[Memory], now: float, names: Mapping[str, str], scores: Sequence[float] = ()) -> None:
    """Prints a table of memories with where each applies; `names` are project names by id."""
    ids = [memory.id for memory in found]
    made = table("id", *(["score"] if scores else []), "class", "holds in", "age", "text")
    for row, memory in enumerate(found):
        scored = [f"{scores[row]:.2f}"] if scores else []
        where = clip(history.place_name(memory.project, names), 14)
        age = dates.age(now - memory.created_at)
        made.add_row(short(memory.id, ids), *scored, CLASS_LABELS[memory.kind], where, age, text_cell(memory))
    console().print(made)


def text_cell(memory: Memory) -> Text:
    """The text with its marks: pinned, another author, and any status but active."""
    made = cell(memory.text)
    others = [line(value) for field, value in memory.metadata if field == AUTHOR]
    if others:
        made.append(f" ({', '.join([*others, *([SAID_ONCE] if memory.store is Store.STM else [])])})", style="dim")
    if memory.pinned:
        made = cell("* ", "bold yellow") + made
    if memory.status.value != "active":
        why = dict(memory.metadata).get(DOUBT, "")
        made.append(f" ({memory.status.value}{f': {why}' if why else ''})", style="dim")
    return made


def details(pairs: Iterable[tuple[str, str]]) -> None:
    """Names and values, one pair a line; on a terminal wrapped beside the names, in a pipe not at all."""
    named = list(pairs)
    if not sys.stdout.isatty():
        width = max((len(name) for name, _ in named), default=0)
        for name, value in named:
            print(f"{name:{width}}  {line(value)}".rstrip())
        return
    from rich.table import Table  # noqa: PLC0415

    made = Table(box=None, pad_edge=False, show_header=False)
    made.add_column(no_wrap=True, style="bold")
    made.add_column(overflow="fold", ratio=1)
    for name, value in named:
        made.add_row(name, cell(value))
    console().print(made)


def plain(told: object) -> None:
    """Prints for people what JSON would hold: names and values, record by record."""
    for number, entry in enumerate(told if isinstance(told, list) else [told]):
        if number:
            say("")
        values = ((name.replace("_", " "), _flat(value)) for name, value in entry.items())
        details((name, value) for name, value in values if value)


def _flat(value: object) -> str:
    """A value of JSON on one line; "" for nothing."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_flat(one) or 'none'}" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_flat, value))
    return ("yes" if value else "") if isinstance(value, bool) else "" if value is None else str(value)


def some_memories(number: int) -> str:
    return counted(number, "memory", "memories")


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun: "1 memory", "2 memories"."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def write_file(path: Path, text: str) -> None:
    """Writes or replaces a file that only its owner can read. Raises RefusedError for a link, and where no file can be."""
    refuse_link(os.fspath(path), "name the file itself")
    if path.exists() and not path.is_file():
        raise RefusedError(f"{path} is no file; name one with --output FILE")
    if not path.parent.is_dir():
        raise RefusedError(f"there is no folder {path.parent}; make it first")
    files.replace(os.fspath(path), text.encode("utf-8", "replace"))


@contextmanager
def progress_bar(what: str, total: int, note: Callable[[], str] = str) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal's stderr during long work; the yielded function takes how many are done, `note` adds a remark."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415  # 15 ms

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=console("stderr"), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total, note="")
        yield lambda done: bar.update(task, completed=done, note=note())
