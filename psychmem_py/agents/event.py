"""What agents ask for, in one shape, made of bytes by the modules beside this one; EVENTS says what holds for each. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from psychmem_py.model.records import Message

CLAUDE_CODE, OPENCODE = "claude-code", "opencode"
# What a client calls a prompt that a person entered, or does not tell.
PERSONS = frozenset({"", "composer", "bridge", "sdk", "unclassified"})
COMPACTED = "compact"  # the `source` of a start after a compaction: the conversation goes on


class Event:
    """What holds for one event. A plain class, as `Request` below: a NamedTuple costs 10 ms of CPU to import what makes it."""

    def __init__(
        self,
        deadline_s: int,  # within which the hook ends; the client's own limits are above it
        *,
        claude_code: tuple[str, ...],  # its names there
        client_s: int = 0,  # Claude Code's limit, as we register it; 0 where we do not
        plugin_s: int | None = None,  # how long our OpenCode plugin waits for a reply; 0: not at all, None: it sends none
        answers: bool = False,  # a reply may come, and a person waits for it
        is_tool_call: bool = False,  # about one call of a tool
        matcher: str = "*",  # the tools whose calls Claude Code tells
        noted_for: tuple[str, ...] = (),  # agents in whose conversations the journal notes that there is something to take up
        starts_child: bool = False,  # a detached child takes it up
        off_by: str = "",  # the setting that keeps the child from starting; the note stays for the next one
        wait_s: float = 0.0,  # the agent is kept waiting so long for the child
    ) -> None:
        self.deadline_s, self.claude_code, self.client_s, self.plugin_s = deadline_s, claude_code, client_s, plugin_s
        self.answers, self.is_tool_call, self.noted_for, self.starts_child = answers, is_tool_call, noted_for, starts_child
        self.off_by, self.wait_s, self.matcher = off_by, wait_s, matcher


_BOTH = (CLAUDE_CODE, OPENCODE)
# Claude Code's defaults are 600 s (30 s for prompts), and 1.5 s for SessionEnd, which a registered limit raises.
EVENTS = {
    "inject": Event(4, claude_code=("SessionStart",), client_s=10, plugin_s=3, answers=True, starts_child=True),
    # An OpenCode that is killed before it is idle tells nobody: the next start finds the note.
    "prompt": Event(2, claude_code=("UserPromptSubmit",), client_s=5, plugin_s=2, answers=True, noted_for=(OPENCODE,)),
    # Behind a file that was read: the rules said there; behind a command called wrongly: what worked.
    "tool-after": Event(
        2, claude_code=("PostToolUse", "PostToolUseFailure"), client_s=5, plugin_s=2, answers=True, is_tool_call=True,
    ),
    # Claude Code's event of this name does not tell the task: there the call of the agent tool, a "before", is what tells it.
    "subagent-start": Event(2, claude_code=("SubagentStart",), plugin_s=2, answers=True),
    # Before a tool call: the rules it may break, and what a sub-agent's task calls for.
    "before": Event(
        2, claude_code=("PreToolUse",), client_s=5, plugin_s=2, answers=True, is_tool_call=True,
        matcher="Bash|Edit|Write|MultiEdit|NotebookEdit|WebFetch|WebSearch|TodoWrite|Agent|Task|mcp__.*",
    ),
    # Compaction waits for what was said before it to be taken up.
    "pre-compact": Event(
        25, claude_code=("PreCompact",), client_s=30, plugin_s=20, noted_for=_BOTH, starts_child=True,
        off_by="extract_on_compaction", wait_s=20.0,
    ),
    "stop": Event(
        3, claude_code=("Stop",), client_s=10, plugin_s=0, noted_for=_BOTH, starts_child=True, off_by="extract_on_message",
    ),
    # What the last stretch came to, for one notice to the person; Claude Code's module reads the file itself.
    "kept": Event(1, claude_code=(), plugin_s=1, answers=True),
    "session-end": Event(1, claude_code=("SessionEnd",), client_s=2, plugin_s=0, noted_for=_BOTH, starts_child=True),
}  # fmt: skip


class Request:
    """One event of a conversation."""

    def __init__(  # noqa: PLR0917  # fields of a record, in the order of the names above
        self,
        event: str,  # a name of EVENTS
        agent: str,  # CLAUDE_CODE, OPENCODE
        session: str,
        cwd: str,
        transcript: str = "",  # path of the transcript, where the agent keeps one
        source: str = "",  # why: startup, resume, clear, compact, fork; manual, auto; reason of an end
        prompt: str = "",  # what the person typed, or a sub-agent's task
        turn: str = "",  # the agent's id of the turn, "" before the first
        last_message: str = "",  # the assistant's last words, which the transcript may not hold yet
        use: dict[str, object] | None = None,  # the fields of the tool call it is about
        subagent: str = "",  # id of the subagent it happened in
        messages: tuple[Message, ...] = (),  # where the agent hands over the text itself
    ) -> None:
        self.event, self.agent, self.session = event, agent, session
        self.cwd, self.transcript = (path.replace("\0", "\ufffd") for path in (cwd, transcript))  # no system has such a path
        self.author = ""  # of the prompt, as the client's module names it; one of PERSONS, or who else
        self.source, self.prompt, self.turn, self.last_message = source, prompt, turn, last_message
        self.use, self.subagent, self.messages = use, subagent, messages

    @property
    def about(self) -> dict[str, str]:
        """What the journal notes of the conversation."""
        return {"session": self.session, "agent": self.agent, "cwd": self.cwd, "transcript": self.transcript}


def calling_agent(env: Mapping[str, str]) -> str:
    """The agent we are called by: "claude-code", "opencode"; "" for a person in a terminal."""
    return CLAUDE_CODE if env.get("CLAUDECODE") else OPENCODE if env.get("OPENCODE") else ""
