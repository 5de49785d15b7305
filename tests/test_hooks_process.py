"""Hooks as processes: whatever is broken, they end with 0, print nothing or one JSON object, and lose nothing."""

import json
import os
import signal
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.curation import actions
from psychmem_py.home import health, journal
from psychmem_py.store.connection import open_store
from tests.data import cases
from tests.forks import psychmem
from tests.hooks import PAYLOADS, QUIET, Conversation, children, context, data, eventually, locked, run, selected, settle, start
from tests.memories_made import act, purge
from tests.test_cli import checks

RULE = "Never commit directly to the main branch, always open a pull request."
EVENTS = ("inject", "prompt", "tool-after", "stop", "pre-compact", "session-end")
MAY_SPEAK = {"SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStart"}


def stored(column: str = "text") -> list[Any]:
    """One column of all memories in use."""
    return selected(f"select {column} from memory where status = 'active' order by seq")


def test_every_recorded_payload_is_served() -> None:
    recorded = sorted(PAYLOADS.glob("*.json"))
    assert len(recorded) > 20
    for path in recorded:
        raw = path.read_bytes()
        name = json.loads(raw)["hook_event_name"]
        out = run("stop", raw)  # the payload's own name decides
        if name in MAY_SPEAK:
            context(out, name)
        else:
            assert out == b"", path
        assert health.failures(data()) == [], path
    settle()
    assert health.failures(data()) == []


def test_input_that_is_no_json_is_called_so_and_the_next_session_is_told(project: Path) -> None:
    for raw in (b"{broken", b"[1", b'{"a":'):
        run("stop", raw)
        (failure,) = health.failures(data())
        assert failure.sentence == f"the hook's input is not JSON (ValueError, {len(raw)} bytes)"
    assert "psychmem doctor" in Conversation(project, "s1").begins()
    settle()


BROKEN = {
    "nothing": b"",
    "cut": b"{",
    "array": b"[]",
    "null": b"null",
    "no UTF-8": b"\xff\xfe\x00",
    "nested": b"[" * 100_000,
    "wrong types": b'{"session_id": 5, "cwd": [], "hook_event_name": "Stop"}',
    "hostile names": b'{"session_id": "\\ud800/../..", "cwd": "\\u0000", "hook_event_name": "SessionStart"}',
    "unknown event": b'{"hook_event_name": "Unheard", "session_id": "x"}',
}


@pytest.mark.parametrize("event", EVENTS)
def test_broken_input_is_survived(event: str) -> None:
    for what, raw in BROKEN.items():
        out = run(event, raw)
        assert out == b"" or "additionalContext" in json.loads(out)["hookSpecificOutput"], what
    settle()
    assert not [one for one in health.failures(data()) if one.error == "ValueError"]


def test_disabled_means_silent_and_a_variable_left_in_a_shell_does_not_silence_the_other_client(project: Path) -> None:
    for yes in ("1", "true", "Yes", "on"):
        assert run("inject", Conversation(project, "s1").payload("SessionStart", source="startup"), PSYCHMEM_DISABLE=yes) == b""
    assert not data().exists()
    Conversation(project, "s1").typed(PSYCHMEM_AGENT_TYPE="opencode")
    assert data().exists()
    assert not list((data() / "health").glob("*.failed"))


def test_a_brief_made_ready_is_the_one_that_would_be_made_and_registered_twice_it_speaks_once(project: Path) -> None:
    Conversation(project, "s1").says(RULE)
    made = Conversation(project, "s2").begins(**QUIET)
    settle()
    ready = Conversation(project, "s3")
    assert ready.begins(**QUIET) == made != ""
    assert ready.asks("May I commit to the main branch?", **QUIET) == ""  # said at the start
    payload = Conversation(project, "s4").payload("SessionStart", source="startup")
    hooks = [start("inject", payload, **QUIET), start("inject", payload, CLAUDE_PLUGIN_ROOT="/plugin", **QUIET)]
    assert sum(b"pull request" in hook.communicate(timeout=600)[0] for hook in hooks) == 1
    settle()


