"""What the last conversation of a project left behind, for a session that goes on with the same work: made with the prepared brief, so
that no hook pays for it.
"""

from __future__ import annotations

import os

from psychmem_py.home.git import head_of
from psychmem_py.home.project import Project
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.records import Memory
from psychmem_py.recall import brief_text
from psychmem_py.safety.control_chars import as_name
from psychmem_py.store import overview
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.dates import DAY_S

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_DAYS_S = 7 * DAY_S  # a week-end and a few days away
_SLACK_S = 60.0  # between a client's last word and what we noted of it
_FILES, _MEMORIES = 4, 2


class LastSession(NamedTuple):
    """The last conversation of a project."""

    id: str
    at: float
    files: tuple[str, ...]  # inside the project, the last changed first


def last_session(db: sqlite3.Connection, here: Project | None, cwd: str, now: float, *, but: str = "") -> LastSession | None:
    """The last conversation here in which files were changed, other than `but`; None for none of this week, and where the branch was
    changed since: then something else is worked at.
    """
    if here is None:
        return None
    latest = overview.last_with_changes(db, here.id, after=now - _DAYS_S, but=but)
    if latest is None:
        return None
    session, at = latest
    head = head_of(cwd)
    try:
        if head and os.stat(head).st_mtime > at + _SLACK_S:
            return None
    except OSError:
        return None
    files = tuple(name for path in overview.files_changed_in(db, session) if (name := _inside(path, here.root)))
    return LastSession(session, at, files) if files else None


def _inside(path: str, root: str) -> str:
    """The path below the root, as one word that no reader takes for a sentence; "" for a file elsewhere."""
    name = os.path.relpath(path, root) if os.path.isabs(path) else path
    return "" if name.startswith("..") or os.path.isabs(name) else as_name(name)


def unsaid(last: LastSession, missed: Sequence[Memory]) -> tuple[Memory, ...]:
    """Of what the brief left out what was first stated in that conversation, at most two, the latest first."""
    left = sorted((one for one in missed if one.session == last.id), key=lambda one: (-one.created_at, one.id))
    return tuple(left[:_MEMORIES])


def lines(last: LastSession, memories: Sequence[Memory], now: float) -> list[str]:
    """At most three lines: the files it changed, and the memories given."""
    return brief_text.resumed(last.files[:_FILES], max(0, len(last.files) - _FILES), memories, at=last.at, now=now)
