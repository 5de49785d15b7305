"""What is read, kept, faded and promoted by and by, and notes of what was promoted."""

import sqlite3
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from psychmem_py.curation import history, pending, upkeep
from psychmem_py.model.records import Kind, Scope, Status, Store, ToolUse
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows, search, sessions
from psychmem_py.store.matches import Question
from tests.memories_made import DAY_S, NOW, act, made, store
from tests.test_cli import remembered, run, told

T0 = NOW - DAY_S  # when the made memories were anchored


def statuses(db: sqlite3.Connection) -> dict[str, Status]:
    return {memory.text: memory.status for memory in rows.listed(db, all_projects=True, statuses=())}


def test_gossip_fades_rules_stay_and_both_are_found(db: sqlite3.Connection) -> None:
    store(db, [
        made("standup moved to ten", Kind.EPISODIC, project="p", store=Store.STM),
        made("never push to main", Kind.CONSTRAINT, store=Store.STM),
        made("standup notes are pinned", Kind.EPISODIC, project="p", store=Store.STM, pinned=True),
    ])  # fmt: skip
    report = upkeep.decay(act(db, now=T0 + 30 * DAY_S))
    assert [change.reason for change in report.steps] == ["faded"]
    assert {text for text, status in statuses(db).items() if status is not Status.ACTIVE} == {"standup moved to ten"}
    assert [hit.memory.status for hit in search.hits(db, Question("standup moved ten", "p", NOW, limit=1))] == [Status.DECAYED]


def test_decay_twice_changes_nothing_more_and_a_dry_run_nothing(db: sqlite3.Connection) -> None:
    store(db, [made("standup moved to ten", Kind.EPISODIC, project="p", store=Store.STM)])
    now = T0 + 30 * DAY_S
    assert [len(upkeep.decay(act(db, "", now), dry_run=dry).steps) for dry in (True, False, False)] == [1, 1, 0]
    history.undo(act(db, now=now), f"upkeep-decay-{int(now * 1000)}")
    assert statuses(db) == {"standup moved to ten": Status.ACTIVE}


def test_time_to_live_archives(db: sqlite3.Connection) -> None:
    store(db, [made("finish the auth refactor", Kind.OBJECTIVE, project="p", expires_at=NOW)])
    for now, status in ((NOW - 1, Status.ACTIVE), (NOW, Status.ARCHIVED)):
        upkeep.decay(act(db, now=now))
        assert statuses(db) == {"finish the auth refactor": status}
        assert len(pending.today(db, "p", DEFAULTS, now)[2]) == (status is Status.ACTIVE)


