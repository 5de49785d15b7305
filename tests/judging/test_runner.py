"""A judge's program is run once, without a shell, with an end."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from psychmem_py.errors import JudgeError
from psychmem_py.judging import clients
from psychmem_py.judging.clients import Program, answer
from tests.hooks import eventually


def run(code: str, folder: Path, *, request: str = "{}", timeout_s: float = 20.0, **env: str) -> str:
    program = Program((sys.executable, "-c", code), name="judge")
    return answer(program, request, env={**os.environ, **env}, folder=str(folder), timeout_s=timeout_s)


def test_the_request_goes_in_and_the_answer_comes_out(tmp_path: Path) -> None:
    long = "ä" * 300_000  # more than a pipe holds
    assert run("import sys; print(len(sys.stdin.buffer.read()))", tmp_path, request=long).strip() == str(2 * len(long))


def test_it_sees_nothing_of_the_session_and_psychmem_is_off(tmp_path: Path) -> None:
    told = run(
        "import json, os; print(json.dumps(dict(os.environ)))",
        tmp_path,
        CLAUDECODE="1",
        CLAUDE_CODE_SESSION_ID="s",
        OPENCODE="1",
        CLAUDE_CONFIG_DIR="/c",
        ANTHROPIC_BASE_URL="http://m",
    )
    seen = json.loads(told)
    assert seen["PSYCHMEM_DISABLE"] == "1"
    assert (seen["CLAUDE_CONFIG_DIR"], seen["ANTHROPIC_BASE_URL"]) == ("/c", "http://m")
    assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "OPENCODE"} & set(seen)


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    argv = (sys.executable, "-c", "import sys; print(sys.argv[1])", "$(touch here); `id`")
    assert answer(Program(argv), "", env=os.environ, folder=str(tmp_path), timeout_s=20).strip() == argv[3]
    assert list(tmp_path.iterdir()) == []


def test_one_that_hangs_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)']);"
        " open('pid', 'w').write(str(child.pid)); time.sleep(3600)"
    )
    with pytest.raises(JudgeError, match="took too long"):
        run(code, tmp_path, timeout_s=1.5)
    child = int((tmp_path / "pid").read_text())
    eventually(lambda: not _runs(child))


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"
    except OSError:
        return False


def test_one_that_never_stops_talking_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="said more than"):
        run("import sys\nwhile True: sys.stdout.write('x' * 65536)", tmp_path)


def test_one_that_fails_is_told_by_its_exit_code(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="exit code 3"):
        run("import sys; print('{}'); sys.exit(3)", tmp_path)


@pytest.mark.parametrize("command", ["no-such-program --json", "", "an 'open quote"])
def test_a_command_that_cannot_be_run_is_told_in_a_sentence(command: str, tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="reader"):
        clients.program(command, "", os.environ, str(tmp_path))


@pytest.mark.parametrize("name", clients.READY)
def test_a_client_is_run_without_tools_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / name).chmod(0o755)
    found = clients.program(name, "small", {"PATH": str(tmp_path)}, "/w")
    assert found.argv[0] == str(tmp_path / name)
    assert "small" in found.argv
    words = " ".join((*found.argv, *found.env.values()))
    assert "--no-session-persistence" in words or found.env["OPENCODE_DB"].startswith("/w/")
    assert "disableAllHooks" in words or "--pure" in found.argv
    assert found.argv[found.argv.index("--tools") + 1] == "" if name == "claude" else '"tools": {"*": false}' in words
