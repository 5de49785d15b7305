"""The plugin alone, on a Python that has none of our packages: it has an environment made, once, and says how that goes."""

import itertools
import json
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.installation import own_environment
from psychmem_py.installation.own_environment import Doing
from tests.hooks import QUIET, ROOT, eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no notes are taken before the environment is there")
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
        self.shop.mkdir(parents=True)
        self.transcript = self.home / ".claude" / "projects" / "-shop" / "first.jsonl"
        self.transcript.parent.mkdir(parents=True)
        self.root.mkdir()
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "bare")], check=True)
        pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
        path = f"{folder / 'bare' / 'bin'}:/usr/bin:/bin"
        self.env = {**pip, **QUIET, "HOME": str(self.home), "PATH": path, "CLAUDE_PLUGIN_ROOT": str(self.root)}

    def links(self) -> None:
        """What is shipped, as links, for tests that install nothing."""
        for name in SHIPPED:
            (self.root / name).symlink_to(ROOT / name)

    def installer(self, *lines: str) -> None:
        """What is shipped, with these lines in the place of install.sh."""
        self.links()
        script = self.root / "install.sh"
        script.write_text("\n".join(["#!/bin/sh", f"echo run >>'{self.home}/runs'", *lines, ""]))

    def noted(self, doing: str, at: float) -> None:
        """Leaves a note that somebody did this."""
        note = Path(own_environment.prefix(self.env), "plugin-environment.json")
        note.parent.mkdir(parents=True)
        note.write_text(json.dumps({"doing": doing, "at": at, "sentence": "no venv"}))

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

    def doing(self) -> Doing:
        return own_environment.record(self.env).doing

    def settled(self, doing: Doing) -> None:
        eventually(lambda: self.doing() is doing)


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    return Plugin(tmp_path)


def test_the_first_start_says_so_to_model_and_person_and_those_at_the_same_time_make_it_once(plugin: Plugin) -> None:
    plugin.installer(f"while [ ! -e '{plugin.home}/go' ]; do sleep 0.1; done")
    reply = plugin.hook("inject", "SessionStart")
    assert "setting itself up" in reply["systemMessage"]
    assert reply["hookSpecificOutput"]["additionalContext"] == reply["systemMessage"]
    plugin.settled(Doing.MAKING)
    for said in (plugin.start("second"), plugin.start("third"), plugin.people("list")):
        assert "still being set up" in said
    (plugin.home / "go").touch()
    eventually(lambda: plugin.doing() is not Doing.MAKING)
    assert plugin.runs() == 1


def test_a_failure_is_told_in_one_sentence_and_not_repeated_at_once(plugin: Plugin) -> None:
    plugin.installer("echo 'install.sh: there is no network.' >&2; exit 1")
    plugin.start()
    plugin.settled(Doing.FAILED)
    assert plugin.start("second").startswith("PsychMem could not be set up: there is no network.")
    assert "could not be set up: there is no network;" in plugin.people("list")
    assert plugin.runs() == 1


@pytest.mark.parametrize(("doing", "age_s"), [("making", 0.0), ("failed", own_environment.AGAIN_S + 1)])
def test_a_maker_that_was_killed_or_failed_some_time_ago_is_followed_by_another(plugin: Plugin, doing: str, age_s: float) -> None:
    plugin.installer("exit 1")
    plugin.noted(doing, time.time() - age_s)
    plugin.start()
    eventually(lambda: plugin.runs() == 1)
    plugin.settled(Doing.FAILED)


def test_what_is_said_meanwhile_is_noted_and_nothing_is_printed(plugin: Plugin) -> None:
    plugin.installer("exit 1")
    for event, name in (("prompt", "UserPromptSubmit"), ("stop", "Stop"), ("session-end", "SessionEnd")):
        assert plugin.hook(event, name, prompt="hello") == {}
    assert plugin.runs() == 0
    journals = list(Path(own_environment.prefix(plugin.env), "journals").iterdir())
    assert len(journals) == 1
    assert str(plugin.transcript) in journals[0].read_text()


def test_switched_off_or_where_it_cannot_write_it_makes_nothing(plugin: Plugin) -> None:
    plugin.installer("exit 0")
    plugin.env["PSYCHMEM_DISABLE"] = "1"
    assert plugin.start() == ""
    assert not Path(own_environment.prefix(plugin.env)).exists()
    plugin.env |= {"XDG_DATA_HOME": "/proc/nothing", "PSYCHMEM_DISABLE": ""}
    assert plugin.start().startswith("PsychMem keeps nothing: it cannot write /proc/nothing")


def test_without_a_python_the_start_says_so(plugin: Plugin) -> None:
    plugin.links()
    tools = plugin.home / "tools"
    tools.mkdir()
    plugin.env["PATH"] = str(tools)
    assert "needs Python 3.11" in plugin.start()
    assert plugin.hook("stop", "Stop") == {}


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
    eventually(lambda: plugin.doing() not in (Doing.NOTHING, Doing.MAKING), limit_s=120)
    assert own_environment.record(plugin.env).sentence == ""
    assert own_environment.made_by_plugin(plugin.env)
    assert not Path(plugin.home, ".local", "bin").exists()
    assert plugin.start("second") == ""
    database = Path(own_environment.prefix(plugin.env), "memory.db")
    eventually(database.exists)
    later = (f"later-{number}" for number in itertools.count())  # the same start twice is told once
    eventually(limit_s=60, holds=lambda: "never push to main" in plugin.start(next(later)))
    assert stat.S_IMODE(Path(own_environment.prefix(plugin.env)).stat().st_mode) == 0o700

    newer = plugin.root / ".claude-plugin" / "plugin.json"
    made = own_environment.record(plugin.env).at
    os.utime(newer, (time.time() + 5, time.time() + 5))
    assert "never push to main" in plugin.start(next(later))
    eventually(lambda: own_environment.record(plugin.env).at > made, limit_s=120)
    eventually(lambda: plugin.doing() is Doing.MADE, limit_s=120)
