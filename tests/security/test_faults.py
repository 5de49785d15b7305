"""A bad disk, a bad clock and a bad moment to be killed: nothing lost, nothing twice, exit 0, in time, and told."""

import fcntl
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from psychmem_py.cli import main
from psychmem_py.home import health, journal
from psychmem_py.home.project import project_of
from psychmem_py.hooks.entry import serve
from psychmem_py.ingestion import extract
from psychmem_py.ingestion.extract import TimeShares
from psychmem_py.ingestion.spans import Span
from psychmem_py.model.records import Message, Origin, Role
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store.connection import open_store
from tests import hooks
from tests.forks import COMMAND as PSYCHMEM
from tests.forks import psychmem, told
from tests.hooks import COMMAND, QUIET, ROOT, Conversation, children, context, data, eventually, run, selected, settle, start
from tests.shipped_languages import MATCHER

EVENTS = ("inject", "prompt", "tool-after", "stop", "pre-compact", "session-end", "subagent-start", "before")
NAMES = ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd", "SubagentStart", "PreToolUse")
HOOK_CPU_S = 4.0  # compaction waits for its child, which reads the language files; the others take a twentieth of it
RULE = "Never commit directly to the main branch, always open a pull request."


def rows(column: str = "text") -> list[Any]:
    return selected(f"select {column} from memory order by seq")


