"""Statements in Markdown that people and other programs keep: notes of basic-memory, Claude Code's own notes, instruction files
(CLAUDE.md, AGENTS.md), and any list.

A bullet is a statement, and so is a short paragraph; code, tables, comments, quotations and what we ourselves wrote there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from psychmem_py.agents import claude_topics
from psychmem_py.agents.claude_topics import MARK
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.sources import CONTEXT_CHARS, ImportLine, class_of, made
from psychmem_py.text.front_matter import parted
from psychmem_py.text.tokenizer import clip

INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md")
_LEAST_CHARS, _MOST_CHARS = 8, 600
_LINE_CHARS = 2_000  # of a line that are looked at: what is longer is no statement, and no pattern may be slow on it
_TAGS = re.compile(r"^tags[ \t]*:[ \t]*(.*(?:\n[ \t]+-[ \t]*.+)*)", re.MULTILINE)
_TITLE = re.compile(r"^title[ \t]*:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)")
_BOX = re.compile(r"\[[ xX]\][ \t]+")
_OBSERVED = re.compile(r"\[([^\]\[()]{1,40})\][ \t]+(.+?)(?:[ \t]+\(([^()]*)\))?")
# Says where something stands.
_POINTER = re.compile(r"^(?:.{0,60}\[\[[^\]]+\]\](?:[ \t]*\([^()]*\))?|\[[^\]]*\]\([^()]*\).{0,120})")
_HASH = re.compile(r"(?:^|\s)#([\w/-]+)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")


def program_of(name: str, text: str) -> str:
    """What kind of file a Markdown text is."""
    if PurePath(name).name in INSTRUCTIONS:
        return "instructions"
    if claude_topics.parsed(name, text) is not None and re.search(
        r"^[ \t]*(description|type)[ \t]*:", parted(text)[0], re.MULTILINE
    ):
        return "claude-notes" if "permalink" not in parted(text)[0] else "basic-memory"
    return (
        "basic-memory"
        if any(_OBSERVED.fullmatch(statement) and "[[" not in statement for statement in _observations(text))
        else "markdown"
    )


def lines(name: str, text: str, program: str, *, project: str = "", by_person: bool = False) -> Iterator[ImportLine]:
    """The statements of one file; `project` is the folder it speaks of, "" for none."""
    if text.startswith(MARK):
        return
    elif program == "claude-notes" and (note := claude_topics.parsed(name, text)) is not None:
        yield made(note.text, kind=note.kind.value, scope="project", project=project)
    elif program == "basic-memory":
        yield from _notes(text, project)
    else:
        for statement, heading in _statements(text):
            yield made(
                statement,
                by_person,
                context=heading,
                project=project,
                scope="user" if by_person else "project" if project else "",
            )


def _notes(text: str, project: str) -> Iterator[ImportLine]:
    """The observations of a note of basic-memory, with its tags; where there are none its statements."""
    head = parted(text)[0]
    title = next(iter(_TITLE.findall(head)), "")
    given = next(iter(_TAGS.findall(head)), "")
    tags = [tag for tag in re.split(r"[\s,\[\]\"']+|(?<=\n)[ \t]*-[ \t]*", given) if tag.strip(" -")]
    observations = [
        match for statement in _observations(text) if (match := _OBSERVED.fullmatch(statement)) and "[[" not in statement
    ]
    for match in observations:
        own = _HASH.findall(match[2])
        yield made(
            " ".join(_HASH.sub("", match[2]).split()),
            kind=class_of(match[1]),
            tags=list(dict.fromkeys((match[1].lower(), *own, *tags))),
            context=clip(" · ".join(part for part in (title.strip("\"'"), match[3] or "") if part), CONTEXT_CHARS),
            project=project,
            scope="project" if project else "",
        )
    if not observations:
        for statement, heading in _statements(text):
            yield made(statement, context=heading, tags=tags, project=project, scope="project" if project else "")


def _observations(text: str) -> list[str]:
    """What stands behind a dash on a line of its own."""
    return [match[2].strip() for line in _plain(text) if (match := _BULLET.fullmatch(line)) and not _BOX.match(match[2])]


def _plain(text: str) -> Iterator[str]:
    """The lines without front matter, our own blocks, comments and code."""
    fence = ""
    for line in _COMMENT.sub("", without_our_blocks(parted(text.replace("\r\n", "\n"))[1])).split("\n"):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
            yield ""
        else:
            yield line[:_LINE_CHARS]


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """Each bullet and each short paragraph, with the headings it stands under."""
    headings: list[str] = []
    statement_lines: list[str] = []
    for line in [*_plain(text), ""]:
        stripped = line.strip()
        level = len(line) - len(line.lstrip("#"))
        bullet = _BULLET.fullmatch(line)
        if bullet or not stripped or stripped.startswith(("|", ">")) or (level and line[level : level + 1] == " "):
            yield from _told(statement_lines, headings)
            statement_lines = []
        if level and line[level : level + 1] == " ":
            headings = [*headings[: level - 1], stripped.strip("# ")]
        elif bullet:
            statement_lines = [_BOX.sub("", bullet[2], count=1)]
        elif stripped and not stripped.startswith(("|", ">", "---", "===", "***")):
            statement_lines.append(stripped)


def _told(statement_lines: list[str], headings: list[str]) -> Iterator[tuple[str, str]]:
    text = " ".join(" ".join(statement_lines).replace("**", "").split())
    whole = not text.endswith(":") and not _POINTER.fullmatch(text) and any(char.isalpha() for char in text)
    if whole and _LEAST_CHARS <= len(text) <= _MOST_CHARS:
        yield text, clip(" > ".join(part for part in headings if part), CONTEXT_CHARS)
