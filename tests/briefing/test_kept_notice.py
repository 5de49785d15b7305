"""The notice of what a turn brought in OpenCode: from the real hook, once, and never for what waits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hooks import run, settle


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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def test_what_was_kept_is_told_once_with_how_to_take_it_back(project: Path) -> None:
    stop(project, "From now on always deploy from the heron branch.")
    said = kept(project)
    assert said.startswith(
        "kept: From now on always deploy from the heron branch. (constraint, this project) · undo: psychmem forget "
    )
    assert kept(project) == ""


def test_a_turn_that_brought_nothing_is_told_nothing(project: Path) -> None:
    stop(project, "Please fix the login form and run the tests.")
    assert kept(project) == ""