def test_an_open_session_is_told_what_another_stores_meanwhile_and_not_what_memory_md_showed_it(project: Path) -> None:
    Conversation(project, "s1").says("In this project we never commit generated files to the repository.")
    old = Conversation(project, "s2")
    old.at = "2026-11-21T00:36:30Z"
    old.begins()
    old.says("Thanks.")
    assert old.asks("Do we commit generated files to the repository?") == ""  # it stood in MEMORY.md when the session began
    other = Conversation(project, "s3")
    other.at = "2026-11-21T01:00:00Z"
    other.says("In this project we always release from the harbour branch.")
    assert "harbour" in old.asks("Which branch do we release from?")  # it stands there too, but only since
    assert old.asks("Which branch do we release from?") == ""


def test_memories_kept_out_of_a_compaction_stay_in_opencode_s_system_prompt(project: Path) -> None:
    Conversation(project, "s1").says("From now on we never commit generated files.")
    off = {"PSYCHMEM_INJECT_ON_COMPACTION": "false", **QUIET}
    assert Conversation(project, "s2").begins("compact", **off) == ""
    payload = {"session": "ses_1", "cwd": str(project), "source": "compact"}
    assert b"generated files" in run("inject", payload, PSYCHMEM_AGENT_TYPE="opencode", **off)


def test_after_a_compaction_what_was_made_ready_is_told_again_and_then_counts_as_told(project: Path) -> None:
    Conversation(project, "s1").says(RULE)
    unready, ready = Conversation(project, "s2"), Conversation(project, "s3")
    for path in (data() / "briefs").iterdir():
        path.unlink()
    made = unready.begins("compact", **QUIET)
    unready.says("Thanks.")
    ready.begins(**QUIET)
    told = ready.begins("compact", **QUIET)
    assert told == made != ""
    assert ready.asks("May I commit to the main branch?", **QUIET) == ""
    ready.says("Thanks.")
    assert selected("select generation from shown where session = 's3' and place = 'compaction'") == [1]


def test_a_forgotten_memory_is_in_no_brief_made_ready(project: Path) -> None:
    Conversation(project, "s1").says(RULE)
    Conversation(project, "s2").begins(**QUIET)
    settle()
    (key,) = stored("id")
    database = data() / "memory.db"
    with open_store(database, now=time.time()) as db:  # no command, which would make the brief anew
        actions.forget(act(db, now=time.time()), [key])
    assert "pull request" not in Conversation(project, "s3").begins(**QUIET)
    settle()
    with open_store(database, now=time.time()) as db:
        purge(db, [key], database, time.time())
    languages = data() / "cache" / "languages"  # hold the words of our own language files
    for path in data().rglob("*"):
        assert not path.is_file() or path.parent == languages or b"pull request" not in path.read_bytes(), path


def test_replaying_a_stop_and_a_fork_say_nothing_twice(project: Path) -> None:
    one = Conversation(project, "s1")
    one.says(RULE)
    before = stored("id || text || strength || session_count || use_count")
    for _ in range(3):
        one.typed(last="Fine.")
    assert before
    assert stored("id || text || strength || session_count || use_count") == before
    before = stored("id || strength || session_count")
    two = Conversation(project, "s2")
    two.transcript.write_bytes(one.transcript.read_bytes())
    two.stops()
    settle()
    assert stored("id || strength || session_count") == before


def test_the_last_answer_is_taken_from_the_event_once_and_a_transcript_that_comes_later_is_waited_for(project: Path) -> None:
    one = Conversation(project, "s1")
    words = "Fixed it: the root cause was a missing index on orders.customer_id, the query timed out because of it."
    one.typed("Why does the report time out?", last=words)
    waiting = "select seq || text from candidate where gate is null"
    first = selected(waiting)
    assert first
    one.answers(words)  # the file catches up
    run("session-end", one.payload("SessionEnd", reason="other"))
    settle()
    assert selected(waiting) == first
    two = Conversation(project, "s2")
    two.typed(last="Fine.")
    two.types(RULE)
    run("session-end", two.payload("SessionEnd", reason="other"))
    settle()
    assert len(stored()) == 1


def test_a_session_killed_before_its_stop_is_made_good_by_the_next(project: Path) -> None:
    one = Conversation(project, "s1")
    one.begins()
    one.asks(RULE)
    one.types(RULE)
    settle()
    hook = start("stop", one.payload("Stop"))
    hook.send_signal(signal.SIGKILL)
    hook.communicate()
    for child in children():
        os.kill(child, signal.SIGKILL)
    Conversation(project, "s2").begins()
    eventually(lambda: len(stored()) == 1)
    settle()
    assert journal.left(data(), but="s2") == []


