"""Opens the database: private, migrated, refused if it is a link or newer than ours. A corrupt file is only ever moved aside."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

from psychmem_py.errors import BusyError, DamagedError, NewerSchemaError, RefusedError, StoreError, UnwritableError
from psychmem_py.home.places import DATABASE, StrPath, refuse_link
from psychmem_py.store.sqlite import INDEX_VERSION, SCHEMA, column, connected, meta, not_a_file, set_meta, sqlite3, value

# Shared memory of a WAL does not reach over these, so two machines would corrupt the file (sqlite.org/wal.html).
_REMOTE = tuple("nfs cifs smb 9p afs ceph fuse.sshfs fuse.s3 vboxsf prl_fs davfs lustre glusterfs fuse.gluster".split())
SIDE_FILES = ("", "-wal", "-shm", "-journal")  # the database and what stands beside it
_INDEXES = ("memory_fts", "episode_fts")
IN_MEMORY = ":memory:"  # a store that nothing is kept of
_VERSION = "pragma user_version"
_DAMAGE = ("not a database", "malformed", "corrupt")
DOCTOR = "run `psychmem doctor --fix`"


@contextmanager
def open_store(path: StrPath, *, now: float, timeout_s: float = 5.0, still: bool = False) -> Iterator[sqlite3.Connection]:
    """The open database, created or migrated, or, `still`, read as it is. Raises StoreError, which says what to do."""
    name = os.fspath(path)
    try:
        db = connected(name, timeout_s=1.0, still=True) if still else _connected(name, now, timeout_s)
    except (sqlite3.Error, OSError) as exc:
        raise store_error(name, exc) from exc
    with closing(db):
        try:
            if still and value(db, _VERSION) != SCHEMA:
                raise StoreError(f"{name} has another schema, and cannot be brought to ours where it is")
            yield db
        except sqlite3.Error as exc:
            raise store_error(name, exc) from exc


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, with the write lock from the start. Inside another transaction it joins that one."""
    if db.in_transaction:
        yield
        return
    db.execute("begin immediate")
    try:
        yield
    except BaseException:
        db.rollback()
        raise
    db.commit()


def set_aside(path: StrPath, *, now: float) -> str:
    """Where a database that cannot be read was moved to, with its side files; "" when there is none."""
    if not os.path.lexists(name := os.fspath(path)):
        return ""
    if why := why_foreign(name):
        raise RefusedError(why)
    target = f"{name}.corrupt-{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}"
    while os.path.lexists(target):
        target += "-2"
    for suffix in SIDE_FILES:
        if os.path.lexists(name + suffix):
            os.rename(name + suffix, target + suffix)
    return target


def faults_in(db: sqlite3.Connection) -> str:
    """What is wrong with the file and the indexes, in SQLite's words; "" when nothing is. Takes about 1 s per 100 MB."""
    if (faults := column(db, "pragma integrity_check(5)")) != ["ok"]:
        return ("search index: " if all(" index " in fault for fault in faults) else "") + "; ".join(faults)
    try:
        for index in _INDEXES:
            db.execute(f"insert into {index} ({index}, rank) values ('integrity-check', 1)")
    except sqlite3.DatabaseError as exc:
        return f"search index: {exc}"
    return ""


def is_intact(path: StrPath) -> bool:
    """Whether the whole file can be read and has our schema; also true if there is none, or if it cannot be checked now."""
    if not os.path.exists(name := os.fspath(path)):
        return True
    try:
        with closing(sqlite3.connect(name, timeout=5.0, isolation_level=None)) as db:
            return column(db, "pragma quick_check(1)") == ["ok"] and value(db, _VERSION) >= SCHEMA
    except sqlite3.DatabaseError as exc:
        return not any(word in str(exc) for word in _DAMAGE)


