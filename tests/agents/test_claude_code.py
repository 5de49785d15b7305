"""The door that Claude Code calls, both clients' events as one table has them, and our files in the client's memory folder."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.agents import claude_code, claude_memory, claude_topics, opencode
from psychmem_py.agents.event import CLAUDE_CODE, EVENTS, OPENCODE
from psychmem_py.errors import PayloadError, RefusedError
from psychmem_py.model.settings import keys
from psychmem_py.model.tools import SHELL_TOOLS
from tests.data import cases
from tests.hooks import PAYLOADS, ROOT


def parsed(name: str, event: str = "stop") -> Any:
    return claude_code.parse(event, (PAYLOADS / f"claude-code-2.1.329-{name}.json").read_bytes(), 5.0)


@pytest.mark.parametrize(("name", "event", "source"), cases("agents", "the payload says which event it is"))
def test_the_payload_says_which_event_it_is(name: str, event: str, source: str) -> None:
    request = parsed(name, "tool-after")
    assert (request.event, request.source, request.cwd) == (event, source, "/home/dev/project")


def test_other_events_are_not_ours() -> None:
    for name in ("SubagentStop", "SubagentStop-compaction", "StopFailure", "Setup", "PostToolBatch", "MessageDisplay"):
        assert parsed(name) is None, name


def test_a_payload_without_a_name_is_what_the_argument_says() -> None:
    request = claude_code.parse("prompt", b'{"session_id": "s", "prompt": "Hello"}')
    assert request is not None
    assert (request.event, request.prompt) == ("prompt", "Hello")


def test_a_written_file_leaves_only_its_path_and_a_failed_command_its_line() -> None:
    use = parsed("PostToolUseFailure-Bash").use
    assert (use["tool"], use["ok"], use["command"], use["error_class"]) == ("Bash", False, "npm test", "usage")
    assert use["error_line"] == 'npm error Missing script: "test"'
    use = parsed("PostToolUse-Write").use
    assert use["paths"] == ("/home/dev/project/NOTES.md",)
    assert "pnpm" not in repr(use)
    patch = {"patchText": "*** Begin Patch\n*** Update File: a.py\n+use pnpm\n*** Delete File: b.py"}
    note = json.dumps({"session": "s", "tool": "apply_patch", "input": patch}).encode()
    patched = opencode.parse("tool-after", note)
    assert ((patched and patched.use) or {})["paths"] == ("a.py", "b.py")


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 100_000])
def test_what_no_client_sends_is_an_error(raw: bytes) -> None:
    with pytest.raises(PayloadError):
        claude_code.parse("stop", raw)


def test_a_reply_is_one_json_object() -> None:
    found = json.loads(claude_code.reply("inject", 'line\n"quoted" 漢字 \ud800'))
    assert found["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert found["hookSpecificOutput"]["additionalContext"].startswith('line\n"quoted" 漢字')


PLUGIN = (ROOT / "hooks" / "opencode" / "psychmem.js").read_text("utf-8")


def test_every_event_has_its_time_its_name_and_settings_that_exist() -> None:
    for name, event in EVENTS.items():
        assert 0 < event.deadline_s < (event.client_s or event.deadline_s + 1), name
        assert event.wait_s < event.deadline_s, name
    assert {event.off_by for event in EVENTS.values()} - {""} <= keys().keys()
    assert [name for name, event in EVENTS.items() if event.off_by and not event.starts_child] == []
    names = [name for event in EVENTS.values() for name in event.claude_code]
    assert len(names) == len(set(names))
    assert all({*event.noted_for} <= {CLAUDE_CODE, OPENCODE} for event in EVENTS.values())


def test_the_plugin_sends_the_events_of_the_table_and_waits_as_long() -> None:
    assert set(re.findall(r'"(\w+)"', PLUGIN.partition("const SHELLS = ")[2].partition("\n")[0])) == SHELL_TOOLS
    limits = re.search(r"const LIMIT_MS = \{(.*?)\}", PLUGIN)
    assert limits
    written = {name.strip('" '): int(value) for name, value in (entry.split(":") for entry in limits[1].split(","))}
    assert written == {name: event.plugin_s * 1000 for name, event in EVENTS.items() if event.plugin_s}
    assert set(re.findall(r'\b(?:ask|reply)\("([\w-]+)"', PLUGIN)) == written.keys()
    assert set(re.findall(r'\btell\("([\w-]+)"', PLUGIN)) == {
        "tool-after",  # waited for behind a file that was read and a command that failed
        *(name for name, event in EVENTS.items() if event.plugin_s == 0),
    }


@pytest.mark.parametrize("event", EVENTS)
def test_each_dialect_reads_the_events_its_client_sends_and_answers_those_that_are_answered(event: str) -> None:
    for name in EVENTS[event].claude_code:
        request = claude_code.parse("", json.dumps({"session_id": "s", "hook_event_name": name}).encode())
        assert request
        assert request.event == event
    request = opencode.parse(event, b'{"session": "s"}')
    assert (request is not None) == (EVENTS[event].plugin_s is not None)
    answers = EVENTS[event].answers
    assert bool(opencode.reply(event, "text")) == answers
    assert bool(claude_code.reply(event, "text")) == (answers and bool(EVENTS[event].claude_code))


@pytest.fixture
def folder(tmp_path: Path) -> claude_memory.MemoryFolder:
    return claude_memory.MemoryFolder(str(tmp_path / "memory"), loaded=True)


def index(folder: claude_memory.MemoryFolder) -> Path:
    return Path(folder.path) / "MEMORY.md"


def tree(folder: claude_memory.MemoryFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder.path).iterdir()}


def test_writing_and_removing_leaves_the_folder_as_it_was(folder: claude_memory.MemoryFolder) -> None:
    Path(folder.path).mkdir()
    index(folder).write_bytes(b"# Mine\r\n\xff\xfe no UTF-8\n- x")
    (Path(folder.path) / "decisions.md").write_text("my own decisions\n")
    before = tree(folder)
    claude_topics.write(folder, ["- one"], {"constraints.md": "one\n", "decisions.md": "ours\n"})
    assert sorted(tree(folder)) == ["MEMORY.md", "constraints.md", "decisions.md"]
    assert tree(folder)["decisions.md"] == before["decisions.md"]
    claude_topics.remove(folder)
    assert tree(folder) == before


def test_a_file_of_ours_goes_with_its_last_line(folder: claude_memory.MemoryFolder) -> None:
    claude_topics.write(folder, ["- one"], {"bugfixes.md": "one\n"})
    assert index(folder).stat().st_mode & 0o777 == 0o600
    claude_topics.write(folder, [], {})
    assert tree(folder) == {}


@pytest.mark.parametrize("name", ["MEMORY.md", "constraints.md", ""])
def test_no_symlinked_file_or_folder_is_written_through(folder: claude_memory.MemoryFolder, tmp_path: Path, name: str) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (target := elsewhere / "mine.md").write_text("<!-- psychmem:topic x -->\nmine")
    if name:
        Path(folder.path).mkdir()
    (Path(folder.path) / name).symlink_to(target if name else elsewhere)
    with pytest.raises(RefusedError, match="symbolic link"):
        claude_topics.write(folder, ["- one"], {"constraints.md": "one\n"})
    assert {path.name: path.read_text() for path in elsewhere.iterdir()} == {"mine.md": "<!-- psychmem:topic x -->\nmine"}


def test_a_folder_in_the_place_of_memory_md_is_named_and_costs_no_session_its_brief(folder: claude_memory.MemoryFolder) -> None:
    index(folder).mkdir(parents=True)
    assert claude_memory.visible(folder) == frozenset()
    with pytest.raises(RefusedError, match="a plain file"):
        claude_topics.write(folder, ["- one"], {})


def test_the_folder_is_the_one_of_the_main_work_tree_and_moves_with_the_setting(tmp_path: Path, home: Path) -> None:
    (tmp_path / "my.app" / ".git").mkdir(parents=True)
    (tmp_path / "my.app" / "src").mkdir()
    slug = str((tmp_path / "my.app").resolve()).replace("/", "-").replace(".", "-").replace("_", "-")
    found = claude_memory.folder_of(str(tmp_path / "my.app" / "src"), os.environ)
    assert found == claude_memory.MemoryFolder(str(home / ".claude" / "projects" / slug / "memory"), loaded=True)
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{"autoMemoryDirectory": "~/notes"}')
    assert claude_memory.folder_of(str(tmp_path), os.environ).path == str(home / "notes")


OFF, DISABLE = {"autoMemoryEnabled": False}, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
SWITCHES = [({}, {}, {}, True), (OFF, {}, {}, False), ({}, OFF, {}, False), (OFF, {}, {DISABLE: "0"}, True), ({}, {}, {DISABLE: "1"}, False),
            ({}, {}, {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}, False)]  # fmt: skip


@pytest.mark.parametrize(("user", "project", "env", "loaded"), SWITCHES)
def test_the_clients_switches(home: Path, tmp_path: Path, user: Any, project: Any, env: dict[str, str], loaded: bool) -> None:
    for place, settings in ((home, user), (tmp_path, project)):
        (place / ".claude").mkdir(exist_ok=True)
        (place / ".claude" / "settings.json").write_text(json.dumps(settings))
    found = claude_memory.folder_of(str(tmp_path), {**os.environ, **env})
    assert found.loaded is loaded
    if not loaded:
        claude_topics.write(found, ["- one"], {})
        assert not Path(found.path).exists()
