"""A reader's program run once: the request on its stdin, its answer from stdout. No shell, nothing inherited but what is named, and
neither time nor output without end.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from typing import IO, NamedTuple

from psychmem_py.errors import JudgeError
from psychmem_py.judging.protocol import REPLY_CHARS

REPLY_BYTES = 4 * REPLY_CHARS


class Program(NamedTuple):
    """What is run for one request."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = {}  # besides ours; "" takes a variable away
    name: str = ""  # how it is told to people


# What the agents tell their children of the session at hand: a client started for us must not take itself for a part of it.
_SESSION = (
    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_", "CLAUDE_CODE_CHILD_", "CLAUDE_CODE_MESSAGING_",
    "CLAUDE_CODE_SSE_PORT", "CLAUDE_EFFORT", "CLAUDE_PID", "CLAUDE_PLUGIN_", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "AI_AGENT",
    "OPENCODE_PID", "OPENCODE_SESSION", "OPENCODE_CLIENT",
)  # fmt: skip


def environment(env: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """The variables a reader gets: ours, with PsychMem switched off and nothing of the session we were called in."""
    kept = {name: value for name, value in env.items() if not name.startswith(_SESSION) and name != "OPENCODE"}
    return {name: value for name, value in {**kept, **more, "PSYCHMEM_DISABLE": "1"}.items() if value}


def answer(program: Program, request: str, *, env: Mapping[str, str], folder: str, timeout_s: float) -> str:
    """What the program prints for `request`, run in `folder`. Raises JudgeError; the program and what it started are gone then."""
    try:
        process = subprocess.Popen(
            program.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment(env, program.env),
            start_new_session=True,
        )
    except (OSError, ValueError) as exc:
        what = getattr(exc, "strerror", None) or "it cannot be run"
        raise JudgeError(f"the reader {program.name} cannot be started: {what}; `psychmem judge --with …` names another") from exc
    assert process.stdin
    assert process.stdout
    late = threading.Event()

    def stop() -> None:
        late.set()
        _end(process)

    limit = threading.Timer(timeout_s, stop)
    feeder = threading.Thread(target=_feed, args=(process.stdin, request.encode("utf-8", "replace")), daemon=True)
    limit.start()
    feeder.start()
    try:
        output = process.stdout.read(REPLY_BYTES + 1)
        code = process.wait(timeout=5) if len(output) <= REPLY_BYTES else 0
    except subprocess.TimeoutExpired as exc:
        raise JudgeError(f"the reader {program.name} did not end after its answer; it was stopped") from exc
    finally:
        limit.cancel()
        _end(process)
        process.wait()
        feeder.join()
        process.stdout.close()
    if late.is_set():
        raise JudgeError(f"the reader {program.name} took too long and was stopped; raise judge.call_timeout_s or try another")
    if len(output) > REPLY_BYTES:
        raise JudgeError(f"the reader {program.name} said more than {REPLY_BYTES} bytes and was stopped")
    if code:
        raise JudgeError(f"the reader {program.name} failed with exit code {code}; run `psychmem judge --now` to try it")
    return output.decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """It leads a group of its own, so this reaches what it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _feed(pipe: IO[bytes], request: bytes) -> None:
    """Writes the request; where nobody reads it any more that is the program's own affair."""
    with contextlib.suppress(OSError), pipe:
        pipe.write(request)