def private_copy_target(path: str) -> None:
    """Creates an empty file only its owner may read, for SQLite to write into; refuses a link or an existing file."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600))


def _connected(name: str, now: float, timeout_s: float) -> sqlite3.Connection:
    for suffix in SIDE_FILES:
        refuse_link(name + suffix)
    folder = os.path.dirname(os.path.abspath(name))
    # Another user could read and change what we write there.
    if os.name == "posix" and os.geteuid() and os.path.exists(folder) and os.stat(folder).st_uid not in (0, os.geteuid()):
        raise RefusedError(f"{folder} belongs to another user; set PSYCHMEM_HOME to a folder of yours")
    if why := why_foreign(name):
        raise RefusedError(why)
    if not os.path.exists(name) and name != IN_MEMORY:
        os.makedirs(folder, 0o700, exist_ok=True)
        with suppress(FileExistsError):  # another process made it first, just as we would have
            private_copy_target(name)
    elif name != IN_MEMORY and os.stat(name).st_mode & 0o077 and os.stat(name).st_uid == os.geteuid():
        os.chmod(name, 0o600)
    db = sqlite3.connect(name, timeout=timeout_s, isolation_level=None)
    try:
        db.execute("pragma foreign_keys = on")
        _prepare(db, name, now)
    except BaseException:
        db.close()
        raise
    return db


def why_foreign(path: StrPath) -> str:
    """Why a file is no store of ours, "" if it is, even damaged: a wrong `db_path` must not cost anybody a file."""
    if wrong := not_a_file(name := os.fspath(path)):
        return f"{wrong} is no file and is left as it is; remove it, or name a file for the memories in db_path"
    if not os.path.exists(name) or not os.path.getsize(name):
        return ""
    with open(name, "rb") as file:
        start = file.read(1 << 20)  # in which a store's `meta` stands
    is_sqlite, is_ours = start.startswith(b"SQLite format 3\0"), os.path.basename(name) == DATABASE or b"nonce_secret" in start
    if _has_other_tables(name) if is_sqlite else not is_ours:
        return f"{name} is not a database of PsychMem and is left as it is; name another file in db_path"
    return ""


def _has_other_tables(name: str) -> bool:
    """Whether a SQLite file holds tables and not ours; False where that cannot be read."""
    # Where nobody writes, so that reading leaves no -wal file behind.
    with suppress(sqlite3.Error), closing(connected(name, timeout_s=1.0, still=not os.path.exists(name + "-wal"))) as db:
        tables = set(column(db, "select name from sqlite_schema where type = 'table'"))
        return bool(tables) and not {"meta", "memory", "tombstone"} <= tables
    return False


def _prepare(db: sqlite3.Connection, name: str, now: float) -> None:
    if (version := value(db, _VERSION)) > SCHEMA:
        newer = f"{name} has schema {version}, this PsychMem knows {SCHEMA}"
        raise NewerSchemaError(f"{newer}; upgrade PsychMem, the file is left alone")
    if version < SCHEMA:
        _set_journal(db, name)
        _migrate(db, name, now)
    db.execute(f"pragma synchronous = {'normal' if value(db, 'pragma journal_mode') == 'wal' else 'full'}")
    if meta(db, "index_version") != str(INDEX_VERSION):
        from psychmem_py.store.rows import rebuild_index  # noqa: PLC0415 - most that open a store need no memories

        with transaction(db):
            rebuild_index(db)
            set_meta(db, "index_version", str(INDEX_VERSION))


def _set_journal(db: sqlite3.Connection, name: str) -> None:
    """WAL, so that readers and a writer do not wait for each other; DELETE where shared memory does not work."""
    if _filesystem(os.path.dirname(os.path.abspath(name))).startswith(_REMOTE):
        return
    try:
        db.execute("pragma journal_mode = wal").fetchone()
    except sqlite3.OperationalError as exc:
        if "locked" in str(exc):  # another process is making the same database
            return
        db.execute("pragma journal_mode = delete").fetchone()


def _filesystem(folder: str) -> str:
    """Type of the file system that holds `folder`, as the kernel calls it; "" where it does not tell."""
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="replace") as file:
            mounts = [line.split(" ")[1:3] for line in reversed(file.read().splitlines())]
    except OSError:
        return ""
    inside = os.path.realpath(folder) + "/"
    around = [(point, kind) for point, kind in mounts if inside.startswith(point.replace("\\040", " ").rstrip("/") + "/")]
    return max(around, key=lambda mount: len(mount[0]), default=("", ""))[1]  # of those in one place the last one mounted


def _migrate(db: sqlite3.Connection, name: str, now: float) -> None:
    """All missing migrations in one transaction, after a copy of what was there, which is removed if they fail."""
    with ExitStack() as undone:
        if 0 < value(db, _VERSION) < SCHEMA:  # not when another process has just brought it up to date
            with suppress(FileExistsError):  # another process was quicker
                target = f"{name}.before-schema-{SCHEMA}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}"
                private_copy_target(target)
                undone.callback(os.unlink, target)
                with closing(sqlite3.connect(target)) as copy:
                    db.backup(copy)
        with transaction(db):
            version = value(db, _VERSION)  # again: another process may have been quicker
            migrate(db, version)
            if version < SCHEMA:
                db.execute(f"pragma user_version = {SCHEMA}")
            if not meta(db, "device_id"):
                set_meta(db, "device_id", os.urandom(4).hex())
                set_meta(db, "nonce_secret", os.urandom(16).hex())
                set_meta(db, "created_at", repr(now))
                set_meta(db, "index_version", str(INDEX_VERSION))
        undone.pop_all()


def migrations() -> list[list[str]]:
    """The statements that make a store, by migration, in order."""
    import re  # noqa: PLC0415  # as above

    with open(os.path.join(os.path.dirname(__file__), "schema.sql"), encoding="utf-8") as file:
        scripts = re.split(r"^-- migration \d+$", file.read(), flags=re.MULTILINE)[1:]
    return [re.split(r";[ \t]*(?:--.*)?\n", script) for script in scripts]


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Runs what a store of this version lacks, each statement alone, within one transaction (`executescript` would commit)."""
    for statements in migrations()[version:]:
        for statement in statements:
            db.execute(statement)


def store_error(name: str, exc: Exception) -> StoreError:
    """What SQLite or the system said, as the error a person can act on."""
    text = str(exc)
    if isinstance(exc, OSError):
        return UnwritableError(f"{name} cannot be opened: {exc.strerror or text}; check the folder's permissions and free space")
    if "locked" in text or "busy" in text:
        return BusyError(f"{name} is in use by another process and did not become free in time; try again")
    if "readonly" in text or "unable to open" in text:
        return UnwritableError(f"{name} cannot be written: {text}; check the permissions of the file and its folder")
    if "full" in text or "disk I/O" in text:
        return UnwritableError(f"{name} cannot be written: {text}; free some space on the disk")
    if any(word in text for word in _DAMAGE):
        return DamagedError(f"{name} is damaged ({text}); {DOCTOR} to put it aside and start anew")
    return StoreError(f"{name}: {text}; {DOCTOR}")


def tidy(db: sqlite3.Connection) -> None:
    """Merges the index a little and lets SQLite look at its statistics; both return quickly."""
    for index in _INDEXES:
        db.execute(f"insert into {index} ({index}, rank) values ('merge', 200)")
    db.execute("pragma optimize")
