"""Streams and places as nobody wants them: closed, full, read no further, in another encoding; a directory that is gone."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.forks import COMMAND, ROOT
from tests.test_cli import remembered, run


def in_shell(line: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A line of sh in which `psychmem` is ours, started from nothing."""
    words = f'psychmem() {{ {shlex.join(COMMAND)} "$@"; }}; {line}'
    return subprocess.run(
        ["sh", "-c", words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "", **env},
        text=True,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("words", ["list", "list --json", "show {}", "stats", "sweep -"])
def test_a_closed_stream_leads_nowhere_and_breaks_nothing(shop: Path, words: str) -> None:
    words = words.format(remembered(shop, "The port is 8080"))
    for closed in ("<&-", ">&-", "<&- >&- 2>&-"):
        done = in_shell(f"psychmem {words} {closed}", shop)
        assert (done.returncode, done.stderr) == (0, ""), closed


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a full device")
@pytest.mark.parametrize("words", ["list --json", "list", "export"])
def test_a_full_disk_behind_stdout_is_one_sentence(shop: Path, words: str) -> None:
    remembered(shop, "The port is 8080")
    done = in_shell(f"psychmem {words} > /dev/full", shop)
    assert (done.returncode, done.stderr) == (1, "psychmem: No space left on device\n")


@pytest.mark.parametrize("words", ["list --json", "list", "export", "stats"])
def test_who_reads_no_further_hears_nothing_of_it(shop: Path, words: str) -> None:
    remembered(shop, "The port is 8080")
    assert in_shell(f"psychmem {words} | true", shop).stderr == ""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_json_is_utf_8_whatever_the_locale(shop: Path, encoding: str) -> None:
    remembered(shop, "Zur Prüfung → 試験")
    assert json.loads(in_shell("psychmem list --json", shop, PYTHONIOENCODING=encoding).stdout)[0]["text"] == "Zur Prüfung → 試験"


@pytest.mark.parametrize("words", ["list", "doctor", "list --project .", "undo", "sweep -", "inject", "trust"])
def test_a_directory_that_is_gone_is_named_as_what_is_wrong(tmp_path: Path, words: str) -> None:
    (tmp_path / "gone").mkdir()
    done = in_shell(f'cd gone && rmdir "$PWD" && psychmem {words}', tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the directory you stand in is gone" in done.stderr


def test_words_that_are_not_utf_8_are_told_as_such(shop: Path) -> None:
    done = in_shell("psychmem remember $(printf 'caf\\351') ", shop)
    assert (done.returncode, done.stderr) == (1, "psychmem: what was given is not UTF-8; write it in that\n")


def test_a_message_is_swept_under_the_id_it_came_with(shop: Path) -> None:
    lines = [
        '\ufeff{"id": 7, "text": "hi"}',
        '{"id": null, "text": "hi"}',
        r'{"id": "x", "role": "user", "text": "\ud800 Never push to main."}',
    ]
    for more in ((), ("--judge", "true")):
        done = run("sweep", "-", *more, cwd=shop, stdin="\n".join(lines))
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert [one["id"] for one in found] == [7, None, "x"]
        assert "Never push to main." in found[2]["memories"][0]["text"]


def test_a_folder_named_as_the_database_stays_as_it_is(shop: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir(mode=0o755)
    done = run("list", cwd=shop, PSYCHMEM_DB_PATH=str(folder))
    assert (done.returncode, "is no file" in done.stderr) == (1, True)
    assert folder.stat().st_mode & 0o777 == 0o755
