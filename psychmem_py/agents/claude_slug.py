"""The client's folder name for a project, as measured: every UTF-16 unit of its path that is no ASCII letter or digit is a dash."""

from __future__ import annotations

from psychmem_py.text.utf16 import code_units

SLUG_UNITS = 200


def slug(path: str) -> str:
    """The client's folder name for a path; different paths may share one.

    >>> slug("/home/dev/my.app")
    '-home-dev-my-app'
    """
    units = code_units(path)
    name = "".join(chr(unit) if unit < 128 and chr(unit).isalnum() else "-" for unit in units)
    if len(name) <= SLUG_UNITS:
        return name
    total = 0
    for unit in units:
        total = (total * 31 + unit) & 0xFFFFFFFF
    return f"{name[:SLUG_UNITS]}-{_base36(abs(total - (1 << 32) if total >> 31 else total))}"


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number:
        number, rest = divmod(number, 36)
        text = digits[rest] + text
    return text or "0"
