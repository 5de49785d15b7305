"""A store of any released schema opens, with a copy of what was there; a crash in the middle leaves the old one."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from psychmem_py.store import rows
from psychmem_py.store.connection import is_sound, open_store
from psychmem_py.store.sqlite import SCHEMA
from tests.forks import told
from tests.hooks import Conversation, repository, settle

DUMPS = sorted((Path(__file__).resolve().parents[1] / "schemas").glob("*.sql"))
NOW = 1_800_000_000.0


def restored(dump: Path, path: Path) -> None:
    db = sqlite3.connect(path)
    db.executescript(dump.read_text("utf-8"))
    db.close()


def test_there_is_a_dump_of_every_schema() -> None:
    assert [dump.stem for dump in DUMPS] == [f"v{number}" for number in range(1, SCHEMA + 1)]


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_an_old_store_opens_with_everything_in_it(dump: Path, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    restored(dump, path)
    with open_store(path, now=NOW) as db:
        assert is_sound(db) == ""
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
            assert is_sound(db) == ""


def _set_version(database: Path, number: int) -> None:
    db = sqlite3.connect(database)
    db.execute(f"pragma user_version = {number}")
    db.close()


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
