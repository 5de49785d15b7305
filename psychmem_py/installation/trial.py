"""The whole way once, for real: a sample conversation goes through the launcher that agents call into a store that is thrown
away, and the brief of a next session comes back. Nothing of the person's own is read or written.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from psychmem_py.installation import launcher
from psychmem_py.installation.sample import CONVERSATION

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
    project, transcript = folder / "webshop", folder / "conversation.jsonl"
    project.mkdir()
    transcript.write_bytes(CONVERSATION.read_bytes())
    surroundings = surroundings_in(folder, env)
    common = {"session_id": "sample-session", "transcript_path": str(transcript), "cwd": str(project)}
    # `work` is what a Stop hook leaves to its detached child; here we wait for it. `compact` starts no child of its own.
    output = _called(["work", "stop"], {**common, "hook_event_name": "Stop"}, surroundings)
    asked = {
        **common,
        "session_id": "next-session",
        "transcript_path": "",
        "hook_event_name": "SessionStart",
        "source": "compact",
    }
    reply = output if output.startswith("!") else _called(["inject"], asked, surroundings)
    brief = "" if reply.startswith("!") else _context(reply)
    trouble = reply[1:] if reply.startswith("!") else _lacking(brief)
    return Trial(brief, trouble, surroundings, str(project))


def surroundings_in(folder: Path, env: Mapping[str, str]) -> dict[str, str]:
    """An environment whose every home is inside `folder`."""
    return {name: env[name] for name in _KEPT if name in env} | {
        "HOME": str(folder / "home"),
        "PSYCHMEM_HOME": str(folder / "psychmem"),
        "CLAUDE_CONFIG_DIR": str(folder / "home" / ".claude"),
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",  # so that the brief tells everything itself
    }


def thrown_away() -> tempfile.TemporaryDirectory[str]:
    """A folder for a trial that is gone afterwards."""
    return tempfile.TemporaryDirectory(prefix="psychmem-trial-", ignore_cleanup_errors=True)


def _called(words: list[str], payload: Mapping[str, str], env: Mapping[str, str]) -> str:
    """What the agents' door answers; a "!" and a sentence when it could not be called."""
    command = [*launcher.command(), *words]
    try:
        done = subprocess.run(
            command, input=json.dumps(payload).encode(), env=env, capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        return f"!{command[0]} cannot be run: {exc}"
    if done.returncode or done.stderr:
        return f"!{command[0]} says: {done.stderr.decode(errors='replace').strip()[-300:] or f'exit {done.returncode}'}"
    return done.stdout.decode(errors="replace")


def _lacking(brief: str) -> str:
    """Why a brief is none, "" when it holds memories."""
    if not brief:
        return "no brief came back"
    return "" if "\n- " in brief else brief


def _context(reply: str) -> str:
    """The text in a hook's answer."""
    try:
        return str(json.loads(reply)["hookSpecificOutput"]["additionalContext"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
