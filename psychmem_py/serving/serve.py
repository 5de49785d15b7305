"""One event of an agent served: bytes in, reply bytes out, never an exception. Both doors call it.

What only takes notes is done here, and everything loaded for it is light: no `json`, `re`, `typing` or `enum`, which cost more
than the rest of the process. What answers (`answer`) and what the detached child does (`work`) is imported when its event comes.
"""

from __future__ import annotations

import os
import time

from psychmem_py.agents import claude_code
from psychmem_py.handover import claims, detach, journal
from psychmem_py.home import early_settings, heartbeat
from psychmem_py.home import places as folders
from psychmem_py.safety.secret_free import is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from psychmem_py.agents.event import Request

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
_WORDS = ("paths", "command", "error_line")  # the fields of a tool use in which somebody's words stand
_CHILD_S = 300
_PRE_COMPACT_S = 20.0  # compaction waits this long for what was said before it


def serve(arguments: Sequence[str], raw: bytes, env: Mapping[str, str], *, agent: str = "") -> bytes:
    """The reply to an event, b"" for none. A failure goes to the health record; where a brief belongs the reply says so."""
    now, data = time.time(), folders.data_folder(env)
    child = arguments[:1] == ["work"]
    event = "".join(arguments[1:2] if child else arguments[:1])
    dialect = _dialect(agent or env.get("PSYCHMEM_AGENT_TYPE", ""))
    try:
        within(_CHILD_S if child else DEADLINES_S.get(event, 2))
        request: Request | None = dialect.parse(event, raw, now)
        if request is None or (request.cwd and _is_ignored(request.cwd, env)):
            return b""
        if request.event != event and not child:  # the payload knows better than the registration
            event = request.event
            within(DEADLINES_S[event])
        reply = _work(request, env) if child else _served(request, raw, env, now, dialect)
        heartbeat.beat(data, _name(event, child), now)
        return reply
    except Exception as exc:  # the one place: an agent must never suffer from us
        return _failed(exc, event, data, now, dialect, child=child)
    finally:
        within(0)


def _is_ignored(cwd: str, env: Mapping[str, str]) -> bool:
    """Whether the person wants nothing remembered of this directory or of one around it: the setting `ignore`."""
    globs = early_settings.setting(env, "ignore")
    if not globs:
        return False
    from fnmatch import fnmatch  # noqa: PLC0415  # brings `re`

    places = [os.path.abspath(cwd), os.path.realpath(cwd)]
    around = {place[:at] for place in places for at in range(1, len(place) + 1) if place[at : at + 1] in ("", os.sep)}
    home = folders.home(env)
    wanted = [glob.strip() for glob in globs.split(",") if glob.strip()]
    return any(
        fnmatch(place + end, home + glob[1:] if glob.startswith("~/") else glob)
        for place in around
        for glob in wanted
        for end in ("", "/")
    )


def _name(event: str, child: bool) -> str:
    return f"{event} (background)" if child else event


def _failed(exc: Exception, event: str, data: str, now: float, dialect: ModuleType, *, child: bool) -> bytes:
    from psychmem_py.home import health  # noqa: PLC0415  # only when something is wrong

    health.failed(data, _name(event, child) if event in DEADLINES_S else "hook", exc, now)
    told: bytes = dialect.reply(event, health.notice(data)) if event == "inject" and not child else b""
    return told


def _dialect(agent: str) -> ModuleType:
    if agent != "opencode":
        return claude_code
    from psychmem_py.agents import opencode  # noqa: PLC0415  # the other agent pays for it

    return opencode


def within(limit_s: int) -> None:
    """Raises TimeoutError in the main thread after `limit_s` seconds; 0 takes the limit back."""
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415  # `signal` makes enums of the same things, for 4 ms of CPU

    def late(_number: int, _frame: object) -> None:
        raise TimeoutError(f"the event was not served within {limit_s} s")

    if limit_s:
        _signal.signal(_signal.SIGALRM, late)
    _signal.alarm(limit_s)


