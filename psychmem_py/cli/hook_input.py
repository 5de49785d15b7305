"""A hook's payload on the standard input of a command: then the command acts as that hook."""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Mapping

from psychmem_py.hooks.serve import serve


def served(command: str, events: Mapping[str, str]) -> bool:
    """Whether a hook's JSON stood on stdin and was served: then the command has acted as that hook and has nothing more to do."""
    raw = _hook_input()
    if raw is None:
        return False
    name = json.loads(raw).get("hook_event_name")
    reply = serve([events.get(str(name), command)], raw, os.environ)
    sys.stdout.buffer.write(reply)
    return True


def _hook_input() -> bytes | None:
    """The JSON object on stdin, if one is there; a terminal, a closed or a silent pipe hold none."""
    try:
        if sys.stdin is None or sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0.2)[0]:
            return None
        raw = sys.stdin.buffer.read()
        return raw if isinstance(json.loads(raw), dict) else None
    except (OSError, ValueError, RecursionError):
        return None
