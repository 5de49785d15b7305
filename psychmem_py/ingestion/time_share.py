"""The CPU time that reading one message may take: one that takes more is given up alone, and its neighbours are read."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
SHARE_S = 10.0  # 100,000 characters of prose take 0.3 s
LONG_RUN = 64
_RUN = re.compile(rf"(\S|[^\S\n])\1{{{LONG_RUN},}}")
_ROUND = re.compile(rf"([^\n]{{2,8}}?)\1{{{LONG_RUN},}}")
_SHORT_CHARS = 2_000


class _OutOfTimeError(Exception):
    """The share is used up."""


class TimeShares:
    """Gives every message its share of CPU time; `given_up` counts those that were not read within it."""

    def __init__(self, share_s: float = SHARE_S) -> None:
        self.share_s, self.given_up = share_s, 0

    def read(self, act: Callable[[], T], otherwise: T) -> T:
        """What `act` returns, or `otherwise` when it does not come to an end. Without a timer (not in the main thread) it just runs."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGVTALRM"):
            return act()
        before = signal.signal(signal.SIGVTALRM, _out_of_time)
        signal.setitimer(signal.ITIMER_VIRTUAL, self.share_s)
        try:
            return act()
        except _OutOfTimeError:
            self.given_up += 1
            return otherwise
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


def _out_of_time(_number: int, _frame: object) -> None:
    raise _OutOfTimeError


def without_long_runs(text: str) -> str:
    """`text` in which no sign and no short group of signs stands more than 64 times in a row: nobody says that, and patterns pay for it."""
    if len(text) < _SHORT_CHARS:
        return text
    return _ROUND.sub(_shorter, _RUN.sub(_shorter, text))


def _shorter(match: re.Match[str]) -> str:
    return match.group()[: len(match.group(1)) * LONG_RUN]
