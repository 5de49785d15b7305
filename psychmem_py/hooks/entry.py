"""The agents' door: `psychmem-hook EVENT`, a hook's JSON on stdin, nothing or one JSON object on stdout, always exit 0.

Events: those of `agents.event.EVENTS`. `work EVENT` is the detached child. `--agent NAME` says whose dialect the input is in;
Claude Code's otherwise. Events that only take notes do with light imports: no `json`, `re`, `typing` or `enum`, which cost more
than the rest of the process. Replies (`briefing`) and the detached child (`child`) are imported with their events.
"""

from __future__ import annotations

import gc
import os
import sys
import time

from psychmem_py.agents import claude_code
from psychmem_py.agents.event import CLAUDE_CODE, COMPACTED, EVENTS, OPENCODE, PERSONS
from psychmem_py.errors import LateError
from psychmem_py.home import places
from psychmem_py.home.surroundings import Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from psychmem_py.agents.event import Request

    class Dialect(Protocol):
        """How each client's module in `agents` parses input and encodes a reply."""

        def parse(self, event: str, raw: bytes, now: float = 0.0) -> Request | None: ...
        def reply(self, event: str, text: str, ask: str = "", given: dict[str, object] | None = None) -> bytes: ...


LIMIT_BYTES = 32 << 20  # a written file stands twice in a payload; more than this is no payload
INPUT_S = 5  # an agent writes its payload at once; whoever holds stdin open gets no longer


def main() -> int:
    """0, whatever happened: a hook must never stand in an agent's way."""
    arguments = sys.argv[1:]
    if "work" in arguments:
        gc.set_threshold(100_000)  # a language's patterns are that many objects, and all of them stay: 10 of 194 ms of CPU
    else:
        gc.disable()  # a hook ends before anything is worth collecting: 0.8 of 31 ms
    if places.is_disabled(os.environ):
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
    raw = bytearray()
    try:
        while not os.isatty(0) and len(raw) <= LIMIT_BYTES and (part := os.read(0, 1 << 16)):
            raw += part
    except (OSError, LateError):
        return b""
    return bytes(raw)


def write(reply: bytes) -> None:
    rest = memoryview(reply)
    try:
        while rest:
            rest = rest[os.write(1, rest) :]
    except OSError:
        return  # nobody listens any more


def serve(
    arguments: Sequence[str], raw: bytes, env: Mapping[str, str], *, agent: str = "", answered: str = "", typed_by: str = ""
) -> bytes:
    """The reply to an event, b"" for none. A failure goes to the health record; where a brief belongs the reply says so.
    `answered`: the session and event that the client's module has answered, served in silence; `typed_by`: session and who typed.
    """
    try:
        around = Surroundings(env, time.time())
    except (OverflowError, OSError):  # a clock beyond 2262; a relative PSYCHMEM_HOME where the working directory is gone
        return b""
    child = arguments[:1] == ["work"]
    event = "".join(arguments[1:2] if child else arguments[:1])
    # A variable left in a shell must not make one client's payload be read as the other's.
    named = "" if b'"hook_event_name"' in raw else env.get("PSYCHMEM_AGENT_TYPE", "")
    dialect: Dialect = claude_code
    if (agent or named) == OPENCODE:
        from psychmem_py.agents import opencode as dialect  # noqa: PLC0415  # the other agent pays for it
    try:
        within(300 if child else EVENTS[event].deadline_s if event in EVENTS else 2)
        # An unknown event name is a mistake, whatever the payload says.
        request = dialect.parse(event, raw, around.now) if not event or event in EVENTS else None
        if request is None or around.ignores(request.cwd) or _is_paused(request, around):
            return b""
        session, _, author = typed_by.partition(" ")
        if session == request.session:
            request.author = author
        if request.event != event and not child:  # the payload knows better than the registration
            event = request.event
            within(EVENTS[event].deadline_s)
        if child:
            from psychmem_py.hooks.child import work  # noqa: PLC0415  # the detached child alone

            work(request, around)
        reply, fault = (b"", None) if child else _reply(request, raw, around, dialect)
        if fault:
            report = _report(fault, event, around, dialect, child=child)
            return reply or report
        places.beat(around.data, _beat_name(event, child), around.now)
        return b"" if answered == f"{request.session} {event}" else reply
    except Exception as exc:  # the one place: an agent must never suffer from us
        return _report(exc, event, around, dialect, child=child)
    finally:
        within(0)