def test_what_was_said_once_fades_with_the_days_of_work(db: sqlite3.Connection) -> None:
    store(db, [made("always run the linter", Kind.CONSTRAINT, project="p", scope=Scope.PROJECT, store=Store.STM, strength=0.5)])
    db.executemany("insert into workday (project, day) values ('p', ?)", [(int(T0 // DAY_S) + day,) for day in range(1, 61)])
    db.commit()
    assert [change.reason for change in upkeep.decay(act(db, now=T0 + 400 * DAY_S)).steps] == ["faded"]


def test_use_promotes_but_birth_does_not(db: sqlite3.Connection) -> None:
    store(db, [
        made("just born and strong", project="p", strength=1.0, use_count=0, anchor_at=NOW),
        made("used five times this week", project="p", strength=0.2, use_count=5, created_at=NOW - 6 * DAY_S),
        made("used twice and strong", project="p", strength=0.8, use_count=2, anchor_at=NOW),
        made("used five times last year", project="p", strength=0.2, use_count=5, created_at=NOW - 400 * DAY_S, anchor_at=0),
    ])  # fmt: skip
    upkeep.promote(act(db, now=NOW))
    promoted = {text for text, status in statuses(db).items() if status is Status.PROMOTED}
    assert promoted == {"used five times this week", "used twice and strong"}
    assert len(rows.recallable(db, "p")) == 4


def test_collection_archives_first_deletes_later_and_only_when_told(db: sqlite3.Connection) -> None:
    store(db, [
        made("gossip", Kind.EPISODIC, project="p", store=Store.STM, status=Status.DECAYED),
        made("an old rule", Kind.CONSTRAINT, status=Status.DECAYED),
    ])  # fmt: skip
    year = T0 + 365 * DAY_S
    assert len(upkeep.collect(act(db, now=year)).steps) == 1
    assert statuses(db)["gossip"] is Status.DECAYED
    upkeep.collect(act(db, now=year), dry_run=False)
    assert statuses(db) == {"gossip": Status.ARCHIVED, "an old rule": Status.DECAYED}
    upkeep.collect(act(db, now=year + DAY_S), dry_run=False)
    assert statuses(db)["gossip"] is Status.ARCHIVED
    later = year + 91 * DAY_S
    upkeep.collect(act(db, "", later), dry_run=False)
    assert statuses(db) == {"an old rule": Status.DECAYED}
    history.undo(act(db, now=later), f"upkeep-gc-{int(later * 1000)}")
    assert statuses(db)["gossip"] is Status.ARCHIVED


def test_what_was_kept_for_a_while_goes(db: sqlite3.Connection) -> None:
    sessions.add_events(db, "s", [ToolUse("t1", "Bash", NOW, True), ToolUse("t2", "Bash", NOW + 29 * DAY_S, True)])
    sessions.mark_shown(db, "s", ["m"], "brief", NOW)
    sessions.note_seen(db, ["k"], "s", NOW)
    removed = upkeep.expire(db, now=NOW + 31 * DAY_S)
    assert {what: count for what, count in removed.items() if count} == {"events": 1}
    removed = upkeep.expire(db, now=NOW + 400 * DAY_S)
    assert {what: count for what, count in removed.items() if count} == {"events": 1, "shown": 1, "seen": 1}


def test_a_small_slice_ages_whatever_has_faded_and_rests_for_an_hour(db: sqlite3.Connection) -> None:
    store(db, [made("a note", Kind.EPISODIC, project="p", store=Store.STM, anchor_at=NOW - 30 * DAY_S)])
    assert upkeep.hourly_upkeep(act(db, now=NOW)) == 1
    store(db, [made("old note", Kind.EPISODIC, project="p", store=Store.STM, anchor_at=NOW - 30 * DAY_S)])
    assert [upkeep.hourly_upkeep(act(db, now=NOW + after_s)) for after_s in (5, 3601)] == [0, 1]


@pytest.mark.parametrize("leap_d", [365, -365])
def test_a_clock_that_leaps_ages_nothing_before_it_has_stood_for_an_hour(db: sqlite3.Connection, leap_d: int) -> None:
    store(db, [made("a note", Kind.EPISODIC, project="p", store=Store.STM, anchor_at=NOW)])
    sessions.note_seen(db, ["k"], "s", NOW)
    upkeep.hourly_upkeep(act(db, now=NOW))
    for at in (NOW + leap_d * DAY_S, NOW + 60, NOW + 3700):
        upkeep.hourly_upkeep(act(db, now=at))
    assert statuses(db) == {"a note": Status.ACTIVE}
    assert sessions.seen_in(db, "s") == {"k"}
    upkeep.hourly_upkeep(act(db, now=NOW + 366 * DAY_S))
    upkeep.hourly_upkeep(act(db, now=NOW + 366 * DAY_S + 3601))
    assert statuses(db) == {"a note": Status.DECAYED}


ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
def test_a_simulated_year_ends_as_it_should(tmp_path: Path) -> None:
    picture = tmp_path / "year.svg"
    command = [sys.executable, ROOT / "benchmarks" / "year.py", "--svg", picture, "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    lines = ElementTree.parse(picture).findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 9


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    place = tmp_path / "Notes"
    place.mkdir()
    return place


def test_a_promoted_memory_becomes_a_note_with_links(tmp_path: Path, vault: Path) -> None:
    cause = remembered(tmp_path, "The importer wrote each row: slowly", "--user")
    fix = remembered(tmp_path, "Batched inserts made nightly loads fast", "--user", "--tag", "loads")
    told("link", cause, fix, "--type", "caused", cwd=tmp_path)
    assert "would write" in run("promote", fix, "--vault", str(vault), "--dry-run", cwd=tmp_path).stdout
    assert list(vault.rglob("*.md")) == []
    done = run("promote", fix, cause, "--vault", str(vault), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    notes = {path.stem[-8:]: path for path in (vault / "STM").glob("*.md")}
    text = notes[fix[:8]].read_text()
    assert text.startswith(f'---\nid: "{fix}"\n')
    assert [one for one in ('"loads"', f"- [[{notes[cause[:8]].stem}]] caused this") if one not in text] == []
    assert f"- caused: [[{notes[fix[:8]].stem}]]" in notes[cause[:8]].read_text()  # told from its side
    shown = told("show", fix, cwd=tmp_path)
    assert (shown["status"], shown["metadata"]["promoted_to"]) == ("promoted", str(notes[fix[:8]]))
    assert shown["metadata"]["promoted_at"]
    purged = run("forget", fix, "--purge", "--yes", cwd=tmp_path)
    assert (notes[fix[:8]].exists(), str(notes[cause[:8]]) in purged.stderr) == (False, True)  # the other note links to it


def test_after_a_vault_was_named_once_whatever_is_promoted_gets_its_note_there(tmp_path: Path, vault: Path) -> None:
    texts = ("Loads run at night", "Heron hosts staging", "Flags are in YAML")
    first, second, third = (remembered(tmp_path, text, "--user") for text in texts)
    told("promote", first, cwd=tmp_path)
    assert list(vault.rglob("*.md")) == []
    told("promote", second, "--vault", str(vault), cwd=tmp_path)
    told("promote", third, cwd=tmp_path)
    assert "0 of 1 memory changed" in run("promote", first, cwd=tmp_path).stdout  # promoted before there was a vault
    assert {path.stem[-8:] for path in vault.rglob("*.md")} == {one[:8] for one in (first, second, third)}


def test_what_is_not_our_note_is_never_written_to(tmp_path: Path, vault: Path) -> None:
    fact = remembered(tmp_path, "Batched inserts made nightly loads fast", "--user")
    there = vault / "STM" / f"Batched inserts made nightly loads fast {fact[:8]}.md"
    there.parent.mkdir()
    there.write_text("mine")
    done = run("promote", fact, "--vault", str(vault), cwd=tmp_path)
    assert (done.returncode, there.read_text()) == (1, "mine")
    assert "not as PsychMem wrote it" in done.stderr
    assert told("show", fact, cwd=tmp_path)["status"] == "active"
    there.unlink()
    run("promote", fact, "--vault", str(vault), cwd=tmp_path)
    run("edit", fact, "--tag", "loads", cwd=tmp_path)
    run("promote", fact, cwd=tmp_path)
    assert "loads" in there.read_text()  # ours, and brought up to date
    there.write_text(there.read_text() + "by hand")
    assert run("promote", fact, cwd=tmp_path).returncode == 1
    assert there.read_text().endswith("by hand")


def test_a_text_full_of_signs_makes_a_plain_file_name_and_an_undo_takes_back_where_a_note_is(tmp_path: Path, vault: Path) -> None:
    fact = remembered(tmp_path, "../../etc/passwd: [[link]] | never # read\tit", "--user")
    told("promote", fact, "--vault", str(vault), cwd=tmp_path)
    (note,) = vault.rglob("*.md")
    assert note.parent == vault / "STM"
    assert not set(note.name) & set("/[]|#:\t")
    fact = remembered(tmp_path, "Batched inserts made nightly loads fast", "--user")
    told("promote", fact, "--vault", str(vault), cwd=tmp_path)
    told("undo", cwd=tmp_path)
    shown = told("show", fact, cwd=tmp_path)
    assert shown["status"] == "active"
    assert not {"promoted_to", "promoted_at"} & shown["metadata"].keys()
    assert list(vault.rglob("*.md")) == [note]
    for _ in ("what was remembered", "the first promotion"):
        told("undo", cwd=tmp_path)
    assert list(vault.iterdir()) == []


def test_what_was_promoted_comes_earlier_in_a_search(tmp_path: Path) -> None:
    first = remembered(tmp_path, "Kites need wind to fly over fields", "--user")
    second = remembered(tmp_path, "Kites need string to fly over hills", "--user")
    behind = told("search", "kites fly", cwd=tmp_path)[1]["id"]
    assert behind in (first, second)
    run("promote", behind, cwd=tmp_path)
    assert told("search", "kites fly", cwd=tmp_path)[0]["id"] == behind


def test_on_request_whatever_scores_low_is_collected_but_no_pin(tmp_path: Path) -> None:
    rule = remembered(tmp_path, "Never deploy on a Friday", "--user", "--class", "constraint")
    pinned = remembered(tmp_path, "Always write tests first", "--user", "--class", "constraint", "--pin")
    done = told("gc", "--below", "9", cwd=tmp_path)
    assert [one["id"] for one in done["changed"]] == [rule]
    told("gc", "--below", "9", "--apply", cwd=tmp_path)
    left = [one["id"] for one in told("list", cwd=tmp_path)]
    assert left == [pinned]
