"""Whether the files a memory speaks of are still as they were: git's blob hashes, taken without git.

Metadata "file:<path>" holds the hash at capture; paths are relative to the project's root and never leave it.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    class Naming(Protocol):
        """What of a memory says which files it names."""

        @property
        def id(self) -> str: ...
        @property
        def metadata(self) -> tuple[tuple[str, str], ...]: ...


PREFIX = "file:"
FILES = 5  # of one memory
_LARGEST = 1 << 20  # bytes; larger files are not watched


def recorded(root: str, names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Metadata for those of `names` that are files under `root`."""
    blobs = ((PREFIX + name, blob(root, name)) for name in names if "." in name or "/" in name)
    return tuple(pair for pair in blobs if pair[1])[:FILES]


def changed(root: str, memories: Sequence[Naming]) -> dict[str, str]:
    """By id of the memories of which a file has changed or vanished since it was recorded, the first such file."""
    now: dict[str, str] = {}
    stale: dict[str, str] = {}
    for memory in memories:
        for key, then in memory.metadata:
            if not key.startswith(PREFIX):
                continue
            name = key.removeprefix(PREFIX)
            if name not in now:
                now[name] = blob(root, name)
            if now[name] != then:
                stale.setdefault(memory.id, name)
    return stale


def blob(root: str, name: str) -> str:
    """Git's hash of the file's bytes; "" for what is not a small regular file under `root`."""
    from hashlib import sha1  # noqa: PLC0415 - 4 ms that only memories naming files need

    path = os.path.normpath(os.path.join(root, name))
    if not path.startswith(os.path.join(os.path.normpath(root), "")) or os.path.islink(path):
        return ""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError:
        return ""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest() if len(content) <= _LARGEST else ""
