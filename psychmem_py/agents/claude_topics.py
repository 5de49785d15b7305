"""Our block in MEMORY.md and topic files, ours by their first line, written whole and through no link; and the client's notes."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, takewhile
from typing import NamedTuple

from psychmem_py.agents.claude_memory import INDEX, LOOKED_AT_BYTES, MemoryFolder, text_of
from psychmem_py.agents.tool_traces import whole
from psychmem_py.home import files, places
from psychmem_py.model.records import Kind
from psychmem_py.recall.brief_text import TOPICS
from psychmem_py.safety.fence import BLOCK_END, BLOCK_START, defused
from psychmem_py.text.front_matter import FILE_LINES, FILE_UNITS, end_of_front, fields, parted, units, visible_text

MARK = "<!-- psychmem:topic"  # begins the first line of a topic file of ours
_NOTE = "written by PsychMem and replaced by it; `psychmem edit` and `psychmem forget` change what stands here"
_MADE = "(new file)"
_START = re.compile(rf"(?:^|(?<=\ufeff))[ \t]*{re.escape(BLOCK_START)}\b[^\n]*\n?", re.MULTILINE)
_END = re.compile(rf"(?:^|(?<=\ufeff))[ \t]*{re.escape(BLOCK_END)}[ \t\r]*\n?", re.MULTILINE)
BLOCK_LINES = 60  # ours: every line is in every request of every session
BLOCK_UNITS = 8_000
MOST_BYTES = 32_768  # of a note; a longer one is a document
MOST_NOTES = 200  # that are looked at
# What a note is about, in the client's own words. A rule or preference that the agent wrote down waits until a person accepts it.
_KINDS = {"user": Kind.PREFERENCE, "feedback": Kind.CONSTRAINT, "project": Kind.SEMANTIC, "reference": Kind.SEMANTIC}


def write(folder: MemoryFolder, index: Sequence[str], topics: Mapping[str, str]) -> None:
    """Brings block and topic files up to date; nothing while the client's memory is off. Raises RefusedError for a symlink."""
    if not folder.loaded or not (index or topics or os.path.isdir(folder.path)):
        return
    os.makedirs(folder.path, 0o700, exist_ok=True)
    places.refuse_link(folder.path, "put the real folder there")
    for name in TOPICS:
        path, body = os.path.join(folder.path, name), topics.get(name)
        if (before := text_of(path)) is None or before.startswith(MARK):  # else somebody else's file of the same name
            _replace(path, before, f"{MARK} {_NOTE} -->\n{body}" if body else None)
    path = os.path.join(folder.path, INDEX)
    before = text_of(path)
    _replace(path, before, with_block(before, index))


def holds_ours(folder: MemoryFolder) -> bool:
    """Whether our block or a topic file of ours is in it; what cannot be read is not ours."""
    there = {name: files.content(os.path.join(folder.path, name), LOOKED_AT_BYTES) or b"" for name in (INDEX, *TOPICS)}
    return b"psychmem:start" in there.pop(INDEX) or any(raw.startswith(MARK.encode()) for raw in there.values())


def remove(folder: MemoryFolder) -> None:
    """Takes our block and our topic files out again; everything else stays as it is."""
    if os.path.isdir(folder.path) and not os.path.islink(folder.path):
        write(folder._replace(loaded=True), (), {})


def drop(folder: MemoryFolder, touches: Callable[[str], bool]) -> None:
    """Empties our block and our topic files where a line `touches`; whoever brings them up to date next fills them again."""
    places.refuse_link(folder.path, "put the real folder there")
    texts = {name: text_of(os.path.join(folder.path, name)) or "" for name in (INDEX, *TOPICS)}
    if any(touches(line) for text in texts.values() for line in text.splitlines()):
        write(folder._replace(loaded=True), (), {name: "\n" for name in TOPICS if texts[name]})


