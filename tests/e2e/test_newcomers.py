"""Three newcomers: each installs, is shown what was said, corrects it, and leaves, with six commands at most and no page but the README."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from psychmem_py.installation import own_environment
from tests.e2e import claude, opencode
from tests.e2e.model_server import Model, call
from tests.hooks import ROOT, eventually
from tests.test_install import environment

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform != "linux", reason="what still works is looked up in /proc")]

RULE = "From now on never push to main in this repository."
BETTER = "Never push to main or release in this repository."
QUESTION = "What is the capital of France?"
MOST = 6
SHIPPED = "hooks bin .claude-plugin psychmem_py patterns skills install.sh pyproject.toml README.md LICENSE".split()


class Newcomer:
    """Somebody at a terminal beside a client, who counts the commands they need."""

    def __init__(self, machine: claude.Machine | opencode.Machine, shop: Path, **env: str) -> None:
        self.machine, self.shop, self.commands = machine, shop, list[str]()
        client_env = machine.env("") if isinstance(machine, claude.Machine) else machine.env()
        self.env = {**environment(machine.home), **client_env, "PYTHON": sys.executable, **env}

    def types(self, *words: str) -> str:
        self.commands.append(" ".join(words))
        done = subprocess.run(words, cwd=self.shop, env=self.env, text=True, capture_output=True, timeout=900, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def corrects(self, psychmem: str, turn: Callable[[str], str]) -> None:
        """Is shown the rule, words it anew, and the next session knows it so."""
        turn(RULE)
        assert "never push to main" in turn(QUESTION)
        listed = self.types(psychmem, "list")
        assert "never push to main" in " ".join(listed.split())
        self.types(psychmem, "edit", listed.splitlines()[1].split()[0], BETTER)
        assert "main or release" in turn(QUESTION)

    def ours(self) -> list[str]:
        """What is left in the home with our name on it."""
        return sorted(str(path.relative_to(self.machine.home)) for path in self.machine.home.rglob("*psychmem*"))


def test_a_newcomer_with_claude_code(tmp_path: Path) -> None:
    machine = claude.Machine(tmp_path, claude.client(), tmp_path / "none")
    settings = machine.home / ".claude" / "settings.json"
    settings.write_text('{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(git *)"]}\n}')
    before, one = settings.read_bytes(), Newcomer(machine, machine.project("shop"))
    with Model() as model:

        def turn(prompt: str) -> str:
            said = model.turn(lambda: machine.command(one.shop, model.url, "-p", prompt))
            claude.settle(machine)
            return "\n".join(said)

        installed = one.types(str(ROOT / "install.sh"))
        assert "then say to it: From now on run the tests before every commit." in installed
        one.corrects(str(machine.home / ".local" / "bin" / "psychmem"), turn)
        one.types(str(ROOT / "install.sh"), "--uninstall")
        assert "main or release" not in turn(QUESTION)
    assert settings.read_bytes() == before
    assert one.ours() == []
    assert list(machine.home.rglob("MEMORY.md")) == []
    assert len(one.commands) <= MOST


def test_a_newcomer_with_opencode(tmp_path: Path) -> None:
    machine = opencode.Machine(tmp_path, opencode.client())
    for path in list(machine.config.rglob("*psychmem*")):  # this one installs by itself
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    one = Newcomer(machine, machine.project("shop"))
    with Model() as model:

        def turn(prompt: str) -> str:
            return "\n".join(model.turn(lambda: machine.run(one.shop, model.url, prompt)))

        turn(QUESTION)  # the client writes into its settings when it first runs
        before = (machine.config / "opencode.json").read_bytes()
        one.types(str(ROOT / "install.sh"))
        one.corrects(str(machine.home / ".local" / "bin" / "psychmem"), turn)
        one.types(str(ROOT / "install.sh"), "--uninstall")
        assert "main or release" not in turn(QUESTION)
    assert (machine.config / "opencode.json").read_bytes() == before
    assert one.ours() == []
    assert len(one.commands) <= MOST


@pytest.fixture
def alone(tmp_path: Path) -> claude.Machine:
    """A machine where nothing of ours is installed: the plugin's folder as it is shipped, and a Python without packages."""
    plugin = tmp_path / "plugin dir"
    plugin.mkdir()
    for name in SHIPPED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, plugin / name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    return claude.Machine(tmp_path, claude.client(), plugin)


def test_a_newcomer_with_the_plugin_alone(alone: claude.Machine) -> None:
    pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    own = {**pip, "PATH": f"{alone.root / 'bare' / 'bin'}:/usr/bin:/bin"}
    one = Newcomer(alone, alone.project("shop"), **own)
    psychmem = str(alone.home / ".local" / "share" / "psychmem" / "venv" / "bin" / "psychmem")
    with Model() as model:
        one.env["ANTHROPIC_BASE_URL"] = model.url

        def turn(prompt: str) -> str:
            said = model.turn(lambda: alone.command(one.shop, model.url, "-p", prompt, **own))
            claude.settle(alone)
            return "\n".join(said)

        client = str(alone.program)
        one.types(client, "plugin", "marketplace", "add", str(alone.plugin))
        one.types(client, "plugin", "install", "psychmem@psychmem")
        assert "PsychMem is setting itself up" in turn("Please look at the readme.")
        eventually(lambda: own_environment.record(alone.env("")).doing is own_environment.Doing.MADE, limit_s=900)
        claude.settle(alone)
        one.corrects(psychmem, turn)
        model.turns[:] = [
            call("Bash", command="psychmem list --json", description="Look"),
            "Done.",
        ]  # as the skills tell it to, by a command that is on no PATH but the client's
        alone.command(one.shop, model.url, "-p", "What do you remember?", "--allowedTools", "Bash", **own)
        claude.settle(alone)
        assert "main or release" in json.dumps(model.requests[-1]["messages"][-1])
        one.types(psychmem, "setup", "uninstall", "--all")
        one.types(client, "plugin", "uninstall", "psychmem@psychmem")
        assert "main or release" not in turn(QUESTION)
    settings = json.loads((alone.home / ".claude" / "settings.json").read_text())
    assert (settings.get("enabledPlugins", {}), settings.get("hooks", {})) == ({}, {})
    assert list(alone.home.rglob("MEMORY.md")) == []
    assert not Path(psychmem).exists()
    assert len(one.commands) <= MOST
