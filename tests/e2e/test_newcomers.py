"""Three newcomers: each installs, is shown what was said, corrects it, and leaves, in at most six commands, with the README."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e import claude, opencode
from tests.e2e.machine import QUESTION, Machine
from tests.e2e.model_server import call
from tests.hooks import ROOT, eventually
from tests.test_install import environment

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform != "linux", reason="what still works is looked up in /proc")]

RULE = "From now on never push to main in this repository."
BETTER = "Never push to main or release in this repository."
MOST = 6
SHIPPED = "hooks bin .claude-plugin psychmem_py patterns skills install.sh pyproject.toml README.md LICENSE".split()


class Newcomer:
    """Somebody at a terminal beside a client, who counts the commands they need."""

    def __init__(self, machine: Machine, **env: str) -> None:
        self.machine, self.commands, self.more = machine, list[str](), env
        self.env = {**environment(machine.home), **machine.env(), "PYTHON": sys.executable, **env}

    def types(self, *words: str | Path) -> str:
        self.commands.append(" ".join(map(str, words)))
        done = subprocess.run(
            words, cwd=self.machine.shop, env=self.env, text=True, capture_output=True, timeout=900, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def says(self, prompt: str) -> str:
        """What the agent is sent then."""
        return "\n".join(self.machine.turn(prompt, **self.more))

    def corrects(self, psychmem: Path) -> None:
        """Is shown the rule, words it anew, and the next session knows it so."""
        self.says(RULE)
        assert "never push to main" in self.says(QUESTION)
        listed = self.types(psychmem, "list")
        assert "never push to main" in " ".join(listed.split())
        self.types(psychmem, "edit", listed.splitlines()[1].split()[0], BETTER)
        assert "main or release" in self.says(QUESTION)

    def has_left(self) -> None:
        """Nothing is told any more, nothing is left in the home with our name on it, and it took few commands."""
        assert "main or release" not in self.says(QUESTION)
        assert list(self.machine.home.rglob("MEMORY.md")) == []
        assert len(self.commands) <= MOST


def test_a_newcomer_by_the_script(machine: Machine) -> None:
    if isinstance(machine, claude.Machine):
        machine.flags = ()
        settings = machine.home / ".claude" / "settings.json"
        settings.write_text('{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(git *)"]}\n}')
    elif isinstance(machine, opencode.Machine):
        for path in list(machine.config.rglob("*psychmem*")):  # this one installs by itself
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        settings = machine.config / "opencode.json"
        machine.run(QUESTION)  # the client writes into its settings when it first runs
    before, one = settings.read_bytes(), Newcomer(machine)
    installed = one.types(ROOT / "install.sh")
    assert "then say there: From now on run the tests before every commit." in installed
    one.corrects(machine.home / ".local" / "bin" / "psychmem")
    one.types(ROOT / "install.sh", "--uninstall")
    one.has_left()
    assert settings.read_bytes() == before
    assert sorted(machine.home.rglob("*psychmem*")) == []


def test_a_newcomer_with_the_plugin_alone(tmp_path: Path) -> None:
    """Where nothing of ours is installed: the plugin's folder as it is shipped, and a Python without packages."""
    plugin = tmp_path / "plugin dir"
    plugin.mkdir()
    for name in SHIPPED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, plugin / name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    own = {**pip, "PATH": f"{tmp_path / 'bare' / 'bin'}:/usr/bin:/bin"}
    with claude.Machine(tmp_path, plugin) as machine:
        machine.flags, one = (), Newcomer(machine, **own)
        psychmem = machine.home / ".local" / "share" / "psychmem" / "venv" / "bin" / "psychmem"
        one.types(machine.program, "plugin", "marketplace", "add", plugin)
        one.types(machine.program, "plugin", "install", "psychmem@psychmem")
        assert "PsychMem is setting itself up" in one.says("Please look at the readme.")
        eventually((psychmem.parents[1] / "made-by-plugin").exists, limit_s=900)
        eventually(lambda: not (psychmem.parents[2] / "plugin-setup").exists(), limit_s=60)
        machine.settle()
        one.corrects(psychmem)
        # as the skills tell it to, by a command that is on no PATH but the client's
        machine.model.turns = [call("Bash", command="psychmem list --json", description="Look"), "Done."]
        machine.run("What do you remember?", *machine.leave, **own)
        assert "main or release" in json.dumps(machine.model.requests[-1]["messages"][-1])
        one.types(psychmem, "setup", "uninstall", "--all")
        one.types(machine.program, "plugin", "uninstall", "psychmem@psychmem")
        one.has_left()
    settings = json.loads((machine.home / ".claude" / "settings.json").read_text())
    assert (settings.get("enabledPlugins", {}), settings.get("hooks", {})) == ({}, {})
    assert not psychmem.exists()
