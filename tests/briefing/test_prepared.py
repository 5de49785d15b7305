"""A brief made ready is told only while it is what would be told."""

import os
from pathlib import Path

import pytest

from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.briefing import prepared, ready_files
from psychmem_py.home import surroundings
from psychmem_py.home.places import stamp
from psychmem_py.store.connection import open_store
from psychmem_py.store.sqlite import set_meta, state

NOW = 1_800_000_000.0
READY = ['<fence>\n"text" 漢字', ["id1"], ["id2"]]


@pytest.fixture
def database(home: Path) -> str:
    path = str(surroundings.database(os.environ, "claude-code"))
    with open_store(path, now=NOW) as db:
        set_meta(db, "hlc", "1-0-a")
    return path


def write(database: str, cwd: Path, watched: dict[str, str], at: str = "", shorter: list[object] | None = None) -> None:
    made = prepared.MadeReady(READY, shorter, at or state(database), watched, NOW)
    ready_files.write_start(surroundings.Surroundings(os.environ), Request("stop", CLAUDE_CODE, "s", str(cwd)), made)


def keep(database: str, cwd: Path) -> None:
    watched = {path: stamp(path) for path in (str(cwd / "watched"), str(cwd / "missing"))}
    write(database, cwd, watched)


def told(database: str, cwd: Path, now: float = NOW, source: str = "startup", **env: str) -> object:
    """What is told of it then and there."""
    return prepared.cached_brief(database, str(cwd), {**os.environ, **env}, now, source)


def test_after_a_compaction_the_shorter_brief_is_told_where_there_is_one(database: str, tmp_path: Path) -> None:
    keep(database, tmp_path)
    assert told(database, tmp_path, source="compact") is None
    shorter = ["less", ["id1"], []]
    write(database, tmp_path, {}, shorter=shorter)
    found = [told(database, tmp_path, source=source) for source in ("compact", "clear", "startup")]
    assert found == [shorter, READY, READY]


def test_what_changed_while_the_brief_was_made_makes_it_stale(database: str, tmp_path: Path) -> None:
    file = tmp_path / "watched"
    before = stamp(str(file))
    file.write_text("changed after it was looked for and before the brief was written")
    write(database, tmp_path, {str(file): before})
    assert told(database, tmp_path) is None
    at = state(database)
    with open_store(database, now=NOW) as db:
        set_meta(db, "hlc", "2-0-a")
        write(database, tmp_path, {}, at)
    assert list((Path(database).parent / prepared.FOLDER).iterdir()) == []


def test_another_day_setting_place_file_or_memory_makes_it_stale(database: str, tmp_path: Path) -> None:
    keep(database, tmp_path)
    assert told(database, tmp_path, XDG_SESSION_ID="7") == READY, "another login is not another setting"
    assert told(database, tmp_path, NOW + 86_400) is None
    assert told(database, tmp_path, PSYCHMEM_MAX_SESSION_MEMORIES="3") is None
    assert told(database, tmp_path.parent) is None
    for name in ("watched", "missing"):
        (tmp_path / name).write_text("changed")
        assert told(database, tmp_path) is None
        keep(database, tmp_path)
    with open_store(database, now=NOW) as db:
        set_meta(db, "hlc", "2-0-a")
        assert told(database, tmp_path) is None  # still in the WAL
    assert told(database, tmp_path) is None


def test_a_damaged_store_or_record_is_as_good_as_none(database: str, tmp_path: Path) -> None:
    keep(database, tmp_path)
    (record,) = (Path(database).parent / prepared.FOLDER).iterdir()
    assert record.stat().st_mode & 0o777 == 0o600
    kept = Path(database).read_bytes()
    Path(database).write_bytes(b"no database" * 1000)
    assert told(database, tmp_path) is None
    Path(database).write_bytes(kept)
    record.write_text("{")
    assert told(database, tmp_path) is None


def test_clearing_passes_what_its_writer_takes_back(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(database, tmp_path)
    folder, listed = Path(database).parent / prepared.FOLDER, os.listdir
    (folder / "other.json").write_text("{}")
    monkeypatch.setattr(os, "listdir", lambda path: ["gone.json", *listed(path)])
    prepared.clear(database)
    assert listed(folder) == []
