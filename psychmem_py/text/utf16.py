"""Text as JavaScript counts it: the clients' limits and folder names are in UTF-16 units."""

from __future__ import annotations


def units(text: str) -> int:
    """Length in UTF-16 units; a sign beyond the basic plane counts two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def code_units(text: str) -> list[int]:
    """The units themselves."""
    if text.isascii():
        return list(text.encode())
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[at] | raw[at + 1] << 8 for at in range(0, len(raw), 2)]
