"""A store opens: ours alone, of any released schema, with a copy of what was there; a crash in the middle leaves the old one."""

import json
import multiprocessing
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from psychmem_py.errors import DamagedError, NewerSchemaError, RefusedError, StoreError
from psychmem_py.model.records import Kind
from psychmem_py.store import connection, rows
from psychmem_py.store.connection import faults_in, open_store, set_aside, transaction
from psychmem_py.store.read_only import reading, secret
from psychmem_py.store.sqlite import SCHEMA, meta, set_meta
from tests.forks import told
from tests.hooks import Conversation, repository, settle
from tests.memories_made import NOW, made, store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "memory.db"


def filled(path: Path) -> Path:
    """A store with one memory, closed."""
    with open_store(path, now=NOW) as db:
        store(db, [made("we use sqlite", Kind.DECISION)])
    return path


def test_a_store_left_open_to_others_is_closed_to_them(path: Path) -> None:
    filled(path).chmod(0o644)
    with open_store(path, now=NOW):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
def test_a_symlinked_database_is_refused(path: Path, tmp_path: Path, suffix: str) -> None:
    path.parent.mkdir()
    target = tmp_path / "elsewhere"
    target.write_text("mine")
    os.symlink(target, f"{path}{suffix}")
    with pytest.raises(RefusedError), open_store(path, now=NOW):
        pass
    assert target.read_text() == "mine"


def test_a_newer_schema_is_left_alone_and_ours_has_the_number_of_its_migrations(path: Path) -> None:
    with open_store(path, now=NOW) as db:
        db.execute("pragma user_version = 99")
    before = path.read_bytes()
    with pytest.raises(NewerSchemaError), open_store(path, now=NOW):
        pass
    assert path.read_bytes() == before
    assert len(connection.migrations()) == SCHEMA
    assert [dump.stem for dump in DUMPS] == [f"v{number}" for number in range(1, SCHEMA + 1)]  # there is a dump of each


def test_a_corrupt_file_is_named_and_set_aside_not_deleted(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is no database, it is a poem" * 100)
    with pytest.raises(StoreError, match="psychmem doctor"), open_store(path, now=NOW):
        pass
    kept = set_aside(path, now=NOW)
    assert Path(kept).read_bytes().startswith(b"this is no database")
    assert "corrupt-" in kept
    assert set_aside(filled(path), now=NOW) != kept


def _firefox(path: Path) -> None:
    db = sqlite3.connect(path)
    db.executescript("pragma journal_mode = wal; create table moz_places (url text); pragma user_version = 2")
    db.close()


@pytest.mark.parametrize("make", [
    pytest.param(lambda path: path.write_text("my precious notes"), id="a note"),
    pytest.param(lambda path: path.write_bytes(bytes(range(256)) * 400), id="a picture"),
    pytest.param(_firefox, id="another program's database"),
    pytest.param(os.mkdir, id="a folder"),
    pytest.param(os.mkfifo, id="a pipe"),
])  # fmt: skip
def test_a_file_that_never_was_ours_keeps_name_mode_and_bytes(tmp_path: Path, make: Callable[[Path], object]) -> None:
    path = tmp_path / "notes.txt"
    make(path)
    path.chmod(0o644)
    before = path.read_bytes() if path.is_file() else b""
    said = "name another file in db_path" if path.is_file() else "is no file"
    with pytest.raises(RefusedError, match=said), open_store(path, now=NOW):
        pass
    if path.is_file():
        with pytest.raises(RefusedError):
            set_aside(path, now=NOW)
        assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]


def test_a_damaged_store_of_ours_is_ours_under_any_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.sqlite"
    filled(path)
    path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])
    with pytest.raises(DamagedError), open_store(path, now=NOW):
        pass
    assert "corrupt-" in set_aside(path, now=NOW)


