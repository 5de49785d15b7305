"""The real Claude Code, pinned, installed once from npm into a cache of its own and run offline against a scripted model."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import time
import uuid
from pathlib import Path
from typing import ClassVar

import pytest

from tests.e2e import machine
from tests.e2e.machine import LIGHT, installed, kind_of_machine
from tests.hooks import ROOT

VERSION = "2.1.329"
TYPED_KEY = "sk-ant-test-0000000000000000000000"


def client() -> Path:
    """The client's program; skips the test, with the reason, where it cannot be had."""
    name = f"@anthropic-ai/claude-code-{kind_of_machine()}"
    return installed(name, VERSION, f"{name}/claude")


class Machine(machine.Machine):
    """A machine with Claude Code and a folder from which PsychMem is its plugin; that of this checkout, where none is named."""

    tool: ClassVar = {"run": "Bash", "write": "Write", "read": "Read"}
    path_key = "file_path"
    leave = ("--allowedTools", "Bash,Write,Read")

    def __init__(self, root: Path, plugin: Path | None = None) -> None:
        super().__init__(root, client())
        (self.home / ".claude").mkdir()
        self.plugin = plugin or plugin_folder(root / "plugin dir")
        self.flags = ("--plugin-dir", str(self.plugin))

    def env(self, **more: str) -> dict[str, str]:
        off = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_AUTOUPDATER")
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "PSYCHMEM_HOME": str(self.memory),
            "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": TYPED_KEY,
            **dict.fromkeys(off, "1"),
            **LIGHT,
            **more,
        }

    def run(self, prompt: str, *arguments: str, at: Path | None = None, **more: str) -> str:
        return self.command(*self.flags, "-p", prompt, *arguments, at=at, **more)

    def command(self, *words: str, at: Path | None = None, **more: str) -> str:
        """What the client prints for a command line, whatever it is, after which nothing of ours works any more."""
        done = subprocess.run(
            [str(self.program), *words], cwd=at or self.shop, env=self.env(**more), stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + done.stdout
        self.settle()
        return done.stdout

    def begins(self, *arguments: str, **more: str) -> str:
        """The id of a new session in which nothing but "Hello" was said."""
        return str(json.loads(self.run("Hello", "--output-format", "json", *arguments, **more))["session_id"])

    def terminal(self, *arguments: str, columns: int = 160, **more: str) -> Terminal:
        """The client in a terminal, as a person sees it."""
        known = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [TYPED_KEY[-20:]], "rejected": []},
            "projects": {str(self.shop): {"hasTrustDialogAccepted": True}},
        }
        settings = self.home / ".claude.json"
        before = json.loads(settings.read_text()) if settings.exists() else {}
        settings.write_text(json.dumps({**before, **known}))
        command = [str(self.program), *self.flags, *arguments]
        return Terminal(command, self.shop, {**self.env(**more), "TERM": "xterm-256color", "SHELL": "/bin/bash"}, columns)

    def people(self) -> None:
        """Installs `psychmem`, as the plugin looks for it."""
        machine.program(self.home / ".local" / "share" / "psychmem" / "venv" / "bin" / "psychmem", "psychmem_py.cli")


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


def plugin_folder(folder: Path) -> Path:
    """A plugin directory whose hooks run this checkout with this interpreter."""
    (folder / ".claude-plugin").mkdir(parents=True)
    shutil.copy(ROOT / ".claude-plugin" / "plugin.json", folder / ".claude-plugin")
    for name in ("hooks", "skills", "bin"):
        shutil.copytree(ROOT / name, folder / name)
    run = folder / "hooks" / "run"
    head, found, _ = run.read_text().partition("installed=")  # ours, up to where it looks for an installation
    assert found
    ours = machine.program(folder / "hooks" / "ours", "psychmem_py.hooks.entry")
    run.write_text(f'{head}"{ours}" "$@"\nexit 0\n')
    run.chmod(0o755)
    return folder
