"""The documents of a project, read from its Markdown files when somebody asks. No copy is stored, so none can be stale.

A process that asks again reads only the files whose time or size changed, and parses only those whose text did.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from psychmem_py.home import files
from psychmem_py.recall.documents import Document, parsed


class Scan(NamedTuple):
    """What a look at the files found, in numbers of them."""

    scanned: int
    new: int
    changed: int
    unchanged: int
    gone: int


class _Held(NamedTuple):
    mark: tuple[int, int]
    digest: str
    document: Document


class Library:
    """The documents below a folder."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._held: dict[str, _Held] = {}

    @property
    def documents(self) -> list[Document]:
        return [one.document for one in self._held.values()]

    def look(self, *, anew: bool = False) -> Scan:
        """Reads what changed since the last look; everything when `anew`."""
        there = dict(files.markdown_files(self.root))
        before = {} if anew else self._held
        now: dict[str, _Held] = {}
        new = changed = 0
        for path, mark in there.items():
            known = before.get(path)
            if known is not None and known.mark == mark:
                now[path] = known
                continue
            text = files.text_of(self.root, path)
            if text is None:
                continue
            digest = hashlib.sha256(text.encode()).hexdigest()
            if known is not None and known.digest == digest:
                now[path] = known._replace(mark=mark, document=known.document._replace(at=mark[0] / 1e9))
                continue
            new, changed = new + (path not in self._held), changed + (path in self._held)
            now[path] = _Held(mark, digest, parsed(path, text, mark[0] / 1e9))
        gone = len(self._held.keys() - now.keys())
        self._held = now
        return Scan(len(now), new, changed, len(now) - new - changed, gone)

    def digest(self, path: str) -> str:
        """SHA-256 of a document as it was last read; "" for one that is not there."""
        held = self._held.get(path)
        return held.digest if held else ""
