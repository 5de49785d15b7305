"""The real OpenCode, pinned, run offline against a scripted model, with our plugin installed as `psychmem install` does it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from psychmem_py.installation import opencode as setup
from tests.e2e.claude import settle
from tests.e2e.npm import LIGHT, installed, kind_of_machine

VERSION = "1.18.33"


def client() -> Path:
    """The client's native program."""
    name = f"opencode-{kind_of_machine()}"
    return installed(name, VERSION, f"{name}/bin/opencode")


class Machine:
    """A home with the client and our plugin, and projects to work in."""

    def __init__(self, root: Path, program: Path) -> None:
        self.root, self.program = root, program
        self.home, self.memory = root / "home", root / "psychmem"
        self.config = self.home / ".config" / "opencode"
        self.config.mkdir(parents=True)
        self.models = root / "models.json"
        self.models.write_text("{}")  # for the catalogue of all providers that it ships: two seconds of CPU at each start
        self.hook = _launcher(root / "bin")
        env = {"HOME": str(self.home)}
        for edit in setup.installing(env, [str(self.hook)], {}):
            edit.path.parent.mkdir(parents=True, exist_ok=True)
            edit.path.write_text(edit.after or "")

    def project(self, name: str) -> Path:
        path = self.root / name
        path.mkdir()
        (path / "README.md").write_text("# demo\n")
        git = ["git", "-c", "user.name=dev", "-c", "user.email=dev@example.com"]
        for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "first"]):
            subprocess.run([*git, *words], cwd=path, check=True, capture_output=True)
        return path

    def configure(self, url: str, *, context: int = 200_000) -> None:
        provider = {
            "npm": "@ai-sdk/openai-compatible",  # part of the client: nothing is fetched
            "name": "Scripted",
            "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
            "models": {"m": {"name": "M", "limit": {"context": context, "output": 4000}}},
        }
        settings = {
            "model": "fake/m",
            "small_model": "fake/m",
            "autoupdate": False,
            "share": "disabled",
            "provider": {"fake": provider},
        }
        (self.config / "opencode.json").write_text(json.dumps(settings))

    def env(self, **more: str) -> dict[str, str]:
        home = str(self.home)
        off = {f"OPENCODE_DISABLE_{name}": "1" for name in ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "SHARE")}
        below = {"CONFIG": ".config", "DATA": ".local/share", "CACHE": ".cache", "STATE": ".local/state"}
        places = {f"XDG_{name}_HOME": f"{home}/{folder}" for name, folder in below.items()}
        common = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb", "HOME": home}
        own = {"PSYCHMEM_HOME": str(self.memory), "OPENCODE_MODELS_PATH": str(self.models)}
        return {**common, **places, **off, **LIGHT, **own, **more}

    def start(self, project: Path, url: str, *arguments: str, **more: str) -> subprocess.Popen[str]:
        """A started `opencode run`; the prompt goes to its stdin, since an argument would get quotation marks."""
        self.configure(url)
        command = [str(self.program), "run", *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=project, env=self.env(**more), text=True, start_new_session=True, **pipes)

    def run(self, project: Path, url: str, prompt: str, *arguments: str, **more: str) -> str:
        """What the client prints for one headless turn, after which nothing of ours works any more."""
        process = self.start(project, url, *arguments, **more)
        try:
            out, err = process.communicate(prompt, timeout=600)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        assert process.returncode == 0, err + out
        settle(self)
        return out

    @contextlib.contextmanager
    def serve(self, project: Path, url: str, *, context: int = 200_000) -> Iterator[Any]:
        """`opencode serve`; yields `api(method, path, body)`."""
        self.configure(url, context=context)
        command = [str(self.program), "serve", "--port", "0"]
        process = subprocess.Popen(
            command, cwd=project, env=self.env(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True,
        )  # fmt: skip
        try:
            base = _address(process)

            def api(method: str, path: str, body: object = None) -> Any:
                data = None if body is None else json.dumps(body).encode()
                headers = {"content-type": "application/json", "x-opencode-directory": str(project)}
                asked = urllib.request.Request(base + path, data, headers, method=method)
                with urllib.request.urlopen(asked, timeout=600) as reply:
                    found = reply.read()
                return json.loads(found) if found else None

            yield api
            api("POST", "/instance/dispose")
            time.sleep(0.5)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        settle(self)

    @contextlib.contextmanager
    def talking(self, project: Path, url: str) -> Iterator[Talk]:
        """A session of `opencode serve`."""
        with self.serve(project, url) as api:
            yield Talk(api, api("POST", "/session", {})["id"])


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


def _launcher(folder: Path) -> Path:
    """A `psychmem-hook` that runs this checkout with this interpreter."""
    folder.mkdir()
    root = Path(__file__).resolve().parents[2]
    paths = [str(root), *(path for path in sys.path if "site-packages" in path)]
    main = folder / "main.py"
    main.write_text(f"import sys; sys.path[:0] = {paths!r}; from psychmem_py.hooks.entry import main; sys.exit(main())")
    hook = folder / "psychmem-hook"
    hook.write_text(f'#!/bin/sh\n"{sys.executable}" -I -S "{main}" "$@"\nexit 0\n')
    hook.chmod(0o755)
    return hook