def _is_paused(request: Request, around: Surroundings) -> bool:
    """Whether the person said `psychmem pause` for this conversation, this directory or everywhere."""
    if not os.path.exists(os.path.join(around.data, "pauses")):
        return False
    from psychmem_py.home import pauses  # noqa: PLC0415  # only where something was ever paused

    # An agent may pause its own conversation: that takes no rule of the person's from its calls.
    return pauses.now_paused(around.data, "" if request.event == "before" else request.session, request.cwd, around.now)


def _beat_name(event: str, child: bool) -> str:
    return f"{event} (background)" if child else event


def _report(exc: Exception, event: str, around: Surroundings, dialect: Dialect, *, child: bool) -> bytes:
    """Records a failure; for a brief, the reply that reports it."""
    within(0)
    from psychmem_py.home import health  # noqa: PLC0415  # only when something is wrong

    name = _beat_name(event, child) if event in EVENTS else "hook"
    health.log(around.env, f"{name} failed: {health.traced(exc)}", around.now)
    recorded = health.failed(around.data, name, exc, around.now)
    if event != "inject" or child:
        return b""
    return dialect.reply(event, health.line_for_brief(around.data) if recorded else health.line_for_failure(name, exc))


def within(limit_s: int) -> None:
    """Raises LateError in the main thread after `limit_s` seconds and each second then; 0 takes the limit back."""
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415  # `signal` makes enums of the same things, for 4 ms of CPU

    def late(_number: int, _frame: object) -> None:
        _signal.alarm(1)  # what cleans up may wait, too
        raise LateError(f"the event was not served within {limit_s} s")

    if limit_s:
        _signal.signal(_signal.SIGALRM, late)
    _signal.alarm(limit_s)


def _reply(request: Request, raw: bytes, around: Surroundings, dialect: Dialect) -> tuple[bytes, OSError | None]:
    """The reply, b"" for none, and why the child was not started; that is tried even if the reply fails."""
    event = EVENTS[request.event]
    if request.event == "before":
        from psychmem_py.briefing.at_call import reminder_before  # noqa: PLC0415  # tool calls alone

        note = reminder_before(request, around)  # mostly none; only a reply is checked for a duplicate event
        return b"" if note is None or _is_echo(request, around) else dialect.reply(request.event, *note), None
    if request.event == "kept":
        from psychmem_py.briefing import prepared  # noqa: PLC0415  # after a turn, when nobody waits

        return dialect.reply("kept", prepared.take_notice(around.database_file(request.agent), request.session)), None
    if event.is_tool_call:
        _note_tool_call(request, around.data)
        return _after_call(request, around, dialect), None
    if _is_echo(request, around):
        return b"", None
    fault = None
    try:
        reply = _answer(request, around, dialect) if event.answers else b""
    finally:  # a damaged store is put aside by the child
        try:
            _start_child(request, raw, around)
        except OSError as exc:  # of a disk that takes nothing, which is no reason to withhold a reply
            fault = exc
    return reply, fault


def _answer(request: Request, around: Surroundings, dialect: Dialect) -> bytes:
    # In OpenCode the brief is part of every system prompt and never of a compaction: there is nothing to keep out of one.
    compacted = request.agent == CLAUDE_CODE and request.event == "inject" and request.source == COMPACTED
    if compacted and around.is_off("inject_on_compaction"):
        return b""
    if (text := _cached_brief(request, around)) is None:
        if request.event == "inject":
            from psychmem_py.briefing.brief import answer  # noqa: PLC0415  # brings everything a brief is chosen with
        else:
            from psychmem_py.briefing.at_prompt import answer  # noqa: PLC0415  # brings what reads the database
        text = answer(request, around)
    return dialect.reply(request.event, text)


