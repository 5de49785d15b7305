"""Locks that do not stand in each other's way, and the command that an agent is told to call."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from psychmem_py.home import locks
from psychmem_py.home.places import own_command


def test_a_conversation_never_stands_in_the_way_of_a_folder(tmp_path: Path):
    for number in range(locks.LOCKS):
        with locks.lock(tmp_path, "s", 0.0) as first, locks.lock(tmp_path, chr(65 + number), 0.0, kind="folder") as second:
            assert first
            assert second


def test_one_conversation_is_taken_up_by_one_process_at_a_time(tmp_path: Path):
    with locks.lock(tmp_path, "s", 0.0) as first, locks.lock(tmp_path, "s", 0.0) as second:
        assert (first, second) == (True, False)


def program(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "psychmem"
    path.write_text("#!/bin/sh\necho here\n")
    path.chmod(0o755)
    return path


def test_on_the_path_the_name_is_enough(tmp_path: Path) -> None:
    program(tmp_path / "bin")
    assert own_command({"PATH": f"/nowhere:{tmp_path / 'bin'}"}) == "psychmem"


@pytest.mark.parametrize("name", ["plain", "with a space", "it's"])
def test_off_the_path_it_is_named_in_full_as_a_shell_reads_it(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = program(tmp_path / name)
    monkeypatch.setattr(sys, "executable", str(beside.with_name("python")))
    told = own_command({"PATH": "/nowhere"})
    assert shlex.split(told) == [str(beside)]
    assert subprocess.run(f"{told} x", shell=True, capture_output=True, check=True).stdout == b"here\n"


def test_where_there_is_none_it_is_not_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert own_command({}) == "psychmem"
