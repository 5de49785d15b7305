"""Every command line the client's settings hold for us, run as the client runs it, in a home that is thrown away; what one of them
kept must come back by another.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from psychmem_py.installation.sample import CONVERSATION
from psychmem_py.installation.trial import surroundings_in

TIMEOUT_S = 60.0
READ_BACK = "reading back"
_PAYLOADS: Mapping[str, Mapping[str, object]] = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": "Where do we deploy from?"},
    "PreToolUse": {"tool_name": "Read", "tool_input": {"file_path": "README.md"}, "tool_use_id": "t0"},
    "PostToolUse": {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": {}, "tool_use_id": "t1"},
    "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {"command": "make"}, "error": "exit 2", "tool_use_id": "t2"},
    "Stop": {"stop_hook_active": False, "last_assistant_message": ""},
    "PreCompact": {"trigger": "manual"},
    "SessionEnd": {"reason": "other"},
    "SubagentStart": {"agent_type": "general-purpose", "agent_id": "a1"},
}


class Fired(NamedTuple):
    """One registered line after it ran."""

    event: str
    took_s: float  # on the clock
    trouble: str  # "" when it ended well and said nothing but JSON


def fired(calls: Sequence[tuple[str, Sequence[str]]], folder: Path, env: Mapping[str, str]) -> list[Fired]:
    """What came of each line, in the order of a conversation; `folder` is the caller's to remove."""
    project, transcript = folder / "webshop", folder / "conversation.jsonl"
    project.mkdir()
    transcript.write_bytes(CONVERSATION.read_bytes())
    around = surroundings_in(folder, env) | {"PSYCHMEM_HOOK": "1"}
    common = {"session_id": "doctor", "transcript_path": str(transcript), "cwd": str(project)}
    order = list(_PAYLOADS)
    known = sorted(calls, key=lambda call: order.index(call[0]) if call[0] in order else len(order))
    done = [
        _one(event, command, {**common, "hook_event_name": event, **_PAYLOADS.get(event, {})}, around)[0]
        for event, command in known
    ]
    start = next((command for event, command in known if event == "SessionStart"), None)
    if start and {"Stop", "SessionEnd"} & {event for event, _ in known} and not any(one.trouble for one in done):
        asked = {**common, "session_id": "doctor-next", "transcript_path": "", "hook_event_name": "SessionStart"}
        done.append(_read_back(start, {**asked, "source": "startup"}, around))
    return done


def _read_back(start: Sequence[str], payload: Mapping[str, object], env: Mapping[str, str]) -> Fired:
    """A new session's start, asked until what the others left to a detached child has come back."""
    began = time.monotonic()
    while True:
        done, reply = _one("SessionStart", start, payload, env)
        if done.trouble or b"\\n- " in reply:
            return done._replace(event=READ_BACK)
        if time.monotonic() - began > TIMEOUT_S:
            return Fired(
                READ_BACK, time.monotonic() - began, "a sample conversation did not come back in the next session's brief"
            )
        time.sleep(0.5)


def _one(event: str, command: Sequence[str], payload: Mapping[str, object], env: Mapping[str, str]) -> tuple[Fired, bytes]:
    began = time.monotonic()
    try:
        done = subprocess.run(
            list(command), input=json.dumps(payload).encode(), env=env, capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        return Fired(event, time.monotonic() - began, f"cannot be run: {exc}"), b""
    took = time.monotonic() - began
    if done.returncode or done.stderr:
        stderr = done.stderr.decode(errors="replace").strip()[-200:]
        return Fired(event, took, f"ended with {done.returncode}{f': {stderr}' if stderr else ''}"), b""
    trouble = "" if not done.stdout or _is_json(done.stdout) else "said something that is no JSON"
    return Fired(event, took, trouble), done.stdout


def _is_json(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw), dict)
    except (ValueError, RecursionError):
        return False
