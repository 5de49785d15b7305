"""The agents' door: `psychmem-hook EVENT`, a hook's JSON on stdin, nothing or one JSON object on stdout, always exit 0.

Events: inject prompt before tool-after stop pre-compact session-end, also subagent-start and kept. `work EVENT` is the detached
child. `--agent NAME` says whose dialect the input is in; Claude Code's otherwise.
"""

from __future__ import annotations

import gc
import os
import sys

from psychmem_py.errors import LateError
from psychmem_py.home.places import is_disabled
from psychmem_py.hooks.serve import serve, within

LIMIT_BYTES = 32 << 20  # a written file stands twice in a payload; more than this is no payload
INPUT_S = 5  # an agent writes its payload at once; whoever holds stdin open gets no longer


def main() -> int:
    """0, whatever happened: a hook must never stand in an agent's way."""
    arguments = sys.argv[1:]
    if "work" in arguments:
        gc.set_threshold(100_000)  # a language's patterns are that many objects, and all of them stay: 10 of 194 ms of CPU
    else:
        gc.disable()  # a hook ends before anything is worth collecting: 0.8 of 31 ms
    if is_disabled(os.environ):
        return 0
    agent = ""
    if "--agent" in arguments[:-1]:
        index = arguments.index("--agent")
        agent = arguments[index + 1]
        del arguments[index : index + 2]
    within(INPUT_S)
    answered = os.environ.pop("PSYCHMEM_ANSWERED", "")  # no settings, and of no concern to the child
    typed_by = os.environ.pop("PSYCHMEM_TYPED_BY", "")
    write(serve(arguments, stdin(), os.environ, agent=agent, answered=answered, typed_by=typed_by))
    os._exit(0)  # nothing is left to do, and taking the interpreter apart costs 1.5 ms of CPU


def stdin() -> bytes:
    """What stands on descriptor 0, which may be a socket, a pipe, a file, closed, or a terminal nobody types on."""
    parts, size = [], 0
    try:
        while not os.isatty(0) and size <= LIMIT_BYTES:
            part = os.read(0, 1 << 16)
            if not part:
                break
            parts.append(part)
            size += len(part)
    except (OSError, LateError):
        return b""
    return b"".join(parts)


def write(reply: bytes) -> None:
    rest = memoryview(reply)
    try:
        while rest:
            rest = rest[os.write(1, rest) :]
    except OSError:
        return  # nobody listens any more
