"""A file is replaced whole or not at all, through no link, and nothing is left beside it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from psychmem_py.home import files


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    files.replace(str(tmp_path / "a"), b"one")
    files.replace(str(tmp_path / "a"), b"two")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["a"]


def test_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"mine")
    (tmp_path / f"a.psychmem-{os.getpid()}").symlink_to(tmp_path / "elsewhere")
    files.replace(str(tmp_path / "a"), b"one")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert sorted(os.listdir(tmp_path)) == ["a", "elsewhere"]
    assert (tmp_path / "elsewhere").read_bytes() == b"mine"


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"mine")
    (tmp_path / "a").symlink_to(tmp_path / "elsewhere")
    files.replace(str(tmp_path / "a"), b"one")
    assert (tmp_path / "elsewhere").read_bytes() == b"mine"
    assert not (tmp_path / "a").is_symlink()


def test_a_failure_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"one")

    def full(_file: int, _content: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        files.replace(str(tmp_path / "a"), b"two")
    monkeypatch.undo()
    assert (tmp_path / "a").read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["a"]


def test_what_others_left_half_written_is_swept_away_and_no_file_of_who_writes(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"a.psychmem-{ended.pid}", f"a.psychmem-{os.getpid()}", "b.psychmem-", "b.psychmem-x", "psychmem-1"):
        (tmp_path / name).write_text("half")
    files.sweep(tmp_path)
    assert sorted(os.listdir(tmp_path)) == [f"a.psychmem-{os.getpid()}", "b.psychmem-", "b.psychmem-x", "psychmem-1"]


def test_what_is_cleared_away_while_it_is_written_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put = os.replace

    def cleared(fresh: str, path: str) -> None:
        os.unlink(fresh)
        put(fresh, path)

    monkeypatch.setattr(os, "replace", cleared)
    files.leave(str(tmp_path / "a"), b"one")
    with pytest.raises(FileNotFoundError):
        files.replace(str(tmp_path / "a"), b"one")
    assert os.listdir(tmp_path) == []