def _served(request: Request, raw: bytes, env: Mapping[str, str], now: float, dialect: ModuleType) -> bytes:
    data = folders.data_folder(env)
    if _is_echo(request, env, data, now, dialect):
        return b""
    work = ["--agent", request.agent, "work", request.event]
    if request.event in _ANSWERED:
        try:
            return _answered(request, env, now, dialect)
        finally:  # a damaged store is put aside by the child
            if request.agent == "opencode" and request.event == "prompt":
                _note(request, data)  # a client killed before it is idle tells nobody: the next start finds the note
            if request.event == "inject" and request.source != "compact":
                detach.detach(work, raw, env)
    if request.use is not None:
        _note_use(request, data)
        return b""
    if request.event == "pre-compact" and early_settings.is_off(env, "extract_on_compaction"):
        return b""
    if request.event == "stop" and early_settings.is_off(env, "extract_on_message"):
        _note(request, data)  # for the end of the session, or the next start
        return b""
    try:
        _note(request, data)
    finally:  # on a full disk the child can still read, and perhaps the database has room
        child = detach.detach(work, raw, env)
    if request.event == "pre-compact":
        detach.wait(child, _PRE_COMPACT_S)
    return b""


def _answered(request: Request, env: Mapping[str, str], now: float, dialect: ModuleType) -> bytes:
    if request.event == "inject" and request.source == "compact" and early_settings.is_off(env, "inject_on_compaction"):
        return b""
    ready = _ready(request, env, now)
    if ready is not None:
        return bytes(dialect.reply(request.event, ready))
    if request.event == "inject":
        from psychmem_py.briefing.at_start import answer  # noqa: PLC0415  # brings everything a brief is chosen with
    else:
        from psychmem_py.briefing.at_prompt import asked as answer  # noqa: PLC0415  # brings what reads the database
    reply: bytes = dialect.reply(request.event, answer(request, env, now))
    return reply


def _ready(request: Request, env: Mapping[str, str], now: float) -> str | None:
    """The brief made ready for this start, noted in the journal as shown; None when there is none that still holds."""
    if request.agent != claude_code.AGENT or request.event != "inject" or request.source != "startup":
        return None
    from psychmem_py.briefing import brief_cache  # noqa: PLC0415  # a start alone

    data = folders.data_folder(env)
    found = (
        None
        if heartbeat.troubled(data)
        else brief_cache.ready(early_settings.database_file(env, request.agent), request.cwd, env, now)
    )
    if found is None:
        return None
    places = {"brief": found.shown, "memory_md": found.in_memory_md}
    journal.shown(data, request.session, places, agent=request.agent, at=now)
    return found.text


def _is_echo(request: Request, env: Mapping[str, str], data: str, now: float, dialect: ModuleType) -> bool:
    """Whether the same event has just come by another registration (a plugin's and the settings')."""
    key = dialect.message_key(request)
    if not key:
        return False
    registration = f"{env.get('CLAUDE_PLUGIN_ROOT', '')}|{env.get('CLAUDE_PLUGIN_DATA', '')}"
    return not claims.claimed(data, key, registration, now)


def _note(request: Request, data: str) -> None:
    journal.note(data, request.session, agent=request.agent, cwd=request.cwd, transcript=request.transcript)


def _note_use(request: Request, data: str) -> None:
    fields = request.use if isinstance(request.use, dict) else request.use._asdict() if request.use else {}
    if not os.path.exists(journal.path_of(data, request.session)):
        _note(request, data)
    journal.append(data, request.session, {name: _safe(value) if name in _WORDS else value for name, value in fields.items()})


def _safe(value: object) -> object:
    """A field without secrets, ready for the disk."""
    if isinstance(value, tuple):
        return tuple(map(_safe, value))
    if not isinstance(value, str) or is_plain(value):
        return value
    from psychmem_py.safety.secrets import redact  # noqa: PLC0415  # 15 ms of CPU; most lines are plainly harmless

    return redact(value)


def _work(request: Request, env: Mapping[str, str]) -> bytes:
    from psychmem_py.serving.child import work  # noqa: PLC0415  # the detached child alone

    work(request, env)
    return b""
