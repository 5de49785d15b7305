"""The real Claude Code, pinned, installed once from npm into a cache of its own and run offline against a scripted model."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.npm import LIGHT, installed, kind_of_machine
from tests.hooks import eventually

VERSION = "2.1.329"


def client() -> Path:
    """The client's program; skips the test, with the reason, where it cannot be had."""
    name = f"@anthropic-ai/claude-code-{kind_of_machine()}"
    return installed(name, VERSION, f"{name}/claude")


TYPED_KEY = "sk-ant-test-0000000000000000000000"


class Machine:
    """A home with a client, PsychMem as its plugin, and projects to work in."""

    def __init__(self, root: Path, program: Path, plugin: Path) -> None:
        self.root, self.program, self.plugin = root, program, plugin
        self.home, self.memory = root / "home", root / "psychmem"
        (self.home / ".claude").mkdir(parents=True)

    def project(self, name: str) -> Path:
        path = self.root / name
        path.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main", str(path)], check=True, capture_output=True)
        return path

    def env(self, url: str, **more: str) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "PSYCHMEM_HOME": str(self.memory),
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": TYPED_KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            **LIGHT,
            **more,
        }

    def run(self, project: Path, url: str, prompt: str, *arguments: str, **more: str) -> str:
        """What the client prints for one headless turn, after which nothing of ours works any more."""
        out = self.command(project, url, "--plugin-dir", str(self.plugin), "-p", prompt, *arguments, **more)
        settle(self)
        return out

    def command(self, project: Path, url: str, *words: str, **more: str) -> str:
        """What the client prints for a command line, whatever it is."""
        done = subprocess.run(
            [str(self.program), *words], cwd=project, env=self.env(url, **more), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def terminal(self, project: Path, url: str, *arguments: str, columns: int = 160, **more: str) -> Terminal:
        """The client in a terminal, as a person sees it."""
        known = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [TYPED_KEY[-20:]], "rejected": []},
            "projects": {str(project): {"hasTrustDialogAccepted": True}},
        }
        settings = self.home / ".claude.json"
        before = json.loads(settings.read_text()) if settings.exists() else {}
        settings.write_text(json.dumps({**before, **known}))
        command = [str(self.program), "--plugin-dir", str(self.plugin), *arguments]
        return Terminal(command, project, {**self.env(url, **more), "TERM": "xterm-256color", "SHELL": "/bin/bash"}, columns)

    def people(self) -> None:
        """Installs `psychmem`, as the plugin looks for it."""
        program = self.home / ".local" / "share" / "psychmem" / "venv" / "bin" / "psychmem"
        program.parent.mkdir(parents=True)
        code = f"import sys; sys.path[:0] = {sys.path!r}; from psychmem_py.cli import main; main()"
        (program.parent / "main.py").write_text(code)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{program.parent}/main.py" "$@"\n')
        program.chmod(0o755)

    def psychmem(self, project: Path, *arguments: str) -> str:
        """What `psychmem` prints, run by the person in a terminal beside the client."""
        command = [sys.executable, "-c", "from psychmem_py.cli import main; main()", *arguments]
        env = {**self.env(""), "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout


def working(memory: Path) -> list[str]:
    """Command lines of processes that still belong to the machine with this store."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if f"PSYCHMEM_HOME={memory}".encode() in (entry / "environ").read_bytes():
                    found.append(line)
    return found


def settle(machine: Any) -> None:
    eventually(lambda: not working(machine.memory))


class Terminal:
    """A program in a terminal of its own, made by tmux; it is ended with the block."""

    def __init__(self, command: list[str], cwd: Path, env: dict[str, str], columns: int = 160) -> None:
        if shutil.which("tmux") is None:
            pytest.skip("a terminal needs tmux")
        self._socket = f"psychmem-test-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        variables = [f"{name}={value}" for name, value in env.items()]
        line = shlex.join(["env", "-i", *variables, *command])
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", str(columns), "-y", "40", "-c", str(cwd), line)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-L", self._socket, *words], capture_output=True, text=True, timeout=20, check=False)
        return done.stdout

    def type(self, text: str, *keys: str) -> None:
        """Types a text, then keys by their names; Enter when none is named."""
        if text:
            self._tmux("send-keys", "-l", text)
            self.shows(re.escape(text[:40]))
            time.sleep(1)  # a text and an Enter at once are one paste to the client
        self._tmux("send-keys", *(keys or ("Enter",)))

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def coloured(self) -> str:
        """The screen with its escapes."""
        return self._tmux("capture-pane", "-e", "-p")

    def shows(self, pattern: str, limit_s: float = 200) -> str:
        """The screen as soon as it matches."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            found = self.screen()
            if re.search(pattern, found):
                return found
            time.sleep(0.1)
        raise AssertionError(f"no {pattern!r} within {limit_s} s on\n{self.screen()}")


def hook_launcher(folder: Path) -> Path:
    """A plugin directory whose hooks run this checkout with this interpreter."""
    root = Path(__file__).resolve().parents[2]
    (folder / ".claude-plugin").mkdir(parents=True)
    shutil.copy(root / ".claude-plugin" / "plugin.json", folder / ".claude-plugin")
    for name in ("hooks", "skills", "bin"):
        shutil.copytree(root / name, folder / name)
    run = folder / "hooks" / "run"
    paths = [str(root), *(path for path in sys.path if "site-packages" in path)]
    code = f"import sys; sys.path[:0] = {paths!r}; from psychmem_py.hooks.entry import main; sys.exit(main())"
    (folder / "hooks" / "main.py").write_text(code)
    head, found, _ = run.read_text().partition("installed=")  # ours, up to where it looks for an installation
    assert found
    run.write_text(f'{head}"{sys.executable}" -I -S "{folder}/hooks/main.py" "$@"\nexit 0\n')
    run.chmod(0o755)
    return folder
