"""The skills by which an agent saves, looks up and corrects, and goes through the inbox with the user: a file for each in the folder
where a client looks for skills.

The plugin of Claude Code brings the same texts by itself (`skills/`); here they have names of their own, so that they stand in nobody's way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from psychmem_py.errors import RefusedError
from psychmem_py.home.places import own_command
from psychmem_py.installation.json_edit import Insertion
from psychmem_py.installation.patches import FileEdit, text_of

SKILLS = {"psychmem": "keep", "psychmem-inbox": "inbox"}  # name here -> folder of the text
FILE = "SKILL.md"
_HERE = Path(__file__).resolve().parent.parent
_OURS = "PsychMem keeps memories between sessions."


def installing(skills: Path, env: Mapping[str, str]) -> list[FileEdit]:
    """The files as they belong into a client's folder of skills; without those where a file of that name is somebody else's."""
    edits = []
    for name in SKILLS:
        path = skills / name / FILE
        before = text_of(path)
        if before is None or _OURS in before:
            text = _text(name, own_command(env))
            edits.append(FileEdit(path, before, text, (Insertion(0, text),)))
    return edits


def is_skill(path: str) -> bool:
    """Whether a file that we made is one of these."""
    return path.endswith(tuple(f"/{name}/{FILE}" for name in SKILLS))


def leaving(path: Path) -> FileEdit:
    """The removal of the file, unless it has become somebody else's."""
    text = text_of(path)
    return FileEdit(path, text, None if text is None or _OURS in text else text)


def _text(name: str, command: str) -> str:
    """The skill as shipped, under its name here and with a command that exists."""
    for folder in (_HERE / "_skills", _HERE.parent / "skills"):
        shipped_at = folder / SKILLS[name] / FILE
        if shipped_at.is_file():
            shipped = shipped_at.read_text("utf-8")
            return re.sub(r"(?m)^name: .*$", f"name: {name}", re.sub(r"\bpsychmem (?=[a-z])", f"{command} ", shipped), count=1)
    raise RefusedError("a skill is missing from this installation; install PsychMem again")
