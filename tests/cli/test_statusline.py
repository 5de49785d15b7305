"""The line for a client's status line: short, of the directory the client names, and never an error."""

from __future__ import annotations

import json
from pathlib import Path

from tests.test_cli import remembered, run


def line(cwd: Path, folder: Path) -> str:
    return run("statusline", cwd=cwd, stdin=json.dumps({"workspace": {"current_dir": str(folder)}})).stdout.strip()


def test_it_counts_what_is_known_where_the_client_works(shop: Path, tmp_path: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    assert line(tmp_path, shop) == "memory: 1 · 1 kept today"
    (tmp_path / "elsewhere").mkdir()
    assert line(shop, tmp_path / "elsewhere") == "memory: 0"


def test_a_pause_and_a_broken_store_are_said(shop: Path, home: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    run("pause", cwd=shop)
    assert line(shop, shop) == "memory: paused"
    run("resume", cwd=shop)
    (home / "psychmem" / "memory.db").write_bytes(b"no database" * 100)
    assert line(shop, shop) == "memory: run psychmem doctor"


def test_no_or_other_input_is_no_reason_to_fail(shop: Path) -> None:
    for given in (None, "", "[]", "{"):
        done = run("statusline", cwd=shop, stdin=given)
        assert (done.returncode, done.stdout) == (0, "memory: 0\n")
