"""A real PostgreSQL server for tests: a cluster of its own on the loopback, run by somebody who is not root, gone afterwards."""

import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg

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
            _make_database(Server(folder, port))
            yield Server(folder, port)
        finally:
            run("pg_ctl", "-D", "data", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_database(server: Server) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            with psycopg.connect(server.url(database="postgres"), autocommit=True) as db:
                db.execute("create database memory")
                return
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
