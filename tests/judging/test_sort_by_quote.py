"""What an agent may write down of the user's answer to what waits, and what stays a person's to answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hooks import Conversation
from tests.test_cli import run as psychmem

RULE, STEP = "Never commit directly to the main branch.", "We always use pnpm in this repository."
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "talk-2"}
QUOTED = ("--quote", "keep the first one and drop the other")


@pytest.fixture
def shop(home: Path) -> Path:
    """A project in which two things were heard, and the user answered about them in a second conversation."""
    for name in ("shop", "other"):
        (home / name / ".git").mkdir(parents=True)
        (home / name / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    shop = home / "shop"
    Conversation(shop, "talk-1").says(f"{RULE} {STEP}")
    Conversation(shop, "talk-2", home / ".claude" / "projects" / "shop").types("Keep the first one and drop the other")
    return shop


def listed(shop: Path, *words: str) -> dict[str, Any]:
    return {row["text"]: row for row in json.loads(psychmem("list", "--json", *words, cwd=shop).stdout)}


@pytest.mark.parametrize("quote", [(), ("--quote", "keep all of them please")], ids=["none", "never typed"])
def test_without_the_users_words_an_agent_may_sort_nothing(shop: Path, quote: tuple[str, ...]) -> None:
    done = psychmem("sort", listed(shop)[RULE]["id"], *quote, cwd=shop, **AGENT)
    assert done.returncode == 1
    assert "only a person may review what is pending" in done.stderr
    assert listed(shop)[RULE]["store"] == "stm"


def test_what_the_user_answered_is_done_in_one_step_that_can_be_taken_back(shop: Path) -> None:
    ids = {text: row["id"] for text, row in listed(shop).items()}
    done = psychmem("sort", ids[RULE], "--drop", ids[STEP], *QUOTED, cwd=shop, **AGENT)
    assert done.stdout.splitlines() == [f"kept {ids[RULE][:8]}: {RULE}", f"dropped {ids[STEP][:8]}: {STEP}"]
    (kept,) = listed(shop).values()
    assert (kept["text"], kept["store"], kept["origin"]) == (RULE, "ltm", "user_prompt")
    assert listed(shop, "--status", "archived").keys() == {STEP}
    refused = psychmem("undo", cwd=shop)
    assert "claude-code did something last" in refused.stderr
    psychmem("undo", cwd=shop, **AGENT)
    assert listed(shop).keys() == {RULE, STEP}


def test_a_candidate_that_waits_is_sorted_too(shop: Path) -> None:
    Conversation(shop, "talk-4").says("use pnpm")
    (key,) = [row["id"] for row in json.loads(psychmem("review", "--waiting", "--json", cwd=shop).stdout)]
    assert psychmem("sort", "--drop", key, *QUOTED, cwd=shop, **AGENT).returncode == 0
    assert json.loads(psychmem("review", "--waiting", "--json", cwd=shop).stdout) == []


def test_what_is_a_persons_to_answer_is_refused_and_nothing_is_done(shop: Path) -> None:
    heard_id = listed(shop)[RULE]["id"]
    psychmem("remember", "Never deploy on Fridays", "--class", "constraint", cwd=shop, **AGENT)
    (rule,) = listed(shop, "--status", "quarantined").values()
    for other in (rule["id"], "w999"):
        assert psychmem("sort", heard_id, other, *QUOTED, cwd=shop, **AGENT).returncode == 1
    assert psychmem("sort", heard_id, "--drop", heard_id, *QUOTED, cwd=shop, **AGENT).returncode == 1
    assert listed(shop)[RULE]["store"] == "stm"
    assert listed(shop, "--status", "quarantined").keys() == {"Never deploy on Fridays"}


def test_an_agent_in_another_project_sorts_nothing_here(shop: Path) -> None:
    done = psychmem("sort", "--drop", listed(shop)[STEP]["id"], *QUOTED, cwd=shop.parent / "other", **AGENT)
    assert (done.returncode, "no memory" in done.stderr) == (1, True)
    assert STEP in listed(shop)
