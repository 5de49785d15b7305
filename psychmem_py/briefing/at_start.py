"""The reply when a session starts without a cached brief, is resumed or compacted; and the brief prepared for the next one. An
agent waits: the store is only read, and what was shown is noted in the journal for the detached child.
"""

from __future__ import annotations

from _collections_abc import Iterable, Mapping

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.briefing import repository_rules
from psychmem_py.briefing.brief import COMPACTION, FORGOTTEN, Brief, Occasion, compose
from psychmem_py.errors import UnwritableError
from psychmem_py.home import health, journal
from psychmem_py.home.places import own_command
from psychmem_py.home.project import Project, branch_of, resolved
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.settings import Settings
from psychmem_py.safety.control_chars import as_name
from psychmem_py.store import read_only, sessions
from psychmem_py.store.sqlite import Error, sqlite3
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import content_words, counted

_STORE_S = 1.0  # an agent waits: a database in use is a reason to say nothing
_DAYS_S = 3 * DAY_S
_FILES = 6
_SUBJECTS, _STATEMENTS = 6, 2  # words of the last conversation, each in so many of its statements
# Words of branch names that say nothing about their subject.
_COMMON = frozenset(
    "main master trunk develop dev development release staging production feature feat fix bugfix hotfix chore wip test tests".split()
)


def answer(request: Request, around: Surroundings) -> str:
    """The text to put into the conversation, "" for nothing. Raises StoreError for a store that cannot be read."""
    notice, env, cwd = health.line_for_brief(around.data), around.env, request.cwd
    notices = [notice]
    here, foreign = resolved(cwd, env) if cwd else (None, "")
    if foreign:
        belongs = f"The project name {as_name(foreign)} of this directory belongs to another one;"
        notices.append(f"{belongs} if it is the same, `psychmem share trust`.")
    database, settings = around.database_file(request.agent), around.settings()
    db = read_only.opened(database, around.now)
    try:
        if here and repository_rules.has_rules(db, here):
            of_rules = _rules_checked(database, here, around.now)
            notices += [of_rules] if request.source != "resume" else []  # whose transcript has it
        start = occasion(db, here, cwd, settings=settings, env=env, now=around.now, agent=request.agent, notices=notices)
        brief = _record_brief(db, start._replace(source=request.source or "startup"), request, around)
    except Error as exc:
        from psychmem_py.store.connection import store_error  # noqa: PLC0415  # seldom

        raise store_error(database, exc) from exc
    finally:
        db.close()
    if notice:
        health.mark_told(around.data)
    return brief.text


def _rules_checked(database: str, here: Project, now: float) -> str:
    """What to tell of the repository's rules, once the store knows which of them hold."""
    from psychmem_py.store.connection import open_store  # noqa: PLC0415  # writes; most repositories bring no rules

    try:
        with open_store(database, now=now, timeout_s=_STORE_S) as db:
            return repository_rules.refresh_rules(db, here, now)
    except UnwritableError as exc:
        return health.line_for_failure("inject", exc)


def _record_brief(db: sqlite3.Connection, start: Occasion, request: Request, around: Surroundings) -> Brief:
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
    if why := journal.shown(around.data, request.about, shown, at=around.now, generation=generation):
        mend = "check its permissions, and free some space on the disk"
        trouble = UnwritableError(f"{around.data} cannot be written: {why}; {mend}")
        return compose(db, start._replace(notices=[health.line_for_failure("inject", trouble), *start.notices]), seen)
    return brief


def occasion(
    db: sqlite3.Connection,
    here: Project | None,
    cwd: str,
    *,
    settings: Settings,
    env: Mapping[str, str],
    now: float,
    agent: str = CLAUDE_CODE,
    notices: Iterable[str] = (),
) -> Occasion:
    """The start of a session in `cwd`."""
    reads_memory_md = agent == CLAUDE_CODE and cwd
    return Occasion(
        here,
        now,
        settings,
        shown_in_memory_md=claude_memory.visible(claude_memory.folder_of(cwd, env)) if reads_memory_md else (),
        focus_words=focus(db, here, cwd, now),
        notices=[notice for notice in notices if notice],
        command=own_command(env),
        agent=agent,
    )


def focus(db: sqlite3.Connection, here: Project | None, cwd: str, now: float) -> list[str]:
    """Words for the brief's `focus_words`; none outside a project."""
    if here is None:
        return []
    branch = [word for word in branch_of(cwd).replace("/", " ").replace("-", " ").replace("_", " ").split() if not word.isdigit()]
    files = sessions.files_changed(db, project=here.id, after=now - _DAYS_S, limit=_FILES)
    names = [path.rstrip("/").rpartition("/")[2].partition(".")[0] for path in files]
    said = sessions.lately_said(db, here.id, after=now - _DAYS_S)
    counts = counted(word for text in said for word in dict.fromkeys(content_words(text)))
    often = sorted(counts, key=lambda word: -counts[word])[:_SUBJECTS]
    again = [word for word in often if counts[word] >= _STATEMENTS and len(word) > 1]
    return [word for word in dict.fromkeys((*branch, *names, *again)) if word and word.lower() not in _COMMON]
