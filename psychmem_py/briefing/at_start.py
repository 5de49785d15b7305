"""The reply when a session starts without a cached brief, is resumed, or was compacted.

An agent waits: the store is only read, as for a prompt, and what was shown is noted in the journal for the detached child.
"""

from __future__ import annotations

from psychmem_py.briefing import repository_rules
from psychmem_py.briefing.brief import COMPACTION, FORGOTTEN, Brief, Occasion, compose
from psychmem_py.briefing.next_start import occasion
from psychmem_py.errors import UnwritableError
from psychmem_py.home import health, journal, project
from psychmem_py.safety.control_chars import as_name
from psychmem_py.store import read_only
from psychmem_py.store.sqlite import Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from psychmem_py.agents.event import Request
    from psychmem_py.home.project import Project
    from psychmem_py.home.surroundings import Surroundings

_STORE_S = 1.0  # an agent waits: a database in use is a reason to say nothing


def answer(request: Request, around: Surroundings) -> str:
    """The text to put into the conversation, "" for nothing. Raises StoreError for a store that cannot be read."""
    notice, env, cwd = health.notice(around.data), around.env, request.cwd
    notices = [notice, *health.remarked(around.data)]
    here = project.project_of(cwd, env) if cwd else None
    if foreign := project.refused_name(cwd, env) if cwd else "":
        belongs = f"The project name {as_name(foreign)} of this directory belongs to another one;"
        notices.append(f"{belongs} if it is the same, `psychmem share trust`.")
    database, settings = around.database_file(request.agent), around.settings()
    db = read_only.opened(database, around.now)
    try:
        if here and repository_rules.concern(db, here):
            notices.append(_rules_checked(database, here, around.now))
        start = occasion(
            db,
            here,
            cwd,
            settings=settings,
            env=env,
            now=around.now,
            agent=request.agent,
            notices=notices,
            but=request.session,
        )
        brief = _told(db, start._replace(source=request.source or "startup"), request, around)
    except Error as exc:
        from psychmem_py.store.connection import store_error  # noqa: PLC0415  # seldom

        raise store_error(database, exc) from exc
    finally:
        db.close()
    if notice:
        health.told(around.data)
    return brief.text


def _rules_checked(database: str, here: Project, now: float) -> str:
    """What to tell of the repository's rules, once the store knows which of them hold."""
    from psychmem_py.store.connection import open_store  # noqa: PLC0415  # writes; most repositories bring no rules

    try:
        with open_store(database, now=now, timeout_s=_STORE_S) as db:
            return repository_rules.checked(db, here, now)
    except UnwritableError as exc:
        return health.at_hand("inject", exc)


def _told(db: sqlite3.Connection, start: Occasion, request: Request, around: Surroundings) -> Brief:
    """The brief, noted in the journal as shown; where that cannot be written the brief says so first.

    A resumed session is told only what it was not told yet, because its transcript still holds the rest.
    """
    lately = journal.lately_shown(around.data, request.session, request.session)
    seen = {*read_only.shown(db, request.session), *(one[0] for one in lately)} if start.source == "resume" else ()
    brief = compose(db, start, seen)
    channel = "compaction" if start.source == COMPACTION else "brief"
    shown = {name: ids for name, ids in ((channel, brief.shown), ("memory_md", brief.in_memory_md)) if ids}
    if not request.session or not shown:
        return brief
    generation = read_only.generation(db, request.session, lately) + (start.source in FORGOTTEN)
    try:
        journal.shown(around.data, request, shown, at=around.now, generation=generation)
    except OSError as exc:
        trouble = UnwritableError(
            f"{around.data} cannot be written: {exc.strerror}; check its permissions, and free some space on the disk"
        )
        return compose(db, start._replace(notices=[health.at_hand("inject", trouble), *start.notices]), seen)
    return brief
