"""The log of the background work, numbers and failures and never what was said; and how long hooks took."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from psychmem_py.home import health
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
