"""The reply when a session starts without a cached brief, is resumed, or was compacted.

An agent waits: the store is only read, as for a prompt, and what was shown is noted in the journal for the detached child.
"""

from __future__ import annotations

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import CLAUDE_CODE
from psychmem_py.briefing import repository_rules
from psychmem_py.briefing.brief import COMPACTION, FORGOTTEN, Brief, Occasion, compose
from psychmem_py.briefing.next_start import focus, last_session
from psychmem_py.errors import UnwritableError
from psychmem_py.home import health, journal, project
from psychmem_py.home.places import own_command
from psychmem_py.safety.control_chars import as_name
from psychmem_py.store import read_only
from psychmem_py.store.read_only import opened
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
    notice = health.notice(around.data)
    occasion = _occasion(request, around, [*([notice] if notice else []), *health.remarked(around.data)])
    database = around.database_file(request.agent)
    store = opened(database, around.now)
    try:
        brief = _told(store.db, _seen_to(store.db, database, occasion, request), request, around)
    except Error as exc:
        from psychmem_py.store.connection import store_error  # noqa: PLC0415  # seldom

        raise store_error(database, exc) from exc
    finally:
        store.db.close()
    if notice:
        health.told(around.data)
    return brief.text


def _occasion(request: Request, around: Surroundings, notices: list[str]) -> Occasion:
    """What is known of the start without asking the store."""
    env = around.env
    here = project.project_of(request.cwd, env) if request.cwd else None
    foreign = project.refused_name(request.cwd, env) if request.cwd else ""
    if foreign:
        notices = [
            *notices,
            f"The project name {as_name(foreign)} of this directory belongs to another one; if it is the same, `psychmem share trust`.",
        ]
    visible = frozenset[str]()  # the lines of MEMORY.md this conversation sees; none in an agent that does not read it
    if request.agent == CLAUDE_CODE and request.cwd:
        visible = claude_memory.visible(claude_memory.folder_of(request.cwd, env))
    source, settings = request.source or "startup", around.settings()
    return Occasion(here, around.now, settings, source, visible, notices=notices, command=own_command(env))


def _seen_to(db: sqlite3.Connection, database: str, occasion: Occasion, request: Request) -> Occasion:
    """The occasion with what the store knows of it, the rules of its repository held against their files."""
    here, now = occasion.project, occasion.now
    if here and repository_rules.concern(db, here):
        notice = _rules_checked(database, here, now)
        occasion = occasion._replace(notices=[*occasion.notices, notice] if notice else occasion.notices)
    wanted = occasion.settings.retrieval.last_session
    last = last_session(db, here, request.cwd, now, but=request.session) if wanted else None
    return occasion._replace(focus_words=focus(db, here, request.cwd, now), last=last)


def _rules_checked(database: str, here: Project, now: float) -> str:
    """What to tell of the repository's rules, once the store knows which of them hold."""
    from psychmem_py.store.connection import open_store  # noqa: PLC0415  # writes; most repositories bring no rules

    try:
        with open_store(database, now=now, timeout_s=_STORE_S) as db:
            return repository_rules.checked(db, here, now)
    except UnwritableError as exc:
        return health.at_hand("inject", exc)


def _told(db: sqlite3.Connection, occasion: Occasion, request: Request, around: Surroundings) -> Brief:
    """The brief, noted in the journal as shown; where that cannot be written the brief says so first.

    A resumed session is told only what it was not told yet, because its transcript still holds the rest.
    """
    lately = journal.lately_shown(around.data, request.session, request.session)
    seen = {*read_only.shown(db, request.session), *(one[0] for one in lately)} if occasion.source == "resume" else ()
    brief = compose(db, occasion, seen)
    channel = "compaction" if occasion.source == COMPACTION else "brief"
    shown = {name: ids for name, ids in ((channel, brief.shown), ("memory_md", brief.in_memory_md)) if ids}
    if not request.session or not shown:
        return brief
    generation = read_only.generation(db, request.session, lately) + (occasion.source in FORGOTTEN)
    try:
        journal.shown(around.data, request, shown, at=around.now, generation=generation)
    except OSError as exc:
        trouble = UnwritableError(
            f"{around.data} cannot be written: {exc.strerror}; check its permissions, and free some space on the disk"
        )
        return compose(db, occasion._replace(notices=[health.at_hand("inject", trouble), *occasion.notices]), seen)
    return brief
