"""Whose lines an import takes in, who answers for them, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from psychmem_py.home.project import Project

SAMPLES = 3


class Fault(NamedTuple):
    """A line that was not taken, and why."""

    number: int  # from 1
    reason: str


class Imported(NamedTuple):
    """What became of the lines of an import."""

    added: int = 0
    quarantined: int = 0  # of those added
    known: int = 0  # said already, or given twice
    faults: tuple[Fault, ...] = ()
    places: tuple[tuple[str, int, int], ...] = ()  # of each project ("" for every one): its name, how many were added and wait
    samples: tuple[str, ...] = ()  # the first that were added
    odd: tuple[Fault, ...] = ()  # of lines that were added: metadata that do not fit the class


PlaceOf = Callable[[str], Project | None]


class ImportSource(NamedTuple):
    """Whose lines they are, and who answers for them."""

    program: str = ""  # another memory program, or a person's own files; "": JSON lines for `import`
    vouched: bool = False  # a person answers for all of them: nothing waits but what looks planted
    here: Project | None = None  # the project at hand
    place_of: PlaceOf = lambda _: None  # the project of a directory, or one at hand by its name


def added(one: Imported, other: Imported) -> Imported:
    """Both together."""
    return Imported(
        one.added + other.added,
        one.quarantined + other.quarantined,
        one.known + other.known,
        one.faults + other.faults,
        summed(one.places, other.places),
        (*one.samples, *other.samples)[:SAMPLES],
        one.odd + other.odd,
    )


def summed(before: Iterable[tuple[str, int, int]], more: Iterable[tuple[str, int, int]]) -> tuple[tuple[str, int, int], ...]:
    sums: dict[str, tuple[int, int]] = {}
    for name, added, waiting in (*before, *more):
        had = sums.get(name, (0, 0))
        sums[name] = had[0] + added, had[1] + waiting
    return tuple((name, *counts) for name, counts in sums.items())
