"""The real OpenCode, pinned, run offline against a scripted model, with our plugin installed as `psychmem install` does it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from psychmem_py.installation import opencode as setup
from tests.e2e import machine
from tests.e2e.machine import LIGHT, installed, kind_of_machine

VERSION = "1.18.33"


def client() -> Path:
    """The client's native program."""
    name = f"opencode-{kind_of_machine()}"
    return installed(name, VERSION, f"{name}/bin/opencode")


class Machine(machine.Machine):
    """A machine with OpenCode and our plugin."""

    tool: ClassVar = {"run": "bash", "write": "write", "read": "read"}
    path_key = "filePath"

    def __init__(self, root: Path) -> None:
        super().__init__(root, client())
        self.config = self.home / ".config" / "opencode"
        self.config.mkdir(parents=True)
        self.models = root / "models.json"
        self.models.write_text("{}")  # for the catalogue of all providers that it ships: two seconds of CPU at each start
        self.hook = machine.program(root / "bin" / "psychmem-hook", "psychmem_py.hooks.entry")
        for edit in setup.installing({"HOME": str(self.home)}, [str(self.hook)], {}):
            edit.path.parent.mkdir(parents=True, exist_ok=True)
            edit.path.write_text(edit.after or "")
        provider = {
            "npm": "@ai-sdk/openai-compatible",  # part of the client: nothing is fetched
            "name": "Scripted",
            "options": {"baseURL": f"{self.model.url}/v1", "apiKey": "none"},
            "models": {"m": {"name": "M", "limit": {"context": 200_000, "output": 4000}}},
        }
        models = {"model": "fake/m", "small_model": "fake/m", "provider": {"fake": provider}}
        (self.config / "opencode.json").write_text(json.dumps({**models, "autoupdate": False, "share": "disabled"}))

    def env(self, **more: str) -> dict[str, str]:
        home = str(self.home)
        off = {f"OPENCODE_DISABLE_{name}": "1" for name in ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "SHARE")}
        below = {"CONFIG": ".config", "DATA": ".local/share", "CACHE": ".cache", "STATE": ".local/state"}
        places = {f"XDG_{name}_HOME": f"{home}/{folder}" for name, folder in below.items()}
        common = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb", "HOME": home}
        own = {"PSYCHMEM_HOME": str(self.memory), "OPENCODE_MODELS_PATH": str(self.models)}
        return {**common, **places, **off, **LIGHT, **own, **more}

    def start(self, *arguments: str, at: Path | None = None, **more: str) -> subprocess.Popen[str]:
        """A started `opencode run`; the prompt goes to its stdin, since an argument would get quotation marks."""
        command = [str(self.program), "run", *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=at or self.shop, env=self.env(**more), text=True, start_new_session=True, **pipes)

    def run(self, prompt: str, *arguments: str, at: Path | None = None, **more: str) -> str:
        process = self.start(*arguments, at=at, **more)
        try:
            out, err = process.communicate(prompt, timeout=600)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        assert process.returncode == 0, err + out
        self.settle()
        return out

    @contextmanager
    def talking(self) -> Iterator[Talk]:
        """A session of `opencode serve`."""
        command = [str(self.program), "serve", "--port", "0"]
        process = subprocess.Popen(
            command, cwd=self.shop, env=self.env(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, start_new_session=True,
        )  # fmt: skip
        try:
            base = _address(process)

            def api(method: str, path: str, body: object = None) -> Any:
                data = None if body is None else json.dumps(body).encode()
                headers = {"content-type": "application/json", "x-opencode-directory": str(self.shop)}
                asked = urllib.request.Request(base + path, data, headers, method=method)
                with urllib.request.urlopen(asked, timeout=600) as reply:
                    found = reply.read()
                return json.loads(found) if found else None

            yield Talk(api, api("POST", "/session", {})["id"])
            api("POST", "/instance/dispose")
            time.sleep(0.5)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.settle()


class Talk(NamedTuple):
    """One session over the client's own interface."""

    api: Any
    session: str

    def asks(self, what: str, **body: Any) -> Any:
        return self.api("POST", f"/session/{self.session}/{what}", body)

    def says(self, text: str) -> Any:
        return self.asks("message", parts=[{"type": "text", "text": text}])


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"http://\S+", line)
        if found:
            return found.group(0)
    raise AssertionError("opencode serve ended early")
