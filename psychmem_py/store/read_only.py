"""What hooks ask of the store, read as it is, without making whole memories of rows. Being shown is not being used."""

from __future__ import annotations

import os
from _collections_abc import Iterable, Mapping, Sequence

from psychmem_py.errors import StoreError, UnwritableError
from psychmem_py.home.places import stamp
from psychmem_py.model.light_record import CALL_CLASSES, KEPT, RECALLABLE, Excerpt, NamedTuple
from psychmem_py.store.sqlite import INDEX_VERSION, SCHEMA, Error, among, column, connected, from_json, meta, sqlite3, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psychmem_py.home.project import Project


def reading(database: str, *, still: bool = False) -> sqlite3.Connection | None:
    """The store at this path; None for another schema or index than ours, or a link. `still` promises that nobody writes now."""
    if os.path.islink(database):
        return None
    # A database in WAL mode can only be opened where its side file can be made; where nobody writes, it need not be.
    db = connected(database, timeout_s=1.0, still=still or not os.access(os.path.dirname(database), os.W_OK))
    versions = "select user_version, (select value from meta where key = 'index_version') from pragma_user_version"
    if db.execute(versions).fetchone() == (SCHEMA, str(INDEX_VERSION)):
        return db
    db.close()
    return None


def at_hand(database: str) -> sqlite3.Connection | None:
    """The store at this path where it can be read as it is; None otherwise."""
    for still in (False, True):  # on a full disk no side file can be made
        try:
            return reading(database, still=still)
        except Error:
            if any(stamp(database + end).partition(" ")[2] not in ("", "0") for end in ("-wal", "-journal")):
                break  # somebody has written
    return None


def opened(database: str, now: float) -> sqlite3.Connection:
    """The store at this path, made or brought up to date where needed. Raises StoreError with what is wrong with it."""
    db = at_hand(database)
    if db is None:  # missing, of an older schema, damaged: opening for writing makes it or says what is wrong
        from psychmem_py.store.connection import open_store  # noqa: PLC0415

        try:
            with open_store(database, now=now, timeout_s=1.0):
                db = reading(database)
        except UnwritableError:  # a full disk: what is stored can still be read
            db = reading(database, still=True)
    if db is None:
        raise StoreError(f"{database} is being changed by another version of PsychMem; try again")
    return db


def secret(db: sqlite3.Connection) -> str:
    """What the fences of this store are made with."""
    return meta(db, "nonce_secret")


_NOT_OVER = "(expires_at is null or expires_at > ?)"


def excerpts(db: sqlite3.Connection, ids: Sequence[str], now: float, statuses: Sequence[str] = RECALLABLE) -> list[Excerpt]:
    """What a line about each of these memories needs, in their order, of those that have not ended and one of these statuses."""
    needed = "status, id, text, class, updated_at, names, metadata, store, created_at, session"
    by_id = {}
    for line in among(db, f"select {needed} from memory where id in ({{keys}}) and {_NOT_OVER}", ids, now):
        status, id_, text, kind, updated_at, names, metadata, *rest = line
        if status in statuses:
            by_id[id_] = Excerpt(id_, text, kind, updated_at, tuple(from_json(names)), tuple(from_json(metadata).items()), *rest)
    return [by_id[key] for key in ids if key in by_id]


GUARD = "guard"  # the metadata field that says how a rule is held to: "ask", "off"; absent: a reminder
ON = "on"  # the metadata field with the glob of a call that a person gave for a rule
REPOSITORY = "repository"  # the metadata field with the file of the project's repository in which a rule stands
CALLS = "calls"  # the metadata field with the globs that the reader gave, a line each
REFUSED = "refused"  # the metadata field with the key of the calls that the person refused


class ActiveRule(NamedTuple):
    """A rule that holds now."""

    id: str
    text: str
    at: float  # when it was stated or last said again
    by_person: bool
    guard: str  # "", "ask", "off"
    said_once: bool  # and no person has confirmed it
    session: str  # in which it was first said
    refused: bool  # it tells what the person did, and was never said
    author: str = ""  # whose it is, where it came by sync
    last_used_at: float = 0.0  # when it was last said or used


def active_rules(db: sqlite3.Connection, ids: Sequence[str], now: float) -> list[ActiveRule]:
    """Those of the rules that hold now, in their order; what was said once, only where a person said it, here or elsewhere."""
    by_person = "origin in ('user_prompt', 'user_cli')"
    field = "json_extract(iif(json_valid(metadata), metadata, '{{}}'), '$.{}')".format
    known = f"id, text, created_at, {by_person}, ifnull({field(GUARD)}, ''), store = 'stm', session, {field(REFUSED)} is not null"
    binding = f"(store = 'ltm' or {by_person} or (origin = 'sync' and class != 'decision'))"
    holding = f"id in ({{keys}}) and status in ('active', 'promoted') and class in {CALL_CLASSES} and {binding} and {_NOT_OVER}"
    query = f"select {known}, ifnull({field('author')}, ''), anchor_at from memory where {holding}"
    rules = {row[0]: ActiveRule(*row) for row in among(db, query, ids, now)}
    return [rules[key] for key in ids if key in rules]


