"""The plugin alone in the real client, on a machine whose only Python has none of our packages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from psychmem_py.installation import own_environment
from tests.e2e.claude import Machine, client
from tests.e2e.model_server import Model
from tests.e2e.test_claude_code import MARK, RULE, settle
from tests.hooks import ROOT, eventually

SHIPPED = (
    "hooks",
    "bin",
    ".claude-plugin",
    "psychmem_py",
    "patterns",
    "skills",
    "install.sh",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no notes are taken meanwhile")]


@pytest.fixture
def alone(tmp_path: Path) -> Machine:
    """A machine where nothing of ours is installed: the plugin's folder as it is shipped, and a Python without packages."""
    plugin = tmp_path / "plugin dir"
    plugin.mkdir()
    for name in SHIPPED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, plugin / name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    return Machine(tmp_path, client(), plugin)


def test_it_sets_itself_up_at_the_first_start_and_tells_the_second_what_was_said_in_the_first(alone: Machine) -> None:
    shop = alone.project("shop")
    pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    own = {**pip, "PATH": f"{alone.root / 'bare' / 'bin'}:/usr/bin:/bin", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    with Model() as model:
        alone.run(shop, model.url, RULE, **own)
        assert "PsychMem is setting itself up" in json.dumps(model.texts(0))
        made = own_environment.Doing.MADE
        eventually(lambda: own_environment.record(alone.env("")).doing is made, limit_s=900)
        settle(alone)
        alone.run(shop, model.url, "What is the capital of France?", **own)  # its start reads what the first one left
        settle(alone)
        before = len(model.requests)
        alone.run(shop, model.url, "What is the capital of Spain?", **own)
        settle(alone)
        assert all(MARK in request for request in model.texts(before))
        looks = {"text": "", "tool_use": {"name": "Bash", "input": {"command": "psychmem list --json", "description": "Look"}}}
        model.turns[:] = [looks, "Done."]  # as the skills tell it to, by a command that is on no PATH but the client's
        alone.run(shop, model.url, "What do you remember?", "--allowedTools", "Bash", **own)
        settle(alone)
        assert MARK in json.dumps(model.requests[-1]["messages"][-1])
