"""Hybrid logical times as text: "<milliseconds since 1970, 13 digits>-<counter, 6 hex digits>", so that text order is time order."""

from __future__ import annotations

import re

HLC = re.compile(r"[0-9]{13}-[0-9a-f]{6}")
LAST_MS = 4_102_444_800_000  # the year 2100: a later time is no clock's
_COUNTERS = 1 << 24
ZERO = "0000000000000-000000"


def hlc(ms: int, counter: int = 0) -> str:
    return f"{ms:013d}-{counter:06x}"


def milliseconds(time: str) -> int:
    """The wall clock's part of a hybrid time."""
    return int(time[:13])


def after(time: str) -> str:
    """The least hybrid time beyond `time`: what is done to something seen must come after what was seen."""
    ms, counter = int(time[:13]), int(time[14:], 16) + 1
    return hlc(ms + counter // _COUNTERS, counter % _COUNTERS)


def is_time(text: object) -> bool:
    """Whether this is a hybrid time that a clock of this century can show."""
    return isinstance(text, str) and HLC.fullmatch(text) is not None and milliseconds(text) <= LAST_MS