def test_a_project_that_cannot_be_read_keeps_no_other_s_conversation_from_being_made_good(project: Path, tmp_path: Path) -> None:
    (broken := tmp_path / "broken").mkdir()
    for place in (broken, project):
        one = Conversation(place, f"left in {place.name}", folder=tmp_path / place.name)
        one.uses("Bash", command="ls")
        one.types(RULE)
        os.utime(journal.path_of(str(data()), one.session), (0, 0))
    (broken / ".psychmem.toml").write_text("[[[")
    assert Conversation(project, "s2", folder=tmp_path / "elsewhere").begins() == ""
    eventually(lambda: len(stored()) == 1)
    settle()
    assert [event.name for event in (data() / "health").glob("*.failed")] == []


def test_a_stop_returns_before_the_work_is_done_and_the_work_outlives_it(project: Path) -> None:
    one = Conversation(project, "s1")
    one.begins()
    settle()
    one.types(RULE)
    with locked(data() / "memory.db"):
        hook = start("stop", one.payload("Stop"))
        assert hook.communicate(timeout=600) == (b"", b"")
        (child,) = eventually(children)
        assert os.getsid(child) == child
        assert [os.readlink(f"/proc/{child}/fd/{n}") for n in (1, 2)] == ["/dev/null"] * 2
        assert "memfd" in os.readlink(f"/proc/{child}/fd/0")
        assert stored() == []
    settle()
    assert len(stored()) == 1


def test_a_corrupt_database_is_reported_and_left_to_a_person(project: Path) -> None:
    Conversation(project, "s0").says("We never deploy on Mondays.")
    (data() / "memory.db").write_bytes(b"not a database, but a note of mine" * 200)
    for side in data().glob("memory.db-*"):
        side.unlink()
    assert "psychmem doctor" in Conversation(project, "s1").begins()
    Conversation(project, "s2").says(RULE)
    assert "psychmem doctor" in Conversation(project, "s3").begins()
    settle()
    assert (data() / "memory.db").read_bytes().startswith(b"not a database")
    assert not list(data().glob("memory.db.corrupt-*"))
    found = checks(project)["database"]
    assert (found["state"], bool(found["mend"])) == ("bad", True)
    psychmem("doctor", "--fix", cwd=project)
    assert {checks(project)[name]["state"] for name in ("database", "permissions")} == {"ok"}
    (aside,) = data().glob("memory.db.corrupt-*")
    assert aside.read_bytes().startswith(b"not a database")
    Conversation(project, "s4").begins()
    settle()
    assert len(stored()) == 1  # what was said meanwhile


def test_a_wrong_db_path_displaces_nothing_and_is_told(project: Path) -> None:
    notes = Path(os.environ["HOME"]) / "notes.txt"
    notes.write_text("my precious notes")
    notes.chmod(0o644)
    (data() / "config").mkdir(parents=True)
    (data() / "config" / "config.toml").write_text('db_path = "~/notes.txt"\n')
    assert "name another file in db_path" in Conversation(project, "s1").begins()
    settle()
    assert (notes.read_text(), notes.stat().st_mode & 0o777) == ("my precious notes", 0o644)
    assert not list(notes.parent.glob("notes.txt?*"))


def test_everything_we_write_is_private(project: Path) -> None:
    one = Conversation(project, "s1")
    one.begins()
    one.uses("Bash", command="ls")
    one.says(RULE)
    for path in [data(), *data().rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


@pytest.mark.parametrize(("by", "kept"), cases("tests", "what the client says of who entered a prompt is believed"))
def test_what_the_client_says_of_who_entered_a_prompt_is_believed(project: Path, by: str, kept: bool) -> None:
    talk = Conversation(project, "s1")
    message = {"role": "user", "content": RULE}
    talk._write({"type": "user", "message": message, "promptSource": "typed", "turnOrigin": "human", "promptId": "turn-1"})
    run("prompt", talk.payload("UserPromptSubmit", prompt=RULE, prompt_id="turn-1"), PSYCHMEM_TYPED_BY=by)
    talk.answers("Fine.")
    talk.typed(last="Fine.")
    assert stored() == [RULE] * kept
