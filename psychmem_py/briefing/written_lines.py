"""Which lines of the client's memory files are ours, and of which memory each is: kept beside the data as hashes, so that a line
somebody changed or took out is known from one that was never ours.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256

from psychmem_py.agents import claude_topics
from psychmem_py.briefing import written_marks
from psychmem_py.briefing.written_marks import FOLDER
from psychmem_py.errors import RefusedError
from psychmem_py.home import atomic_write
from psychmem_py.home.light_json import decoded, encoded
from psychmem_py.home.places import own_folder
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.records import Memory
from psychmem_py.recall import memory_index
from psychmem_py.recall.memory_line import one_line
from psychmem_py.safety.fence import defused


class Written(NamedTuple):
    """What we wrote last into a memory folder, and when."""

    at: float
    lines: dict[str, list[tuple[str, str]]]  # by file name: the hash of each line with the id of its memory, in order


def hash_of(line: str) -> str:
    return sha256(line.encode("utf-8", "surrogateescape")).hexdigest()[:24]


def hashes_of(memory: Memory) -> frozenset[str]:
    """Of every form in which a memory stands in a file."""
    line = one_line(memory)
    return frozenset((hash_of(line), hash_of(defused(line))))


def read(data: str, folder: str) -> Written | None:
    """What was written into this folder last; None for nothing, and for a record that cannot be read."""
    try:
        with open(_path(data, folder), "rb") as file:
            content = decoded(file.read())
        if not isinstance(content, dict) or not isinstance(content["lines"], dict):
            return None
        lines = {str(name): [(str(one), str(other)) for one, other in pairs] for name, pairs in content["lines"].items()}
        return Written(float(content["at"]), lines)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def current(folder: claude_topics.MemoryFolder) -> dict[str, list[str]]:
    """The lines of memories, with what people put between them, in each file of ours; a file without our marks is left out."""
    by_file = {}
    try:
        text = claude_topics.text_of(os.path.join(folder.path, claude_topics.INDEX)) or ""
        if memory_index.has_block(text):
            by_file[claude_topics.INDEX] = memory_index.block_lines(text)
        for name in claude_topics.names_ours(folder):
            by_file[name] = (claude_topics.text_of(os.path.join(folder.path, name)) or "").splitlines()[1:]
    except (OSError, RefusedError):
        return {}
    return by_file


def marks(folder: claude_topics.MemoryFolder) -> dict[str, str]:
    """Time and size of each file of the folder in which lines of ours stand."""
    return written_marks.marks(folder.path, [claude_topics.INDEX, *claude_topics.names_ours(folder)])


def forget(data: str, folder: claude_topics.MemoryFolder) -> None:
    """Removes the record before we write there ourselves: who is ended half-way must not leave what it took out as a person's wish."""
    for path in (_path(data, folder.path), written_marks.path_of(data, folder.path)):
        with suppress(FileNotFoundError):
            os.unlink(path)


def note(data: str, folder: claude_topics.MemoryFolder, known: Iterable[Memory], now: float) -> None:
    """Records what stands in the folder's files now."""
    marked = marks(folder)  # before they are read
    ids = {one: memory.id for memory in known for one in hashes_of(memory)}
    lines: Mapping[str, list[tuple[str, str]]] = {
        name: [(one, ids[one]) for line in hashed if (one := hash_of(line)) in ids] for name, hashed in current(folder).items()
    }
    record = encoded({"at": now, "lines": {name: [list(pair) for pair in pairs] for name, pairs in lines.items()}})
    own_folder(os.path.join(data, FOLDER))
    atomic_write.replace(_path(data, folder.path), record.encode())
    written_marks.note(data, folder.path, marked)


def changed(data: str, folder: claude_topics.MemoryFolder) -> bool:
    """Whether a line of ours is not as we wrote it; reads no database."""
    written = read(data, folder.path)
    if written is None:
        return False
    there = current(folder)
    return any(
        not {one for one, _ in pairs} <= {hash_of(line) for line in there[name]}
        for name, pairs in written.lines.items()
        if name in there
    )


def _path(data: str, folder: str) -> str:
    return os.path.join(data, FOLDER, hash_of(folder) + ".json")
