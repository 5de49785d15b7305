"""The skill by which an agent saves, looks up and corrects: one file in the folder where a client looks for skills.

The plugin of Claude Code brings the same text by itself (`skills/remember`); here it has a name of its own, so that it stands in nobody's way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from psychmem_py.errors import RefusedError
from psychmem_py.home.own_command import own_command
from psychmem_py.installation.json_edit import Insertion
from psychmem_py.installation.patches import FileEdit, text_of

NAME = "psychmem"
FILE = "SKILL.md"
_HERE = Path(__file__).resolve().parent.parent
_SOURCE = Path("remember") / FILE
_OURS = "PsychMem keeps memories between sessions."


def installing(skills: Path, env: Mapping[str, str]) -> list[FileEdit]:
    """The file as it belongs into a client's folder of skills; nothing where a file of that name is somebody else's."""
    path = skills / NAME / FILE
    before = text_of(path)
    if before is not None and _OURS not in before:
        return []
    text = _text(own_command(env))
    return [FileEdit(path, before, text, (Insertion(0, text),))]


def is_skill(path: str) -> bool:
    """Whether a file that we made is this one."""
    return path.endswith(f"/{NAME}/{FILE}")


def leaving(path: Path) -> FileEdit:
    """The removal of the file, unless it has become somebody else's."""
    text = text_of(path)
    return FileEdit(path, text, None if text is None or _OURS in text else text)


def _text(command: str) -> str:
    """The skill as shipped, under our name and with a command that exists."""
    for folder in (_HERE / "_skills", _HERE.parent / "skills"):
        if (folder / _SOURCE).is_file():
            shipped = (folder / _SOURCE).read_text("utf-8")
            return re.sub(r"(?m)^name: .*$", f"name: {NAME}", re.sub(r"\bpsychmem (?=[a-z])", f"{command} ", shipped), count=1)
    raise RefusedError("the skill is missing from this installation; install PsychMem again")
