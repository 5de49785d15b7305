"""Journals: append-only, idempotent, never in the way; and what the log and the times of hooks tell."""

import fcntl
import os
import stat
from pathlib import Path

import pytest

from psychmem_py.home import health, journal, places
from psychmem_py.model.records import ToolUse
from tests.hooks import Conversation

ABOUT = {"session": "s", "agent": "claude-code", "cwd": "/p", "transcript": "/t"}


def use(number: int) -> ToolUse:
    return ToolUse(id=f"t{number}", tool="Edit", at=float(number), ok=True, paths=("/a", "/b"))


def append(data: Path, use: ToolUse) -> None:
    journal.add(data, "s", {"use": use._asdict()})


def test_taking_up_twice_adds_nothing_and_a_torn_line_spoils_only_itself(tmp_path: Path) -> None:
    for _ in range(2):
        append(tmp_path, use(1))
    assert journal.pending(tmp_path, "s").uses == (use(1),)
    append(tmp_path, use(1))
    path = Path(journal.path_of(tmp_path, "s"))
    path.write_bytes(path.read_bytes() + b'\n{"use":{"id":"t2","to')
    append(tmp_path, use(3))
    assert journal.pending(tmp_path, "s").uses == (use(1), use(3))


def test_what_comes_while_it_is_taken_up_stays(tmp_path: Path) -> None:
    append(tmp_path, use(1))
    found = journal.pending(tmp_path, "s")
    append(tmp_path, use(2))
    journal.discard(tmp_path, "s", found.taken)
    assert journal.pending(tmp_path, "s").uses == (use(2),)
    journal.discard(tmp_path, "s", journal.pending(tmp_path, "s").taken)
    assert journal.left(tmp_path, but="") == []
    journal.discard(tmp_path, "s", b"{}\n")  # nothing there any more


def test_a_line_is_taken_up_whole_or_not_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes it holds the lock until all of it is there."""
    append(tmp_path, use(1))
    path = Path(journal.path_of(tmp_path, "s"))
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    granted = fcntl.flock

    def when_written(file: int, how: int) -> None:
        path.write_bytes(whole)
        granted(file, how)

    monkeypatch.setattr(fcntl, "flock", when_written)
    found = journal.pending(tmp_path, "s")
    journal.discard(tmp_path, "s", found.taken)
    assert found.uses == (use(1),)
    assert not path.exists()


@pytest.mark.parametrize("purged", [1, 2, 3])
def test_what_comes_while_a_purge_takes_a_line_out_stays(tmp_path: Path, purged: int) -> None:
    """One process has taken up three lines, another takes one of them out, a hook adds two, one like a line taken before."""
    journal.add(tmp_path, ABOUT["session"], ABOUT)
    for number in (1, 2, 3):
        append(tmp_path, use(number)._replace(command=f"make {'a' * number}"))
    found = journal.pending(tmp_path, "s")
    journal.without(tmp_path, lambda text: text == f"make {'a' * purged}")
    journal.add(tmp_path, ABOUT["session"], ABOUT)
    append(tmp_path, use(4))
    journal.discard(tmp_path, "s", found.taken)
    left = journal.pending(tmp_path, "s")
    assert (left.uses, left.cwd) == ((use(4),), "/p")


def test_a_symlinked_journal_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.write_text("mine")
    (tmp_path / journal.FOLDER).mkdir()
    (tmp_path / journal.FOLDER / "s.jsonl").symlink_to(target)
    with pytest.raises(OSError, match="symbolic"):
        append(tmp_path, use(1))
    assert target.read_text() == "mine"


NOW = 1_790_000_000.0


def aged(data: Path, at: float) -> None:
    (path,) = (data / journal.CLAIMS).iterdir()
    os.utime(path, (at, at))


@pytest.mark.parametrize("later_s", [60.0, -3_600.0])
def test_the_second_registration_is_an_echo_until_the_claim_is_of_another_time(tmp_path: Path, later_s: float) -> None:
    """Also where the clock was set back."""
    assert journal.claimed(tmp_path, "key", "a", NOW)
    aged(tmp_path, NOW)
    assert [journal.claimed(tmp_path, "key", registration, NOW) for registration in ("b", "a")] == [False, True]
    assert journal.claimed(tmp_path, "key", "b", NOW + later_s)
    assert all(journal.claimed(tmp_path, f"key {number}", "c", NOW) for number in range(1000))  # none keeps another from acting
    assert len(list((tmp_path / journal.CLAIMS).iterdir())) <= 256


def test_of_two_that_find_an_old_claim_at_once_one_acts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert journal.claimed(tmp_path, "key", "a", NOW)
    aged(tmp_path, NOW - 60)
    granted, given = fcntl.flock, []

    def meanwhile(file: int, how: int) -> None:
        if not given:
            given.append(False)
            given.append(journal.claimed(tmp_path, "key", "b", NOW))
            aged(tmp_path, NOW)
        granted(file, how)

    monkeypatch.setattr(fcntl, "flock", meanwhile)
    assert not journal.claimed(tmp_path, "key", "a2", NOW)
    assert given == [False, True]


def test_a_stop_is_noted_in_numbers_and_without_a_word_of_it_and_a_failure_with_its_place(project: Path, home: Path) -> None:
    Conversation(project, "s1").typed("From now on always deploy from the heron branch.")
    log = home / "psychmem" / "log" / health.LOG
    assert "stop claude-code s1: 1 kept, 0 waiting, 0 not kept" in log.read_text()
    assert "heron" not in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    for path in (home / "psychmem").glob("memory.db*"):
        path.unlink()
    (home / "psychmem" / "memory.db").mkdir()
    Conversation(project, "s2").asks("which branch do we deploy")
    assert "prompt failed: " in log.read_text()


def test_a_full_log_makes_room_and_the_one_before_is_kept(tmp_path: Path) -> None:
    env = {"PSYCHMEM_HOME": str(tmp_path)}
    for number in range(health.LOG_BYTES // 400 * 2):
        health.log(env, f"{number} " + "x" * 399, 1_000_000.0)
    sizes = [path.stat().st_size for path in sorted((tmp_path / "log").iterdir())]
    assert len(sizes) == 2
    assert max(sizes) <= health.LOG_BYTES + 500
    (tmp_path / "log").rename(tmp_path / "elsewhere")
    (tmp_path / "log").symlink_to(tmp_path / "elsewhere")
    before = {path.name: path.stat().st_size for path in (tmp_path / "elsewhere").iterdir()}
    (tmp_path / "health").symlink_to(tmp_path / "elsewhere")
    health.log(env, "stop", 1.0)  # through a link nothing is written
    assert not health.failed(tmp_path, "stop", OSError(), 1.0)
    assert (places.has_failures(tmp_path), "health is a symbolic link" in health.line_for_brief(tmp_path)) == (True, True)
    assert {path.name: path.stat().st_size for path in (tmp_path / "elsewhere").iterdir()} == before
