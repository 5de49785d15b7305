"""The agent at work as the judge: what its brief shows it, what it may sort, and what stays a person's to answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.hooks import Conversation, run, settle
from tests.test_cli import run as psychmem

RULE, STEP = "Never commit directly to the main branch.", "We always use pnpm in this repository."
ASKS = "Not sorted yet"
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "talk-2"}


@pytest.fixture
def shop(home: Path) -> Path:
    for name in ("shop", "other"):
        (home / name / ".git").mkdir(parents=True)
        (home / name / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return home / "shop"


@pytest.fixture
def heard(shop: Path) -> Path:
    """The shop, in which two things were heard once and the agent is the judge."""
    assert psychmem("judge", "--with", "agent", cwd=shop).returncode == 0
    Conversation(shop, "talk-1").says(f"{RULE} {STEP}")
    return shop


def asked(brief: str) -> dict[str, str]:
    """The statements that a brief asks to be sorted, with their ids."""
    part = brief.partition(ASKS)[2]
    return {text: key for key, text in re.findall(r"^- (w?[0-9a-f]+): (.*) \([a-z ]+\)$", part, re.MULTILINE)}


def listed(shop: Path, *words: str) -> dict[str, Any]:
    return {row["text"]: row for row in json.loads(psychmem("list", "--json", *words, cwd=shop).stdout)}


def test_without_being_asked_to_judge_the_agent_is_shown_nothing_to_sort_and_may_sort_nothing(shop: Path) -> None:
    talk = Conversation(shop, "talk-1")
    talk.says(f"{RULE} {STEP}")
    assert ASKS not in Conversation(shop, "talk-2").begins()
    done = psychmem("sort", listed(shop)[RULE]["id"], cwd=shop, **AGENT)
    assert done.returncode == 1
    assert "only a person may review what waits" in done.stderr


def test_a_brief_lists_what_is_unsorted_once_and_in_its_own_project_only(heard: Path) -> None:
    brief = Conversation(heard, "talk-2").begins()
    settle()
    assert asked(brief) == {text: row["id"][:8] for text, row in listed(heard).items()}
    assert brief.count(RULE) == brief.count(STEP) == 1
    assert "sort KEEP-ID … --drop ID …" in brief
    assert ASKS not in Conversation(heard.parent / "other", "talk-3").begins()
    assert ASKS not in Conversation(heard, "talk-2").begins("compact")  # in the midst of work


def test_at_most_five_are_listed(heard: Path) -> None:
    Conversation(heard, "talk-4").says(" ".join(f"Never deploy service{n} on day{n} from the depot{n}." for n in range(7)))
    assert len(asked(Conversation(heard, "talk-2").begins())) == 5


def test_one_call_keeps_and_drops_and_the_next_brief_asks_no_more(heard: Path) -> None:
    ids = asked(Conversation(heard, "talk-2").begins())
    settle()
    done = psychmem("sort", ids[RULE], "--drop", ids[STEP], cwd=heard, **AGENT)
    assert done.stdout.splitlines() == [f"kept {ids[RULE]}: {RULE}", f"dropped {ids[STEP]}: {STEP}"]
    (kept,) = listed(heard).values()
    assert (kept["text"], kept["standing"], kept["origin"]) == (RULE, "settled", "user_prompt")
    assert listed(heard, "--status", "archived").keys() == {STEP}
    assert ASKS not in Conversation(heard, "talk-3").begins()
    assert "judged: keep" in psychmem("history", kept["id"], cwd=heard).stdout
    psychmem("undo", cwd=heard)
    assert listed(heard).keys() == {RULE, STEP}


def test_what_it_leaves_out_stays_as_it_was_and_is_not_asked_about_again(heard: Path) -> None:
    Conversation(heard, "talk-4").says("use pnpm")  # a third one, that only waits
    ids = asked(Conversation(heard, "talk-2").begins())
    settle()
    assert psychmem("sort", ids[RULE], cwd=heard, **AGENT).returncode == 0
    Conversation(heard, "talk-5").says("Never deploy on Fridays.")
    assert asked(Conversation(heard, "talk-6").begins()).keys() == {"Never deploy on Fridays."}
    assert {text: row["standing"] for text, row in listed(heard).items()}[STEP] == "heard"
    assert "use pnpm" in psychmem("review", "--waiting", cwd=heard).stdout


def test_what_the_user_answers_says_nothing_of_what_the_brief_lists(heard: Path, home: Path) -> None:
    Conversation(heard, "talk-2", home / ".claude" / "projects" / "shop").types("keep the first one please")
    ids = asked(Conversation(heard, "talk-2").begins())
    settle()
    assert psychmem("sort", ids[RULE], "--quote", "keep the first one", cwd=heard, **AGENT).returncode == 0
    assert asked(Conversation(heard, "talk-6").begins()).keys() == {STEP}


def test_a_candidate_that_waits_is_sorted_too(heard: Path) -> None:
    Conversation(heard, "talk-4").says("use pnpm")
    ids = asked(Conversation(heard, "talk-2").begins())
    settle()
    (key,) = [key for key in ids.values() if key.startswith("w")]
    assert psychmem("sort", "--drop", key, cwd=heard, **AGENT).returncode == 0
    assert key not in asked(Conversation(heard, "talk-5").begins()).values()
    assert "no candidate" in psychmem("sort", key, cwd=heard, **AGENT).stderr


def test_what_is_a_persons_to_answer_is_refused_and_nothing_is_done(heard: Path) -> None:
    heard_id = listed(heard)[RULE]["id"]
    psychmem("remember", "Never deploy on Fridays", "--class", "constraint", cwd=heard, **AGENT)
    (rule,) = listed(heard, "--status", "quarantined").values()
    for other in (rule["id"], "w999"):
        assert psychmem("sort", heard_id, other, cwd=heard, **AGENT).returncode == 1
    assert psychmem("sort", heard_id, "--drop", heard_id, cwd=heard, **AGENT).returncode == 1
    assert listed(heard)[RULE]["standing"] == "heard"
    assert listed(heard, "--status", "quarantined").keys() == {"Never deploy on Fridays"}


def test_an_agent_in_another_project_sorts_nothing_here(heard: Path) -> None:
    done = psychmem("sort", "--drop", listed(heard)[STEP]["id"], cwd=heard.parent / "other", **AGENT)
    assert done.returncode == 1
    assert STEP in listed(heard)


def test_asked_for_by_the_user_the_agent_writes_their_answer_down(shop: Path, home: Path) -> None:
    Conversation(shop, "talk-1").says(f"{RULE} {STEP}")
    folder = home / ".claude" / "projects" / "shop"
    now = Conversation(shop, "talk-2", folder)
    now.types("Keep the first one and drop the other")
    ids = {text: row["id"] for text, row in listed(shop).items()}
    words = ("sort", ids[RULE], "--drop", ids[STEP], "--quote")
    assert psychmem(*words, "keep all of them please", cwd=shop, **AGENT).returncode == 1
    assert listed(shop).keys() == {RULE, STEP}
    assert psychmem(*words, "keep the first one and drop the other", cwd=shop, **AGENT).returncode == 0
    assert {text: row["standing"] for text, row in listed(shop).items()} == {RULE: "settled"}


def test_nothing_is_started_where_the_agent_judges(heard: Path, home: Path) -> None:
    talk = Conversation(heard, "talk-1")
    run("session-end", talk.payload("SessionEnd", reason="other"))
    settle()
    assert not list((home / "psychmem").glob("judge*"))
    assert "the agent sorts in its sessions" in psychmem("judge", "--now", cwd=heard).stderr