def _after_call(request: Request, around: Surroundings, dialect: Dialect) -> bytes:
    """The reply after a call that read a file, and after a command with a usage error."""
    use = request.use or {}
    if not (use["error_class"] == "usage" or (use["ok"] and str(use["tool"]).lower() == "read")):
        return b""
    from psychmem_py.briefing.at_call import reply_after  # noqa: PLC0415  # few calls

    text = reply_after(request, around)
    return dialect.reply(request.source or request.event, text) if text and not _is_echo(request, around) else b""


def _cached_brief(request: Request, around: Surroundings) -> str | None:
    """The brief the last child left for this start, noted in the journal as shown; None when there is none that still holds."""
    if request.agent != CLAUDE_CODE or request.event != "inject":
        return None
    from psychmem_py.briefing import prepared  # noqa: PLC0415  # a start alone

    if request.source not in prepared.SOURCES or places.has_failures(around.data):  # a notice belongs into the brief
        return None
    database = around.database_file(request.agent)
    if (brief := prepared.cached_brief(database, request.cwd, around.env, around.now, request.source)) is None:
        return None
    from psychmem_py.home import journal  # noqa: PLC0415  # a start alone

    before = -1 if request.source == prepared.STARTUP else _generation(request, around, database)
    if before is None:
        return None
    text, shown, in_memory_md = brief
    by_channel = {"compaction" if request.source == COMPACTED else "brief": shown, "memory_md": in_memory_md}
    # Whoever composes the brief anew tells the trouble with it.
    return None if journal.shown(around.data, request.about, by_channel, at=around.now, generation=before + 1) else str(text)


def _generation(request: Request, around: Surroundings, database: str) -> int | None:
    """How often the conversation was compacted before, as far as anything was shown since; None where that cannot be read."""
    from psychmem_py.home import journal  # noqa: PLC0415  # a conversation that goes on
    from psychmem_py.store import read_only, sqlite  # noqa: PLC0415

    if (db := read_only.at_hand(database)) is None:
        return None
    try:
        return read_only.generation(db, request.session, journal.lately_shown(around.data, request.session, request.session))
    except sqlite.Error:
        return None
    finally:
        db.close()


def _start_child(request: Request, raw: bytes, around: Surroundings) -> None:
    """Notes the event in the journal and starts a detached child to process it."""
    event = EVENTS[request.event]
    if request.author not in PERSONS and request.turn:
        _note(request, around.data, request.about)
        _note(request, around.data, {"turn": request.turn, "entered_by": request.author})
    try:
        if request.agent in event.noted_for:
            _note(request, around.data, request.about)
    finally:  # on a full disk the child can still read, and perhaps the database has room
        if event.starts_child and request.source != COMPACTED and not (event.off_by and around.is_off(event.off_by)):
            from psychmem_py.home import detach  # noqa: PLC0415  # prompts and tool calls do without

            child = detach.detach(["--agent", request.agent, "work", request.event], raw, around.env)
            if event.wait_s:
                detach.wait(child, event.wait_s)


def _is_echo(request: Request, around: Surroundings) -> bool:
    """Whether the event just came by another registration (plugin and settings); OpenCode loads its plugin file only once."""
    if request.agent == OPENCODE:
        return False
    from psychmem_py.home import journal  # noqa: PLC0415  # tool calls do without

    registration = f"{around.env.get('CLAUDE_PLUGIN_ROOT', '')}|{around.env.get('CLAUDE_PLUGIN_DATA', '')}"
    return not journal.claimed(around.data, claude_code.message_key(request), registration, around.now)


def _note(request: Request, data: str, entry: Mapping[str, object]) -> None:
    from psychmem_py.home import journal  # noqa: PLC0415  # a tool call that breaks no rule does without

    journal.add(data, request.session, entry)


def _note_tool_call(request: Request, data: str) -> None:
    """Adds the call to the journal, without secrets; the first line of a journal says whose it is."""
    from psychmem_py.agents.tool_traces import FREE_TEXT, safe  # noqa: PLC0415  # tool calls alone
    from psychmem_py.home import journal  # noqa: PLC0415  # a tool call that breaks no rule does without

    if not os.path.exists(journal.path_of(data, request.session)):
        _note(request, data, request.about)
    use = request.use or {}
    _note(request, data, {"use": use | {name: safe(name, use[name]) for name in FREE_TEXT if name in use}})
