"""What agents ask for, in one shape; each module beside this one turns one agent's bytes into it, and replies into bytes.

Pure: no clock, files or environment.
"""

from __future__ import annotations

from typing import NamedTuple

from psychmem_py.core.model import Message, ToolUse


class Request(NamedTuple):
    """One event of a conversation."""

    event: str  # inject, prompt, tool-after, stop, pre-compact, session-end, subagent-start, edit
    agent: str  # "claude-code", "opencode"
    session: str
    cwd: str
    transcript: str = ""  # path of the transcript, where the agent keeps one
    source: str = ""  # why: startup, resume, clear, compact, fork; manual, auto; reason of an end
    prompt: str = ""  # what the person typed
    turn: str = ""  # the agent's id of the turn, "" before the first
    last_message: str = ""  # the assistant's last words, which the transcript may not hold yet
    use: ToolUse | None = None
    subagent: str = ""  # id of the subagent it happened in
    messages: tuple[Message, ...] = ()  # where the agent hands over the text itself
