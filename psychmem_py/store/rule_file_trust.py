"""Which rule files of a repository a person has let in or turned down: kept beside the memories made of them.

The phrases that call for a rule are looked at with every prompt, so this imports nothing.
"""

from __future__ import annotations

from psychmem_py.home.light_json import decoded, encoded
from psychmem_py.model.light_record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence
    from typing import Any


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
    row = db.execute("select value from meta where key = ?", (_key(project),)).fetchone()
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
        (_key(project), encoded({"trusted": trusted, "declined": dict(given.declined)})),
    )
    move_clock(db, now)


def _key(project: str) -> str:
    return f"rule_files {project}"
