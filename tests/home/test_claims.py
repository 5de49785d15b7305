"""An event that comes by two registrations is acted on once."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from psychmem_py.home import journal

NOW = 1_790_000_000.0


def aged(data: Path, at: float) -> None:
    (path,) = (data / journal.CLAIMS).iterdir()
    os.utime(path, (at, at))


def test_the_second_registration_is_an_echo_and_the_first_may_act_again(tmp_path: Path) -> None:
    given = [journal.claimed(tmp_path, "key", registration, NOW) for registration in ("a", "b", "a")]
    aged(tmp_path, NOW)
    assert given[0]
    assert [journal.claimed(tmp_path, "key", registration, NOW) for registration in ("b", "a")] == [False, True]


@pytest.mark.parametrize("later_s", [60.0, -3_600.0])
def test_a_claim_of_another_time_counts_no_more(tmp_path: Path, later_s: float) -> None:
    """Also where the clock was set back."""
    assert journal.claimed(tmp_path, "key", "a", NOW)
    aged(tmp_path, NOW)
    assert journal.claimed(tmp_path, "key", "b", NOW + later_s)


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


def test_a_claim_just_taken_is_not_swept_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert journal.claimed(tmp_path, "key", "a", NOW)
    aged(tmp_path, NOW - 3_600)
    granted = fcntl.flock

    def meanwhile(file: int, how: int) -> None:
        aged(tmp_path, NOW)
        granted(file, how)

    monkeypatch.setattr(fcntl, "flock", meanwhile)
    journal.sweep(tmp_path, NOW)
    assert len(list((tmp_path / journal.CLAIMS).iterdir())) == 1
    monkeypatch.undo()
    journal.sweep(tmp_path, NOW + 3_600)
    assert list((tmp_path / journal.CLAIMS).iterdir()) == []
