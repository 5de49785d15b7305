"""Devices in one process, each with a store and the folders a meeting needs; and a real PostgreSQL server on the loopback."""

import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from psychmem_py.curation import actions
from psychmem_py.curation.act import PERSON, Act, Who, Workplace
from psychmem_py.curation.erasure import erase
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.model.records import Kind, Memory, Origin, Scope, Status
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import operations, rows
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.sqlite import set_meta
from psychmem_py.sync import exchange, remote
from psychmem_py.sync.exchange import Meeting

NOW = 1_763_838_000.0
DAY_S = 86_400.0
SHOP = "git:example.org/team/shop"
PERSONAL, IN_SHOP = ("personal", "", ""), ("project", "", SHOP)


class Machine:
    """One store with a clock of its own."""

    def __init__(self, root: Path, name: str, now: float = NOW) -> None:
        self.root, self.name, self.now = root / name, name, now
        self.root.mkdir(parents=True, exist_ok=True)
        self.env = {"HOME": str(self.root), "PSYCHMEM_HOME": str(self.root)}
        self.place = Workplace(self.database, str(self.root), self.env, DEFAULTS)

    @property
    def database(self) -> str:
        return str(self.root / "memory.db")

    @contextmanager
    def acting(self, who: Who = PERSON) -> Iterator[Act]:
        self.now += 1
        with open_store(self.database, now=self.now) as db, transaction(db):
            yield Act(db, DEFAULTS, self.now, f"batch-{self.name}-{self.now}", who)

    def joins(self, folder: Path, *, mine: bool = True, places: tuple[tuple[str, str, str], ...] = (PERSONAL, IN_SHOP)) -> None:
        folder.mkdir(exist_ok=True)
        with self.acting() as act:
            set_meta(act.db, remote.NAME, self.name)
            operations.add_remote(act.db, "hub", f"file://{folder}", mine=mine)
            for place in places:
                if mine or place[0] == "project":
                    operations.share(act.db, place, "hub")

    def says(self, text: str, kind: Kind = Kind.CONSTRAINT, *, user: bool = False, who: Who = PERSON, **more: Any) -> str:
        scope = Scope.USER if user else Scope.PROJECT
        with self.acting(who) as act:
            return remember(act, Entry(text, kind, scope, None if user else SHOP, **more)).memory.id

    def meets(self, **more: Any) -> Meeting:
        self.now += 1
        with open_store(self.database, now=self.now) as db:
            return exchange.meet(db, self.place, self.now, **more)[0]

    def purges(self, memory_id: str) -> None:
        self.now += 1
        with open_store(self.database, now=self.now) as db:
            erase(db, [memory_id], self.place, self.now)

    def forgets(self, memory_id: str) -> None:
        with self.acting() as act:
            actions.forget(act, [memory_id])

    def edits(self, memory_id: str, text: str) -> None:
        with self.acting() as act:
            actions.edit(act, memory_id, actions.Edit(text=text))

    def memories(self, *statuses: Status) -> list[Memory]:
        with open_store(self.database, now=self.now) as db:
            return rows.listed(db, all_projects=True, statuses=statuses or tuple(Status))

    def texts(self, *statuses: Status) -> list[str]:
        return sorted(memory.text for memory in self.memories(*(statuses or (Status.ACTIVE,))))

    def memory(self, memory_id: str) -> Memory:
        return next(one for one in self.memories() if one.id == memory_id)

    def remotes(self) -> list[operations.RemoteEntry]:
        with open_store(self.database, now=self.now) as db:
            return operations.remotes(db)

    def bytes_with(self, text: str) -> list[str]:
        """The files of this machine in which these bytes stand."""
        found = [Path(base, name) for base, _, names in os.walk(self.root) for name in names]
        return [str(path) for path in found if text.encode() in path.read_bytes()]


AGENT = Who(Origin.ASSISTANT, "claude-code", "s1")


def rounds(*machines: Machine, times: int = 2) -> None:
    """The machines meet one after the other, and nothing goes wrong."""
    for _ in range(times):
        for one in machines:
            done = one.meets()
            assert (done.fault, done.notes, done.dead) == ("", (), 0)


ADMIN = "hubadmin"


def binaries() -> Path | None:
    """The folder with `initdb` and `postgres`: of the system, of Debian's packages, or of the wheel `pgserver`."""
    found = shutil.which("initdb")
    places = [os.path.dirname(os.path.realpath(found))] if found else []
    places += sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
    wheel = find_spec("pgserver")
    if wheel and wheel.origin:
        places.append(os.path.join(os.path.dirname(wheel.origin), "pginstall", "bin"))
    return next((Path(place) for place in places if os.access(os.path.join(place, "postgres"), os.X_OK)), None)


def _nobody() -> int | None:
    """Somebody to be when we are root, which PostgreSQL refuses."""
    if os.getuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    return 65534


class Server:
    """A running cluster; `url(NAME)` connects a login to its database `memory`."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port

    def url(self, name: str = ADMIN, port: int = 0, database: str = "memory") -> str:
        return f"postgresql://{name}@127.0.0.1:{port or self.port}/{database}"

    def bytes_with(self, text: str, *, wal: bool = False) -> list[str]:
        """The files of the cluster in which these bytes stand; without the write-ahead log unless asked for."""
        found = [path for path in (self.folder / "data").rglob("*") if path.is_file() and (wal or "pg_wal" not in path.parts)]
        return [str(path) for path in found if text.encode() in path.read_bytes()]


@contextmanager
def running(tools: Path) -> Iterator[Server]:
    """A cluster that runs for as long as this lasts."""
    folder, user = Path(tempfile.mkdtemp(prefix="psychmem-hub-", dir="/tmp")), _nobody()
    if user is not None:
        os.chown(folder, user, -1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(*words: str) -> None:
        done = subprocess.run(
            [str(tools / words[0]), *words[1:]], cwd=folder, user=user, capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(folder)}, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    try:
        run("initdb", "-D", "data", "-U", ADMIN, "--auth=trust", "-E", "UTF8", "--no-sync", "--no-locale")
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c max_connections=200 -c fsync=off"
        run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")
        try:
            with psycopg.connect(Server(folder, port).url(database="postgres"), autocommit=True) as db:
                db.execute("create database memory")
            yield Server(folder, port)
        finally:
            run("pg_ctl", "-D", "data", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
