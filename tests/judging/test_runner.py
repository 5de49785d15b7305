"""A judge's program is run once, without a shell, with an end; and what an agent may sort by the user's words."""

import contextlib
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.errors import JudgeError
from psychmem_py.judging import clients
from psychmem_py.judging.clients import Program, answer
from tests.forks import psychmem, told
from tests.hooks import Conversation, eventually, repository


def run(code: str, folder: Path, *, request: str = "{}", timeout_s: float = 20.0, **env: str) -> str:
    program = Program((sys.executable, "-c", code), name="judge")
    return answer(program, request, env={**os.environ, **env}, folder=str(folder), timeout_s=timeout_s)


def test_it_sees_nothing_of_the_session_and_psychmem_is_off(tmp_path: Path) -> None:
    hidden = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s", "OPENCODE": "1"}
    passed = {"CLAUDE_CONFIG_DIR": "/c", "ANTHROPIC_BASE_URL": "http://m"}
    seen = json.loads(run("import json, os; print(json.dumps(dict(os.environ)))", tmp_path, **hidden, **passed))
    assert {"PSYCHMEM_DISABLE": "1", **passed}.items() <= seen.items()
    assert not hidden.keys() & seen.keys()


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    argv = (sys.executable, "-c", "import sys; print(sys.argv[1])", "$(touch here); `id`")
    assert answer(Program(argv), "", env=os.environ, folder=str(tmp_path), timeout_s=20).strip() == argv[3]
    assert list(tmp_path.iterdir()) == []


def test_one_that_hangs_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)']);"
        " open('pid', 'w').write(str(child.pid)); time.sleep(3600)"
    )
    for ended, why in ((JudgeError, "took too long"), (SystemExit, "143")):
        if ended is SystemExit:
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM)).start()
        with pytest.raises(ended, match=why):
            run(code, tmp_path, timeout_s=1.5)
        child = int((tmp_path / "pid").read_text())
        eventually(lambda: not _runs(child))  # noqa: B023


def test_a_child_that_outlives_it_keeps_nobody_waiting(tmp_path: Path) -> None:
    code = "import subprocess as s; print(s.Popen(['sleep', '30'], start_new_session=True).pid)"
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(run(code, tmp_path, timeout_s=10)), signal.SIGKILL)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"
    except OSError:
        return False


def test_one_that_never_stops_talking_or_fails_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="said more than"):
        run("import sys\nwhile True: sys.stdout.write('x' * 65536)", tmp_path)
    with pytest.raises(JudgeError, match="exit code 3"):
        run("import sys; print('{}'); sys.exit(3)", tmp_path)


def test_one_that_failed_rests_longer_each_time_a_day_at_most_and_for_no_clock_that_was_set_back() -> None:
    at = ((0, 1), (1, 599), (1, 601), (2, 1199), (9, 86_399), (9, 86_401), (1, -9e6))
    assert [clients.Calls(failures=n, failed_at=1e9).rests(1e9 + after) for n, after in at] == [0, 1, 0, 1, 1, 0, 0]


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


RULE, STEP = "Never commit directly to the main branch.", "We always use pnpm in this repository."
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "talk-2"}
QUOTED = ("--quote", "keep the first one and drop the other")


@pytest.fixture
def shop(home: Path) -> Path:
    """A project in which two things were heard, and the user answered about them in a second conversation."""
    shop, _ = (repository(home / name) for name in ("shop", "other"))
    Conversation(shop, "talk-1").says(f"{RULE} {STEP}")
    asked = Conversation(shop, "talk-2", home / ".claude" / "projects" / "shop")
    asked.types("What have you heard?")
    asked.answers(f"1. **{RULE}**\n2. {STEP}\n3. Our staging server is at 10.0.0.5.\nWhich shall I keep?")
    asked.types("Keep the first one and drop the other")
    return shop


def listed(shop: Path, *words: str) -> dict[str, Any]:
    return {row["text"]: row for row in told("list", *words, cwd=shop)}


@pytest.mark.parametrize(
    "quote", ["", "keep all of them please", "Keep the first one", "What have you heard?", "never mind", "Look here"]
)
def test_without_the_users_whole_answer_to_what_was_shown_an_agent_may_sort_nothing(shop: Path, home: Path, quote: str) -> None:
    other = Conversation(shop, "talk-3", home / ".claude" / "projects" / "shop")
    other.answers("Shall I go on?" if quote == "never mind" else f"I read: {RULE}")  # asked and not shown, or the reverse
    other.types(quote)
    given = AGENT | {"CLAUDE_CODE_SESSION_ID": "talk-3" if quote in ("never mind", "Look here") else "talk-2"}
    for drop in ((), ("--drop",)):
        done = psychmem("sort", *drop, listed(shop)[RULE]["id"], *(["--quote", quote] * bool(quote)), cwd=shop, **given)
        assert done.returncode == 1
        assert ("show it in its own words" if quote == "never mind" else "only a person may review") in done.stderr
    assert listed(shop)[RULE]["store"] == "stm"


def test_what_the_user_answered_is_done_in_one_step_that_can_be_taken_back(shop: Path) -> None:
    ids = {text: row["id"] for text, row in listed(shop).items()}
    done = psychmem("sort", ids[RULE], "--drop", ids[STEP], *QUOTED, cwd=shop, **AGENT)
    assert done.stdout.splitlines() == [f"kept {ids[RULE][:8]}: {RULE}", f"dropped {ids[STEP][:8]}: {STEP}"]
    (kept,) = listed(shop).values()
    assert (kept["text"], kept["store"], kept["origin"]) == (RULE, "ltm", "user_prompt")
    assert listed(shop, "--status", "archived").keys() == {STEP}
    refused = psychmem("undo", cwd=shop)
    assert "claude-code did something last" in refused.stderr
    psychmem("undo", cwd=shop, **AGENT)
    assert listed(shop).keys() == {RULE, STEP}


def test_a_candidate_that_waits_is_sorted_too(shop: Path) -> None:
    Conversation(shop, "talk-4").says("Add a retry to the client. Our staging server is at 10.0.0.5.")
    (key,) = [row["id"] for row in told("review", "--waiting", cwd=shop)]
    assert psychmem("sort", "--drop", key, *QUOTED, cwd=shop, **AGENT).returncode == 0
    assert told("review", "--waiting", cwd=shop) == []


def test_what_is_a_persons_to_answer_is_refused_and_nothing_is_done(shop: Path) -> None:
    heard_id = listed(shop)[RULE]["id"]
    psychmem("remember", "Never deploy on Fridays", "--class", "constraint", cwd=shop, **AGENT)
    (rule,) = listed(shop, "--status", "quarantined").values()
    for other in (rule["id"], "w999"):
        assert psychmem("sort", heard_id, other, *QUOTED, cwd=shop, **AGENT).returncode == 1
    assert psychmem("sort", heard_id, "--drop", heard_id, *QUOTED, cwd=shop, **AGENT).returncode == 1
    assert listed(shop)[RULE]["store"] == "stm"
    assert listed(shop, "--status", "quarantined").keys() == {"Never deploy on Fridays"}


def test_an_agent_in_another_project_sorts_nothing_here(shop: Path) -> None:
    done = psychmem("sort", "--drop", listed(shop)[STEP]["id"], *QUOTED, cwd=shop.parent / "other", **AGENT)
    assert (done.returncode, "no memory" in done.stderr) == (1, True)
    assert STEP in listed(shop)
