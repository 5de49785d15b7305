"""A file is replaced whole or not at all, through no link; one made from others is used only if whole; JSON as `json` has it."""

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given

from psychmem_py.home import files, light_json, locks
from psychmem_py.home.light_json import decoded, encoded
from psychmem_py.home.places import own_command, stamp
from tests.data import json_values


def test_a_file_is_its_owners_alone_replaces_a_link_and_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    files.replace(str(tmp_path / "a"), b"one")
    files.replace(str(tmp_path / "a"), b"two")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["a"]
    (tmp_path / "elsewhere").write_bytes(b"mine")
    (tmp_path / f"a.psychmem-{os.getpid()}").symlink_to(tmp_path / "elsewhere")
    for content in (b"one", b"three"):
        files.replace(str(tmp_path / "a"), content)
        assert ((tmp_path / "a").read_bytes(), (tmp_path / "a").is_symlink()) == (content, False)
        assert (sorted(os.listdir(tmp_path)), (tmp_path / "elsewhere").read_bytes()) == (["a", "elsewhere"], b"mine")
        (tmp_path / "a").unlink()
        (tmp_path / "a").symlink_to(tmp_path / "elsewhere")


def test_a_failure_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"one")

    def full(_file: int, _mode: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fchmod", full)
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
    files.remove_stale(tmp_path)
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


MADE = {"text": "one\ntwo", "number": 3}


@pytest.mark.parametrize("damage", [
    pytest.param(lambda raw: b"", id="empty"),
    pytest.param(lambda raw: raw[:-3], id="cut off"),
    pytest.param(lambda raw: raw.replace(b":3", b":4"), id="another value"),
    pytest.param(lambda raw: raw.split(b"\n")[0], id="nothing behind its head"),
    pytest.param(lambda raw: b"[1]\n" + raw, id="no head"),
    pytest.param(lambda raw: b"[" * 9000, id="nesting without end"),
])  # fmt: skip
def test_a_file_that_is_not_whole_is_none(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "made"
    light_json.write_cached(str(path), "this", MADE)
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    assert light_json.read_cached(str(path), "this") is None


def test_what_was_made_from_something_else_or_from_a_file_that_changed_is_none(tmp_path: Path) -> None:
    light_json.write_cached(str(tmp_path / "made"), "this", MADE)
    assert light_json.read_cached(str(tmp_path / "made"), "that") is None
    assert light_json.read_cached(str(tmp_path / "made"), "this") == MADE
    there, missing, made = tmp_path / "there", tmp_path / "missing", str(tmp_path / "made")
    there.write_text("x")
    light_json.write_cached(made, "", MADE, {str(one): stamp(str(one)) for one in (there, missing)})
    assert light_json.read_cached(made, "") == MADE
    missing.write_text("")
    assert light_json.read_cached(made, "") is None
    missing.unlink()
    there.write_text("xy")
    assert light_json.read_cached(made, "") is None


@given(json_values())
def test_what_json_writes_is_read_and_what_is_written_json_reads(value: object) -> None:
    assert decoded(json.dumps(value).encode()) == json.loads(encoded(value)) == value


@pytest.mark.parametrize("raw", [b"", b" ", b"{", b"[1] x", b"1 2", b"\xff", b"nope", b'{"a":1,}'])
def test_what_is_no_json_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # as with `json`
        decoded(raw)


def test_a_mark_and_white_space_are_nothing_and_a_lone_surrogate_is_written_so_that_it_can_be_stored() -> None:
    assert decoded(b'\xef\xbb\xbf {"a": [1]}\n') == {"a": [1]}
    assert encoded("a\ud800b") == '"a?b"'


def test_one_conversation_is_taken_up_by_one_at_a_time_and_stands_in_no_folder_s_way(tmp_path: Path) -> None:
    for number in range(locks.LOCKS):
        with locks.lock(tmp_path, "s", 0.0) as first, locks.lock(tmp_path, chr(65 + number), 0.0, kind="folder") as second:
            assert first
            assert second
    with locks.lock(tmp_path, "s", 0.0) as first, locks.lock(tmp_path, "s", 0.0) as second:
        assert (first, second) == (True, False)


def program(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "psychmem"
    path.write_text("#!/bin/sh\necho here\n")
    path.chmod(0o755)
    return path


def test_on_the_path_the_name_is_enough_and_none_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin")
    assert own_command({"PATH": f"/nowhere:{tmp_path / 'bin'}"}) == "psychmem"
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert own_command({}) == "psychmem"


@pytest.mark.parametrize("name", ["plain", "with a space", "it's"])
def test_off_the_path_it_is_named_in_full_as_a_shell_reads_it(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = program(tmp_path / name)
    monkeypatch.setattr(sys, "executable", str(beside.with_name("python")))
    told = own_command({"PATH": "/nowhere"})
    assert shlex.split(told) == [str(beside)]
    assert subprocess.run(f"{told} x", shell=True, capture_output=True, check=True).stdout == b"here\n"
