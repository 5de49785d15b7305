"""A remote that is a PostgreSQL server; row-level security says who reads what, every step is one statement, for poolers."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from psychmem_py.errors import RemoteError
from psychmem_py.installation import registration
from psychmem_py.safety.control_chars import line as flat
from psychmem_py.sync.op import PAGE_OPS, Delivery, Lane, Op, line

if TYPE_CHECKING:
    import psycopg

GROUP = "psychmem_member"
ROLES = ("reader", "writer", "admin")


def checked(url: str) -> str:
    """The URL. Raises RemoteError for one that holds a password, or names no database."""
    parts = urlsplit(url)
    if parts.password or any("password" in key.casefold() for key, _ in parse_qsl(parts.query, keep_blank_values=True)):
        raise RemoteError("leave the password out of the URL and put it into ~/.pgpass, where PostgreSQL looks for it")
    if not parts.path.strip("/"):
        raise RemoteError("a hub is written postgresql://NAME@host/database")
    return url


@contextmanager
def _as_remote_error() -> Iterator[None]:
    """Turns PostgreSQL's errors into a RemoteError with our sentence, and also a missing driver."""
    if lacks := registration.missing(registration.HUB, "a hub needs"):
        raise RemoteError(f"{lacks}; this brings it: {registration.bringing(registration.HUB)}")
    import psycopg  # noqa: PLC0415

    try:
        yield
    except psycopg.errors.InsufficientPrivilege as exc:
        why = "you may not write there" if "row-level security" in str(exc) else _first(exc)
        raise RemoteError(f"the hub refuses: {why}; ask whoever runs it for `psychmem share hub grant`") from exc
    except (psycopg.errors.InvalidSchemaName, psycopg.errors.UndefinedFunction) as exc:
        raise RemoteError("the hub is not set up; whoever runs it says `psychmem share hub init URL`") from exc
    except psycopg.Error as exc:
        raise RemoteError(f"the hub: {_first(exc)}") from exc


@_as_remote_error()
def _connect(url: str) -> psycopg.Connection[Any]:
    """A connection on which each statement is its own transaction."""
    import psycopg  # noqa: PLC0415  # an extra, and 100 ms

    parts = urlsplit(url)
    # libpq's own way is to go on in plain text where the server offers no other; nobody sits on the way to this machine itself.
    given = dict(parse_qsl(parts.query))
    asked = "sslmode" in given or "PGSSLMODE" in os.environ
    hosts = [parts.hostname, given.get("host") or os.environ.get("PGHOST"), given.get("hostaddr") or os.environ.get("PGHOSTADDR")]
    local = all(host in ("localhost", "127.0.0.1", "::1") or host.startswith("/") for host in hosts if host)  # "/": a socket
    return psycopg.connect(
        url, sslmode=None if asked or local else "verify-full", autocommit=True, connect_timeout=5, prepare_threshold=None, application_name="psychmem",
        keepalives_idle=10, tcp_user_timeout=10_000,
    )  # fmt: skip


def _first(exc: Exception) -> str:
    return flat(str(exc).strip().splitlines()[0] if str(exc).strip() else type(exc).__name__)[:200]


class Hub:
    """The remote at a URL, for one device."""

    def __init__(self, url: str, device: str) -> None:
        self.device, self._db = device, _connect(url)

    def held(self, device: str) -> dict[Lane, int]:
        rows = self._all("select scope, team, project, last_seq from psychmem.held(%s)", device)
        return {Lane(device, scope, team, project): last for scope, team, project, last in rows}

    def push(self, lane: Lane, ops: Sequence[Op]) -> int:
        given = [[op.seq for op in ops], [op.memory for op in ops], [line(op) for op in ops]]
        ((last,),) = self._all("select psychmem.push(%s, %s, %s, %s, %s::bigint[], %s::text[], %s::text[])", *lane, *given)
        return int(last)

    def pull(self, have: Mapping[Lane, int], limit: int = PAGE_OPS) -> list[Delivery]:
        marks = json.dumps({"\x1f".join(lane): seq for lane, seq in have.items()})
        asked = "select device, scope, team, project, owner, mine, seq, line from psychmem.pull(%s, %s::jsonb, %s)"
        stretches = groupby(self._all(asked, self.device, marks, limit), lambda row: (Lane(*row[:4]), str(row[4]), bool(row[5])))
        return [Delivery(*whose, tuple(row[6:] for row in records)) for whose, records in stretches]

    def empty(self, said: Collection[tuple[str, str]]) -> None:
        if said:
            self._all("select psychmem.empty(%s::text[])", sorted({memory for _, memory in said}))

    def close(self) -> None:
        self._db.close()

    @_as_remote_error()
    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return list(self._db.execute(statement, values).fetchall())


LEFT = (
    "give each member a login: psychmem share hub grant URL NAME --project ID --role writer, then \\password NAME in psql",
    "switch on ssl in postgresql.conf, and demand it with hostssl in pg_hba.conf",
    "revoke temporary on the database from public: nobody needs it",
    "back up with pg_dump; what was purged stays in old backups and in WAL until they are gone",
)  # to the operator, once the schema is there


@_as_remote_error()
def set_up(url: str) -> None:
    """Makes or renews the hub's schema."""
    with closing(_connect(url)) as db, db.transaction():
        if not db.execute("select 1 from pg_roles where rolname = %s", (GROUP,)).fetchone():
            db.execute(f"create role {GROUP} nologin")
        db.execute(Path(__file__).with_name("hub.sql").read_text("utf-8"))


@_as_remote_error()
def add_member(url: str, member: str, *, project: str, team: str, role: str) -> bool:
    """Makes somebody a member of a project ("" for all of the team's); whether a login was made as well."""
    from psycopg import sql  # noqa: PLC0415

    with closing(_connect(url)) as db, db.transaction():
        if made := not db.execute("select 1 from pg_roles where rolname = %s", (member,)).fetchone():
            db.execute(sql.SQL("create role {} login").format(sql.Identifier(member)))
        if made or not db.execute("select pg_has_role(%s, %s, 'member')", (member, GROUP)).fetchone()[0]:  # type: ignore[index]
            db.execute(sql.SQL("grant {} to {}").format(sql.Identifier(GROUP), sql.Identifier(member)))
        given = "insert into psychmem.membership (team, project, member, role) values (%s, %s, %s, %s)"
        clash = "on conflict (team, project, member) do update set role = excluded.role"
        db.execute(f"{given} {clash}", (team, project, member, role))
    return made


@_as_remote_error()
def remove_member(url: str, member: str, *, project: str | None, team: str) -> int:
    """Ends memberships of one project, or for None all of the team's; how many. What was received stays on their machine."""
    ended = "delete from psychmem.membership where member = %s and team = %s and (%s::text is null or project = %s)"
    with closing(_connect(url)) as db:
        return db.execute(ended, (member, team, project, project)).rowcount
