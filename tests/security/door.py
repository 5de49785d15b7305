"""Both doors as processes, for tests that attack them: the command line, and a look at every byte that was written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.forks import psychmem


def told(*words: str, cwd: Path, **more: Any) -> Any:
    """The JSON that a command prints."""
    done = psychmem(*words, "--json", cwd=cwd, **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def holding(places: Iterable[Path], *needles: str) -> list[tuple[Path, str]]:
    """Files, and names of files, that hold one of the needles in any case, as UTF-8 or escaped as in JSON."""
    found = []
    for place in places:
        for path in (place, *place.rglob("*")):
            raw = (os.fsencode(path.name) + b"\n" + (path.read_bytes() if path.is_file() else b"")).lower()
            for needle in needles:
                forms = {needle.lower().encode(), json.dumps(needle.lower())[1:-1].encode()}
                if any(form in raw for form in forms):
                    found.append((path, needle))
    return found


def repository(place: Path, remote: str = "") -> Path:
    """A git repository at `place`, with `remote` as its origin."""
    (place / ".git").mkdir(parents=True)
    (place / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (place / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n' if remote else "[core]\n")
    return place
