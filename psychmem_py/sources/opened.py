"""What a file or folder holds that another program or a person wrote: known by its content, or as it is said to be."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from psychmem_py.agents import claude_memory, claude_transcript
from psychmem_py.errors import PsychMemError
from psychmem_py.home import files, places
from psychmem_py.sources import MOST_FILES, ImportLine, databases, json_exports, markdown

JSON_LINES = "jsonl"
DATABASES = ("psychmem-opencode", "true-mem", "claude-mem", "mem0")
MARKDOWN = ("claude-notes", "instructions", "basic-memory", "markdown")
PROGRAMS = (JSON_LINES, *DATABASES, *MARKDOWN)
SAID = {  # whose words they are, behind "brought in from"
    "psychmem-opencode": "PsychMem for OpenCode",
    "claude-notes": "Claude Code's notes",
    "instructions": "an instruction file",
    "markdown": "a Markdown file",
}
_SQLITE = b"SQLite format 3\0"
_NOTE_BYTES = 1 << 20
_HEAD_BYTES = 1 << 18


class Opened(NamedTuple):
    """Whose memory it is, and its lines; `lines` is None for JSON lines of our own, which are read as they come."""

    program: str
    lines: Callable[[], Iterator[ImportLine]] | None


def opened(path: Path, program: str, env: Mapping[str, str], *, vouched: bool = False) -> Opened:
    """What a path holds; `program` is "" where its content is to tell. What a program's database says a person typed is believed only
    where that program keeps it, and a person answers for it. Raises PsychMemError for what cannot be read.
    """
    if path.is_dir():
        if program in ("", *MARKDOWN):
            return Opened(program or _of_folder(path), partial(_folder, path, program, env))
        name = {"claude-mem": "claude-mem.db", "mem0": "history.db"}.get(program, "memory.db")
        return opened(path / name, program, env, vouched=vouched)
    if not path.is_file():
        raise PsychMemError(f"there is no file {path}; name the file or folder that holds the memories")
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith(_SQLITE):
        program_name = databases.program_of(str(path))
        is_other = (
            program in DATABASES and program != program_name and {program, program_name} - {"true-mem", "psychmem-opencode"}
        )
        if not program_name or is_other:
            raise PsychMemError(f"{path} is no database of {program or 'a memory program we know'}; {_known()}")
        kept = any(one.exists() and one.samefile(path) for one in usual(program_name, "", env))
        return Opened(program or program_name, partial(databases.lines, str(path), program_name, believed=vouched and kept))
    if program in MARKDOWN or (not program and path.suffix.lower() in (".md", ".markdown", ".mdx")):
        raw = files.content(os.path.realpath(path), _NOTE_BYTES)
        if raw is None:
            raise PsychMemError(f"{path} cannot be read, or holds more than {_NOTE_BYTES >> 20} MB; split it")
        text = raw.decode("utf-8-sig", "replace")
        kind = program or markdown.program_of(path.name, text)
        return Opened(kind, partial(_one_file, path, text, kind, env))
    if head[:2] in (b"PK", b"\x1f\x8b"):
        raise PsychMemError(f"{path} is an archive; unpack it and name the file in it that holds the memories")
    # A JSON line of ours need not be read as a whole, however long the file is.
    first = head.lstrip().split(b"\n", 1)[0]
    is_ours = b'"text"' in first and not first.startswith(b"[")
    is_foreign = not is_ours and first[:1] in (b"{", b"[")
    if program != JSON_LINES and (program or is_foreign):
        text = json_exports.content_of(path)
        program_name = program or json_exports.program_of(text)
        if program_name in ("mem0", "claude-mem"):
            return Opened(program_name, partial(json_exports.lines, text, program_name))
    return Opened(JSON_LINES, None)


def _of_folder(path: Path) -> str:
    kinds = [markdown.program_of(one.name, _note(one)) for one in _notes(path)[:50]]
    return next((kind for kind in ("claude-notes", "basic-memory", "instructions") if kind in kinds), "markdown")


def _notes(path: Path) -> list[Path]:
    """The Markdown files below a folder, in order of their names; never through a link."""
    notes = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        notes += [Path(folder, name) for name in sorted(names) if name.lower().endswith((".md", ".markdown"))]
        if len(notes) > MOST_FILES:
            raise PsychMemError(f"{path} holds more than {MOST_FILES} Markdown files; name a folder in it")
    if not notes:
        raise PsychMemError(f"{path} holds no Markdown file; {_known()}")
    return notes


def _note(path: Path) -> str:
    return (files.content(str(path), _NOTE_BYTES) or b"").decode("utf-8", "replace")


def _folder(path: Path, program: str, env: Mapping[str, str]) -> Iterator[ImportLine]:
    files = ((one, _note(one)) for one in _notes(path))
    return chain.from_iterable(_one_file(one, text, program or markdown.program_of(one.name, text), env) for one, text in files)


def _one_file(path: Path, text: str, program: str, env: Mapping[str, str]) -> Iterator[ImportLine]:
    folder, mine = _speaks_of(path, program, env)
    return markdown.lines(path.name, text, program, project=folder, by_person=mine)


def _speaks_of(path: Path, program: str, env: Mapping[str, str]) -> tuple[str, bool]:
    """The folder that a file speaks of, "" for none; and whether it is the person's own for every project."""
    folder = os.path.dirname(os.path.realpath(path))
    if program == "instructions":
        if folder in (os.path.realpath(claude_memory.claude_folder(env)), os.path.join(places.home(env), ".config", "opencode")):
            return "", True
        return os.path.dirname(folder) if os.path.basename(folder) == ".claude" else folder, False
    return (_noted_in(folder) if program == "claude-notes" else ""), False


def _noted_in(folder: str) -> str:
    """Where the conversations were led whose client keeps its notes in this folder; "" when no transcript of them is left."""
    for path in sorted(Path(folder).parent.glob("*.jsonl")):
        try:
            with path.open("rb") as file:
                cwd = claude_transcript.cwd_of(file.read(_HEAD_BYTES))
        except OSError:
            continue
        if cwd:
            return cwd
    return ""


def usual(program: str, cwd: str, env: Mapping[str, str]) -> list[Path]:
    """Where a program keeps its memory, there or not; [] for one without a usual place."""
    home = Path(places.home(env))
    data = Path(env.get("CLAUDE_MEM_DATA_DIR") or home / ".claude-mem")
    usual_places: dict[str, list[Path]] = {
        "psychmem-opencode": [home / ".psychmem" / "opencode" / "memory.db", home / ".psychmem" / "claude-code" / "memory.db"],
        "true-mem": [home / ".config" / "opencode" / "true-mem" / "memory.db", home / ".true-mem" / "memory.db"],
        "claude-mem": [data / "claude-mem.db"],
        "mem0": [home / ".mem0" / "history.db"],
        "claude-notes": [Path(claude_memory.folder_of(cwd, env).path)],
        "instructions": [Path(claude_memory.claude_folder(env)) / "CLAUDE.md", Path(cwd) / "CLAUDE.md", Path(cwd) / "AGENTS.md"],
        "basic-memory": [home / "basic-memory"],
    }
    return usual_places.get(program, [])


def _known() -> str:
    return f"--from says which of {', '.join(PROGRAMS)} it is"