def sessions_shown(db: sqlite3.Connection, key: str, channel: str, since: float = 0.0) -> int:
    """In how many conversations a memory was shown through this channel; a conversation and its sub-agents are one."""
    query = "select session from shown where memory_id = ? and session like ? and at > ?"
    sessions = column(db, query, key, f"%#{channel}", since)
    return len({session.partition("#")[0].partition("/")[0] for session in sessions})


def run_in(db: sqlite3.Connection, session: str) -> list[tuple[str, str, list[str]]]:
    """The tools of a conversation's calls so far, whoever noted them, with their commands and the files they were about."""
    rows = db.execute("select tool, command, paths from event where session = ?", (session,))
    return [(tool, command, from_json(paths)) for tool, command, paths in rows]


class Trusted(NamedTuple):
    """A file as it was let in."""

    digest: str
    memory_id: str
    triggers: Sequence[str]  # phrases that call for the rule; () for one that always holds


class Answers(NamedTuple):
    """What a person answered to a repository's rule files, by path."""

    trusted: Mapping[str, Trusted]
    declined: Mapping[str, str]  # path -> digest


def left_behind(db: sqlite3.Connection, here: Project) -> str:
    """The id of a project from before it had a remote or a name, if memories came there since and it is not shared; else ""."""
    from psychmem_py.home.project import id_before  # noqa: PLC0415  # of what hooks read, starts alone

    former, began = id_before(here)
    if not former or value(db, "select count(*) from share where project = ?", here.id):
        return ""
    came = f"type = 'add' and memory_id in (select id from memory where project = ? and status in {KEPT})"
    since = max(began, float(meta(db, f"came along {former}") or 0))  # who takes back that they came means it
    return former if (value(db, f"select max(at) from change where {came}", former) or 0) > since else ""


def answers(db: sqlite3.Connection, project: str) -> Answers:
    """What was answered in this project; nothing where nobody was asked."""
    held = from_json(meta(db, f"rule_files {project}") or '{"trusted": {}, "declined": {}}')
    return Answers({path: Trusted(*answer) for path, answer in held["trusted"].items()}, held["declined"])


def shown(db: sqlite3.Connection, key: str, since: int = 0) -> dict[str, float]:
    """What a conversation has been shown, since a generation: memory id -> when last."""
    by_id = "select memory_id, max(at) from shown where session = ? and generation >= ? group by memory_id"
    return dict(db.execute(by_id, (key, since)))


def is_reworded(db: sqlite3.Connection, memory_id: str, since: float) -> bool:
    """Whether a memory's text was changed after a moment."""
    changed = "json_extract(before, '$.text') <> json_extract(after, '$.text')"
    return bool(value(db, f"select 1 from change where memory_id = ? and at > ? and {changed}", memory_id, since))


def generation(db: sqlite3.Connection, key: str, lately: Iterable[tuple[str, str, float, int, str]] = ()) -> int:
    """How often this conversation was compacted or resumed since anything was shown; `lately` is what its journal says."""
    return max([value(db, "select max(generation) from shown where session = ?", key) or 0, *(one[3] for one in lately)])


# What its tool calls (ID#act) and sub-agents (ID/NAME) were shown is stored under session names of their own.
OF_CONVERSATION = (
    "shown.session = {0} or shown.session between {0} || '#' and {0} || '$' or shown.session between {0} || '/' and {0} || '0'"
)


CONVERSATION = "substr(shown.session, 1, instr(replace(shown.session, '/', '#') || '#', '#') - 1)"  # of a row, by its own id


def is_stated_in(db: sqlite3.Connection, memory_id: str, session: str) -> bool:
    """Whether a memory was stated in a conversation, for the first time or again."""
    return bool(session and value(db, "select 1 from evidence where memory_id = ? and session = ?", memory_id, session))


def last_session(db: sqlite3.Connection, project: str | None) -> str:
    """The conversation that was last shown anything, in a project where one is named; "" for none."""
    here = f"shown left join session on session.id = {CONVERSATION} where (?1 is null or ifnull(session.project, ?1) = ?1)"
    return value(db, f"select {CONVERSATION} from {here} order by at desc limit 1", project) or ""


def entries(db: sqlite3.Connection, key: str) -> list[tuple[str, str, float]]:
    """Memory id, channel and time of everything a conversation was shown, in that order."""
    where = OF_CONVERSATION.format("?1")
    return db.execute(f"select memory_id, place, at from shown where {where} order by at, memory_id", (key,)).fetchall()
