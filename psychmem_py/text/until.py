"""When something ends, as people write it: "friday", "tomorrow", "3 days", "2w", "2026-03-01". Pure: the moment is given."""

from __future__ import annotations

import re

from psychmem_py.text.dates import DAY_S
from psychmem_py.text.moments import moment

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNITS_D = {"d": 1, "day": 1, "days": 1, "w": 7, "week": 7, "weeks": 7, "month": 30, "months": 30, "year": 365, "years": 365}
_UNITS_S = {"h": 3600, "hour": 3600, "hours": 3600, "min": 60, "minute": 60, "minutes": 60}
_SPAN = re.compile(r"(\d{1,4})\s*([a-z]+)")


def until(text: str, now: float) -> float:
    """UTC seconds at which it ends: the last moment of a day that is named, or `now` and a span. Raises ValueError for what is
    none of these.

    A weekday is the next one that comes, today's own name today.
    """
    plain = " ".join(text.lower().split()).removeprefix("until ").removeprefix("in ").removeprefix("next ")
    midnight = now - now % DAY_S
    if plain in ("today", "tonight"):
        return midnight + DAY_S - 1
    if plain == "tomorrow":
        return midnight + 2 * DAY_S - 1
    for weekday, name in enumerate(_DAYS):
        if plain in (name, name[:3]):
            today = int(midnight // DAY_S + 3) % 7  # 1970-01-01 was a Thursday
            return midnight + ((weekday - today) % 7 + 1) * DAY_S - 1
    span = _SPAN.fullmatch(plain)
    if span and span[2] in _UNITS_D:
        return now + int(span[1]) * _UNITS_D[span[2]] * DAY_S
    if span and span[2] in _UNITS_S:
        return now + int(span[1]) * _UNITS_S[span[2]]
    at = moment(text)
    return at if ":" in text else at + DAY_S - 1
