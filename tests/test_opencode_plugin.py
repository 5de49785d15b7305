"""The plugin file alone, in node: what it hands over when the client does not answer it any more."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hooks import ROOT, eventually


def played(folder: Path, name: str, hook: str, *words: str) -> str:
    """What node prints for a program of tests/data/opencode that drives the plugin, whose hook is this line of sh."""
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    program, run = folder / "psychmem-hook", folder / "run"
    shutil.copytree(Path(__file__).parent / "data" / "opencode", run)
    shutil.copy(ROOT / "hooks" / "opencode" / "psychmem.js", run / "psychmem.mjs")
    program.write_text(f"#!/bin/sh\n{hook}\n")
    program.chmod(0o755)
    env = {**os.environ, "PSYCHMEM_HOOK": str(program)}
    return subprocess.run(
        [node, run / f"{name}.mjs", *words], capture_output=True, text=True, timeout=600, check=True, env=env
    ).stdout


@pytest.mark.parametrize("way", ["rejects", "throws", "hangs"])
def test_a_client_that_is_closing_loses_nothing(tmp_path: Path, way: str) -> None:
    heard = tmp_path / "heard"
    waited = played(tmp_path, "closing", f'[ "$3" = stop ] && cat > {heard}.part && mv {heard}.part {heard}\nexit 0', way)
    eventually(heard.exists)
    assert json.loads(heard.read_text()) == {"session": "ses_1", "cwd": "/tmp", "worktree": "/tmp", "messages": []}
    assert int(waited) < 5000  # what the terminal client waits for


def test_the_2_x_half_asks_for_one_brief_until_a_compaction_and_nothing_for_sub_agents(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    played(tmp_path, "briefs", f'[ "$3" = stop ] || echo "$3 $(cat)" >> {heard}\nexit 0')
    asked = [line.split(" ", 1) for line in heard.read_text().splitlines()]
    assert [(event, json.loads(payload)["session"], json.loads(payload).get("source")) for event, payload in asked] == [
        ("inject", "ses_1", "startup"),
        ("prompt", "ses_1", None),
        ("pre-compact", "ses_1", None),
        ("inject", "ses_1", "compact"),
    ]


def test_the_2_x_half_says_rules_beside_calls_and_keeps_ours_out_of_summaries(tmp_path: Path) -> None:
    noted = tmp_path / "noted"  # the store says once a session that the person is to be asked
    replies = """case $(cat) in *push*) echo '{"text": "You said: never push."}';; *rm*) ONCE && echo '{"ask": "You said: ask."}';; esac"""
    replies = replies.replace("ONCE", f"mkdir {tmp_path}/once 2>/dev/null")
    told = played(tmp_path, "calls", f'[ "$3" = before ] || exec cat >> {noted}\n{replies}')
    assert eventually(lambda: '{"patchText":"*** Update File: .env"}' in noted.read_text())
    pushed, removed, again, listed, allowed, said = json.loads(told)
    assert pushed == "done\n\nYou said: never push."
    assert "the person wants to be asked first, in these words: You said: ask." in removed
    assert (again, listed, allowed, said) == (removed, "done", "done", "Hello")  # until the person spoke


@pytest.mark.parametrize(("hook", "event"), [("wait", "tool.execute.before"), ("yes", "experimental.session.compacting")])
def test_a_hook_that_hangs_or_never_stops_talking_is_ended_with_what_it_started(tmp_path: Path, hook: str, event: str) -> None:
    started = tmp_path / "started"
    played(tmp_path, "hanging", f"sleep 600 &\necho $! > {started}\n{hook}", event)
    child = Path("/proc") / started.read_text().strip()
    eventually(lambda: not child.exists() or "\nState:\tZ" in (child / "status").read_text())


def test_what_a_turn_brought_is_told_once_by_the_client_s_own_toast(tmp_path: Path) -> None:
    once = f'mkdir {tmp_path}/asked 2>/dev/null && echo \'{{"text": "kept: use pnpm · undo: psychmem forget 3f2a91cc"}}\''
    (toast,) = json.loads(played(tmp_path, "toast", f'cat > /dev/null\n[ "$3" = kept ] || exit 0\n{once}\nexit 0'))
    assert toast == {"title": "PsychMem", "message": "kept: use pnpm · undo: psychmem forget 3f2a91cc", "variant": "info"}
