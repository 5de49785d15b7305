"""OpenCode's dialect: the JSON our plugin file hands over, the client's messages as ours, the reply the plugin pushes. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from psychmem_py.agents.claude_code import payload_of, text_in
from psychmem_py.agents.event import EVENTS, OPENCODE, Request
from psychmem_py.agents.tool_traces import COMMAND_CHARS, answered, objects, questions_in, use_row, whole
from psychmem_py.model.records import Message, Origin, Role, ToolUse

_REJECTED, _SAID = "The user rejected permission to use this specific tool call", "with the following feedback:"


class Turn(NamedTuple):
    """One of the client's messages with its parts, as the client's API and database hold them."""

    id: str
    info: Mapping[str, Any]
    parts: Sequence[Mapping[str, Any]]


def parse(event: str, raw: bytes, now: float = 0.0) -> Request | None:
    """The request in our plugin's payload; None for an event we do not handle or without a session. Raises PayloadError."""
    payload = payload_of(raw)
    if event not in EVENTS or EVENTS[event].plugin_s is None or not (session := text_in(payload, "session")):
        return None
    return Request(
        event=event, agent=OPENCODE, session=session, cwd=text_in(payload, "cwd"), source=text_in(payload, "source"),
        prompt=unquoted(text_in(payload, "text")), turn=text_in(payload, "message") or text_in(payload, "call"),
        use=_use(event, payload, now) if EVENTS[event].is_tool_call else None,
        subagent=text_in(payload, "call") if event == "subagent-start" else "",
        messages=tuple(messages_of(turns_of(payload.get("messages")))),
    )  # fmt: skip


def reply(event: str, text: str, ask: str = "", given: Mapping[str, object] | None = None) -> bytes:
    """One JSON object: text for our plugin to push, what to `ask` in place of a call, its changed input; or nothing."""
    fields = {name: value for name, value in (("text", text), ("ask", ask), ("input", given)) if value}
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") if fields and EVENTS[event].answers else b""


def turns_of(value: object) -> list[Turn]:
    """The turns in what the client's API returned; whatever has another shape is left out."""
    given = ((item.get("info"), item.get("parts")) for item in objects(value))
    fitting = ((info, parts) for info, parts in given if isinstance(info, dict) and isinstance(parts, list))
    return [Turn(text_in(info, "id"), info, objects(parts)) for info, parts in fitting]


def messages_of(turns: Iterable[Turn]) -> list[Message]:
    """What people typed and the assistant answered, oldest first, without narration between tools; no sub-agent's session."""
    messages: list[Message] = []
    answer = ""
    for turn in turns:
        role = turn.info.get("role")
        messages += _chosen(turn) if role == "assistant" else ()
        if not (text := _typed(turn.parts) if role == "user" else _answer(turn) if role == "assistant" else "").strip():
            continue
        at = created_ms(turn) / 1000
        if role == "user":
            messages.append(Message(_key("user", at, text), Role.USER, Origin.USER_PROMPT, unquoted(text), at or None, answer))
        else:
            messages.append(Message(_key("assistant", at, text), Role.ASSISTANT, Origin.ASSISTANT, text, at or None))
            answer = text
    return messages


def uses_of(turns: Iterable[Turn]) -> list[ToolUse]:
    """The tool calls of the turns that have ended, with the errors of those that failed."""
    calls = ((part, created_ms(turn) / 1000) for turn in turns for part in turn.parts if part.get("type") == "tool")
    ended = ((part, _object(part, "state"), at) for part, at in calls)
    return [_call(part, state, at) for part, state, at in ended if state.get("status") in ("completed", "error")]


def created_ms(turn: Turn) -> int:
    """When the turn was made, in milliseconds; 0 where it says none that a date can tell. A fork's copies keep it."""
    created = _object(turn.info, "time").get("created")
    return int(created) if isinstance(created, int | float) and 0 < created <= 253_402_300_799_000 else 0


