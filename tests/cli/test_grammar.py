"""One is told as one: no "1 memories" anywhere."""

from __future__ import annotations

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
