"""Changes to files that are not ours, recorded so that each can be taken back byte for byte; and our skills, under own names."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from psychmem_py.errors import RefusedError, refuse_if
from psychmem_py.home import files
from psychmem_py.home.light_json import read_object
from psychmem_py.home.places import own_command
from psychmem_py.installation import json_edit
from psychmem_py.installation.json_edit import Insertion, Node

# Finds our entries in a JSON file: the path of each, from the inside out.
Ours = Callable[[Node], Sequence[Sequence[tuple[Node, int]]]]


class Patch(NamedTuple):
    path: str
    owner: str  # which registration did it: "claude-code", "opencode"
    made: bool  # the file was not there before
    folders: tuple[str, ...]  # folders made for it, outermost first
    insertions: tuple[Insertion, ...]  # in the order they were made


class FileEdit(NamedTuple):
    """A file's text before and after, for showing and for writing."""

    path: Path
    before: str | None  # None: it is not there
    after: str | None  # None: it goes away
    insertions: tuple[Insertion, ...] = ()


def recorded(file: Path) -> dict[str, Patch]:
    """What is on record, by path; nothing when there is no record or it cannot be read."""
    found: dict[str, Patch] = {}
    try:
        for row in read_object(str(file))["patches"]:
            pieces = tuple(Insertion(int(at), str(text)) for at, text in row["insertions"])
            found[row["path"]] = Patch(row["path"], row["owner"], row["made"], tuple(row["folders"]), pieces)
    except (ValueError, KeyError, TypeError):
        return {}
    return found


def record(file: Path, patches: Mapping[str, Patch]) -> None:
    """Write the record, with the folders that were made for it; an empty one removes the file."""
    folders = read_object(str(file)).get("folders") or []
    if not patches:
        return remove(file, folders)
    rows = [patch._asdict() for patch in patches.values()]
    content = {"folders": folders or _make_folders(file.parent, 0o700), "patches": rows}
    return write(file, json.dumps(content, ensure_ascii=False, indent=1) + "\n", mode=0o600)


def text_of(path: Path) -> str | None:
    """The file's text with its line ends as they are; None when it is not there. Raises RefusedError for what is no text file."""
    refuse_if(path.exists() and not path.is_file(), f"{path} is no file; put one there, then run this again")
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as exc:
        raise RefusedError(f"{path} cannot be read as text ({exc}); correct it, then run this again") from exc


def prepared(edit: FileEdit, owner: str) -> Patch:
    """What is to be recorded of an edit before it is written; the folders for it are made."""
    return Patch(str(edit.path), owner, edit.before is None, _make_folders(edit.path.parent), edit.insertions)


def unpatched(text: str, patch: Patch) -> str | None:
    """The text as it was before the patch; None where a piece of ours no longer stands where we put it."""
    for piece in reversed(patch.insertions):
        end = piece.offset + len(piece.text)
        if text[piece.offset : end] != piece.text:
            return None
        text = text[: piece.offset] + text[end:]
    return text


def without(path: Path, patch: Patch | None, ours: Ours) -> FileEdit:
    """A JSON file without our entries, byte for byte as before us if nobody wrote since; None for one that we made."""
    if (before := text_of(path)) is None or (patch is None and "psychmem" not in before):  # whatever it is, it is not of us
        return FileEdit(path, before, before)
    text, found = before, unpatched(before, patch) if patch else None
    with contextlib.suppress(RefusedError):  # it is no JSON without our piece: somebody has written since
        text = found if found is not None and (not found.strip() or json_edit.object_in(found, path)) else before
    while text.strip() and (there := ours(json_edit.object_in(text, path))):
        text = json_edit.cut(text, there[0])
    return FileEdit(path, before, None if patch and patch.made and text.strip() in ("", "{}") else text)


