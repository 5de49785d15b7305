"""`forget --about`: everything that speaks of somebody or something goes, under whatever name, and its neighbours stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooks import Conversation, run, settle

from .door import holding, psychmem, repository, told

ABOUT = ["Zhang Wei (张伟) signs off every audit", "张伟喜欢绿茶", "Order 5678 was refunded"]
BESIDE = ["Dana Moore skis", "Order 5679 was shipped"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", "git@example.org:team/shop.git")


@pytest.fixture
def known(project: Path) -> Path:
    for text in ABOUT + BESIDE:
        told("remember", text, cwd=project)
    return project


def texts(cwd: Path) -> set[str]:
    return {row["text"] for row in told("list", cwd=cwd)}


def test_another_script_goes_with_a_name_that_a_memory_ties_to_it(known: Path) -> None:
    found = told("forget", "--about", "Zhang Wei", "--yes", cwd=known)
    assert {row["text"] for row in found["memories"]} == set(ABOUT[:2])
    assert texts(known) == {ABOUT[2], *BESIDE}
    assert psychmem("undo", cwd=known).returncode == 0
    assert texts(known) == {*ABOUT, *BESIDE}


def test_a_part_of_what_is_known_goes_and_the_rest_stays(project: Path) -> None:
    for text in ("Ole's invoices are late", "Ole likes calls"):
        told("remember", text, cwd=project)
    told("forget", "--about", "Ole's invoices", "--yes", cwd=project)
    assert texts(project) == {"Ole likes calls"}


def test_a_purge_leaves_no_byte_in_former_wordings_journals_and_copies(known: Path, home: Path) -> None:
    beside = next(row["id"] for row in told("list", cwd=known) if row["text"] == BESIDE[0])
    for wording in ("Dana Moore skis with Zhang-Wei", BESIDE[0]):
        told("edit", beside, wording, cwd=known)
    assert psychmem("checkpoint", "create", "early", cwd=known).returncode == 0
    one = Conversation(known, "s1")
    one.begins()
    settle()
    run("tool-after", one.payload("PostToolUse", tool_name="Bash", tool_use_id="t1", tool_input={"command": "mail zhang.wei"}))
    done = psychmem("forget", "--about", "Zhang Wei", "--purge", "--yes", cwd=known)
    assert done.returncode == 0, done.stderr
    ours = [home / "psychmem", *(home / ".claude").glob("projects/*/memory")]
    assert holding(ours, "zhang", "Zhang", "张伟") == []
    assert texts(known) == {ABOUT[2], *BESIDE}
