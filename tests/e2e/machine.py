"""What both real clients share: pinned from npm, a home with projects and a scripted model, and this checkout as PsychMem."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import pwd
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from tests.e2e.model_server import Model
from tests.forks import psychmem
from tests.hooks import ROOT, eventually

# The clients are compiled with Bun. A headless turn ends before what its optimising compilers make is worth their work: without
# them it takes a fifth less CPU, and does the same.
LIGHT = {"BUN_JSC_useDFGJIT": "0", "BUN_JSC_useFTLJIT": "0"}
RULE = "Never use npm in this repository, always use pnpm."
QUESTION = "What is the capital of France?"
_KINDS = {
    "Linux x86_64": "linux-x64",
    "Linux aarch64": "linux-arm64",
    "Darwin arm64": "darwin-arm64",
    "Darwin x86_64": "darwin-x64",
}


def installed(package: str, version: str, program: str) -> Path:
    """The program of `package@version`, `program` below node_modules; skips the test, with the reason, where it cannot be had."""
    if shutil.which("npm") is None:
        pytest.skip("the real client needs npm")
    home = pwd.getpwuid(os.getuid()).pw_dir  # tests have another HOME
    name = package.rpartition("/")[2]
    cache = Path(os.environ.get("PSYCHMEM_E2E_CACHE") or f"{home}/.cache/pinned-clients") / f"{name}-{version}"
    found = cache / "node_modules" / program
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two test runs at once install it once
        if not found.exists():
            flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-save"]
            command = ["npm", "install", "--prefix", str(cache), *flags, f"{package}@{version}"]
            done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "HOME": home}, check=False)
            if done.returncode or not found.exists():
                pytest.skip(f"npm cannot install {package}@{version}: {done.stderr[-300:]}")
    return found


def kind_of_machine() -> str:
    """What a client's package for this machine is called by; skips the test where there is none."""
    kind = _KINDS.get(f"{platform.system()} {platform.machine()}")
    return kind or pytest.skip("there is no such client for this platform")


def program(path: Path, module: str) -> Path:
    """A program at `path` that runs the `main` of a module of this checkout with this interpreter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    main = path.parent / "main.py"
    paths = [str(ROOT), *(entry for entry in sys.path if "site-packages" in entry)]
    main.write_text(f"import sys; sys.path[:0] = {paths!r}; from {module} import main; sys.exit(main())")
    path.write_text(f'#!/bin/sh\n"{sys.executable}" -I -S "{main}" "$@"\n')
    path.chmod(0o755)
    return path


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


class Machine(ABC):
    """A home with a client and projects to work in, and a model of its own that answers while the machine is on."""

    tool: ClassVar[dict[str, str]]  # what the client calls the tools that run a line, write a file and read one
    path_key: ClassVar[str]  # and the path that it gives to them
    leave: ClassVar[tuple[str, ...]] = ()  # arguments by which it asks nobody for these tools

    def __init__(self, root: Path, program: Path) -> None:
        self.root, self.program, self.model = root, program, Model()
        self.home, self.memory = root / "home", root / "psychmem"
        self.home.mkdir(parents=True)

    def __enter__(self) -> Self:
        self.model.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.model.__exit__()

    def project(self, name: str) -> Path:
        path = self.root / name
        path.mkdir()
        (path / "README.md").write_text("# demo\n")
        git = ["git", "-c", "user.name=dev", "-c", "user.email=dev@example.com"]
        for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "first"]):
            subprocess.run([*git, *words], cwd=path, check=True, capture_output=True)
        return path

    @cached_property
    def shop(self) -> Path:
        """The project that is worked in where no other is named."""
        return self.project("shop")

    @abstractmethod
    def env(self, **more: str) -> dict[str, str]:
        """The client's environment."""

    @abstractmethod
    def run(self, prompt: str, *arguments: str, at: Path | None = None, **more: str) -> str:
        """What the client prints for one headless turn, after which nothing of ours works any more."""

    def turn(self, prompt: str, *arguments: str, at: Path | None = None, **more: str) -> list[str]:
        """Everything the agent was sent in one headless turn, by requests."""
        return self.model.turn(lambda: self.run(prompt, *arguments, at=at, **more))

    def psychmem(self, *words: str, at: Path | None = None, **more: str) -> str:
        """What `psychmem` prints, run by the person in a terminal beside the client."""
        done = psychmem(*words, cwd=at or self.shop, **self.env(CLAUDE_CONFIG_DIR=f"{self.home}/.claude", **more))
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def listed(self, *words: str, **more: Any) -> Any:
        return json.loads(self.psychmem("list", "--json", *words, **more))

    def settle(self) -> None:
        eventually(lambda: not working(self.memory))