def with_ours(path: Path, patch: Patch | None, ours: Ours, entries: Iterable[tuple[str, str, object]]) -> FileEdit:
    """The file with exactly these entries of ours, each with its group and key (`json_edit.added`), whatever it had before."""
    edit = without(path, patch, ours)
    text, insertions = edit.after or "", list[Insertion]()
    if not text.strip():
        insertions.append(Insertion(len(text), "{}\n"))
        text = insertions[-1].into(text)
    for group, key, value in entries:
        insertions.append(json_edit.added(text, path, group, key, value))
        text = insertions[-1].into(text)
    return FileEdit(path, edit.before, text, tuple(insertions))


def places(owner: str, usual: Path, known: Mapping[str, Patch], skills: Path | None = None) -> list[Path]:
    """Where a registration has, or would have, changed files: the one in force, our `skills`, and any other that is on record."""
    ours = [skills / name / SKILL for name in SKILLS] if skills else []
    return sorted({usual, *ours, *(Path(path) for path, patch in known.items() if patch.owner == owner)})


def write(path: Path, text: str, mode: int | None = None) -> None:
    """Replace a file in one step, keeping its mode; a link stays a link and its target is replaced."""
    target = Path(os.path.realpath(path))
    refuse_if(not target.parent.is_dir(), f"{path} leads to {target}, whose folder is not there; make it, then run this again")
    if mode is None:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
    files.replace(os.fspath(target), text.encode("utf-8"), mode)


def remove(path: Path, folders: Iterable[str]) -> None:
    """Remove a file we made, then the folders we made for it as far as they are empty."""
    Path(os.path.realpath(path)).unlink(missing_ok=True)  # a person's link to it stays, as `write` found it
    remove_empty(folders)


def remove_empty(folders: Iterable[str]) -> None:
    """Remove those of the folders that are empty, the innermost first."""
    for folder in sorted(folders, key=len, reverse=True):
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _make_folders(folder: Path, mode: int = 0o755) -> tuple[str, ...]:
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(mode=mode)
    return tuple(str(path) for path in reversed(missing))


SKILLS = {"psychmem": "keep", "psychmem-inbox": "inbox"}  # name here -> folder of the text
SKILL = "SKILL.md"
_HERE = Path(__file__).resolve().parent.parent
_OURS = "PsychMem keeps memories between sessions."
LOCK_FILE = "package-lock.json"
_NEEDED = {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}
LOCK = json.dumps({"name": "opencode", "lockfileVersion": 3, "packages": _NEEDED}, indent=1)
_MARKS = {SKILL: _OURS, LOCK_FILE: LOCK}  # what a file of ours holds as long as it is ours; any other: our name


def skills(folder: Path, env: Mapping[str, str]) -> list[FileEdit]:
    """Our skill files for a client's skills folder; without names that are another's file there."""
    edits = []
    for name, shipped_in in SKILLS.items():
        if (before := text_of(path := folder / name / SKILL)) is None or _OURS in before:
            shipped = shipped_text("skills", shipped_in, SKILL)
            text = re.sub(r"\bpsychmem (?=[a-z])", f"{own_command(env)} ", shipped)  # a command that exists
            text = re.sub(r"(?m)^name: .*$", f"name: {name}", text, count=1)
            edits.append(whole(path, text, before))
    return edits


def whole(path: Path, text: str, before: str | None = None) -> FileEdit:
    """An edit that makes the text of a file ours."""
    return FileEdit(path, before, text, (Insertion(0, text),))


def removal(path: Path) -> FileEdit:
    """The removal of a whole file of ours, unless it has become somebody else's."""
    text = text_of(path)
    return FileEdit(path, text, None if text is None or _MARKS.get(path.name, "PsychMem") in text else text)


def shipped_text(kind: str, *path: str) -> str:
    """A file that clients load as it came with this installation. Raises RefusedError where it is missing."""
    for folder in (_HERE / f"_{kind}", _HERE.parent / kind):
        if (file := folder.joinpath(*path)).is_file():
            return file.read_text("utf-8")
    raise RefusedError(f"{path[-1]} is missing from this installation; install PsychMem again")
