"""Whether the files a memory speaks of are unchanged, by git's blob hashes, taken without git. Metadata "file:<path>", below the
project's root, holds the hash at capture and identifiers of the memory that stood in the file then.
"""

from __future__ import annotations

import os
from _collections_abc import Callable, Iterable, Sequence

from psychmem_py.model.light_record import Excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psychmem_py.model.records import Memory

PREFIX = "file:"
FILES = 5  # of one memory
_IDENTIFIERS, _LEAST_CHARS = 3, 3  # of one file that are watched; a shorter one stands in too many places
_LARGEST = 1 << 20  # bytes; larger files are not watched


def recorded(root: str, names: Iterable[str], below: Callable[[str], Sequence[str]] | None = None) -> tuple[tuple[str, str], ...]:
    """Metadata for those of `names` that are files under `root`, with the other names that stand in them. A name that is no path
    from the top stands for the only file listed by `below` that ends so.
    """
    named = list(names)
    identifiers = [one for name in named if (one := name.removesuffix("()")).isidentifier() and len(one) >= _LEAST_CHARS]
    found: dict[str, str] = {}
    for name in named:
        if not ("." in name or "/" in name) or len(found) == FILES:
            continue
        path, content = name, _read(root, name)
        if content is None and below:
            ending = [path for path in below(root) if path.endswith(f"/{name}")]
            path, content = (ending[0], _read(root, ending[0])) if len(ending) == 1 else (name, None)
        if content is not None:
            inside = [one for one in identifiers if stands_in(one, content)][:_IDENTIFIERS]
            found[PREFIX + path] = " ".join((_blob(content), *inside))
    return tuple(found.items())


def changed(root: str, memories: Sequence[Memory | Excerpt]) -> dict[str, tuple[str, str]]:
    """By memory id the first file that changed or vanished since it was recorded, and the identifier that it lost, "" for none;
    one that lost an identifier goes first.
    """
    contents: dict[str, bytes | None] = {}
    stale: dict[str, tuple[str, str]] = {}
    fields = ((memory.id, *field) for memory in memories for field in memory.metadata if field[0].startswith(PREFIX))
    for memory_id, key, then in fields:
        path = key.removeprefix(PREFIX)
        if path not in contents:
            contents[path] = _read(root, path)
        content = contents[path]
        hash_then, *inside = then.split(" ")
        if content is None or _blob(content) != hash_then:
            gone = next((one for one in inside if content is not None and not stands_in(one, content)), "")
            if memory_id not in stale or (gone and not stale[memory_id][1]):
                stale[memory_id] = path, gone
    return stale


def stands_in(identifier: str, content: bytes) -> bool:
    """Whether an identifier occurs in a file, not as part of a longer one."""
    import re  # noqa: PLC0415  # the detached child and people's commands alone

    return re.search(rb"(?<![\w$])%s(?![\w$])" % re.escape(identifier.encode()), content) is not None


def _read(root: str, name: str) -> bytes | None:
    """What is in a file; None for what is not a small regular file under `root`."""
    path = os.path.normpath(os.path.join(root, name))
    from psychmem_py.home import files  # noqa: PLC0415  # where a memory names a file

    return files.content(path, _LARGEST) if path.startswith(os.path.join(os.path.normpath(root), "")) else None


def _blob(content: bytes) -> str:
    from hashlib import sha1  # noqa: PLC0415  # 4 ms that only memories naming files need

    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
