"""A model that answers from a script, on loopback, and what it was sent: as much of two interfaces as the real clients need.

An answer is a text, a dict with `text`, `tool_use` ({"name", "input"}), `usage` and `delay_s`, or a function that makes one of
these of the request. Rules (a pattern in the last user message, an answer) come before turns, then "ok".
"""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SUMMARY = "<summary>The conversation so far was short.</summary>"
_COMPACTION = ("detailed summary of the conversation", "detailed summary of the RECENT portion", "Respond with TEXT ONLY")


class Model:
    """The server; `requests` holds the body of every model request, oldest first."""

    def __init__(self, turns: list[Any] | None = None, rules: dict[str, Any] | None = None) -> None:
        self.turns, self.rules = list(turns or []), dict(rules or {})
        self.requests: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Model:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        last = last_user_text(body)
        with self._lock:
            self.requests.append(body)
            if any(mark in last for mark in _COMPACTION) or "context summarization agent" in system_text(body):
                found: Any = SUMMARY
            elif "title generator" in system_text(body):
                found = "A title"
            else:
                rule = next((text for pattern, text in self.rules.items() if re.search(pattern, last)), None)
                found = rule or (self.turns.pop(0) if self.turns else "ok")
        if callable(found):
            found = found(body)
        return found if isinstance(found, dict) else {"text": found}

    def texts(self, since: int = 0) -> list[str]:
        """Everything the model was sent with each request from number `since` on."""
        return [json.dumps(body, ensure_ascii=False) for body in self.requests[since:]]

    def of_agent(self, since: int = 0) -> list[dict[str, Any]]:
        """The requests of the agent itself, without those for titles."""
        return [body for body in self.requests[since:] if "title generator" not in system_text(body)]

    def turn(self, say: Callable[[], object]) -> list[str]:
        """Everything the agent was sent while something was said."""
        before = len(self.requests)
        say()
        return [json.dumps(body, ensure_ascii=False) for body in self.of_agent(before)]


def call(tool: str, **given: object) -> dict[str, Any]:
    """A model's turn that calls a tool."""
    return {"text": "On it.", "tool_use": {"name": tool, "input": given}}


def last_user_text(body: dict[str, Any]) -> str:
    for message in reversed(body.get("messages") or []):
        if message.get("role") == "user":
            found = message.get("content", "")
            return found if isinstance(found, str) else "\n".join(one.get("text", "") for one in found if isinstance(one, dict))
    return ""


def system_text(body: dict[str, Any]) -> str:
    """The system messages of a chat completion, joined."""
    return "\n".join(str(message.get("content")) for message in body.get("messages") or [] if message.get("role") == "system")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_: Any) -> None:
        """Says nothing."""

    def handle(self) -> None:
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            return  # a client that hangs up is no error

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        self._json({"data": [], "has_more": False})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if self.path.endswith("/chat/completions"):
            turn = self.model.answer(body)
            time.sleep(turn.get("delay_s", 0))
            self._stream([(None, data) for data in _chunks(turn, body)])
            return
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            self._json({"input_tokens": 1})
            return
        message = _message(self.model.answer(body), body)
        if not body.get("stream"):
            self._json(message)
            return
        self._stream(_events(message))

    def _stream(self, events: Sequence[tuple[str | None, Any]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event, data in events:
            name = f"event: {event}\n" if event else ""
            self.wfile.write(f"{name}data: {data if data == '[DONE]' else json.dumps(data)}\n\n".encode())

    def _json(self, data: Any) -> None:
        raw = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)


def _message(turn: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": turn["text"]}] if turn.get("text") else []
    use = turn.get("tool_use")
    if use:
        blocks.append({"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:24]}", "name": use["name"], "input": use["input"]})
    usage = {"input_tokens": 100, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": blocks,
        "stop_reason": "tool_use" if use else "end_turn",
        "stop_sequence": None,
        "usage": usage | (turn.get("usage") or {}),
    }


def _chunks(turn: dict[str, Any], body: dict[str, Any]) -> list[Any]:
    """The streaming form of a chat completion."""
    about = {"id": f"chatcmpl-{uuid.uuid4().hex[:16]}", "object": "chat.completion.chunk", "created": 0}
    common = {**about, "model": body.get("model", "scripted")}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": turn.get("text", "")}]
    use = turn.get("tool_use")
    if use:
        function = {"name": use["name"], "arguments": json.dumps(use["input"])}
        deltas.append(
            {"tool_calls": [{"index": 0, "id": f"call_{uuid.uuid4().hex[:16]}", "type": "function", "function": function}]}
        )
    found: list[Any] = [{**common, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110} | (turn.get("usage") or {})
    last = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if use else "stop"}
    return [*found, {**common, "choices": [last], "usage": usage}, "[DONE]"]


def _events(message: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The streaming form of a finished message."""
    found: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": {**message, "content": [], "stop_reason": None}})]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            opening, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            opening, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        found += [
            ("content_block_start", {"index": index, "content_block": opening}),
            ("content_block_delta", {"index": index, "delta": delta}),
            ("content_block_stop", {"index": index}),
        ]
    found += [
        ("message_delta", {"delta": {"stop_reason": message["stop_reason"], "stop_sequence": None}, "usage": message["usage"]}),
        ("message_stop", {}),
    ]
    return [(name, {"type": name, **data}) for name, data in found]
