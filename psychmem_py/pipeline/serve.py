"""One event of an agent served: bytes in, reply bytes out, never an exception. Both doors call it.

What only takes notes is done here, with few imports; what answers (`answer`) and what the detached child does (`work`) is
imported when its event comes.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import FrameType, ModuleType

from psychmem_py import handover, health, journal, paths
from psychmem_py.agents import Request, claude_code
from psychmem_py.core.model import ToolUse
from psychmem_py.core.tool_use import redacted

# Seconds a hook may take; the client's own limits are above them (SessionEnd: 1.5 s).
DEADLINES_S = {
    "inject": 4,
    "prompt": 2,
    "tool-after": 2,
    "stop": 3,
    "session-end": 1,
    "pre-compact": 25,
    "subagent-start": 2,
    "edit": 1,
}
_ANSWERED = ("inject", "prompt", "subagent-start", "edit")
_CHILD_S = 300
_PRE_COMPACT_S = 20.0  # compaction waits this long for what was said before it


def serve(arguments: Sequence[str], raw: bytes, env: Mapping[str, str], *, agent: str = "") -> bytes:
    """The reply to an event, b"" for none. A failure goes to the health record; where a brief belongs the reply says so."""
    now, data = time.time(), paths.data_folder(env)
    child = arguments[:1] == ["work"]
    event = "".join(arguments[1:2] if child else arguments[:1])
    name = f"{event} (background)" if child else event
    dialect = _dialect(agent or env.get("PSYCHMEM_AGENT_TYPE", ""))
    try:
        _within(_CHILD_S if child else DEADLINES_S.get(event, 2))
        request: Request | None = dialect.parse(event, raw, now)
        if request is None:
            return b""
        event = request.event
        name = f"{event} (background)" if child else event
        reply = _work(request, env) if child else _served(request, raw, env, now, dialect)
        health.beat(data, name, now)
        return reply
    except Exception as exc:  # the one place: an agent must never suffer from us
        health.failed(data, name if event in DEADLINES_S else "hook", exc, now)
        found: bytes = dialect.reply(event, health.notice(data)) if event == "inject" else b""
        return found
    finally:
        _within(0)


def _dialect(agent: str) -> ModuleType:
    return import_module("psychmem_py.agents.opencode") if agent == "opencode" else claude_code


def _within(limit_s: int) -> None:
    """Raises TimeoutError in the main thread after `limit_s` seconds; 0 takes the limit back."""

    def late(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"the event was not served within {limit_s} s")

    if limit_s:
        signal.signal(signal.SIGALRM, late)
    signal.alarm(limit_s)


def _served(request: Request, raw: bytes, env: Mapping[str, str], now: float, dialect: ModuleType) -> bytes:
    data = paths.data_folder(env)
    if _is_echo(request, env, data, now, dialect):
        return b""
    if request.event in _ANSWERED:
        text: str = import_module("psychmem_py.pipeline.answer").answer(request, env, now)
        reply: bytes = dialect.reply(request.event, text)
        if request.event == "inject" and request.source != "compact":
            handover.detach(["--agent", request.agent, "work", request.event], raw, env)
        return reply
    if request.use is not None:
        _note_use(request, request.use, data)
        return b""
    try:
        _note(request, data)
    except OSError as exc:  # a full disk: the child can still read, and perhaps the database has room
        health.failed(data, request.event, exc, now)
    child = handover.detach(["--agent", request.agent, "work", request.event], raw, env)
    if request.event == "pre-compact":
        handover.wait(child, _PRE_COMPACT_S)
    return b""


def _is_echo(request: Request, env: Mapping[str, str], data: str, now: float, dialect: ModuleType) -> bool:
    """Whether the same event has just come by another registration (a plugin's and the settings')."""
    key = dialect.message_key(request)
    if not key:
        return False
    registration = f"{env.get('CLAUDE_PLUGIN_ROOT', '')}|{env.get('CLAUDE_PLUGIN_DATA', '')}"
    return not handover.claimed(data, key, registration, now)


def _note(request: Request, data: str) -> None:
    journal.note(data, request.session, agent=request.agent, cwd=request.cwd, transcript=request.transcript)


def _note_use(request: Request, use: ToolUse, data: str) -> None:
    if not os.path.exists(journal.path_of(data, request.session)):
        _note(request, data)
    journal.append(data, request.session, redacted(use))


def _work(request: Request, env: Mapping[str, str]) -> bytes:
    import_module("psychmem_py.pipeline.work").work(request, env)
    return b""
