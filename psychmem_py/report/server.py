"""The report for a browser: the one module that opens a socket, on the loopback interface, for who knows the secret address."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

from psychmem_py.errors import PsychMemError
from psychmem_py.home.light_json import object_in

_MOST_BYTES = 64_000  # of a request's body
_WAIT_S = 10.0  # for a client that connects and says nothing
ACTIONS = ("keep", "drop", "forget", "edit", "pin", "unpin", "undo")
_GUARDED = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
_GUARDED |= {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY"}


class Listening(ThreadingHTTPServer):
    """A server for one page at a secret address. Threads, as browsers open connections in advance; deeds run one at a time."""

    daemon_threads = True

    def __init__(
        self, page: Callable[[], str], act: Callable[[str, str, str], str], search: Callable[[str], dict[str, Any]]
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.page, self.act, self.search, self.token = page, act, search, secrets.token_urlsafe(24)
        self.one_at_a_time, self.own_host = Lock(), f"127.0.0.1:{self.server_port}"
        self.address = f"http://{self.own_host}/{self.token}/"


class _Answer(BaseHTTPRequestHandler):
    server: Listening
    server_version, sys_version, timeout = "psychmem", "", _WAIT_S

    def do_GET(self) -> None:
        if not self._allowed(""):
            return self._say(404, "not found")
        try:
            self._say(200, self.server.page(), "text/html")
        except PsychMemError as exc:
            self._say(500, str(exc))

    def do_POST(self) -> None:
        """A click, {"deed", "id", "text"}, or a search, {"words"}, from our own page and no other."""
        answers = {"search": self._found, "act": self._done}
        if (answered := next((answers[path] for path in answers if self._allowed(path)), None)) is None:
            return self._say(404, {"said": "not found"})
        asked = self.headers.get_content_type(), self.headers.get("Origin")
        if asked != ("application/json", f"http://{self.server.own_host}"):
            return self._say(403, {"said": "only the page itself may ask for this"})
        if not (size := self.headers.get("Content-Length", "")).isdecimal() or int(size) > _MOST_BYTES:
            return self._say(413, {"said": "that is too long"})
        return self._say(*answered(object_in(self.rfile.read(int(size)))))

    def _found(self, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        with suppress(PsychMemError):
            if "words" in given:
                return 200, self.server.search(str(given["words"]))
        return 200, {"ids": [], "earlier": []}

    def _done(self, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        deed, key, text = (str(given.get(name) or "") for name in ("deed", "id", "text"))
        if deed not in ACTIONS or (deed != "undo" and not key):
            return 400, {"said": f"use one of {', '.join(ACTIONS)} with an id"}
        try:
            with self.server.one_at_a_time:
                return 200, {"said": self.server.act(deed, key, text)}
        except PsychMemError as exc:
            return 409, {"said": str(exc)}

    def _allowed(self, path: str) -> bool:
        """Whether the request names the secret and was meant for this address: a name that only points here is not."""
        wanted = f"/{self.server.token}/{path}"
        return self.headers.get("Host") == self.server.own_host and hmac.compare_digest(self.path.encode(), wanted.encode())

    def _say(self, code: int, told: str | dict[str, Any], kind: str = "text/plain") -> None:
        text, kind = (told, kind) if isinstance(told, str) else (json.dumps(told), "application/json")
        body = text.encode("utf-8", "replace")
        self.send_response(code)
        for name, value in ({"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))} | _GUARDED).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: the secret address would stand in it."""
