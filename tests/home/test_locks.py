"""A process that holds the lock of a conversation gets that of a folder, whatever numbers they fall on."""

from __future__ import annotations

from pathlib import Path

from psychmem_py.home import locks


def test_a_conversation_never_stands_in_the_way_of_a_folder(tmp_path: Path):
    for number in range(locks.LOCKS):
        with locks.lock(tmp_path, "s", 0.0) as first, locks.lock(tmp_path, chr(65 + number), 0.0, kind="folder") as second:
            assert first
            assert second


def test_one_conversation_is_taken_up_by_one_process_at_a_time(tmp_path: Path):
    with locks.lock(tmp_path, "s", 0.0) as first, locks.lock(tmp_path, "s", 0.0) as second:
        assert (first, second) == (True, False)
