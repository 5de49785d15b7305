"""The whole way for real, in a throw-away home: a sample conversation goes through the launcher that agents call, and the brief
of a next session comes back. Nothing of the person's own is read or written."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from psychmem_py.home.light_json import object_in
from psychmem_py.installation import registration

CONVERSATION = Path(__file__).with_name("conversation.jsonl")

TIMEOUT_S = 60.0
FOLDER = partial(tempfile.TemporaryDirectory, prefix="psychmem-trial-", ignore_cleanup_errors=True)  # for one, and gone after it
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")  # all the rest might point to the person's own store


class Trial(NamedTuple):
    brief: str  # "" when none came
    trouble: str  # what went wrong, "" when nothing did
    env: Mapping[str, str]  # the surroundings it ran in, for a look at its store while it lasts


def trial(folder: Path, env: Mapping[str, str], command: Sequence[str] = ()) -> Trial:
    """The outcome of a trial inside `folder`, of FOLDER; through `command`, usual: our own launcher."""
    project, transcript, launcher = folder / "webshop", folder / "conversation.jsonl", [*(command or registration.launcher())]
    project.mkdir()
    transcript.write_bytes(CONVERSATION.read_bytes())
    around = {name: env[name] for name in _KEPT if name in env} | {
        "HOME": str(folder / "home"),
        "PSYCHMEM_HOME": str(folder / "psychmem"),
        "CLAUDE_CONFIG_DIR": str(folder / "home" / ".claude"),
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",  # so that the brief tells everything itself
    }
    payload = {"transcript_path": str(transcript), "cwd": str(project), "session_id": "sample-session"}
    # `work` is what a Stop hook leaves to its detached child; here we wait for it. `compact` starts no child of its own, which
    # might make the folder anew after it was removed.
    trouble, reply = _ran([*launcher, "work", "stop"], {**payload, "hook_event_name": "Stop"}, around)
    start = {"session_id": "next-session", "transcript_path": "", "hook_event_name": "SessionStart", "source": "compact"}
    if not trouble:
        trouble, reply = _ran([*launcher, "inject"], {**payload, **start}, around)
    if trouble:
        return Trial("", f"{launcher[0]} {trouble}", around)
    said = object_in(reply).get("hookSpecificOutput")
    brief = str(said.get("additionalContext", "")) if isinstance(said, dict) else ""
    return Trial(brief, "" if "\n- " in brief else brief or "no brief came back", around)


def _ran(command: Sequence[str], payload: Mapping[str, object], env: Mapping[str, str]) -> tuple[str, bytes]:
    """What went wrong, "" for nothing, and what the command payload on stdout."""
    try:
        done = subprocess.run(
            list(command), input=json.dumps(payload).encode(), env=env, capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        return f"cannot be run: {exc}", b""
    if done.returncode or done.stderr:
        stderr = done.stderr.decode(errors="replace").strip()[-300:]
        return f"ended with {done.returncode}{f': {stderr}' if stderr else ''}", b""
    return "", done.stdout
