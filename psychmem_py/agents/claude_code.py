"""Claude Code's dialect: the JSON its hooks get on stdin, and the JSON it understands on their stdout. Pure."""

from __future__ import annotations

from _collections_abc import Mapping

from psychmem_py.agents.event import CLAUDE_CODE, EVENTS, Request
from psychmem_py.errors import PayloadError
from psychmem_py.home.light_json import decoded, encoded

# The client's name of an event is the truth; the argument only serves payloads that do not say.
_EVENT_OF = {name: event for event, row in EVENTS.items() for name in row.claude_code}
_FAILURE = "PostToolUseFailure"  # answered under its own name


def parse(event: str, raw: bytes, now: float = 0.0) -> Request | None:
    """The request in a hook's stdin; None for an event we do not handle. Raises PayloadError for what is no JSON object."""
    payload = payload_of(raw)
    name = text_in(payload, "hook_event_name")
    true_event = _EVENT_OF.get(name, "") if name else event if event in EVENTS else ""
    if not true_event or not (session := text_in(payload, "session_id")):
        return None
    reason = text_in(payload, "source") or text_in(payload, "trigger") or text_in(payload, "reason")
    return Request(
        event=true_event, agent=CLAUDE_CODE, session=session, cwd=text_in(payload, "cwd"),
        transcript=text_in(payload, "transcript_path"), source=name if name == _FAILURE else reason,
        prompt=text_in(payload, "prompt"), turn=text_in(payload, "prompt_id"),
        last_message=text_in(payload, "last_assistant_message"),
        use=_use(true_event, payload, now) if EVENTS[true_event].is_tool_call else None,
        subagent=text_in(payload, "agent_id"),
    )  # fmt: skip


def payload_of(raw: bytes) -> dict[str, object]:
    """The object in a hook's stdin. Raises PayloadError for anything else."""
    try:
        payload = decoded(raw)
    except (ValueError, RecursionError) as exc:
        raise PayloadError(f"the hook's input is not JSON ({type(exc).__name__}, {len(raw)} bytes)") from exc
    if not isinstance(payload, dict):
        raise PayloadError("the hook's input is JSON, but no object")
    return payload


def text_in(payload: Mapping[str, object], key: str) -> str:
    """A string of the payload without lone surrogates, which no file could take; "" for anything else."""
    return value.encode("utf-8", "replace").decode() if isinstance(value := payload.get(key), str) else ""


def _use(event: str, payload: dict[str, object], now: float) -> dict[str, object]:
    """The fields of the tool call: what is worth keeping of one that has ended, all of one that has yet to begin."""
    key, tool, given = text_in(payload, "tool_use_id"), text_in(payload, "tool_name"), payload.get("tool_input")
    if event == "before":
        return {"id": key, "tool": tool, "input": given}
    from psychmem_py.agents.tool_traces import use_row  # noqa: PLC0415  # tool calls alone

    response = payload.get("tool_response")
    interrupted = payload.get("is_interrupt") is True or (isinstance(response, dict) and response.get("interrupted") is True)
    output = (text_in(response, "stderr") or text_in(response, "stdout")) if isinstance(response, dict) else ""
    ok = text_in(payload, "hook_event_name") != _FAILURE and not interrupted
    return use_row(id=key, tool=tool, input=given, at=now, error=text_in(payload, "error"), ok=ok, output=output)


def reply(event: str, text: str, ask: str = "", given: dict[str, object] | None = None) -> bytes:
    """One JSON object: `text` for the model, `ask` for the person, a call's new input; nothing at a Stop, or it would go on."""
    name = event if event == _FAILURE else "".join(EVENTS[event].claude_code[:1])
    if not (text or ask or given) or not name or not EVENTS[_EVENT_OF[name]].answers:
        return b""
    output: dict[str, object] = {"hookEventName": name, **({"additionalContext": text} if text else {})}
    output |= {"permissionDecision": "ask", "permissionDecisionReason": ask} if ask else {}
    output |= {"updatedInput": given} if given else {}
    return encoded({"hookSpecificOutput": output}).encode()


def message_key(request: Request) -> str:
    """A key that is equal for two deliveries of the same event."""
    said = (request.turn, request.prompt, request.subagent, request.last_message)
    return "\0".join((request.session, request.event, request.source, *said, str(request.use["id"]) if request.use else ""))
