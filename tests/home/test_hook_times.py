"""How long hooks took: noted with every event, cheaply, and told as median and worst of the last days."""

from __future__ import annotations

import os
from pathlib import Path

from psychmem_py.home import health, places
from tests import hooks

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
