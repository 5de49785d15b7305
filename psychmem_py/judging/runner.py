"""A reader's program run once: the request on its stdin, its answer from stdout. No shell, nothing inherited but what is named, and
neither time nor output without end.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping
from typing import IO, NamedTuple

from psychmem_py.errors import JudgeError
from psychmem_py.judging.protocol import REPLY_CHARS

REPLY_BYTES = 4 * REPLY_CHARS
_PART = 1 << 16


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
    try:
        output = _exchanged(process, request.encode("utf-8", "replace"), program, time.monotonic() + timeout_s)
        code = process.wait(timeout=5)
    except subprocess.TimeoutExpired as exc:
        raise JudgeError(f"the reader {program.name} did not end after its answer; it was stopped") from exc
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # it leads a group of its own, so this reaches what it started
        for pipe in (process.stdin, process.stdout):
            if pipe and not pipe.closed:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()
    if code:
        raise JudgeError(f"the reader {program.name} failed with exit code {code}; run `psychmem judge --now` to try it")
    return output.decode("utf-8", "replace")


def _exchanged(process: subprocess.Popen[bytes], request: bytes, program: Program, end: float) -> bytes:
    """All of stdout, while stdin is fed as fast as it is read. Raises JudgeError at the end of the time or of what may be said."""
    stdin, stdout = _pipe(process.stdin), _pipe(process.stdout)
    os.set_blocking(stdin.fileno(), False)
    rest, reply = memoryview(request), bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(stdout, selectors.EVENT_READ)
        ready.register(stdin, selectors.EVENT_WRITE)
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise JudgeError(
                    f"the reader {program.name} took too long and was stopped; raise judge.call_timeout_s or try another"
                )
            for key, _ in ready.select(left):
                if key.fileobj is stdin:
                    rest = _fed(stdin, rest)
                    if not rest:
                        ready.unregister(stdin)
                        with contextlib.suppress(OSError):
                            stdin.close()
                    continue
                part = os.read(stdout.fileno(), _PART)
                if not part:
                    return bytes(reply)
                reply += part
                if len(reply) > REPLY_BYTES:
                    raise JudgeError(f"the reader {program.name} said more than {REPLY_BYTES} bytes and was stopped")


def _fed(pipe: IO[bytes], rest: memoryview) -> memoryview:
    """What is left to write; nothing where nobody reads any more, which is the program's own affair."""
    try:
        return rest[os.write(pipe.fileno(), rest[:_PART]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        return rest[:0]


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