def in_the_store(*statements: str) -> None:
    """Has these done in the store by somebody who goes round us."""
    with closing(sqlite3.connect(data() / "memory.db", isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement).fetchall()


def written(name: str, raw: bytes) -> None:
    (data() / name).parent.mkdir(parents=True, exist_ok=True)
    (data() / name).write_bytes(raw)


def _journals_lead_nowhere() -> None:
    shutil.rmtree(data() / "journals")
    (data() / "journals").symlink_to("/proc")  # the one place where even root writes nothing


# What has gone wrong before the first session, and after one.
FRESH: dict[str, Callable[[], object]] = {
    "a file for data": lambda: data().write_text("a file stands here"),
    "a file for journals": lambda: [written(name, b"a file") for name in ("journals", "claims", "locks", "health", "briefs")],
    "a folder for the database": lambda: (data() / "memory.db" / "x").mkdir(parents=True),
    "a pipe for the database": lambda: (data().mkdir(), os.mkfifo(data() / "memory.db")),
    "a pipe for the log": lambda: ((data() / "log").mkdir(parents=True), os.mkfifo(data() / "log" / "hooks.log")),
    "a link to a full disk": lambda: (data().mkdir(), (data() / "memory.db").symlink_to("/dev/full")),
    "garbage": lambda: written("memory.db", random.Random(1).randbytes(70_000)),
    "pattern file broken": lambda: written("config/patterns/en.toml", b"[signals.broken\n"),
    "settings broken": lambda: written("config/config.toml", b"\xff\xfe = ["),
}
LIVED: dict[str, Callable[[], object]] = {
    "truncated": lambda: os.truncate(data() / "memory.db", (data() / "memory.db").stat().st_size // 2),
    "newer": lambda: in_the_store("pragma user_version = 99"),
    "briefs of a gigabyte": lambda: [os.truncate(path, 1 << 30) for path in (data() / "briefs").iterdir()],
    "a pipe for its journal": lambda: os.mkfifo(data() / "memory.db-journal"),
    "read-only tree": _journals_lead_nowhere,
}


@pytest.mark.slow
@pytest.mark.parametrize("state", [*FRESH, *LIVED])
def test_every_hook_survives(state: str, project: Path) -> None:
    if state in LIVED:
        Conversation(project, "s0").says(RULE)
    (FRESH | LIVED)[state]()
    before = (data() / "memory.db").read_bytes() if state == "newer" else b""
    one = Conversation(project, "s1")
    one.types(RULE)
    for event, name in zip(EVENTS, NAMES, strict=True):
        edit = {"tool_name": "Edit", "tool_use_id": "t", "tool_input": {"file_path": "/x.py"}}
        used_s = hooks.cpu_s()
        given = one.payload(name, agent_id="a", source="startup", prompt="Which branch?", last_assistant_message="Fine.", **edit)
        out = run(event, given)
        assert hooks.cpu_s() - used_s < HOOK_CPU_S
        assert out == b"" or list(json.loads(out)) == ["hookSpecificOutput"]
    settle()
    assert not before or (data() / "memory.db").read_bytes() == before


@pytest.mark.parametrize("size", [0, 60_000])
def test_a_full_disk_loses_nothing_that_is_still_in_the_transcript(size: int, project: Path) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    one = Conversation(project, "s1")
    one.begins()
    settle()
    one.types(RULE)
    for event, name in (("stop", "Stop"), ("inject", "SessionStart"), ("tool-after", "PostToolUse")):
        ended([*COMMAND, event], one.payload(name, source="startup", tool_name="Bash", tool_use_id="t"), preexec_fn=limit)
    settle()
    Conversation(project, "s2").begins()  # there is room again
    eventually(lambda: rows() == [RULE])
    settle()
    psychmem("edit", *rows("id"), "--ask", cwd=project)
    call = one.payload("PreToolUse", tool_name="Bash", tool_use_id="t", tool_input={"command": "git commit -m x"})
    assert b'"ask"' in ended([*COMMAND, "before"], call, preexec_fn=limit), "who is to be asked is asked all the same"


def test_a_home_told_from_a_folder_that_is_gone_ends_no_hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PSYCHMEM_HOME", "here")
    (gone := tmp_path / "gone").mkdir()
    assert ended([*COMMAND, "stop"], {"session_id": "s"}, cwd=gone, preexec_fn=lambda: os.rmdir(gone)) == b""


def ended(command: list[str], given: dict[str, Any], **more: Any) -> bytes:
    """What a hook prints that is started by this command line, where MEMORY.md says nothing."""
    raw = json.dumps(given).encode()
    done = subprocess.run(command, input=raw, capture_output=True, timeout=600, env=os.environ | QUIET, check=False, **more)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def _on_a_read_only_disk(command: list[str]) -> list[str]:
    """`command` in a world of its own where the data directory is mounted read-only."""
    script = f'mount --bind "{data()}" "{data()}" && mount -o remount,ro,bind "{data()}" && exec "$@"'
    return [*_UNSHARE, "sh", "-c", script, "sh", *command]


_UNSHARE = ["unshare", "--map-root-user", "--mount"]
_CAN_MOUNT = shutil.which("unshare") and not subprocess.run([*_UNSHARE, "true"], capture_output=True, check=False).returncode
MOUNTS = pytest.mark.skipif(not _CAN_MOUNT, reason="no mount namespaces here")


@MOUNTS
@pytest.mark.parametrize("source", ["startup", "resume"])
def test_a_read_only_disk_is_told_and_what_it_holds_is_too(source: str, project: Path) -> None:
    Conversation(project, "s0").says(RULE)
    Conversation(project, "s1").begins()
    settle()
    one = Conversation(project, "s2")
    said = context(ended(_on_a_read_only_disk([*COMMAND, "inject"]), one.payload("SessionStart", source=source)))
    assert "cannot be written" in said, said
    assert RULE in said
    settle()
    asked = one.payload("UserPromptSubmit", prompt="Shall I commit directly to the main branch?")
    assert RULE in context(ended(_on_a_read_only_disk([*COMMAND, "prompt"]), asked), "UserPromptSubmit")
    call = one.payload("PreToolUse", tool_name="Bash", tool_use_id="t", tool_input={"command": "git commit -m x"})
    assert RULE in context(ended(_on_a_read_only_disk([*COMMAND, "before"]), call), "PreToolUse")


def test_a_dangling_link_in_the_health_folder_spoils_no_event(project: Path) -> None:
    Conversation(project, "s0").says(RULE)
    (data() / "health" / "inject.ok").unlink(missing_ok=True)
    (data() / "health" / "inject.ok").symlink_to("/nowhere/at/all")
    assert RULE in Conversation(project, "s1").begins(**QUIET)
    settle()
    health.failed(data(), "stop", ValueError(), time.time())
    assert "psychmem doctor" in Conversation(project, "s2").begins()
    settle()


def test_a_message_that_takes_too_long_is_given_up_alone_and_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = extract.cleaned

    def slow(message: Message) -> Message:
        while "endless" in message.text:
            pass
        return read(message)

    monkeypatch.setattr(extract, "cleaned", slow)
    monkeypatch.setattr(extract, "TimeShares", lambda: TimeShares(1.0))
    said = [RULE, "an endless message", "We decided to use SQLite for the queue."]
    messages = tuple(Message(id=str(n), role=Role.USER, origin=Origin.USER_PROMPT, text=text) for n, text in enumerate(said))
    with open_store(data() / "memory.db", now=1.0) as db:
        span = Span(session="s", agent="claude-code", messages=messages, end=3)
        here = project_of(project, os.environ)
        done = extract.extract(db, span, project=here, settings=DEFAULTS, matcher=lambda: MATCHER, now=1.0)
    assert (done.given_up, len(done.kept)) == (1, 2)


def test_blanks_by_the_ten_thousand_cost_nobody_a_rule(project: Path) -> None:
    one = Conversation(project, "s1")
    one.types(RULE)
    one.types("password" + " " * 90_000 + "=x what is this?")
    one.says("We decided to use SQLite for the queue.")
    assert len(rows()) == 2


def test_a_backfill_skips_what_is_no_file_and_goes_on(project: Path) -> None:
    folder = Path(os.environ["HOME"]) / ".claude" / "projects" / "x"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").mkdir()
    (folder / "b.jsonl").symlink_to(folder / "b.jsonl")
    (folder / "c.jsonl").symlink_to("/nowhere/at/all")
    os.mkfifo(folder / "d.jsonl")
    Conversation(project, "e", folder).types(RULE)
    done = psychmem("backfill", "--json", cwd=project)
    assert json.loads(done.stdout)["kept"] == 1, done.stderr


def test_a_lock_held_for_seconds_loses_nothing(project: Path) -> None:
    Conversation(project, "s0").begins()
    settle()
    talks = [Conversation(project, f"s{n}") for n in range(1, 4)]
    tools = ("ruff", "mypy", "black")
    with hooks.locked(data() / "memory.db"):
        for talk, tool in zip(talks, tools, strict=True):
            talk.types(f"Always run {tool} before you commit in the {tool}-only folder.")
            talk.stops("Fine.")  # one that waits for the lock runs into its deadline, which is a failure of health
        time.sleep(6)
    settle()
    assert sorted(tool for tool in tools if tool in " ".join(rows())) == sorted(tools)
    assert health.failures(data()) == []


@pytest.mark.parametrize("only", ["", pytest.param("pre-compact", marks=pytest.mark.long)])  # which has 26 s
def test_no_hook_waits_for_ever_for_a_journal_and_a_claim_that_others_hold(project: Path, only: str) -> None:
    one = Conversation(project, "s0")
    one.says(RULE)
    held = [data() / "claims" / f"{n:02x}" for n in range(256)] + [data() / "journals" / "s0.jsonl"]
    with ExitStack() as files:
        for path in held:
            fcntl.flock(files.enter_context(path.open("a")), fcntl.LOCK_EX)
        begun = time.monotonic()
        payloads = {
            event: one.payload(name, source="startup", prompt="Commit?")
            for event, name in zip(EVENTS, NAMES, strict=True)
            if (event == "pre-compact") == bool(only)
        }
        for hook in [start(event, payload) for event, payload in payloads.items()]:
            assert (hook.wait(timeout=28), hook.communicate()[1]) == (0, b"")
        assert time.monotonic() - begun < 29  # that of compaction; the client's limit is 30


def test_a_clock_set_back_changes_no_order_and_no_strength(project: Path) -> None:
    db_rule = told("remember", RULE, cwd=project)["id"]
    future = time.time() + 5 * 365 * 86400
    in_the_store(
        f"update memory set created_at = {future}, updated_at = {future}, anchor_at = {future}",
        f"update meta set value = '{int(future * 1000):013d}-000000-abcd0123' where key = 'hlc'",
    )
    assert RULE[:20] in Conversation(project, "s1").begins(**QUIET)
    settle()
    told("good", db_rule, cwd=project)
    assert all(0 <= value <= 1 for value in rows("strength"))
    clocks = selected("select hlc from change order by seq")
    assert clocks == sorted(clocks)


def test_a_clock_beyond_what_python_tells_makes_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", Mock(side_effect=OverflowError("timestamp too large to convert to C _PyTime_t")))
    assert serve(["stop"], b"{}", os.environ) == b""
    monkeypatch.setattr("sys.argv", ["psychmem", "list"])
    with pytest.raises(SystemExit, match="1"):
        main()


@pytest.mark.long
def test_forty_kills_lose_nothing_and_say_nothing_twice(project: Path) -> None:
    r = random.Random(7)
    files = [f"area{n}" for n in range(10)]
    one = Conversation(project, "s1")
    kills, calls = 0, list[str]()
    for name in files:
        one.types(f"Never edit the files under {name}/generated by hand, run make {name} instead.")
        assert one.uses("Edit", file_path=f"/{name}.py") == ""  # the tool event is acknowledged
        calls.append(f"t{one.count}")
        for _ in range(4):
            hook = start("stop", one.payload("Stop", last_assistant_message="Fine."))
            time.sleep(r.random() * 0.05)
            hook.send_signal(signal.SIGKILL)
            hook.communicate()
            time.sleep(r.random() * 0.35)
            for child in children():
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            kills += 1
    assert kills == 40
    for number in range(2):  # a span that failed is tried once more, by whoever comes next
        Conversation(project, f"after{number}").begins()
        settle()
    one.typed(last="Fine.")
    texts = rows()
    assert [name for name in files if not any(name in text for text in texts)] == []
    assert len(texts) == len(set(texts))
    assert selected("pragma integrity_check") == ["ok"]
    assert {*selected("select id from event"), *(use.id for use in journal.pending(data(), "s1").uses)} == set(calls)


@pytest.mark.long
def test_fifty_hooks_at_once(project: Path) -> None:
    talks = [Conversation(project, f"s{n}") for n in range(10)]
    for n, talk in enumerate(talks):
        talk.types(f"Never edit the files under zone{n}/generated by hand, run make zone{n} instead.")
    hooks = []
    for talk in talks:
        hooks += [
            start("inject", talk.payload("SessionStart", source="startup")),
            start("prompt", talk.payload("UserPromptSubmit", prompt="Hello there", prompt_id="p")),
            start("tool-after", talk.after("Edit", file_path="/a.py") | {"tool_use_id": f"{talk.session}-t"}),
            start("stop", talk.payload("Stop", last_assistant_message="Fine.")),
            start("session-end", talk.payload("SessionEnd", reason="other")),
        ]
    assert len(hooks) == 50
    for hook in hooks:
        out, err = hook.communicate(timeout=600)
        assert (hook.returncode, err) == (0, b"")
        assert out == b"" or json.loads(out)
    eventually(lambda: not children(), 180)
    texts = rows()
    assert [n for n in range(10) if sum(f"zone{n}/" in text for text in texts) != 1] == []
    assert selected("select count(*) from event") == [10]


def _overwritten(first: int, size: int) -> None:
    """Has these bytes of the database turned into others."""
    with (data() / "memory.db").open("r+b") as file:
        file.seek(first)
        file.write(b"\xa5" * size)


@pytest.mark.parametrize("is_cut", [False, True])
def test_what_can_be_read_of_a_damaged_database_is_salvaged(project: Path, is_cut: bool) -> None:
    fact = {"class": "semantic", "scope": "user", "origin": "user_cli"}
    texts = [f"Fact number {n} is about topic{n} and its many uses" for n in range(400)]
    raw = "".join(json.dumps({"text": text, "id": f"{n:032x}", **fact}) + "\n" for n, text in enumerate(texts))
    assert psychmem("import", "--exact", "-", cwd=project, stdin=raw).returncode == 0
    purged = told("remember", "The tamarillo code is 4711 and nobody else's business", cwd=project)["id"]
    assert psychmem("forget", purged, "--purge", "--yes", cwd=project).returncode == 0
    in_the_store("pragma journal_mode = delete")
    hit = int((data() / "memory.db").stat().st_size / 4096 * 0.7) * 4096
    os.truncate(data() / "memory.db", hit) if is_cut else _overwritten(hit, 3 * 4096)

    Conversation(project, "s1").typed(RULE, last="Fine.")
    psychmem("doctor", "--fix", cwd=project)
    Conversation(project, "s2").begins()
    settle()

    kept = [path.read_bytes() for path in data().glob("memory.db.corrupt-*") if not path.name.endswith(("-wal", "-shm"))]
    assert len(kept) <= 1  # not put aside if only the index was hit
    assert all(is_cut or b"\xa5" * 4096 in raw for raw in kept)  # and not mended in place
    texts = rows()
    assert RULE in texts
    assert len([text for text in texts if text.startswith("Fact number")]) >= 200
    assert told("search", "topic7", cwd=project)
    again = psychmem("doctor", "--json", cwd=project)
    assert again.returncode in (0, 1)
    assert not [check for check in json.loads(again.stdout)["checks"] if "database" in check["name"] and check["state"] == "bad"]


def test_memories_whose_table_cannot_be_read_stand_again_as_the_log_has_them(project: Path) -> None:
    texts = (RULE, "The tamarillo port is 4711", "The old port is 1", "The code is 2")
    ids = [told("remember", text, cwd=project)["id"] for text in texts]
    psychmem("edit", ids[1], "The tamarillo port is 4712", cwd=project)
    psychmem("forget", ids[2], cwd=project)
    psychmem("forget", ids[3], "--purge", "--yes", cwd=project)
    in_the_store("pragma wal_checkpoint(truncate)")
    (page,), (size,) = selected("select rootpage from sqlite_master where name = 'memory'"), selected("pragma page_size")
    _overwritten((page - 1) * size, size)
    psychmem("doctor", "--fix", cwd=project)
    stands = {f"{RULE}: active", "The tamarillo port is 4712: active", "The old port is 1: forgotten"}
    assert set(rows("text || ': ' || status")) == stands
    assert told("search", "tamarillo", cwd=project)


def test_a_damaged_index_that_hides_a_memory_is_told_and_put_right(project: Path) -> None:
    told("remember", RULE, cwd=project)
    in_the_store("pragma journal_mode = delete")
    raw = (data() / "memory.db").read_bytes()
    written("memory.db", raw.replace(b"activeconstraint", b"tniartsnocevitca"))
    checks = json.loads(psychmem("doctor", "--json", cwd=project).stdout)["checks"]
    assert [one["state"] for one in checks if one["name"] == "database"] == ["bad"]
    psychmem("doctor", "--fix", cwd=project)
    assert [one["text"] for one in told("list", cwd=project)] == [RULE]


def _on_a_full_disk(command: list[str]) -> list[str]:
    """`command` in a world of its own where the data directory stands on a disk without a free byte."""
    script = (
        'cp -a "$0" "$0.copy" && mount -t tmpfs -o size=4m tmpfs "$0" && cp -a "$0.copy/." "$0"'
        ' && { dd if=/dev/zero of="$0/fill" bs=4k 2>/dev/null; rm -r "$0.copy"; exec "$@"; }'
    )
    return [*_UNSHARE, "sh", "-c", script, str(data()), *command]


@MOUNTS
def test_what_stands_on_a_full_disk_is_told_by_hooks(project: Path) -> None:
    Conversation(project, "s0").says(RULE)
    settle()
    asked = Conversation(project, "s2").payload("UserPromptSubmit", prompt="Commit directly to the main branch?")
    for event, payload in (("inject", Conversation(project, "s1").payload("SessionStart", source="startup")), ("prompt", asked)):
        said = context(ended(_on_a_full_disk([*COMMAND, event]), payload), payload["hook_event_name"])
        assert RULE in said
        assert event != "inject" or "free some space" in said


@MOUNTS
@pytest.mark.parametrize("disk", [_on_a_read_only_disk, _on_a_full_disk])
def test_what_stands_on_a_disk_that_takes_nothing_is_shown_to_people(disk: Any, project: Path) -> None:
    Conversation(project, "s0").says(RULE)
    settle()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    for words in (["list"], ["search", "main branch"], ["export"], ["context"], ["doctor", "--json"]):
        done = subprocess.run(disk([*PSYCHMEM, *words]), capture_output=True, text=True, cwd=project, env=env, check=False)
        if words[0] != "doctor":
            assert RULE in done.stdout, done.stderr
            assert "cannot be written" in done.stderr
        elif disk is _on_a_read_only_disk:
            (found,) = [check for check in json.loads(done.stdout)["checks"] if check["name"] == "writing"]
            assert (found["state"], found["found"].endswith("cannot be written")) == ("bad", True)
