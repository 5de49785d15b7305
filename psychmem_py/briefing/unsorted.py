"""What the agent itself is asked to sort, where a person switched that on: a few statements that rules alone picked out in this
project, newest first, each with the id by which `psychmem sort` knows it.
"""

from __future__ import annotations

import sqlite3

from psychmem_py.home.project import Project
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.records import Memory
from psychmem_py.recall.memory_line import LINE_CHARS
from psychmem_py.safety.control_chars import line
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import candidates, heard
from psychmem_py.store.candidates import Kept
from psychmem_py.text.tokenizer import clip

MOST = 5  # in one brief
_ASK = (
    "Not sorted yet, picked out of earlier conversations by rules alone; the user has left it to you. Keep what a colleague would be glad"
    " to know weeks from now, drop requests of the moment and fragments, name neither what you cannot tell."
    " One call does it, before your first answer: {command} sort KEEP-ID … --drop ID …"
)


class ToSort(NamedTuple):
    """The lines that ask for it, and the memories among what they show."""

    lines: tuple[str, ...] = ()
    memories: tuple[Memory, ...] = ()


def next_unsorted(db: sqlite3.Connection, project: str) -> tuple[list[Memory], list[Kept]]:
    """At most MOST statements of this project that nobody has judged: what was heard, then what waits."""
    memories = [memory for memory, _ in heard.unjudged(db, limit=MOST, project=project)]
    return memories, candidates.unjudged(db, limit=MOST - len(memories), project=project)


def unsorted(db: sqlite3.Connection, project: Project, command: str) -> ToSort:
    """The next of this project as lines of a brief."""
    memories, waiting = next_unsorted(db, project.id)
    shown = [(one.id[:8], one.text, one.kind.value) for one in memories]
    shown += [(one.key, one.candidate.text, one.candidate.kind.value) for one in waiting]
    if not shown:
        return ToSort()
    lines = (f"- {key}: {clip(line(text), LINE_CHARS)} ({CLASS_LABELS[kind]})" for key, text, kind in shown)
    return ToSort((_ASK.format(command=command), *lines), tuple(memories))
