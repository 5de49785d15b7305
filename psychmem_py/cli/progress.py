"""A bar for long work, with the time left. Apart, because most commands need none and rich's costs 15 ms of CPU."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from psychmem_py.cli import output

_LEAST = 50  # shorter work is done before a bar is read
_QUIET_STEPS = 10  # lines told of the whole work where no terminal can show a bar


@contextmanager
def progress_bar(what: str, total: int, note: Callable[[], str] = str) -> Iterator[Any]:
    """A bar on stderr for long work, with the time left; what is yielded takes how many are done. Without a terminal some lines say so.

    `note` is told behind it, such as what came of the work so far.
    """
    if total < _LEAST or not sys.stderr.isatty():
        yield partial(_progress_line, what, total, note)
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=output.err, transient=True) as bar:
        task = bar.add_task(what, total=total, note="")
        yield lambda done: bar.update(task, completed=done, note=note())


def _progress_line(what: str, total: int, note: Callable[[], str], done: int) -> None:
    if total >= _LEAST and done < total and done % max(1, total // _QUIET_STEPS) == 0:
        output.warn(f"{what}: {done} of {total}{f', {said}' if (said := note()) else ''}")
