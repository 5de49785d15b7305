"""What a session is about before anybody speaks, and what it is told of what was kept."""

import json
import subprocess
from pathlib import Path

import pytest

from psychmem_py.briefing.brief import focus
from psychmem_py.home.project import Project, branch_of, project_of
from psychmem_py.model.records import ToolUse
from psychmem_py.store import sessions
from psychmem_py.store.connection import open_store, transaction
from tests.hooks import run, settle
from tests.memories_made import NOW, made, store


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    path = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", "-b", "feature/voucher-totals-17", str(path)], check=True)
    return path


def test_a_linked_worktree_has_its_own_branch(clone: Path, tmp_path: Path) -> None:
    git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", "-b", "refunds", str(tmp_path / "other")], check=True, capture_output=True)
    assert branch_of(tmp_path / "other") == "refunds"


def test_branch_and_edited_files_are_the_focus(clone: Path, tmp_path: Path) -> None:
    here = project_of(clone, {"HOME": str(tmp_path)})
    assert here is not None
    edit = ToolUse(id="1", tool="apply_patch", at=NOW - 60, ok=True, paths=(f"{clone}/cart/pricing.py",))
    read = ToolUse(id="2", tool="Read", at=NOW - 50, ok=True, paths=(f"{clone}/cart/seen.py",))
    old = ToolUse(id="3", tool="Write", at=NOW - 30 * 86_400, ok=True, paths=(f"{clone}/cart/old.py",))
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        with transaction(db):
            sessions.begin(db, "s", agent="claude-code", project=here.id, now=NOW)
            sessions.add_events(db, "s", [edit, read, old])
        assert (focus(db, here, str(clone), NOW), focus(db, None, str(clone), NOW)) == (["voucher", "totals", "pricing"], [])


def test_what_the_last_conversation_came_back_to_is_the_focus(tmp_path: Path) -> None:
    here = Project("id:shop", "shop", str(tmp_path))
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        for age, conversation, word in ((9, "old", "invoice"), (1, "new", "voucher")):
            with transaction(db):
                sessions.begin(db, conversation, agent="claude-code", project=here.id, now=NOW - age * 3600)
            said = (f"the {word} is printed twice", f"never round a {word}")
            store(db, [made(text, project=here.id, session=conversation, anchor_at=NOW) for text in said])
        assert focus(db, here, str(tmp_path), NOW) == ["voucher"]


def stop(project: Path, text: str) -> None:
    info = {"id": "msg_1", "role": "user", "time": {"created": 1_790_000_000_000}}
    done = {"id": "msg_2", "role": "assistant", "time": {"created": 1_790_000_001_000, "completed": 1_790_000_002_000}}
    messages = [
        {"info": info, "parts": [{"type": "text", "text": text}]},
        {"info": {**done, "finish": "stop"}, "parts": [{"type": "text", "text": "Noted."}]},
    ]
    payload = {"session": "ses_1", "cwd": str(project), "messages": messages}
    run("stop", payload, PSYCHMEM_AGENT_TYPE="opencode")
    settle()


def kept(project: Path) -> str:
    out = run("kept", {"session": "ses_1", "cwd": str(project)}, PSYCHMEM_AGENT_TYPE="opencode")
    return str(json.loads(out)["text"]) if out else ""


def test_what_was_kept_is_told_once_with_how_to_take_it_back(project: Path) -> None:
    stop(project, "From now on always deploy from the heron branch.")
    brought = "From now on always deploy from the heron branch. (rule, this project)"
    assert kept(project).startswith(f"kept: {brought} · undo: psychmem forget ")
    assert kept(project) == ""
    stop(project, "Please fix the login form and run the tests.")
    assert kept(project) == ""
