"""The real Claude Code, pinned, installed once from npm into a cache of its own and run offline against a scripted model."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.npm import installed

VERSION = "2.1.329"
_PLATFORMS = {
    ("Linux", "x86_64"): "linux-x64",
    ("Linux", "aarch64"): "linux-arm64",
    ("Darwin", "arm64"): "darwin-arm64",
    ("Darwin", "x86_64"): "darwin-x64",
}


def client() -> Path:
    """The client's program; skips the test, with the reason, where it cannot be had."""
    kind = _PLATFORMS.get((platform.system(), platform.machine()))
    if kind is None:
        pytest.skip("there is no Claude Code for this platform")
    return installed(f"@anthropic-ai/claude-code-{kind}", VERSION, f"@anthropic-ai/claude-code-{kind}/claude")


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
            "ANTHROPIC_API_KEY": "sk-ant-test-0000000000000000000000",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            **more,
        }

    def run(self, project: Path, url: str, prompt: str, *arguments: str, **more: str) -> str:
        """What the client prints for one headless turn."""
        command = [str(self.program), "--plugin-dir", str(self.plugin), "-p", prompt, *arguments]
        done = subprocess.run(
            command,
            cwd=project,
            env=self.env(url, **more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout


def hook_launcher(folder: Path) -> Path:
    """A plugin directory whose hooks run this checkout with this interpreter."""
    root = Path(__file__).resolve().parents[2]
    (folder / ".claude-plugin").mkdir(parents=True)
    shutil.copy(root / ".claude-plugin" / "plugin.json", folder / ".claude-plugin")
    shutil.copytree(root / "hooks", folder / "hooks")
    run = folder / "hooks" / "run"
    paths = [str(root), *(path for path in sys.path if "site-packages" in path)]
    code = f"import sys; sys.path[:0] = {paths!r}; from psychmem_py.hooks.entry import main; sys.exit(main())"
    (folder / "hooks" / "main.py").write_text(code)
    run.write_text(f'#!/bin/sh\n"{sys.executable}" -I -S "{folder}/hooks/main.py" "$@"\nexit 0\n')
    run.chmod(0o755)
    return folder
