"""Tables that tests read: in `AREA.tsv` a table below each line `## name`, a case a line, its cells apart by tabs.

A last cell that begins with `# ` says what the case is about: its name. `\\n`, `\\t`, `\\\\`, `\\u` and `\\U` are as in Python.
A cell `[a|b]` is a list, `-` is nothing, and True, False and whole numbers are what they look like.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st


def written(name: str) -> str:
    """A longer text that tests read: a document, a program or a schema in a file of its own beside the tables."""
    return (Path(__file__).parent / name).read_text("utf-8")


@cache
def _tables(area: str) -> dict[str, list[str]]:
    parts = re.split(r"(?m)^## (.*)\n", written(f"{area}.tsv"))
    assert len(set(parts[1::2])) == len(parts[1::2]), f"two tables of {area} have one name"
    return dict(zip(parts[1::2], (part.split("\n") for part in parts[2::2]), strict=True))


def cases(area: str, name: str) -> list[Any]:
    """The cases of a table, for `parametrize`."""
    found = []
    for line in _tables(area)[name]:
        if line:
            cells = line.split("\t")
            about = cells.pop()[2:] if len(cells) > 1 and cells[-1].startswith("# ") else None
            found.append(pytest.param(*map(_value, cells), id=about or cells[0]))
    return found


def holds(area: str, checks: dict[str, Callable[..., tuple[object, object]]]) -> Callable[..., None]:
    """A test of several tables: for each case, what a check finds in the cells and what it should find, which it returns."""
    named = [(name, check, case) for name, check in checks.items() for case in cases(area, name)]
    rows = [pytest.param(check, case.values, id=f"{name}: {case.id}") for name, check, case in named]

    @pytest.mark.parametrize(("check", "cells"), rows)
    def test(check: Callable[..., tuple[object, object]], cells: tuple[object, ...]) -> None:
        found, wanted = check(*cells)
        assert found == wanted

    return test


def _value(cell: str) -> object:
    if cell.startswith("[") and cell.endswith("]"):
        return [_text(part) for part in cell[1:-1].split("|")] if cell != "[]" else []
    if re.fullmatch(r"-?\d{1,6}", cell):
        return int(cell)
    return {"-": None, "True": True, "False": False}[cell] if cell in ("-", "True", "False") else _text(cell)


def _text(cell: str) -> str:
    return re.sub(
        r"\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(.))",
        lambda found: chr(int(found[1] or found[2], 16)) if found[3] is None else {"n": "\n", "t": "\t"}.get(found[3], found[3]),
        cell,
    )


def json_values(*keys: str) -> st.SearchStrategy[Any]:
    """Whatever JSON can say, small; its objects have these keys, or any."""
    named = st.sampled_from(keys) if keys else st.text(max_size=8)
    plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
    return st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(named, inner, max_size=4))
