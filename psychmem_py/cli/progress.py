"""A bar for long work. Apart, because most commands need none and rich's costs 15 ms of CPU."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from psychmem_py.cli import output


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Any]:
    """A bar on stderr for long work somebody watches; what is yielded takes how many are done."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=output.err, transient=True, disable=not sys.stderr.isatty() or total < 50) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
