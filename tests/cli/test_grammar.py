"""One is told as one: no "1 memories" anywhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from psychmem_py.cli import output
from tests.test_cli import RULE, remembered, run

WRONG = re.compile(
    r"\b1 (?:memories|conversations|lines|times|events|changes|rows|rules|checks|requests|projects|remotes|operations|calls|files|copies)\b"
)
READERS = (
    ["list", "--pinned"], ["show", "ID"], ["explain", "ID"], ["stats"], ["status"], ["context"], ["review"], ["doctor"],
    ["sessions"], ["clusters"], ["decay"], ["gc"], ["maintain"], ["project", "list"], ["checkpoint", "create", "before"], ["backfill"],
    ["forget", "--about", "release", "--dry-run"], ["forget", "ID", "--purge", "--yes"],
)  # fmt: skip


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_with_one_memory_nothing_is_told_as_several(words: list[str], shop: Path) -> None:
    memory_id = remembered(shop, RULE, "--project", ".")
    done = run(*(memory_id if word == "ID" else word for word in words), cwd=shop)
    assert done.returncode == 0, done.stderr
    assert not WRONG.search(done.stdout + done.stderr), done.stdout


def test_from_another_project_one_memory_is_pointed_to_as_one(shop: Path, other: Path) -> None:
    remembered(shop, RULE, "--project", ".")
    assert "but 1 memory is in other projects; --all-projects shows it." in " ".join(run("list", cwd=other).stdout.split())


def test_nothing_to_do_is_said_in_words(shop: Path) -> None:
    remembered(shop, RULE, "--project", ".")
    assert "0 of 0" not in run("decay", cwd=shop).stdout + run("gc", cwd=shop).stdout + run("maintain", cwd=shop).stdout


@pytest.mark.parametrize(("number", "told"), [(0, "0 memories"), (1, "1 memory"), (2, "2 memories")])
def test_a_number_of_memories(number: int, told: str) -> None:
    assert output.some_memories(number) == told


@pytest.mark.parametrize("word", ["good", "bad"])
def test_a_vote_is_told_as_what_it_was(word: str, shop: Path) -> None:
    memory_id = remembered(shop, RULE, "--project", ".")
    assert run(word, memory_id, cwd=shop).stdout.startswith(f"voted {word} for {memory_id[:8]}")


@pytest.mark.parametrize(("seconds", "told"), [(0, "now"), (59, "now"), (300, "5 min ago"), (200_000, "2 d ago")])
def test_an_age_reads_as_a_sentence_has_it(seconds: int, told: str) -> None:
    assert output.since(1_000_000.0 - seconds, 1_000_000.0) == told


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