def _replace(path: str, before: str | None, after: str | None) -> None:
    """Makes the file's text `after`, at once or not at all; None removes it."""
    if after is None and before is not None:
        os.unlink(path)
    elif after is not None and after != before:
        mode = os.stat(path, follow_symlinks=False).st_mode & 0o777 if before is not None else 0o600
        files.replace(path, after.encode("utf-8", "surrogateescape"), mode)


class ClientNote(NamedTuple):
    key: str  # of file and content: another content is another note
    text: str  # its description, or where it has none the first paragraph
    kind: Kind


def notes(folder: MemoryFolder) -> tuple[list[ClientNote], bool]:
    """The notes in a memory folder that say something, in order of their names, and whether all files were looked at."""
    names = [name for name in places.names_in(folder.path) if name.endswith(".md") and name != INDEX]
    given = ((name, files.content(os.path.join(folder.path, name), MOST_BYTES) or b"") for name in names[:MOST_NOTES])
    texts = ((name, raw.decode("utf-8", "replace")) for name, raw in given)
    found = (parsed(name, text) for name, text in texts if not text.startswith(MARK))
    return [note for note in found if note], len(names) <= MOST_NOTES


def parsed(name: str, content: str) -> ClientNote | None:
    """The note in a file's text; None for one without front matter or with nothing to say."""
    head, body = parted(content)
    if not head:
        return None
    given = fields(head)
    paragraphs = [" ".join(part.split()) for part in body.split("\n\n") if part.strip(" -\n")]
    if len(text := given.get("description", "") or next(iter(paragraphs), "")) < 20:
        return None
    key = "note:" + hashlib.sha256(f"{name}\0{content}".encode()).hexdigest()[:32]
    return ClientNote(key, whole(text, 300), _KINDS.get(given.get("type", ""), Kind.SEMANTIC))


def _around_block(text: str, known: frozenset[str]) -> tuple[str, str, bool]:
    """`text` before and behind our block (without an end mark its start and `known` lines) or its place; whether we made it."""
    if (start := _START.search(text)) is None:
        text = _END.sub("", text)
        front = end_of_front(text)
        at = front if text[:front].endswith(("\n", "\ufeff")) else 0
        return text[:at], text[at:], False
    foreign, rest = list[str](), text
    while block := _START.search(rest):  # somebody may have copied ours
        foreign.append(rest[: block.start()])
        ours = takewhile(lambda line: line.rstrip("\r") in known, rest[block.end() :].split("\n"))
        end = _END.search(rest, block.end())
        rest = rest[end.end() if end else block.end() + sum(len(line) + 1 for line in ours) :]
    return foreign[0], _END.sub("", "".join((*foreign[1:], rest))), _MADE in start.group()


def with_block(text: str | None, lines: Sequence[str]) -> str | None:
    """`text` with a block of the lines there is room for, or without; None for no file, or one in which only our block was."""
    before, after, made_by_us = _around_block(text or "", frozenset(lines))
    foreign = before + after
    if not (kept := fitting(foreign, lines)):
        return None if text is None or (not foreign and made_by_us) else foreign
    made = f" {_MADE}" if text is None or made_by_us else ""
    return before + "\n".join((f"{BLOCK_START}{made} {_NOTE} -->", *kept, BLOCK_END, after))


def fitting(foreign: str, lines: Sequence[str]) -> list[str]:
    """The first of `lines` that fit beside `foreign`, each made harmless; none if not at least one memory does."""
    room_lines = min(BLOCK_LINES, FILE_LINES - visible_text(foreign).count("\n") - 1)
    room_units = min(BLOCK_UNITS, FILE_UNITS - units(foreign) - 2 * len(_NOTE) - 100)
    safe = [*map(defused, lines)][: max(0, room_lines)]
    kept = [line for line, end in zip(safe, accumulate(units(line) + 1 for line in safe), strict=True) if end <= room_units]
    while kept and not kept[-1].startswith("- "):  # a heading with nothing under it
        kept.pop()
    return kept
