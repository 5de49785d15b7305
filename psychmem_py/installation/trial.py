"""The whole way for real, in a home that is thrown away: a sample conversation goes through the launcher that agents call, or through every
command line the client's settings hold for us, and the brief of a next session comes back. Nothing of the person's own is read or written.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from psychmem_py.installation import registration

CONVERSATION = Path(__file__).with_name("conversation.jsonl")


TIMEOUT_S = 60.0
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")  # all the rest might point to the person's own store


class Trial(NamedTuple):
    """What came of it."""

    brief: str  # "" when none came
    trouble: str  # what went wrong, "" when nothing did
    env: Mapping[str, str]  # the surroundings it ran in, for a look at its store while it lasts
    project: str


def trial(folder: Path, env: Mapping[str, str]) -> Trial:
    """The outcome of a trial inside `folder`, which the caller removes."""
    around, common = _laid_out(folder, env)
    launcher, payload = registration.launcher(), {**common, "session_id": "sample-session"}
    # `work` is what a Stop hook leaves to its detached child; here we wait for it. `compact` starts no child of its own.
    trouble, _ = _ran([*launcher, "work", "stop"], {**payload, "hook_event_name": "Stop"}, around)
    if trouble:
        return Trial("", f"{launcher[0]} {trouble}", around, str(common["cwd"]))
    asked = {
        **payload,
        "session_id": "next-session",
        "transcript_path": "",
        "hook_event_name": "SessionStart",
        "source": "compact",
    }
    trouble, reply = _ran([*launcher, "inject"], asked, around)
    brief = "" if trouble else _context(reply)
    return Trial(brief, f"{launcher[0]} {trouble}" if trouble else _lacking(brief), around, str(common["cwd"]))


def _laid_out(folder: Path, env: Mapping[str, str]) -> tuple[dict[str, str], dict[str, object]]:
    """The surroundings and the beginning of every payload, once the sample conversation lies in the folder."""
    project, transcript = folder / "webshop", folder / "conversation.jsonl"
    project.mkdir()
    transcript.write_bytes(CONVERSATION.read_bytes())
    return _surroundings_in(folder, env), {"transcript_path": str(transcript), "cwd": str(project)}


def _surroundings_in(folder: Path, env: Mapping[str, str]) -> dict[str, str]:
    """An environment whose every home is inside `folder`."""
    return {name: env[name] for name in _KEPT if name in env} | {
        "HOME": str(folder / "home"),
        "PSYCHMEM_HOME": str(folder / "psychmem"),
        "CLAUDE_CONFIG_DIR": str(folder / "home" / ".claude"),
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",  # so that the brief tells everything itself
    }


_HELD = 300  # beyond what a detached child closes


@contextmanager
def thrown_away() -> Iterator[str]:
    """A folder for a trial that is gone afterwards: once every detached child has ended, which would make it anew."""
    with tempfile.TemporaryDirectory(prefix="psychmem-trial-", ignore_cleanup_errors=True) as folder:
        ended, held = os.pipe()
        os.dup2(held, _HELD, inheritable=True)
        os.close(held)
        try:
            yield folder
        finally:
            os.close(_HELD)
            select.select([ended], [], [], TIMEOUT_S)  # readable when nobody holds the other end
            os.close(ended)


def _ran(command: Sequence[str], payload: Mapping[str, object], env: Mapping[str, str]) -> tuple[str, bytes]:
    """What went wrong, "" for nothing, and what the command payload on stdout."""
    try:
        done = subprocess.run(
            list(command), input=json.dumps(payload).encode(), env=env, capture_output=True, timeout=TIMEOUT_S, check=False,
            close_fds=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as exc:
        return f"cannot be run: {exc}", b""
    if done.returncode or done.stderr:
        stderr = done.stderr.decode(errors="replace").strip()[-300:]
        return f"ended with {done.returncode}{f': {stderr}' if stderr else ''}", b""
    return "", done.stdout


def _lacking(brief: str) -> str:
    """Why a brief is none, "" when it holds memories."""
    if not brief:
        return "no brief came back"
    return "" if "\n- " in brief else brief


def _context(reply: bytes) -> str:
    """The text in a hook's answer."""
    try:
        return str(json.loads(reply)["hookSpecificOutput"]["additionalContext"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


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
    trouble: str  # "" when it ended well and payload nothing but JSON


def fired(calls: Sequence[tuple[str, Sequence[str]]], folder: Path, env: Mapping[str, str]) -> list[Fired]:
    """What came of each line, in the order of a conversation; `folder` is the caller's to remove."""
    surroundings, common = _laid_out(folder, env)
    around = surroundings | {"PSYCHMEM_HOOK": "1"}
    common["session_id"] = "doctor"
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
    trouble, output = _ran(command, payload, env)
    if output and not _is_json(output):
        trouble = "said something that is no JSON"
    return Fired(event, time.monotonic() - began, trouble), output


def _is_json(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw), dict)
    except (ValueError, RecursionError):
        return False
