"""What is printed: tables for people, rows for programs, without control characters. rich (20 ms) is loaded for tables alone."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from psychmem_py.curation import history
from psychmem_py.errors import refuse_if
from psychmem_py.home import files, places
from psychmem_py.memory.admission import AUTHOR, DOUBT, SPEAKERS
from psychmem_py.model.records import Memory, Origin, Store
from psychmem_py.recall.memory_line import SAID_ONCE
from psychmem_py.safety.control_chars import clean, escaped, line
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store.change_log import LogLine
from psychmem_py.store.rows import record
from psychmem_py.text import dates, tokenizer

SHORT_ID = 8
SAID_BY = {Origin.USER_PROMPT: "you, in a conversation", Origin.USER_CLI: "you, at the command line", **SPEAKERS}


def iso(at: float | None) -> str | None:
    """UTC in ISO 8601 to the second, or None."""
    return None if at is None else dates.to_second(at)


def minute(at: float | None) -> str:
    """To the minute, by the clock of this machine, for people: "2026-03-01 14:05"; "" for never."""
    return "" if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(min(max(at, 0.0), dates.LATEST)))


def since(at: float, now: float) -> str:
    """How long ago, in a sentence: "now", "5 min ago"."""
    age = dates.age(now - at)
    return age if age == dates.NOW else f"{age} ago"


def row(memory: Memory) -> dict[str, Any]:
    """A memory as the contract shows it: what an export holds, without evidence and links."""
    author = dict(memory.metadata).get(AUTHOR)
    whose = {"origin": f"{memory.origin.value}:{author}"} if author and memory.origin is Origin.SYNC else {}
    return record(memory) | whose | ({"author": author} if author else {})


def holds_in(project: str | None, names: Mapping[str, str]) -> str:
    """Where a memory holds, in words; `names` are project names by id."""
    return "in every project" if project is None else f"in the project {history.place_name(project, names)}"


def said_by(memory: Memory) -> str:
    """Who said it, in words."""
    return dict(memory.metadata).get(AUTHOR) or SAID_BY[memory.origin] + (f", with {memory.agent}" if memory.agent else "")


def picked(record: object, names: str, **more: object) -> dict[str, Any]:
    """These fields of a record, and more beside them."""
    return {name: getattr(record, name) for name in names.split()} | more


def logged_row(found: LogLine) -> dict[str, Any]:
    """A line of the change log: what happened, and how the memory was afterwards."""
    change, after = found.change, found.change.after
    what = {"at": iso(found.at), "type": change.type.value, "reason": change.reason, "changed": history.differences(change)}
    text, status, strength = (after.text, after.status.value, round(after.strength, 4)) if after else (None, None, None)
    row = picked(found, "seq device session batch undone", **what, text=text, status=status, strength=strength)
    return {**row, "who": found.who or "you"}


def print_json(value: object) -> None:
    """One JSON document; indented for a terminal, on one line for a pipe. Never styled, never wrapped."""
    sys.stdout.write(escaped(json.dumps(value, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)) + "\n")


def say(*lines: str) -> None:
    """Prints lines for people: no markup, nothing a terminal would obey."""
    sys.stdout.writelines(f"{clean(text)}\n" for text in lines)


def warn(*lines: str) -> None:
    sys.stderr.writelines(f"{clean(text)}\n" for text in lines)


def short(identity: str) -> str:
    """The beginning of an id by which a person names it."""
    return identity[:SHORT_ID]


def conversation(identity: str) -> str:
    """A prefix of a conversation's id long enough to be unique: OpenCode's begin alike for weeks."""
    return identity[: 16 if identity.startswith("ses_") else SHORT_ID]


def memories(
    found: Sequence[Memory], now: float, names: Mapping[str, str], scores: Sequence[float] = (), weak: Container[str] = ()
) -> None:
    """Prints a table of memories with where each applies; `names` are project names by id, `weak` the ids of weak hits."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    screen = Console(highlight=False)
    screen.width = max(40, screen.width)  # a table of fewer columns shows no text; some shells say 0
    made = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for name in ("id", *(["score"] if scores else []), "class", "holds in", "age"):
        made.add_column(name, no_wrap=True)
    made.add_column("text", overflow="fold", ratio=1)
    for row, memory in enumerate(found):
        scored = [f"{scores[row]:.2f}"] if scores else []
        where = tokenizer.clip(history.place_name(memory.project, names), 14)
        age = dates.age(now - memory.created_at)
        author, why = (dict(memory.metadata).get(field, "") for field in (AUTHOR, DOUBT))
        said = f" ({author}{f', {SAID_ONCE}' * (memory.store is Store.STM)})" if author else ""
        status = f" ({memory.status.value}{f': {why}' if why else ''})" if memory.status.value != "active" else ""
        marked = line(f"{'* ' * memory.pinned}{memory.text}{said}{status}{' (weak)' * (memory.id in weak)}")
        made.add_row(short(memory.id), *scored, CLASS_LABELS[memory.kind], where, age, Text(marked))
    screen.print(made)


def details(pairs: Iterable[tuple[str, str]]) -> None:
    """Prints names and values, one pair a line."""
    named = list(pairs)
    width = max((len(name) for name, _ in named), default=0)
    say(*(f"{name:{width}}  {line(value)}".rstrip() for name, value in named))


def plain(told: object) -> None:
    """Prints for people what JSON would hold: names and values, record by record."""
    for number, entry in enumerate(told if isinstance(told, list) else [told]):
        say(*[""] * bool(number))
        # Of a list of records each has a line of its own.
        lists = {name: one if isinstance(one, list) and {*map(type, one)} == {dict} else [one] for name, one in entry.items()}
        details((name.replace("_", " "), text) for name, values in lists.items() for text in map(_flat, values) if text)


def _flat(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_flat(one) or ('no' if one is False else 'none')}" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_flat, value))
    return ("yes" if value else "") if isinstance(value, bool) else "" if value is None else str(value)


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 memory", "2 memories"."""
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else several}"


def write_file(path: Path, text: str) -> None:
    """Writes or replaces a file that only its owner can read. Raises RefusedError for a link, and where no file can be."""
    places.refuse_link(os.fspath(path), "name the file itself")
    refuse_if(path.exists() and not path.is_file(), f"{path} is no file; name one with --output FILE")
    refuse_if(not path.parent.is_dir(), f"there is no folder {path.parent}; make it first")
    files.replace(os.fspath(path), text.encode("utf-8", "replace"))


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal's stderr during long work; the yielded function takes how many are done."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415  # 15 ms

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
