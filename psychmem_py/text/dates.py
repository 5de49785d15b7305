"""Dates as words, what the index says about a day and a question names; moments as UTC ISO 8601, and when something ends."""

from __future__ import annotations

import time
from _collections_abc import Iterable

from psychmem_py.words import word_list, word_set

DAY_S, LATEST = 86_400.0, 253_402_300_799  # the last second of the year 9999
NOW = "now"

_ROWS = word_list("months")
MONTHS = _ROWS[0].split()
_NUMBER = {name: number for row in _ROWS for number, name in enumerate(row.split(), 1) if name != "-"}
_VERBS = word_set("months_that_are_words")  # also a verb or another word: a date only beside a number or after "in"
_UNITS_S = {"min": 60, "minute": 60, "h": 3600, "hour": 3600} | {
    name: days * DAY_S for name, days in {"d": 1, "day": 1, "w": 7, "week": 7, "month": 30, "year": 365}.items()
}
_UNTIL = "until|till|bis|hasta|até|fino al?|jusqu[’']au|tot|до"
_DAYS = "thursday friday saturday sunday monday tuesday wednesday".split()  # from 1970-01-01 on


def date_words(at: float | None) -> str:
    """The UTC day of `at` as words, "2023 may may2023 may8"; "" when there is no time. A bare 8 would answer every "step 8"."""
    if at is None:
        return ""
    year, month, day = time.gmtime(at)[:3]
    name = MONTHS[month - 1]
    return f"{year} {name} {name}{year} {name}{day}"


def dates_named(folded: str, words: Iterable[str]) -> list[str]:
    """The dates a folded text with these `words` names, in the spelling of `date_words`: for "on May 8" may8 and may."""
    days: list[str] = []
    # Compiled when a text names a month: most never do, and hooks pay for every pattern. `re` itself keeps what it has compiled.
    if not _NUMBER.keys().isdisjoint(words):
        import re  # noqa: PLC0415  # 3 ms of CPU that a text without a date need not pay

        named = (
            r"(?:\b(?P<before>\d{1,2})(?:st|nd|rd|th|\.|º|er)?\s+(?:of\s+|de\s+|di\s+)?)?"
            rf"(?P<in>\bin\s+)?(?<!\w)(?P<name>{'|'.join(sorted(_NUMBER, key=len, reverse=True))})(?!\w)\.?"
            r"(?:,?\s+(?:of\s+|de\s+)?(?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?!:))?(?:,?\s+(?:of\s+|de\s+)?(?P<year>20\d\d)\b)?"
        )
        for match in re.finditer(named, folded):
            if match["name"] not in _VERBS or any(map(match.group, ("before", "after", "year", "in"))):
                days += _words(_NUMBER[match["name"]], match["before"] or match["after"], match["year"])
    # Dates in figures: 2023-05-08, 8.5.2023, 2023年5月8日. They have a sign between two digits, or one for "month".
    neighbours = zip(folded, folded[1:], folded[2:], strict=False)
    between = (sign in "-/." and one.isdigit() and other.isdigit() for one, sign, other in neighbours)
    if "月" in folded or "월" in folded or any(between):
        import re  # noqa: PLC0415

        for pattern in (
            r"\b(?P<year>20\d\d)[-/.](?P<month>0?[1-9]|1[0-2])(?:[-/.](?P<day>[0-2]?\d|3[01]))?\b",
            r"\b(?P<day>[0-2]?\d|3[01])\.(?P<month>0?[1-9]|1[0-2])\.(?:(?P<year>20\d\d)|(?!\d))",
            r"(?:(?P<year>20\d\d)\s*[年년]\s*)?(?P<month>1[0-2]|[1-9])\s*[月월](?:\s*(?P<day>\d{1,2})\s*[日号號일])?",
        ):
            for match in re.finditer(pattern, folded):
                days += _words(int(match["month"]), match["day"], match["year"])
    return days


def is_of(text: str, at: float) -> bool:
    """Whether a text is the day or month of `at`, and can be no number of a version: it has the year, or a sign for "month"."""
    named = dates_named(text, ())
    return {*named} <= {*date_words(at).split()} and any(word[-4:].isdecimal() or "月" in text or "월" in text for word in named)


def _words(month: int, day: str | None, year: str | None) -> list[str]:
    name = MONTHS[month - 1]
    return [*([f"{name}{int(day)}"] if day else []), *([f"{name}{year}"] if year else []), name]


def iso(at: float) -> str:
    """`at` (UTC seconds; of the years 1 to 9999) as "2026-11-21T13:18:23.123000Z": of one width, so that all sort as text."""
    whole, micros = divmod(round(min(max(at, -62_135_596_800), LATEST) * 1e6), 10**6)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)).rjust(19, "0") + f".{micros:06}Z"


def to_second(at: float) -> str:
    """The same without the fraction, "2026-11-21T13:18:23Z"."""
    return iso(at)[:19] + "Z"


def age(seconds: float) -> str:
    """A span of time in the largest unit that fits: "now", "5 min", "3 h", "2 d", "4 w", "2 y"."""
    units = ((31_557_600, "y"), (604_800, "w"), (DAY_S, "d"), (3_600, "h"), (60, "min"))
    return next((f"{int(seconds // size_s)} {unit}" for size_s, unit in units if seconds >= size_s), NOW)


def moment(text: str) -> float:
    """UTC seconds of an ISO 8601 date or time; without a zone it is UTC. Raises ValueError for anything else."""
    from datetime import UTC, datetime  # noqa: PLC0415  # a prompt reads no times

    whole, _, rest = text.strip().upper().replace(",", ".").partition(".")
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]  # more of them than `datetime` keeps
    try:
        day = datetime.fromisoformat(whole + rest[len(digits) :])
    except ValueError:
        raise ValueError(f"{text!r} is no ISO 8601 time") from None
    return int((day if day.tzinfo else day.replace(tzinfo=UTC)).timestamp()) + float(f".{digits or 0}")


def until(text: str, now: float) -> float:
    """UTC seconds at which it ends: `now` and a span ("3 days"), or a moment, a day's last one. ValueError for neither."""
    plain, today = text.strip().lower().removeprefix("in "), int(now // DAY_S)
    days = {_DAYS[day % 7]: day for day in range(today, today + 7)} | {"today": today, "tomorrow": today + 1}
    if plain in days:
        return float(days[plain] * DAY_S + DAY_S - 1)
    unit = plain.lstrip("0123456789")
    if 0 < len(number := plain.removesuffix(unit)) <= 4 and (size_s := _UNITS_S.get(unit.strip().removesuffix("s"))):
        return now + int(number) * size_s
    at = moment(text.strip().removeprefix("in "))
    return at if ":" in text else at + DAY_S - 1


def end_named(text: str, at: float) -> float | None:
    """UTC seconds at which a text said at `at` says that it ends: "until Friday", "bis 2026-11-20"; None where it does not."""
    import re  # noqa: PLC0415  # as above

    found = re.search(rf"\b(?:{_UNTIL}) (?:the )?(\d{{4}}-\d\d-\d\d|{'|'.join(_DAYS)}|tomorrow|today)\b", text.lower())
    try:
        return until(found[1], at) if found else None
    except ValueError:  # the 31st of November
        return None
