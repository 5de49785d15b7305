"""The log of the background work, numbers and failures and never what was said; and how long hooks took."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from psychmem_py.home import health, places
from tests import hooks
from tests.hooks import run, settle


def test_a_stop_is_noted_in_numbers_and_without_a_word_of_it(tmp_path: Path, home: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    said = "From now on always deploy from the heron branch."
    line = {"type": "user", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-01-01T00:00:00Z", "cwd": str(project)}
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({**line, "message": {"role": "user", "content": said}}) + "\n")
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(project), "transcript_path": str(transcript)}
    run("stop", payload)
    settle()
    log = home / "psychmem" / "log" / health.LOG
    assert "stop claude-code s1: 1 kept, 0 waiting, 0 not kept" in log.read_text()
    assert "heron" not in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_failure_is_noted_with_its_place(home: Path) -> None:
    database = home / "psychmem" / "memory.db"
    database.mkdir(parents=True)
    run(
        "prompt",
        {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(home), "prompt": "which branch do we deploy"},
    )
    text = (home / "psychmem" / "log" / health.LOG).read_text()
    assert "prompt failed: " in text


def test_a_full_log_makes_room_and_the_one_before_is_kept(tmp_path: Path) -> None:
    env = {"PSYCHMEM_HOME": str(tmp_path)}
    for number in range(health.LOG_BYTES // 400 * 2):
        health.log(env, f"{number} " + "x" * 399, 1_000_000.0)
    sizes = [path.stat().st_size for path in sorted((tmp_path / "log").iterdir())]
    assert len(sizes) == 2
    assert max(sizes) <= health.LOG_BYTES + 500


def test_through_a_link_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "log").symlink_to(tmp_path / "elsewhere")
    health.log({"PSYCHMEM_HOME": str(tmp_path)}, "stop", 1.0)
    assert list((tmp_path / "elsewhere").iterdir()) == []


NOW = 1_800_000_000.0
DAY = 86_400


def written(data: Path, event: str, *lines: str) -> Path:
    folder = data / places.FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{event}.times"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_the_median_and_the_worst_of_the_last_days_count(tmp_path: Path) -> None:
    written(tmp_path, "prompt", *(f"{NOW - age * DAY:.0f} {ms}" for age, ms in ((8, 9000), (3, 20), (2, 30), (1, 400))))
    assert health.times(tmp_path, NOW) == {"prompt": health.Times(calls=3, median_ms=30, worst_ms=400)}


def test_what_is_cut_short_or_foreign_is_passed(tmp_path: Path) -> None:
    written(tmp_path, "stop", f"{NOW:.0f} 12", f"{NOW:.0f}", "a b", f"{NOW:.0f} 1 2", "")
    assert health.times(tmp_path, NOW)["stop"].calls == 1


def test_a_full_file_gives_way_and_still_counts(tmp_path: Path) -> None:
    line = f"{NOW:.0f} 7"
    path = written(tmp_path, "stop", *[line] * (places.TIMES_BYTES // len(line)))
    places.took(tmp_path, "stop", NOW, 0.01)
    assert not path.exists()
    assert health.times(tmp_path, NOW)["stop"].median_ms == 7
    places.took(tmp_path, "stop", NOW, 0.01)
    assert path.stat().st_size < 40


def test_a_link_in_its_place_is_not_written_through(tmp_path: Path) -> None:
    path = written(tmp_path, "stop")
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    places.took(tmp_path, "stop", NOW, 0.01)
    assert not (tmp_path / "elsewhere").exists()


def test_every_event_is_timed_with_its_start_and_no_child_is(home: Path) -> None:
    payload = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(home), "transcript_path": ""}
    hooks.run("stop", payload)
    hooks.settle()
    data = Path(os.environ["PSYCHMEM_HOME"])
    (times,) = [health.times(data, one)["stop"] for one in [os.stat(data).st_mtime]]
    assert times.calls == 1
    assert 1 <= times.median_ms < 60_000
    assert set(health.times(data, os.stat(data).st_mtime)) == {"stop"}
    assert (data / places.FOLDER / "stop.times").stat().st_mode & 0o077 == 0
