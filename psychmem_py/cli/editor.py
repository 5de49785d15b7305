"""A text in the person's own editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from psychmem_py.errors import RefusedError

_NOTE = "# One sentence. Lines that begin with # are left out; leave nothing to change nothing."


def can_edit(env: Mapping[str, str]) -> bool:
    """Whether an editor can be started unasked: on a terminal, or where one is named, which may need none."""
    return bool(env.get("VISUAL") or env.get("EDITOR")) or (sys.stdin.isatty() and sys.stdout.isatty())


def edited(text: str, folder: Path, env: Mapping[str, str]) -> str:
    """A memory's text as $VISUAL or $EDITOR leaves it, on one line; lines that begin with # are left out."""
    found = edited_file(f"{text}\n{_NOTE}\n", folder, env).splitlines()
    return " ".join(" ".join(line for line in found if not line.startswith("#")).split())


def edited_file(text: str, folder: Path, env: Mapping[str, str]) -> str:
    """A whole text as the editor leaves it. The file it is shown in lies in a folder of ours and goes."""
    editor = env.get("VISUAL") or env.get("EDITOR") or "vi"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(suffix=".md", prefix="edit-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            code = subprocess.call([*shlex.split(editor), name])
        except (OSError, ValueError) as exc:
            raise RefusedError(f"{editor} cannot be started ({exc}); set EDITOR, or give the new wording as TEXT") from exc
        if code:
            raise RefusedError(f"{editor} ended with {code}, nothing is changed")
        return Path(name).read_text("utf-8", errors="replace")
    finally:
        Path(name).unlink(missing_ok=True)
