"""The client's memory files brought up to date with the store."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Mapping

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.home import instructions, locks, places
from psychmem_py.home.places import data_folder
from psychmem_py.home.project import Project
from psychmem_py.model.records import Kind, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.recall import brief_text, memory_index, selection
from psychmem_py.store import overview, rows
from psychmem_py.store.rows import contradicted

FILE_OF = {
    Kind.CONSTRAINT: "constraints.md",
    Kind.PROCEDURAL: "constraints.md",
    Kind.PREFERENCE: "preferences.md",
    Kind.LEARNING: "learnings.md",
    Kind.SEMANTIC: "learnings.md",
    Kind.EPISODIC: "learnings.md",
    Kind.DECISION: "decisions.md",
    Kind.OBJECTIVE: "decisions.md",
    Kind.BUGFIX: "bugfixes.md",
}
_LOCK_S = 5.0


def refresh(
    db: sqlite3.Connection, project: Project | None, settings: Settings, env: Mapping[str, str], *, cwd: str, now: float
) -> None:
    """Writes the block of MEMORY.md and the topic files of the project around `cwd`; one process at a time for each folder.

    From the store to the files alone: what somebody changed in our lines is put back. A folder that another project has too, by the
    client's own naming (`x.y` and `x-y`), holds nothing of ours.
    """
    folder, data = claude_memory.folder_of(cwd, env), data_folder(env)
    if not folder.loaded:
        return
    with locks.lock(data, folder.path, _LOCK_S, kind="folder") as locked:
        if locked and not places.has_left(data, env):
            # Whether sessions in another project read this folder too: by its name, or because the person has one folder for all.
            name = os.path.basename(os.path.dirname(folder.path))
            roots = [seen.root for seen in overview.projects(db).values() if not project or seen.id != project.id]
            alike = [root for root in roots if os.path.isabs(root) and (not folder.by_name or claude_memory.slug(root) == name)]
            if any(map(os.path.isdir, alike)):
                claude_topics.remove(folder)
                return
            known = rows.recallable(db, project.id if project else None)
            # The memories without pairs of which a person must say which holds: the brief tells those, the newer with the older.
            against = contradicted(db, {one.id: one for one in known})
            waiting = against.keys() | {newer.id for newer in against.values()}
            agreed = [one for one in known if one.id not in waiting]
            lines = index(agreed, settings, now, instructions.lines(project.root) if project else ())
            claude_topics.write(folder, lines, topic_texts(known))


def index(known: list[Memory], settings: Settings, now: float, written: Collection[str] = ()) -> list[str]:
    """The lines of the block, best first; nothing that the repository's own instructions, `written`, say."""
    selected = selection.select(known, settings=settings, now=now, budget=memory_index.BLOCK_UNITS, instructions=written)
    return brief_text.index(selected.shown)


def topic_texts(known: list[Memory]) -> dict[str, str]:
    """Text for each topic file that has something to say."""
    sorted_in: dict[str, list[Memory]] = {}
    for memory in known:
        sorted_in.setdefault(FILE_OF[memory.kind], []).append(memory)
    return {name: brief_text.topic(members[0].kind, members) for name, members in sorted_in.items()}