def test_a_failing_migration_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path)
    scripts = [*connection.migrations(), ["drop table memory", "select no_such_function()"]]
    monkeypatch.setattr(connection, "migrations", lambda: scripts)
    monkeypatch.setattr(connection, "SCHEMA", len(scripts))
    with pytest.raises(StoreError), open_store(path, now=NOW):
        pass
    assert not connection.is_intact(path)  # `doctor --fix` puts it aside
    assert not list(path.parent.glob("*.before-schema-*"))
    monkeypatch.undo()
    with open_store(path, now=NOW) as db:
        assert [memory.text for memory in rows.listed(db)] == ["we use sqlite"]


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "9p", "fuse.sshfs"])
def test_a_network_file_system_gets_a_rollback_journal(path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(connection, "_filesystem", lambda folder: kind)
    with open_store(path, now=NOW) as db:
        assert db.execute("pragma journal_mode").fetchone() == ("delete",)
    filled(path)


def test_a_held_lock_is_waited_for_and_then_told(path: Path) -> None:
    with open_store(path, now=NOW) as holder:
        holder.execute("begin immediate")
        with pytest.raises(StoreError, match="in use"), open_store(path, now=NOW, timeout_s=0.05) as db, transaction(db):
            pass
        holder.rollback()


def _device_id(path: Path) -> str:
    with open_store(path, now=NOW) as db:
        return meta(db, "device_id")


def test_twenty_processes_make_one_store(path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(20) as pool:
        found = pool.map(_device_id, [path] * 20, chunksize=1)
    assert (len(found), len(set(found))) == (20, 1)
    assert not list(path.parent.glob("*.before-schema-*"))  # there was nothing to keep a copy of


def test_as_it_is_a_store_is_read_and_cannot_be_written(path: Path) -> None:
    with pytest.raises(StoreError), open_store(path, now=NOW, still=True):
        pass
    assert not path.exists()
    with open_store(filled(path), now=NOW, still=True) as db:
        assert [memory.text for memory in rows.listed(db)] == ["we use sqlite"]
    with pytest.raises(StoreError), open_store(path, now=NOW, still=True) as db:
        db.execute("delete from memory")


def test_another_tokeniser_means_another_index(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(filled(path), now=NOW) as db:
        db.execute("update memory_search set text = 'old words'")
    monkeypatch.setattr(connection, "INDEX_VERSION", 99)
    with open_store(path, now=NOW) as db:
        assert "sqlite" in db.execute("select text from memory_search").fetchone()[0]
        assert connection.faults_in(db) == ""


def test_an_error_inside_takes_everything_back(path: Path) -> None:
    with open_store(path, now=NOW) as db:
        with pytest.raises(ZeroDivisionError):
            _half(db)
        assert rows.listed(db) == []


def _half(db: sqlite3.Connection) -> None:
    with transaction(db):
        store(db, [made("we use sqlite")])
        raise ZeroDivisionError


def test_a_store_in_use_is_sound(path: Path) -> None:
    """SQLite 3.40.1 reports a column that is not null as null when a key of a table without rowid stands behind it."""
    with open_store(path, now=NOW) as db:
        for name in ("shown", "link", "tombstone", "seen_message"):
            columns = [line[1:3] for line in db.execute(f"pragma table_info({name})")]
            values = [1.0 if kind == "REAL" else 1 if kind == "INTEGER" else "x" for _, kind in columns]
            db.execute(f"insert into {name} values ({','.join('?' * len(values))})", values)
        assert connection.faults_in(db) == ""
    assert connection.is_intact(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, 4242, 4242)
    monkeypatch.setattr(os, "geteuid", lambda: 4243)
    with pytest.raises(RefusedError, match="belongs to another user"), open_store(theirs / "memory.db", now=NOW):
        pass
    assert list(theirs.iterdir()) == []


def test_what_was_written_is_read_and_nothing_can_be_written(path: Path) -> None:
    found = reading(str(filled(path)))
    assert found is not None
    with open_store(path, now=NOW) as db:
        assert secret(found) == meta(db, "nonce_secret")
    with pytest.raises(sqlite3.OperationalError):
        found.execute("delete from meta")
    found.close()


def test_a_link_another_schema_and_another_index_are_not_read(path: Path) -> None:
    link = filled(path).with_name("link.db")
    link.symlink_to(path)
    assert reading(str(link)) is None
    for version in (0, 99, SCHEMA):
        _set_version(path, version)
        assert (reading(str(path)) is None) == (version != SCHEMA)
    with open_store(path, now=NOW) as db:
        set_meta(db, "index_version", "0")
    assert reading(str(path)) is None


DUMPS = sorted((Path(__file__).resolve().parents[1] / "schemas").glob("*.sql"))


def restored(dump: Path, path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(dump.read_text("utf-8"))


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_an_old_store_opens_with_everything_in_it(dump: Path, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    restored(dump, path)
    with open_store(path, now=NOW) as db:
        assert faults_in(db) == ""
        assert db.execute("pragma user_version").fetchone() == (SCHEMA,)
        texts = [memory.text for memory in rows.listed(db, all_projects=True)]
        assert texts == ["We decided to store invoices in PostgreSQL", "Never commit directly to the main branch"]
    assert bool(list(tmp_path.glob("memory.db.before-*"))) is (dump.stem != f"v{SCHEMA}")


def test_a_migration_killed_in_the_middle_leaves_the_old_store(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    restored(DUMPS[-1], path)
    code = (
        "import sys, time\n"
        "from psychmem_py.store import connection\n"
        "before = connection.migrate\n"
        "def migrate(db, version):\n"
        "    before(db, version)\n"
        "    db.execute('create table later (x text) strict')\n"
        "    db.execute('delete from evidence')\n"
        "    print(1, flush=True); time.sleep(60)\n"
        "connection.SCHEMA, connection.migrate = connection.SCHEMA + 1, migrate\n"
        f"with connection.open_store({str(path)!r}, now=1.8e9): pass\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    time.sleep(0.1)
    (copy,) = tmp_path.glob("memory.db.before-*")
    for one in (path, copy):
        with open_store(one, now=NOW) as db:
            assert db.execute("select count(*) from evidence").fetchone() == (2,)
            assert db.execute("select 1 from sqlite_master where name = 'later'").fetchone() is None
            assert faults_in(db) == ""


def _set_version(database: Path, number: int) -> None:
    with closing(sqlite3.connect(database)) as db:
        db.execute(f"pragma user_version = {number}")


def test_what_an_older_hook_saw_beside_a_newer_store_is_taken_up_later(tmp_path: Path) -> None:
    project = repository(tmp_path / "shop")
    told("remember", "The shop sells lamps", cwd=project)
    (database,) = Path(os.environ["PSYCHMEM_HOME"]).rglob("memory.db")
    _set_version(database, 99)  # as a newer program on the same machine leaves it
    one = Conversation(project, "s1")
    one.types("From now on always run make lint before you commit.")
    one.stops()
    settle()
    _set_version(database, SCHEMA)
    Conversation(project, "s2").begins()
    settle()
    kept = {row["text"] for row in told("list", cwd=project)}
    assert kept == {"The shop sells lamps", "From now on always run make lint before you commit."}


def test_what_stood_as_heard_or_settled_is_short_term_or_long_term_now_in_rows_and_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    restored(next(dump for dump in DUMPS if dump.stem == "v3"), path)
    old = sqlite3.connect(path)
    old.execute("update memory set standing = 'heard' where class = 'decision'")
    (trigger,) = old.execute("select sql from sqlite_master where name = 'change_is_final'").fetchone()
    old.execute("drop trigger change_is_final")
    old.execute("""update change set after = json_set(after, '$.standing', 'heard') where after like '%"decision"%'""")
    old.execute(trigger)
    put = "insert into operation values ('r', 'd', 'personal', '', '', ?, 'h', 'm', 'put', 'standing', ?, 'user_cli', 0, 1)"
    old.executemany(put, [(1, '"heard"'), (2, '"settled"')])
    old.commit()
    old.close()
    with open_store(path, now=NOW) as db:
        stores = {memory.kind.value: memory.store.value for memory in rows.listed(db, all_projects=True)}
        logged = {one["class"]: one for (line,) in db.execute("select after from change") for one in [json.loads(line)]}
        sent = db.execute("select field, value from operation order by seq").fetchall()
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("update change set reason = 'x'")
    assert stores == {"decision": "stm", "constraint": "ltm"}
    assert {kind: one["store"] for kind, one in logged.items()} == stores
    assert not any("standing" in one for one in logged.values())
    assert sent == [("store", '"stm"'), ("store", '"ltm"')]
