"""Takes up what the client noted itself, for the other agent, worktrees and search. A note is the agent's word: a rule waits, the
rest is settled by the person's own words. What came from a deleted note alone is put before the person; nothing is forgotten.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.curation.act import Act, storable
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import RefusedError
from psychmem_py.home.project import Project
from psychmem_py.ingestion import proof
from psychmem_py.memory.forgetting import NOTE_GONE, consolidated, is_note_gone
from psychmem_py.model.records import Change, ChangeType, Scope, Status, Store
from psychmem_py.store import sessions
from psychmem_py.store.connection import transaction
from psychmem_py.text.likeness import NOTED, shares_enough
from psychmem_py.text.tokenizer import content_words, digest


def take_up(act: Act, project: Project, env: Mapping[str, str], cwd: str) -> None:
    """Remembers new notes of the client's, each content once. The agent acts, in its conversation."""
    db, session = act.db, act.who.session
    folder = claude_memory.folder_of(cwd, env)
    notes, are_all = claude_topics.notes(folder)
    if folder.loaded and os.path.isdir(folder.path) and are_all:  # else a note may be there, unseen
        _follow_deletions(act, project, {digest(storable(note.text).strip()) for note in notes})
    new = sessions.unseen(db, [note.key for note in notes])
    fresh = [note for note in notes if note.key in new]
    typed = [frozenset(content_words(message)) for message in proof.typed(db, act.who.agent, session, env)] if fresh else []
    for note in fresh:
        try:
            memory = remember(act, Entry(note.text, note.kind, Scope.PROJECT, project.id, tags=(sessions.CLIENT_NOTE,))).memory
        except RefusedError:  # purged, forgotten on purpose, or empty without its secrets
            continue
        finally:  # a note that cannot be taken up keeps no other from it
            with transaction(db):
                sessions.note_seen(db, [note.key], session, act.now)
        words = frozenset(content_words(note.text))
        said = any(shares_enough(words, message, NOTED) for message in typed)
        if said and memory.store is Store.STM and memory.status is Status.ACTIVE:
            with transaction(db):
                why, after = "the person's words confirm it", consolidated(memory)
                act.apply([Change(ChangeType.REINFORCE, memory.id, memory, after, why)])


def _follow_deletions(act: Act, project: Project, there: Collection[str]) -> None:
    """Marks memories that came only from a note that is gone, and removes the mark from those whose note is back."""
    for memory in sessions.by_client(act.db, project.id):
        gone = digest(memory.text) not in there
        if gone is is_note_gone(memory):
            continue
        after = memory.marked({NOTE_GONE: "true" if gone else ""})._replace(store=Store.STM, updated_at=act.now)
        reason = "the client deleted the note it came from" if gone else "the note it came from is there again"
        with transaction(act.db):
            act.apply([Change(ChangeType.EDIT, memory.id, memory, after, reason)])
