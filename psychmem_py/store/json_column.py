"""Columns that hold JSON: written by `json`, which is loaded when something is written, and read without it."""

from __future__ import annotations

from psychmem_py.home.light_json import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ENCODERS: list[Callable[[object], str]] = []  # one, once something was written


def as_json(value: object) -> str:
    """A value as one line of JSON."""
    if not _ENCODERS:
        from json import JSONEncoder  # noqa: PLC0415  # 2 ms of CPU that reading does without

        _ENCODERS.append(JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode)
    return _ENCODERS[0](value)


def from_json(text: str) -> Any:  # noqa: ANN401  # as the caller knows it
    """The value of a column that `as_json` wrote."""
    return decoded(text.encode())
