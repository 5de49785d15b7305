"""config.toml as a text in which single settings are changed, so that everything else in it stays byte for byte."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping

from psychmem_py.home import files


def with_values(text: str, group: str, values: Mapping[str, bool | int | float | str | None]) -> str:
    """The file with these settings in its `[group]` table, which is added where it is not there; None takes a setting out."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    header = re.compile(rf"\s*\[\s*{re.escape(group)}\s*\]\s*(#.*)?$")
    start = next((at for at, line in enumerate(lines) if header.match(line.rstrip("\n"))), None)
    if start is None:
        wanted = [f"{name} = {_quoted(value)}\n" for name, value in values.items() if value is not None]
        return "".join([*lines, *(["\n"] if lines and wanted else []), *([f"[{group}]\n"] if wanted else []), *wanted])
    end = next((at for at in range(start + 1, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    inside = [line for line in lines[start + 1 : end] if not _sets(line, values)]
    while inside and not inside[-1].strip():
        inside.pop()
    gap = lines[start + 1 + len(inside) : end] if not any(_sets(line, values) for line in lines[start + 1 : end]) else []
    added = [f"{name} = {_quoted(value)}\n" for name, value in values.items() if value is not None]
    rest = gap or (["\n"] if end < len(lines) else [])
    return "".join([*lines[: start + 1], *inside, *added, *rest, *lines[end:]])


def replace(path: str, text: str) -> None:
    """Writes the settings' file; folders that are missing are made for their owner alone. A link leads to the file that is written."""
    folder = os.path.dirname(path)
    for made in (os.path.dirname(folder), folder):  # each by itself: one made on the way would get no mode
        os.makedirs(made, 0o700, exist_ok=True)
    files.replace(os.path.realpath(path), text.encode())


def _sets(line: str, values: Mapping[str, bool | int | float | str | None]) -> bool:
    return any(re.match(rf"\s*{re.escape(name)}\s*=", line) for name in values)


def _quoted(value: bool | int | float | str) -> str:
    if not isinstance(value, str):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
