"""Whether the client's memory files are as we left them, told by their times and sizes: reading and hashing every line of them costs a
start 10 to 20 ms of CPU, and mostly nobody has touched them.
"""

from __future__ import annotations

import os

from psychmem_py.home import atomic_write
from psychmem_py.home.light_json import decoded, encoded
from psychmem_py.home.places import checksum, mark

FOLDER = "written-lines"


def marks(folder: str, names: list[str]) -> dict[str, str]:
    """Time and size of each of these files of a memory folder."""
    return {name: mark(os.path.join(folder, name)) for name in names}


def untouched(data: str, folder: str) -> bool:
    """Whether every file is as it was when its lines were noted; False when that is not known."""
    try:
        with open(path_of(data, folder), "rb") as file:
            noted = decoded(file.read())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(noted, dict) and marks(folder, list(noted)) == noted


def touched(data: str, folder: str) -> bool:
    """Whether somebody changed one of these files since their lines were noted; False where none ever were."""
    return os.path.exists(path_of(data, folder)) and not untouched(data, folder)


def note(data: str, folder: str, marked: dict[str, str]) -> None:
    """Keeps the marks of the files whose lines were noted; the folder for it is there."""
    atomic_write.replace(path_of(data, folder), encoded(marked).encode())


def path_of(data: str, folder: str) -> str:
    """Where they are kept."""
    return os.path.join(data, FOLDER, checksum(folder) + ".marks")
