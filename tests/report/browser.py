"""A real browser, driven through a pipe: it presses keys, follows the page, and says what is on the screen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.data import written

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="no chromium on PATH (Debian: apt-get install chromium)")
_QUIET = "gpu quic background-networking component-update sync default-apps extensions".split()
_WIRED = """import os, sys, fcntl
read, write = (fcntl.fcntl(int(one), fcntl.F_DUPFD, 50) for one in sys.argv[1:3])
os.dup2(read, 3), os.dup2(write, 4), os.execv(sys.argv[3], sys.argv[3:])"""  # the browser speaks on 3 and 4
_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowDown": 40}
# The contrast of every text with its background (WCAG 2.1: 4.5 to 1, large 3 to 1), and of the edge of every field (3 to 1).
_CONTRAST = written("contrast.js")


class Browser:
    """One tab of a headless browser with a profile of its own; use as a context."""

    def __init__(self, folder: Path) -> None:
        ours, theirs = os.pipe(), os.pipe()
        options = ("headless", "no-sandbox", "no-first-run", "remote-debugging-pipe", f"user-data-dir={folder}/profile")
        command = [CHROMIUM, *(f"--{one}" for one in options), *(f"--disable-{name}" for name in _QUIET)]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WIRED, str(ours[0]), str(theirs[1]), *command], pass_fds=(ours[0], theirs[1]),
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)},
        )  # fmt: skip
        os.close(ours[0]), os.close(theirs[1])
        self._out, self._in, self._number, self._session = os.fdopen(ours[1], "wb", 0), os.fdopen(theirs[0], "rb"), 0, ""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._out.close(), self._in.close()

    def _call(self, method: str, **given: Any) -> dict[str, Any]:
        self._number += 1
        wanted = {"id": self._number, "method": method, "params": given} | ({"sessionId": self._session} if self._session else {})
        self._out.write(json.dumps(wanted).encode() + b"\0")
        while True:
            raw = bytearray()
            while (byte := self._in.read(1)) != b"\0":
                assert byte, "the browser ended"
                raw += byte
            answer: dict[str, Any] = json.loads(raw)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return dict(answer["result"])

    def opens(self, address: str, *, wide: int = 1200, dark: bool = False) -> None:
        self._call("Emulation.setDeviceMetricsOverride", width=wide, height=900, deviceScaleFactor=1, mobile=False)
        media = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", features=media)
        for place in ("about:blank", address):  # one that differs by its hash alone would not be loaded again
            self._call("Page.navigate", url=place)
            self.until(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(place)})")

    def says(self, code: str) -> Any:
        """What a piece of JavaScript is on the page."""
        done = self._call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def until(self, code: str, limit_s: float = 60.0) -> Any:
        """The same, once it is true; while a page loads its parts are not there yet."""
        code = f"(() => {{ try {{ return {code} }} catch {{ return null }} }})()"
        end = time.monotonic() + limit_s
        while not (value := self.says(code)):
            assert time.monotonic() < end, f"never so: {code}"
            time.sleep(0.05)
        return value

    def presses(self, *keys: str) -> None:
        """Keys as a person's keyboard sends them; a text is typed."""
        for key in keys:
            if key not in _KEYS and len(key) > 1:
                self._call("Input.insertText", text=key)
                continue
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            for kind in ("keyDown", "keyUp"):
                down = {"text": text} if kind == "keyDown" and text else {}
                code = _KEYS.get(key, ord(key[0].upper()))
                self._call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **down)

    def tabs_to(self, name: str) -> None:
        """Presses Tab until what holds the focus is called so."""
        here = "document.activeElement.ariaLabel || document.activeElement.textContent || document.activeElement.id"
        for _ in range(200):
            self.presses("Tab")
            if str(self.says(here)).startswith(name):
                return
        raise AssertionError(f"no Tab leads to {name}")

    def enters(self, name: str) -> None:
        """Goes to what is called so by keys, and presses it."""
        self.tabs_to(name)
        self.presses("Enter")

    def unreadable(self) -> list[str]:
        """Texts and edges on the screen whose contrast is too low."""
        return list(self.says(_CONTRAST))

    def standing_out(self) -> list[str]:
        """Elements that reach beyond the window."""
        code = """[...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && !one.closest("svg, .skip, thead")
            && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.tagName + " " + one.textContent.slice(0, 30))"""
        return list(self.says(code))
