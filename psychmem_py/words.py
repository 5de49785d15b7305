"""Words of the language files, folded as they are compared: `words.txt`, which `patterns/compile_words.py` makes of them.
Read once a process, 0.1 ms, and taken apart list by list as modules ask: hooks can afford this and not the language files.
"""

from __future__ import annotations

import os


def package_file(name: str) -> bytes:
    """The bytes of a file of the package that is made of data."""
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as file:
        return file.read()


def rows(name: str) -> list[tuple[str, ...]]:
    """The rows of a table of the package, cells between tabs."""
    return [tuple(row.split("\t")) for row in package_file(name).decode().rstrip("\n").split("\n")]


_PARTS = (part.partition(b"\n") for part in package_file("words.txt")[2:-1].split(b"\n= "))
_LISTS = {name.decode(): words for name, _, words in _PARTS}


def word_list(name: str) -> tuple[str, ...]:
    """The entries of a list, in their order."""
    words = _LISTS[name]
    return tuple(words.decode().replace("\n", "\t").split("\t")) if words else ()


def word_set(name: str) -> frozenset[str]:
    """The entries of a list, as a set."""
    return frozenset(word_list(name))


def lists_by_key(name: str) -> dict[str, tuple[str, ...]]:
    """The lists NAME.KEY by their keys: codes of languages mostly."""
    return {full[len(name) + 1 :]: word_list(full) for full in _LISTS if full.startswith(f"{name}.")}


def simplified() -> dict[int, int]:
    """Traditional Chinese characters with their simplified ones, for `str.translate`; 0.3 ms, so only where a text has any."""
    _, *both = package_file("han.txt").decode().split("\n\n")
    return str.maketrans(*("".join(signs.split()) for signs in both))
