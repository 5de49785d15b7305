"""What an import takes in: whose lines, who answers for them, what became of them; and each field of a line somebody else wrote, which is
what it must be, cleaned and without secrets, or a fault of its line.

Everything that is brought in is hostile text: its readers only take it apart, `imports` cleans it and decides what it may become.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from psychmem_py.errors import RefusedError
from psychmem_py.home.project import Project
from psychmem_py.memory.strength import clamped
from psychmem_py.model.classes import kind_of
from psychmem_py.model.records import STORE_OF_STANDING, Store
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.text.dates import moment

_FIELD_CHARS = 300
MOST_BYTES = 64 << 20  # of a file that has to be read as a whole
MOST_FILES = 2_000  # of a folder
CONTEXT_CHARS = 300


class ImportLine(NamedTuple):
    """What a JSON line of `psychmem import` holds, and what no such line may say of itself."""

    given: dict[str, Any]
    by_person: bool = False  # a person's own words, as the place where it stood shows


def made(text: str, by_person: bool = False, **fields: object) -> ImportLine:
    """A line of a text and those of its fields that say something; `kind` stands for the class."""
    given: dict[str, Any] = {"text": text.strip()}
    given |= {"class" if name == "kind" else name: value for name, value in fields.items() if value not in ("", None, [], {})}
    return ImportLine(given, by_person)


def class_of(name: str) -> str:
    """The class that somebody calls so; "" for none."""
    try:
        return kind_of(name).value
    except RefusedError:
        return ""


def texts_in(value: object, most: int = 20) -> list[str]:
    """The texts in a list, at most so many; [] for anything else."""
    values: Iterable[object] = value if isinstance(value, list) else ()
    return [one.strip() for one in values if isinstance(one, str) and one.strip()][:most]


def first_text(given: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that is a text with something in it; "" for none."""
    return next((value.strip() for name in names if isinstance(value := given.get(name), str) and value.strip()), "")


class Fault(NamedTuple):
    """A line that was not taken, and why."""

    number: int  # from 1
    reason: str


class Imported(NamedTuple):
    """What became of the lines of an import."""

    added_in: Counter[str]  # how many came to each project ("" for every one), by its name
    waiting_in: Counter[str]  # and how many of them are pending
    known: int = 0  # said already, or given twice
    faults: tuple[Fault, ...] = ()
    odd: tuple[Fault, ...] = ()  # of lines that were added: metadata that do not fit the class

    @property
    def added(self) -> int:
        return self.added_in.total()

    @property
    def quarantined(self) -> int:
        return self.waiting_in.total()

    def joined(self, other: Imported) -> Imported:
        """Both together."""
        counts = self.added_in + other.added_in, self.waiting_in + other.waiting_in, self.known + other.known
        return Imported(*counts, self.faults + other.faults, self.odd + other.odd)


PlaceOf = Callable[[str], Project | None]


class ImportSource(NamedTuple):
    """Whose lines they are, and who answers for them."""

    program: str = ""  # another memory program, or a person's own files; "": JSON lines for `import`
    vouched: bool = False  # a person answers for all of them: nothing waits but what looks planted
    here: Project | None = None  # the project at hand
    place_of: PlaceOf = lambda _: None  # the project of a directory, or one at hand by its name


def table(given: dict[str, Any], field: str) -> dict[str, Any]:
    value = given.get(field) or {}
    if not isinstance(value, dict):
        raise RefusedError(f"{field} is an object")
    return value


def safe(value: str) -> str:
    """A short field, cleaned and without secrets, on one line."""
    return redact(" ".join(clean(value).split()))[:_FIELD_CHARS]


def everywhere(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401  # what JSON holds
    """What JSON gave, with all its texts changed so."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [everywhere(one, change) for one in value]
    if isinstance(value, dict):
        return {everywhere(name, change): everywhere(one, change) for name, one in value.items()}
    return value


def store(given: dict[str, Any]) -> Store:
    """The store of an exported memory; older exports say it by `standing`, and their `store` meant something else."""
    return STORE_OF_STANDING[given["standing"]] if given.get("standing") else Store(given.get("store") or Store.LTM)


def text(given: dict[str, Any], field: str) -> str:
    value = given.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RefusedError(f"{field} is a text, not {type(value).__name__}")
    return value


def texts(given: dict[str, Any], field: str) -> list[str]:
    value = given.get(field) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RefusedError(f"{field} is a list of texts")
    return value


def time(given: dict[str, Any], field: str, default: float | None) -> float:
    value = given.get(field)
    if value is None:
        if default is None:
            raise RefusedError(f"{field} is missing")
        return default
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e11:
        return float(value)
    if isinstance(value, str):
        return moment(value)
    raise RefusedError(f"{field} is a time in ISO 8601")


def share(given: dict[str, Any], field: str, default: float) -> float:
    value = given.get(field)
    return default if value is None else clamped(float(value))
