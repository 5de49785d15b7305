"""Rules looked up by id, and what a conversation has run: what the hook before a tool call asks when a rule may be broken.

Loads nothing that makes whole memories of rows.
"""

from __future__ import annotations

from psychmem_py.home.light_json import decoded, encoded, object_in
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.store.sqlite import Error, connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence
    from sqlite3 import Connection
    from typing import Any

GUARD = "guard"  # the metadata field that says how a rule is held to: "ask", "off"; absent: a reminder
ON = "on"  # the metadata field with the glob of a call that a person gave for a rule
REFUSED = "refused"  # the metadata field with the key of the calls that the person refused
_SAID_BY_PERSON = ("user_prompt", "user_cli")


class StandingRule(NamedTuple):
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
    borne_out_at: float = 0.0  # when it was last said or used


def opened(database: str) -> tuple[Connection, str] | None:
    """The store for reading, and the secret that its fences are made with; None where it cannot be read: then no rule is known."""
    try:
        db = connected(database, timeout_s=0.5)
        try:
            (secret,) = db.execute("select value from meta where key = 'nonce_secret'").fetchone()
        except (Error, TypeError):
            db.close()
            return None
    except Error:
        return None
    return db, str(secret)


_HELD = "'constraint', 'preference', 'procedural', 'decision'"  # `model.HELD` by name


def standing(db: Connection, ids: Sequence[str]) -> list[StandingRule]:
    """Those of the rules that hold now, in the order given; what was said once, only where a person said it."""
    marks = ", ".join("?" * len(ids))
    query = (
        f"select id, text, created_at, origin, metadata, store, session, anchor_at from memory where id in ({marks}) and status in ('active', 'promoted')"
        f" and class in ({_HELD})"
    )
    rules = {key: _rule(key, *row) for key, *row in db.execute(query, list(ids))}
    return [rules[key] for key in ids if key in rules and (rules[key].by_person or not rules[key].said_once)]


def _rule(  # noqa: PLR0917  # a row
    key: str, text: str, at: float, origin: str, metadata: str, store: str, session: str, anchor: float
) -> StandingRule:
    fields = object_in(metadata.encode())
    by_person, guard, author = origin in _SAID_BY_PERSON, str(fields.get(GUARD, "")), str(fields.get("author", ""))
    return StandingRule(
        key,
        text,
        at,
        by_person,
        guard,
        said_once=store == "stm",
        session=session,
        refused=REFUSED in fields,
        author=author,
        borne_out_at=anchor,
    )


def sessions_shown(db: Connection, key: str, channel: str, since: float = 0.0) -> int:
    """In how many conversations a memory was shown through this channel; a conversation and its sub-agents are one."""
    query = "select distinct session from shown where memory_id = ? and session like ? and at > ?"
    rows = db.execute(query, (key, f"%#{channel}", since))
    return len({session.partition("#")[0].partition("/")[0] for (session,) in rows})


def run_in(db: Connection, session: str) -> list[tuple[str, list[str]]]:
    """The commands of a conversation's tool calls and the files they were about."""
    rows = db.execute("select command, paths from event where session = ?", (session,))
    return [(command, texts(paths)) for command, paths in rows]


def texts(raw: str) -> list[str]:
    """The strings of a JSON list."""
    values = decoded(raw.encode())
    return [str(value) for value in values] if isinstance(values, list) else []


class Trusted(NamedTuple):
    """A file as it was let in."""

    digest: str
    memory_id: str
    triggers: Sequence[str]  # phrases that call for the rule; () for one that always holds


class Answers(NamedTuple):
    """What a person answered to a repository's rule files, by path."""

    trusted: Mapping[str, Trusted]
    declined: Mapping[str, str]  # path -> digest


def answers(db: sqlite3.Connection, project: str) -> Answers:
    """What was answered in this project; nothing where nobody was asked."""
    row = db.execute("select value from meta where key = ?", (f"rule_files {project}",)).fetchone()
    if not row:
        return Answers({}, {})
    held: Any = decoded(row[0].encode())
    trusted = {
        path: Trusted(digest, memory_id, tuple(triggers)) for path, (digest, memory_id, triggers) in held["trusted"].items()
    }
    return Answers(trusted, held["declined"])


def set_answers(db: sqlite3.Connection, project: str, given: Answers, now: float) -> None:
    """Keeps the answers, in the caller's transaction, and makes briefs stale that ask for them."""
    from psychmem_py.store.change_log import move_clock  # noqa: PLC0415  # a prompt does not write

    trusted = {path: [one.digest, one.memory_id, list(one.triggers)] for path, one in given.trusted.items()}
    db.execute(
        "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
        (f"rule_files {project}", encoded({"trusted": trusted, "declined": dict(given.declined)})),
    )
    move_clock(db, now)
