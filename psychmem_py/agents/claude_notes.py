"""What Claude Code noted itself: one fact a file in its memory folder, with `name`, `description` and `type` above the text.

Files of ours in the same folder, links and anything that is no plain Markdown file are not notes.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from psychmem_py.agents.claude_memory import INDEX, MemoryFolder
from psychmem_py.agents.claude_topics import MARK
from psychmem_py.home import files
from psychmem_py.model.terms import Kind
from psychmem_py.text.front_matter import parted

MOST_BYTES = 32_768  # of a note; a longer one is a document
MOST_NOTES = 50  # looked at in one run
_LEAST_CHARS, _MOST_CHARS = 20, 300
_FIELD = re.compile(r"^[ \t]*(name|description|type)[ \t]*:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
# What a note is about, in the client's own four words. A rule or a taste that the agent wrote down waits until a person accepts it.
_KINDS = {"user": Kind.PREFERENCE, "feedback": Kind.CONSTRAINT, "project": Kind.SEMANTIC, "reference": Kind.SEMANTIC}


class ClientNote(NamedTuple):
    """One note of the client's."""

    file: str
    key: str  # of file and content: another content is another note
    text: str  # its description, or where it has none the first paragraph
    kind: Kind


def notes(folder: MemoryFolder) -> Iterator[ClientNote]:
    """The notes in a memory folder that say something, at most MOST_NOTES, in order of their names."""
    try:
        names = sorted(name for name in os.listdir(folder.path) if name.endswith(".md") and name != INDEX)
    except OSError:
        return
    for name in names[:MOST_NOTES]:
        raw = files.content(os.path.join(folder.path, name), MOST_BYTES)
        content = (raw or b"").decode("utf-8", "replace")
        if not content.startswith(MARK) and (note := parsed(name, content)) is not None:
            yield note


def parsed(name: str, content: str) -> ClientNote | None:
    """The note in a file's text; None for one without front matter or with nothing to say."""
    head, body = parted(content)
    if not head:
        return None
    fields = {field: value.strip("\"'") for field, value in _FIELD.findall(head)}
    paragraphs = [" ".join(part.split()) for part in body.split("\n\n") if part.strip(" -\n")]
    text = fields.get("description", "") or next(iter(paragraphs), "")
    if len(text) < _LEAST_CHARS:
        return None
    key = "note:" + hashlib.sha256(f"{name}\0{content}".encode()).hexdigest()[:32]
    return ClientNote(name, key, text[:_MOST_CHARS], _KINDS.get(fields.get("type", ""), Kind.SEMANTIC))
