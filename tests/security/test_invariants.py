"""What must never happen whatever is asked: a connection, a process left behind, a byte outside our places."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.errors import ConfigError
from psychmem_py.home import files, health, places
from tests.forks import ROOT, psychmem, told
from tests.hooks import COMMAND, Conversation, children, run, settle

RULE = "Never commit directly to the main branch, always open a pull request."
# Put in front of a hook or command: the process ends with 97 when it reaches for the network or another program.
_WATCHED = """
import sys, os
def watch(event, arguments):
    if event.startswith("socket.") or event in ("os.system", "os.exec", "subprocess.Popen", "urllib.Request", "ctypes.dlopen"):
        os.write(2, event.encode()); os._exit(97)
sys.addaudithook(watch)
"""


def tree(place: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in place.rglob("*") if path.is_file()}


@pytest.mark.parametrize("event", ["inject", "prompt", "tool-after", "stop", "work stop", "work inject", "session-end"])
def test_a_hook_opens_no_socket_and_starts_no_program(event: str, project: Path) -> None:
    one = Conversation(project, "s1")
    one.types(RULE)
    payload = one.payload({"inject": "SessionStart", "prompt": "UserPromptSubmit", "tool-after": "PostToolUse"}.get(event.rsplit(maxsplit=1)[-1], "Stop"),
                          source="startup", prompt="Which branch?", tool_name="Bash", tool_use_id="t")  # fmt: skip
    words = [*COMMAND[:4], _WATCHED + COMMAND[4], *COMMAND[5:], *event.split()]
    done = subprocess.run(words, input=json.dumps(payload).encode(), capture_output=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    settle()


@pytest.mark.parametrize("command", ["list", "search RULE", "remember RULE", "doctor", "status", "export", "inject", "scan"])
def test_a_command_opens_no_socket(command: str, project: Path) -> None:
    words = [RULE if word == "RULE" else word for word in command.split()]
    code = _WATCHED.replace('"subprocess.Popen", ', "") + "from psychmem_py.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=project, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=600, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr


def test_nothing_is_written_outside_our_places_and_no_process_stays(project: Path, home: Path, tmp_path: Path) -> None:
    memory = home / ".claude" / "projects"
    (home / "notes.txt").write_text("mine")
    one = Conversation(project, "s1")
    one.types(RULE)
    outside = {path: raw for place in (home, tmp_path) for path, raw in tree(place).items()}
    one.begins()
    one.uses("Bash", command="ls")
    one.typed(last="Fine.")
    assert children() == []
    told("list", cwd=project)
    psychmem("checkpoint", "create", "x", cwd=project)
    now = {path: raw for place in (home, tmp_path) for path, raw in tree(place).items()}
    changed = {path for path in now.keys() | outside.keys() if now.get(path) != outside.get(path)}
    ours = (str(home / "psychmem") + "/", str(memory) + "/")
    assert {path for path in changed if not path.startswith(ours)} == set()
    written = {Path(path).name for path in changed if path.startswith(str(memory))}
    assert written <= {"MEMORY.md", "constraints.md", "preferences.md", "learnings.md", "decisions.md", "bugfixes.md"}


def test_status_says_when_each_hook_last_ran_and_what_failed(project: Path, home: Path) -> None:
    one = Conversation(project, "s1")
    one.begins()
    one.typed(RULE, last="Fine.")
    told_by = told("status", cwd=project)
    assert {"inject", "stop", "stop (background)"} <= told_by["hooks"].keys()
    assert all(at and at.endswith("Z") for at in told_by["hooks"].values())
    run("stop", b"{")
    assert told("status", cwd=project)["failures"]
    assert "psychmem doctor" in psychmem("status", cwd=project).stderr
    assert health.failures(home / "psychmem")


@pytest.mark.parametrize(("module", "name"), [(health, "failures"), (files, "remove")])
def test_a_failure_while_the_one_before_is_told_is_told_too(home: Path, module: Any, name: str) -> None:
    data = home / "psychmem"
    health.failed(data, "stop", ConfigError("the first"), 1.0)
    assert "the first" in health.line_for_brief(data)
    places.beat(data, "stop", 1.5)
    done = getattr(module, name)

    def at_once(path: Any) -> Any:
        found = done(path) if module is health else None
        health.failed(data, "stop", ConfigError("the second"), 2.0)
        return found if module is health else done(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, at_once)
        health.mark_told(data)
    assert [(one.sentence, one.mended) for one in health.failures(data)] == [("the second", False)]
    places.beat(data, "stop", 3.0)
    health.mark_told(data)
    assert health.failures(data) == []
    (data / "health" / "stop.told").touch()  # of a former version
    health.forget(data)
    assert [path.suffix for path in (data / "health").iterdir()] == [".ok"]
