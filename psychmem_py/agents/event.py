"""What agents ask for, in one shape; each module beside this one turns one agent's bytes into it, and replies into bytes.

Pure: no clock, files or environment.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psychmem_py.model.records import Message, ToolUse


class Request:
    """One event of a conversation. A plain class: a NamedTuple costs 10 ms of CPU to import what makes it."""

    __slots__ = (
        "agent",
        "cwd",
        "event",
        "last_message",
        "messages",
        "prompt",
        "session",
        "source",
        "subagent",
        "transcript",
        "turn",
        "use",
    )

    def __init__(  # noqa: PLR0917  # fields of a record, in the order of the names above
        self,
        event: str,  # inject, prompt, tool-after, stop, pre-compact, session-end, subagent-start, edit
        agent: str,  # "claude-code", "opencode"
        session: str,
        cwd: str,
        transcript: str = "",  # path of the transcript, where the agent keeps one
        source: str = "",  # why: startup, resume, clear, compact, fork; manual, auto; reason of an end
        prompt: str = "",  # what the person typed
        turn: str = "",  # the agent's id of the turn, "" before the first
        last_message: str = "",  # the assistant's last words, which the transcript may not hold yet
        use: ToolUse | dict[str, object] | None = None,  # the tool call it is about, or its fields
        subagent: str = "",  # id of the subagent it happened in
        messages: tuple[Message, ...] = (),  # where the agent hands over the text itself
    ) -> None:
        self.event, self.agent, self.session, self.cwd, self.transcript = event, agent, session, cwd, transcript
        self.source, self.prompt, self.turn, self.last_message = source, prompt, turn, last_message
        self.use, self.subagent, self.messages = use, subagent, messages
