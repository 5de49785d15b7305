"""Moments as text: exactly, as UTC ISO 8601 with as many digits as a float needs to come back the same; and as people write an end."""

from __future__ import annotations

import calendar
import re
import time

from psychmem_py.text.dates import DAY_S

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(Z|[+-]\d\d:?\d\d)?", re.I)


def iso(at: float) -> str:
    """`at` (UTC seconds) as "2026-11-21T13:18:23Z", with the digits of a second's fraction that there are."""
    whole = int(at // 1)
    fraction = f"{at - whole:.9f}"[1:].rstrip("0").rstrip(".") if at != whole else ""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + fraction + "Z"


def moment(text: str) -> float:
    """UTC seconds of an ISO 8601 date or time; without a zone it is UTC. Raises ValueError for anything else."""
    match = _ISO.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text!r} is no ISO 8601 time")
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    parts = (int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
    if not (1 <= parts[1] <= 12 and 1 <= parts[2] <= 31 and parts[3] < 24 and parts[4] < 60 and parts[5] <= 60):
        raise ValueError(f"{text!r} is no ISO 8601 time")
    at = calendar.timegm((*parts, 0, 0, 0))
    if zone and zone.upper() != "Z":
        digits = zone[1:].replace(":", "")
        offset = int(digits[:2]) * 3600 + int(digits[2:]) * 60
        at -= offset if zone[0] == "+" else -offset
    return float(f"{at}.{fraction}") if fraction else float(at)


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
