"""Moments as text, exactly: UTC ISO 8601 with as many digits as a float needs to come back the same."""

from __future__ import annotations

import calendar
import re
import time

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
