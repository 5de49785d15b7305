"""The plugin alone, on a Python that has none of our packages: it has an environment made, once, and says how that goes."""

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.hooks import QUIET, ROOT, eventually

SHIPPED = ("hooks", "bin", ".claude-plugin", "psychmem_py", "patterns", "skills")


def shipped(place: Path) -> None:
    """A copy of what is shipped, with what installs it."""
    for name in SHIPPED:
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("install.sh", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place / name)


class Plugin:
    """A plugin's folder, a home, and a PATH whose only Python has no package of ours."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home, self.shop = folder / "the plugin", folder / "home", folder / "home" / "shop"
        self.data = self.home / ".local" / "share" / "psychmem"
        self.until_told = f"while [ ! -e '{self.home}/go' ]; do sleep 0.1; done"
        self.setup, self.made = self.data / "plugin-setup", self.data / "venv" / "made-by-plugin"
        self.started = self.setup / "started"  # what the client told of each start
        self.shop.mkdir(parents=True)
        self.transcript = self.home / ".claude" / "projects" / "-shop" / "first.jsonl"
        self.transcript.parent.mkdir(parents=True)
        self.root.mkdir()
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "bare")], check=True)
        pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
        path = f"{folder / 'bare' / 'bin'}:/usr/bin:/bin"
        self.env = {**pip, **QUIET, "HOME": str(self.home), "PATH": path, "CLAUDE_PLUGIN_ROOT": str(self.root)}

    def installer(self, *lines: str) -> None:
        """What is shipped, as links, with these lines in the place of install.sh."""
        for name in SHIPPED:
            (self.root / name).symlink_to(ROOT / name)
        script = self.root / "install.sh"
        script.write_text("\n".join(["#!/bin/sh", f"echo run >>'{self.home}/runs'", *lines, ""]))

    def runs(self) -> int:
        record = self.home / "runs"
        return len(record.read_text().splitlines()) if record.exists() else 0

    def hook(self, event: str, name: str, session: str = "first", **more: str) -> dict[str, Any]:
        payload = {"hook_event_name": name, "session_id": session, "source": "startup", "cwd": str(self.shop),
                   "transcript_path": str(self.transcript.with_name(f"{session}.jsonl")), **more}  # fmt: skip
        command = [str(self.root / "hooks" / "run"), event]
        done = subprocess.run(command, input=json.dumps(payload), env=self.env, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout) if done.stdout else {}

    def start(self, session: str = "first") -> str:
        """What the model is told at a start."""
        output = self.hook("inject", "SessionStart", session).get("hookSpecificOutput", {})
        return str(output.get("additionalContext", ""))

    def people(self, *words: str) -> str:
        command = [str(self.root / "hooks" / "people"), *words]
        return subprocess.run(command, env=self.env, cwd=self.shop, text=True, capture_output=True, check=False).stderr

    def is_at_work(self) -> bool:
        return (self.setup / "maker").is_symlink()


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    return Plugin(tmp_path)


def test_the_first_start_says_so_to_model_and_person_and_those_meanwhile_too(plugin: Plugin) -> None:
    plugin.installer(plugin.until_told, f"mkdir -p '{plugin.made.parent}'")
    reply = plugin.hook("inject", "SessionStart")
    assert "setting itself up" in reply["systemMessage"]
    assert reply["hookSpecificOutput"]["additionalContext"] == reply["systemMessage"]
    eventually(plugin.is_at_work)
    for said in (plugin.start("second"), plugin.start("third"), plugin.people("list")):
        assert "still being set up" in said
    (plugin.home / "go").touch()
    eventually(plugin.made.exists)
    eventually(lambda: not plugin.setup.exists())
    assert plugin.runs() == 1


def test_a_failure_is_told_in_one_sentence_and_not_repeated_at_once(plugin: Plugin) -> None:
    plugin.installer("""echo 'install.sh: there is no "network"' >&2; exit 1""")
    plugin.started.mkdir(parents=True, mode=0o700)
    for number in range(80):
        (plugin.started / f"10-{number}").touch(0o600)
    plugin.start()
    eventually(lambda: plugin.runs() == 1 and not plugin.is_at_work())
    told = "PsychMem could not be set up: there is no "
    assert plugin.start("second").startswith(f"{told}network. A later start")
    assert plugin.people("list").startswith(f'psychmem: {told}"network".')
    eventually(lambda: not plugin.is_at_work())
    assert plugin.runs() == 1
    assert len(list(plugin.started.iterdir())) == 51
    assert not [path for path in plugin.setup.rglob("*") if path.stat().st_mode & 0o077]


@pytest.mark.parametrize("left", ["", "maker", "failed"])
def test_of_starts_at_once_one_makes_it_also_after_one_that_was_killed_or_failed_some_time_ago(plugin: Plugin, left: str) -> None:
    plugin.installer(plugin.until_told, "echo no venv >&2; exit 1")
    plugin.setup.mkdir(parents=True)
    if left == "maker":
        (plugin.setup / left).symlink_to("999999999")
    elif left:
        (plugin.setup / left).write_text("no venv\n")
        os.utime(plugin.setup / left, (time.time() - 400, time.time() - 400))
    with ThreadPoolExecutor() as pool:
        list(pool.map(plugin.start, "abcd"))
    eventually(lambda: plugin.runs() > 0)
    (plugin.home / "go").touch()
    eventually(lambda: not plugin.is_at_work())
    assert plugin.runs() == 1


def test_what_is_said_meanwhile_is_read_later_and_nothing_is_printed(plugin: Plugin) -> None:
    plugin.installer("exit 1")
    for event, name in (("prompt", "UserPromptSubmit"), ("stop", "Stop"), ("session-end", "SessionEnd")):
        assert plugin.hook(event, name, prompt="hello") == {}
    assert not plugin.data.exists()
    plugin.start()
    assert [json.loads(path.read_text())["session_id"] for path in plugin.started.iterdir()] == ["first"]
    command = [str(plugin.root / "hooks" / "run"), "inject"]
    assert b"PsychMem" in subprocess.check_output(command, stdin=os.pipe()[0], env=plugin.env, timeout=60)  # nobody closes that


def test_switched_off_or_where_it_cannot_write_it_makes_nothing(plugin: Plugin) -> None:
    plugin.installer("exit 0")
    plugin.env["PSYCHMEM_DISABLE"] = "1"
    assert plugin.start() == ""
    assert not plugin.data.exists()
    plugin.env |= {"XDG_DATA_HOME": "/proc/nothing", "PSYCHMEM_DISABLE": ""}
    assert plugin.start().startswith("PsychMem keeps nothing: it cannot write /proc/nothing")


def test_without_a_python_it_says_so(plugin: Plugin) -> None:
    shipped(plugin.root)
    tools = plugin.home / "tools"
    tools.mkdir()
    for name in "cat date dirname find ln ls mkdir mv nice nohup readlink rm sed sh sleep tail tr".split():
        (tools / name).symlink_to(str(shutil.which(name)))
    plugin.env["PATH"] = str(tools)
    plugin.start()
    eventually(lambda: (plugin.setup / "failed").exists() and not plugin.is_at_work())
    assert "no Python 3.11 or newer" in plugin.start("second")


@pytest.mark.long
def test_the_plugin_alone_remembers_from_the_next_start_on(plugin: Plugin) -> None:
    """The whole way, with the packages from where pip gets them: what was said before the environment was there is told too."""
    shipped(plugin.root)
    said = {"type": "user", "sessionId": "first", "uuid": "1", "cwd": str(plugin.shop), "timestamp": "2026-11-01T10:00:00Z"}
    said["message"] = {"role": "user", "content": "From now on never push to main, always open a pull request."}  # type: ignore[assignment]
    assert "setting itself up" in plugin.start()
    plugin.transcript.write_text(json.dumps(said) + "\n")
    plugin.hook("stop", "Stop")
    plugin.hook("session-end", "SessionEnd")
    eventually(plugin.made.exists, limit_s=120)
    assert not Path(plugin.home, ".local", "bin").exists()
    eventually(lambda: not plugin.setup.exists())
    assert "never push to main" in plugin.start("second")
    assert stat.S_IMODE(plugin.data.stat().st_mode) == 0o700

    made = plugin.made.stat().st_mtime
    os.utime(plugin.root / ".claude-plugin" / "plugin.json", (made + 5, made + 5))
    assert "never push to main" in plugin.start("third")
    eventually(lambda: plugin.made.stat().st_mtime > made, limit_s=120)
    eventually(lambda: not plugin.setup.exists())