def final_count(turns: Sequence[Turn]) -> int:
    """How many turns, from the oldest, are final: those before the assistant's last, and that one too when it is complete."""
    last = max((index for index, turn in enumerate(turns) if turn.info.get("role") == "assistant"), default=0)
    return last + 1 if turns and _object(turns[last].info, "time").get("completed") is not None else last


def unquoted(text: str) -> str:
    """`text` without the one pair of quotation marks that `opencode run "two words"` puts around it."""
    bare = text.strip()
    return bare[1:-1] if len(bare) > 2 and bare[0] == bare[-1] == '"' and '"' not in bare[1:-1].replace('\\"', "") else text


def _key(role: str, at: float, text: str) -> str:
    """The same for a message and its copy in a fork, whose id is new and whose time is not."""
    return "oc:" + sha256(f"{role}\0{at:.3f}\0{text}".encode("utf-8", "replace")).hexdigest()[:40]


def _typed(parts: Sequence[Mapping[str, Any]]) -> str:
    """What a person typed: no attached files, no expansions of a slash command, nothing another program put there."""
    if any(part.get("type") in ("compaction", "subtask") for part in parts):
        return ""
    texts = (part for part in parts if part.get("type") == "text" and not (part.get("synthetic") or part.get("ignored")))
    return "\n".join(text_in(part, "text") for part in texts if _object(part, "metadata").get("psychmem") != "command")


def _answer(turn: Turn) -> str:
    """The assistant's last words of a turn; those between tools are commentary."""
    info = turn.info
    if info.get("finish") != "stop" or info.get("summary") or info.get("error") or info.get("agent") == "compaction":
        return ""
    return "\n\n".join(text_in(part, "text") for part in turn.parts if part.get("type") == "text" and not part.get("synthetic"))


def _chosen(turn: Turn) -> Iterator[Message]:
    """What a person answered in the boxes by which the assistant asked in a turn."""
    at = created_ms(turn) / 1000
    states = (_object(part, "state") for part in turn.parts if part.get("type") == "tool" and part.get("tool") == "question")
    for state in states:
        answers = _object(state, "metadata").get("answers")
        for asked, given in zip(questions_in(state.get("input")), answers if isinstance(answers, list) else (), strict=False):
            answer = ", ".join(label for label in (given if isinstance(given, list) else ()) if isinstance(label, str))
            yield from answered(asked, answer, _key("chosen", at, f"{asked.get('question')}\0{answer}"), at or None)


def _call(part: Mapping[str, Any], state: Mapping[str, Any], at: float) -> ToolUse:
    failed = isinstance(code := _object(state, "metadata").get("exit"), int) and code != 0
    error = text_in(state, "error") if state.get("status") == "error" else ""
    if failed and not error:
        error = f"Exit code {code}\n{whole(text_in(state, 'output'), COMMAND_CHARS)}"
    ok = state.get("status") == "completed" and not failed
    call = {"id": text_in(part, "callID"), "tool": text_in(part, "tool"), "input": state.get("input"), "ok": ok}
    return ToolUse(**use_row(**call, at=at, error=error, reason=_reason(error)))  # type: ignore[arg-type]


def _reason(error: str) -> str | None:
    """What the person said in refusing a call, "" for nothing; None where it failed otherwise."""
    return error.partition(_SAID)[2].strip() if error.startswith(_REJECTED) else None


def _use(event: str, payload: Mapping[str, Any], now: float) -> dict[str, object]:
    call: dict[str, Any] = {"id": text_in(payload, "call"), "tool": text_in(payload, "tool"), "input": payload.get("input")}
    error = text_in(payload, "error")
    return call if event == "before" else use_row(**call, at=now, error=error, ok=not error, reason=_reason(error))


def _object(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object in a field; an empty one for anything else."""
    return value if isinstance(value := given.get(name), dict) else {}
