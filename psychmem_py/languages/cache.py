"""Languages as they were read last, kept between processes: reading the phrases of one anew costs a hook's child 0.1 s each time.

A kept language is used only while the files it was made from are as they were, and this version made it. JSON, so that a file
somebody else has written can at worst be wrong, never run; whatever cannot be read is as if it were not there.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from psychmem_py import __version__
from psychmem_py.home import files
from psychmem_py.languages.language import PhraseTable


def known(kept: Path, code: str, sources: Sequence[Path]) -> PhraseTable | None:
    """The language made from `sources`; None if it was not kept or they have changed since."""
    try:
        kept_form = json.loads(_path(kept, code).read_bytes())
        return PhraseTable(**kept_form["table"]) if kept_form["made_from"] == marks(sources) else None
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def keep(kept: Path, code: str, table: PhraseTable, made_from: Sequence[str]) -> None:
    """Keeps a language for the next process, made from files with these marks; nothing happens where the folder cannot be written or is
    a link.
    """
    record = {"made_from": list(made_from), "table": table._asdict()}
    with contextlib.suppress(OSError):
        for folder in (kept.parent.parent, kept.parent, kept):  # each by itself: a parent made on the way gets no mode
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if kept.is_symlink():
            return
        content = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        files.replace(os.fspath(_path(kept, code)), content.encode())


def _path(kept: Path, code: str) -> Path:
    return kept / f"{code}.json"


def marks(sources: Sequence[Path]) -> list[str]:
    """What tells these files, and this version, from others: take it before they are read."""
    stated = [(path, path.stat()) for path in sources]
    return [__version__, *(f"{path} {about.st_mtime_ns} {about.st_size}" for path, about in stated)]
