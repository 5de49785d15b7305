"""What each setting has besides its default: unit, bounds, source, meaning, and which must agree. Read where one was changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from psychmem_py.words import rows


class SettingNote(NamedTuple):
    """What the name of a setting cannot say. A unit of "0..1" bounds its value, and so do the fields behind the meaning."""

    unit: str
    source: str
    meaning: str
    least: float = 0.0
    most: float = 1e6  # more is a slip: a million days are no date any more
    above_zero: bool = False
    choices: tuple[str, ...] = ()


def _notes() -> Iterator[tuple[str, SettingNote]]:
    """The rows of `settings.tsv`: name, unit, least (above 0 where it is ">0"), most, choices, source, meaning."""
    for name, unit, least, most, choices, source, meaning in rows("model/settings.tsv"):
        above_zero, allowed = least == ">0", tuple(choices.split("|")) if choices else ()
        yield name, SettingNote(unit, source, meaning, float(least.strip(">") or 0), float(most or 1e6), above_zero, allowed)


NOTES = dict(_notes())  # of a setting of the classes, "classes.episodic.ttl_d", by its last word

# Settings whose values must fall in this order.
DESCENDING = (("duplicate_threshold", "deduplication_threshold", "related_threshold"),)


def fault(name: str, value: float | str | None) -> str:
    """How a value breaks the bounds of its setting, as a sentence; "" if it may be used."""
    note = NOTES[name.rpartition(".")[2]]
    wrong = ""
    if note.choices and value not in note.choices:
        wrong = f"is {'empty or ' if '' in note.choices else ''}one of {', '.join(filter(None, note.choices))}"
    elif value is None or isinstance(value, str):
        pass
    elif note.unit == "0..1" and not 0 <= value <= 1:
        wrong = "lies between 0 and 1"
    elif note.above_zero and value <= 0:
        wrong = "must be greater than 0"
    elif value < note.least:
        wrong = f"must be at least {note.least:g}" if note.least else "cannot be negative"
    elif value > note.most:
        wrong = f"must be at most {note.most:,.15g}"
    return f"{name} {wrong}, not {value!r}" if wrong else ""
