"""A bar for long work, with the time left. Apart, because most commands need none and rich's costs 15 ms of CPU."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from psychmem_py.cli import output

_AFTER_S = 1.0  # shorter work is done before a bar is read
_EACH_S = 5.0  # between two lines where no terminal can show a bar


@contextmanager
def progress_bar(what: str, total: int, note: Callable[[], str] = str) -> Iterator[Callable[[int], None]]:
    """A bar on stderr for work of more than a second, with the time left; what is yielded takes how many are done. Without a terminal
    some lines say so.

    `note` is shown behind it, such as what came of the work so far.
    """
    began = last = time.monotonic()
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    bar = Progress(*columns, console=output.err, transient=True)
    task = bar.add_task(what, total=total, note="")

    def step(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if sys.stderr.isatty():
            bar.update(task, completed=done, note=note())
            if now - began >= _AFTER_S:
                bar.start()
        elif now - last >= _EACH_S and done < total:
            last = now
            output.warn(f"{what}: {done} of {total}{f', {said}' if (said := note()) else ''}")

    try:
        yield step
    finally:
        if bar.live.is_started:
            bar.stop()
