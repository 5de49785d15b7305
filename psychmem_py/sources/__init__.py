"""What other memory programs and people's own files remember, read as lines to bring in.

Everything here is hostile text: it is only taken apart, `curation.imports` cleans it and decides what it may become.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from psychmem_py.errors import RefusedError
from psychmem_py.model.classes import kind_of

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


def texts(value: object, most: int = 20) -> list[str]:
    """The texts in a list, at most so many; [] for anything else."""
    values: Iterable[object] = value if isinstance(value, list) else ()
    return [one.strip() for one in values if isinstance(one, str) and one.strip()][:most]


def field(given: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that is a text with something in it; "" for none."""
    return next((value.strip() for name in names if isinstance(value := given.get(name), str) and value.strip()), "")
