"""Leaves no byte of a text in any file of ours: store, copies, journals, ready briefs, memory folders."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.briefing import prepared
from psychmem_py.curation import exports
from psychmem_py.curation.act import Workplace
from psychmem_py.errors import RefusedError
from psychmem_py.home import files, journal, locks, places
from psychmem_py.installation import registration
from psychmem_py.memory.mentions import Subject, subject_of
from psychmem_py.model.light_record import KEPT
from psychmem_py.model.records import Memory, Status
from psychmem_py.safety import secrets
from psychmem_py.store import connection, episodes, purge, rows, sessions
from psychmem_py.store.read_only import REPOSITORY

_LOCK_S, _MOST_BYTES = 10.0, 1 << 20  # for a folder; of a note, and of a file of instructions


def erase(
    db: sqlite3.Connection, ids: Sequence[str], at: Workplace, now: float, *, subject: Subject | None = None, theirs: bool = False
) -> purge.Receipt:
    """Removes memories for good, wherever they got to, and all that speaks of a subject; `theirs`: another takes back theirs."""
    database, data = at.database, at.data
    needed = 2 * max(os.path.getsize(path) for path in (database, *purge.copies_of(database)))
    if shutil.disk_usage(os.path.dirname(os.path.abspath(database))).free < needed:  # files are written anew beside the old
        raise RefusedError(f"nothing was purged: it takes {needed / 1e6:.1f} MB of free disk for a while; free some space")
    roots = [seen.root for seen in sessions.projects(db).values()]
    trail = purge.target_of(db, ids, subject, theirs=theirs)
    promoted = rows.listed(db, all_projects=True, statuses=tuple(Status), holding=exports.PROMOTED_TO)
    notes = {dict(one.metadata)[exports.PROMOTED_TO]: one for one in promoted}
    may_go = {path: one.id in trail.ids and exports.is_as_written(db, one, path) for path, one in notes.items()}
    rule_files = {dict(one.metadata).get(REPOSITORY, "") for one in rows.several(db, [*trail.ids]).values()} - {""}
    may_go |= {os.path.join(root, name): False for root in roots for name in rule_files}
    purge.cleaned_copies(database, trail)  # Also before the memories go: whoever interrupts it can say it again.
    with connection.transaction(db):  # no wording is added meanwhile; who took a line out of a journal begins anew (`last_purge`)
        trail = purge.target_of(db, ids, subject, theirs=theirs)
        if not theirs:
            journal.without(data, trail.touches)
        gone = purge.removed(db, trail, now)
    receipt = purge.cleaned(db, database, trail, gone)
    there = [path for path in may_go if trail.touches(places.read_small(path, _MOST_BYTES))]
    unclean = [folder.path for folder in registration.with_ours(at.env, roots) if not _clean_folder(folder, trail.touches, data)]
    unclean += [path for path in there if not (may_go[path] and files.remove(path))]
    prepared.clear(database)  # one may have been made ready meanwhile
    with suppress(FileNotFoundError):  # a vector reveals what its text was about; they are made again
        os.unlink(places.vectors_of(database))
    for folder in (os.path.dirname(places.vectors_of(database)), data, os.path.join(data, journal.FOLDER)):
        files.remove_stale(folder)
    return receipt._replace(unclean=(*receipt.unclean, *unclean))


def _clean_folder(folder: claude_memory.MemoryFolder, touches: Callable[[str], bool], data: str) -> bool:
    try:
        with locks.lock(data, folder.path, _LOCK_S, kind="folder") as alone:
            claude_topics.drop(folder, touches)
            files.remove_stale(folder.path)
    except (OSError, RefusedError):
        return False
    return alone  # whoever holds it may write what it has read before


def secrets_found(db: sqlite3.Connection, data: places.StrPath) -> list[purge.Occurrence]:
    """Every row of the store and every journal with a secret in it."""
    journals = (purge.Occurrence("journal", name, ()) for name in journal.files_matching(data, _kinds_of_secrets))
    return [*purge.occurrences_of(db, _kinds_of_secrets), *journals]


def take_out_secrets(db: sqlite3.Connection, at: Workplace, now: float) -> list[str]:
    """Takes secrets out of journals, store, copies and prepared briefs; the copies that could not be cleaned."""
    journal.without(at.data, _kinds_of_secrets)  # first: what is taken up meanwhile is in the store, and cleaned there
    unclean = purge.rewrite(db, at.database, secrets.redact, now)
    prepared.clear(at.database)
    return unclean


def _kinds_of_secrets(text: str) -> list[str]:
    return [secret.kind for secret in secrets.found(text)]


def going(db: sqlite3.Connection, ids: Sequence[str], subject: Subject | None = None) -> tuple[list[Memory], list[str]]:
    """What goes when these are purged, with what says the same, the oldest first, and ids of exchanges; not what others use."""
    trail = purge.target_of(db, ids, subject)
    memories = sorted(rows.several(db, [*trail.ids]).values(), key=lambda one: (one.id not in ids, one.created_at))
    return memories, purge.exchanges_of(db, trail)


def about(db: sqlite3.Connection, text: str, *, every_status: bool) -> tuple[Subject, list[Memory], list[str]]:
    """The subject `text` names, all memories that speak of it, the oldest first, and the ids of exchanges that do."""
    known = rows.listed(db, all_projects=True, statuses=tuple(Status))[::-1]
    subject = subject_of(text, [memory.text for memory in known])
    wanted = frozenset(Status) if every_status else frozenset(KEPT)
    texts = ((one, (one.text, *one.names, *one.tags, *dict(one.metadata).values())) for one in known if one.status in wanted)
    found = [one for one, told in texts if any(map(subject.is_in, told))]
    if every_status:
        return subject, *going(db, [one.id for one in found], subject)
    return subject, found, [one.id for one in episodes.kept(db) if any(map(subject.is_in, one.texts))]
