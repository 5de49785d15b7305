"""Several processes at one store, two commands at once, a command while somebody else writes: none loses what another did."""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from psychmem_py.agents.event import Request
from psychmem_py.cli.commands import agents, config
from psychmem_py.cli.commands import sessions as report
from psychmem_py.curation import actions, history, imports, pending, upkeep
from psychmem_py.curation.act import PERSON, Act, Who, Workplace
from psychmem_py.curation.actions import Edit
from psychmem_py.curation.erasure import erase
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import BusyError, NotFoundError, OvertakenError, RefusedError
from psychmem_py.home import detach, journal, locks, pauses
from psychmem_py.home.pauses import ALL, Pause
from psychmem_py.home.places import folder_of
from psychmem_py.home.project import Project
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.hooks import child, entry
from psychmem_py.hooks.child import unfinished
from psychmem_py.ingestion import extract as extract_module
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import Span
from psychmem_py.installation import claude_code, patches, registration
from psychmem_py.model.records import Kind, Link, LinkType, Message, Origin, Role, Status
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows, sessions
from psychmem_py.store.connection import open_store
from psychmem_py.store.copies import salvage
from psychmem_py.store.sqlite import state
from tests.forks import psychmem, told
from tests.hooks import Conversation, holding, selected, settle
from tests.memories_made import NOW, act, killed, made, store
from tests.shipped_languages import MATCHER
from tests.test_cli import remembered

RULE = "Always deploy the kumquat service from the zanzibar branch."
NEXT = "Never edit the flamingo tables by hand."
SHOP = Project("dir:/home/dev/shop", "shop", "/home/dev/shop")


@pytest.fixture
def path(home: Path) -> Path:
    """Where the commands have their store too."""
    (home / "psychmem").mkdir(exist_ok=True)
    return home / "psychmem" / "memory.db"


def kept(
    db: sqlite3.Connection, batch: str, text: str, kind: Kind = Kind.CONSTRAINT, who: Who = PERSON, context: str = ""
) -> str:
    return remember(act(db, batch, who=who), Entry(text, kind, project=SHOP.id, context=context)).memory.id


def said(*texts: str) -> Span:
    messages = [Message(f"m{n}", Role.USER, Origin.USER_PROMPT, text) for n, text in enumerate(texts)]
    return Span("s", "claude-code", tuple(messages), end=100)


def taken_up(db: sqlite3.Connection, span: Span) -> SpanResult:
    return extract(db, span, project=SHOP, settings=DEFAULTS, matcher=lambda: MATCHER, now=NOW)


def at_begin(db: sqlite3.Connection, number: int, act: Callable[[], object]) -> None:
    """Has `act` done by somebody else right before the `number`th transaction of this connection begins."""
    begun: list[str] = []

    def traced(statement: str) -> None:
        if statement == "begin immediate":
            begun.append(statement)
            if len(begun) == number:
                act()

    db.set_trace_callback(traced)


def place(path: Path) -> Workplace:
    return Workplace(str(path), folder_of("data", os.environ), os.environ, DEFAULTS)


def purged(path: Path, key: str) -> None:
    with open_store(path, now=NOW) as other:
        erase(other, [key], place(path), NOW)


def test_a_purge_while_a_conversation_is_read_leaves_nothing_of_it(path: Path, db: sqlite3.Connection, home: Path) -> None:
    key = kept(db, "b1", RULE)
    span = said(f"{RULE} {NEXT}")
    at_begin(db, 2, lambda: purged(path, key))
    with pytest.raises(OvertakenError):
        taken_up(db, span)
    db.set_trace_callback(None)
    assert [one.candidate.text for one in taken_up(db, span).kept] == [NEXT]
    db.execute("pragma wal_checkpoint(truncate)")
    assert holding([home / "psychmem"], "zanzibar", "kumquat") == []


def test_a_conversation_that_two_processes_read_at_once_is_taken_up_once(path: Path, db: sqlite3.Connection) -> None:
    def meanwhile() -> None:
        with open_store(path, now=NOW) as other:
            assert taken_up(other, said(RULE)).kept

    at_begin(db, 2, meanwhile)
    with pytest.raises(OvertakenError):
        taken_up(db, said(RULE))
    (memory,) = rows.listed(db, all_projects=True)
    assert (memory.text, memory.session_count, len(rows.evidence(db, memory.id))) == (RULE, 1, 1)


def test_a_wording_given_while_a_purge_begins_goes_with_it(path: Path, db: sqlite3.Connection, home: Path) -> None:
    key = kept(db, "b1", RULE)
    kept(db, "b2", NEXT, context="before: tamarillos live in bratislava")

    def meanwhile() -> None:
        assert psychmem("edit", key, "Tamarillos live in bratislava", cwd=home).returncode == 0

    at_begin(db, 1, meanwhile)
    erase(db, [key], place(path), NOW)
    assert holding([home / "psychmem"], "zanzibar", "tamarillo", "bratislava") == []


def by_the_child(talk: Conversation, event: str = "stop") -> None:
    """What the detached child of an event does, done in this process."""
    around = Surroundings(os.environ, time.time())
    request = Request(event, "claude-code", talk.session, str(talk.project), str(talk.transcript))
    child._process(child._Task(request, around.settings(), around))


def test_a_purge_leaves_no_call_that_the_child_has_in_hand(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Conversation(project, "s1")
    talk.begins()
    settle()
    key = told("remember", RULE, cwd=project)["id"]
    talk.types(NEXT)
    for command in ("deploy --branch zanzibar kumquat", "make test"):
        talk.uses("Bash", command=command)
    (real, spans) = (child.extract, [])

    def meanwhile(db: sqlite3.Connection, span: Span, **more: object) -> SpanResult:
        if not spans:
            assert psychmem("forget", key, "--purge", "--yes", cwd=project).returncode == 0
        spans.append(span)
        return real(db, span, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(child, "extract", meanwhile)
    by_the_child(talk)
    assert holding([home / "psychmem", *(home / ".claude").glob("projects/*/memory")], "zanzibar", "kumquat") == []
    assert NEXT in selected("select text from memory")
    assert selected("select command from event") == ["make test"]


def test_what_was_purged_meanwhile_is_left_for_no_notice(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = home / "plugin-data"
    plugin.mkdir()
    monkeypatch.setenv("CLAUDE_PLUGIN_DATA", str(plugin))
    talk = Conversation(project, "s1")
    talk.types(RULE)
    real = child.hourly_upkeep

    def meanwhile(act: Act) -> int:
        (key,) = [one.id for one in rows.listed(act.db, all_projects=True)]
        assert psychmem("forget", key, "--purge", "--yes", cwd=project).returncode == 0
        return real(act)

    monkeypatch.setattr(child, "hourly_upkeep", meanwhile)
    by_the_child(talk)
    assert holding([home / "psychmem", plugin], "zanzibar", "kumquat") == []


def test_transcripts_removed_while_they_are_looked_through_are_passed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    around = Surroundings(os.environ, time.time())
    with open_store(around.database_file("claude-code"), now=NOW):
        for session in ("s1", "s2", "s3"):
            Conversation(project, session).types(RULE)
    last = Conversation(project, "s4")
    last.types(NEXT)
    real = sessions.session

    def meanwhile(db: sqlite3.Connection, key: str) -> sessions.Session | None:
        if key in ("s1", "s2"):
            last.transcript.with_name(f"{key}.jsonl").unlink()
        return real(db, key)

    monkeypatch.setattr(sessions, "session", meanwhile)
    request = Request("inject", "claude-code", "s4", str(project), str(last.transcript))
    assert [one.session for one in unfinished(request, around)] == ["s3"]


AGENT = Who(Origin.ASSISTANT, "claude-code", "s1")


def test_an_agent_takes_back_its_own_and_nothing_that_others_did_meanwhile(db: sqlite3.Connection) -> None:
    fact = kept(db, "b1", "The cache is called plum", Kind.SEMANTIC, AGENT)
    rule = kept(db, "b2", RULE)
    other = kept(db, "b3", "The queue is redis", Kind.SEMANTIC, AGENT._replace(session="s2"))
    assert [step.memory_id for step in history.undo(act(db, "b4", who=AGENT), None, project=SHOP.id).steps] == [fact]
    with pytest.raises(NotFoundError):
        history.undo(act(db, "b5", who=AGENT), None, project=SHOP.id)
    with pytest.raises(RefusedError, match="somebody else"):
        history.undo(act(db, "b5", who=AGENT), "b2")
    assert {one.id for one in rows.listed(db, all_projects=True)} == {rule, other}
    assert [step.memory_id for step in history.undo(act(db, "b6"), None, project=SHOP.id).steps] == [rule]
    with pytest.raises(NotFoundError, match="claude-code did something last"):
        history.undo(act(db, "b7"), None, project=SHOP.id)
    assert {one.id for one in rows.listed(db, all_projects=True)} == {other}


def test_the_page_takes_back_its_last_click_and_not_what_came_since(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    done: list[str] = []
    with pytest.raises(RefusedError, match="on this page"):
        report._act("undo", "", "", done)
    key = told("remember", RULE, cwd=project)["id"]
    report._act("forget", key, "", done)
    told("remember", NEXT, cwd=project, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="s1")
    assert "you did here last" in report._act("undo", "", "", done)
    assert {row["text"] for row in told("list", "--status", "all", cwd=project) if row["status"] != "forgotten"} == {RULE, NEXT}
    with pytest.raises(RefusedError, match="on this page"):
        report._act("undo", "", "", done)


def test_a_memory_purged_while_it_is_promoted_or_linked_is_in_no_log(path: Path, db: sqlite3.Connection, home: Path) -> None:
    keys = [made(text, Kind.CONSTRAINT, project=SHOP.id) for text in (RULE, f"{RULE} Twice.", NEXT)]
    store(db, keys)
    at_begin(db, 1, lambda: purged(path, keys[0].id))
    with pytest.raises(NotFoundError):
        upkeep.promote(act(db), [keys[0].id])
    at_begin(db, 1, lambda: purged(path, keys[1].id))
    tie = Link(keys[1].id, keys[2].id, LinkType.SUPPORTS, NOW)
    done = imports.ImportRun(act(db, "b9"), None, imports.ImportSource(), exact=True)
    done._links.append(tie)
    done.link()
    db.execute("pragma wal_checkpoint(truncate)")
    assert holding([home / "psychmem"], "zanzibar", "kumquat") == []


def memory_md(home: Path) -> list[Path]:
    return list((home / ".claude").glob("projects/*/memory/*"))


def test_what_is_at_work_after_uninstall_writes_no_more_there(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".claude").mkdir()
    assert psychmem("install", "--claude-code", cwd=project).returncode == 0
    talk = Conversation(project, "s1")
    talk.says(RULE)
    assert memory_md(home)
    assert psychmem("uninstall", cwd=project).returncode == 0
    talk.says(NEXT)  # the session is still open and calls as it did when it began
    assert memory_md(home) == []
    assert {row["text"] for row in told("list", cwd=project)} == {RULE, NEXT}
    monkeypatch.setenv("CLAUDE_PLUGIN_ROOT", str(home / "plugin"))  # leaving the settings does not leave a plugin
    Conversation(project, "s2").says("We always use pnpm in this repository.")
    assert memory_md(home)


def test_a_conversation_whose_reading_was_cut_off_is_taken_up_later(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its stop was killed before it noted anything, and the child of its start while it read what had been typed."""
    talk = Conversation(project, "s1")
    talk.types(RULE)
    with monkeypatch.context() as half_way:
        half_way.setattr(extract_module, "sweep", killed)
        with pytest.raises(KeyboardInterrupt):
            by_the_child(talk, "inject")
    Conversation(project, "s2").begins()
    settle()
    assert [row["text"] for row in told("list", cwd=project)] == [RULE]


@pytest.mark.parametrize("cached", [False, True])
def test_a_journal_says_first_whose_it_is(cached: bool, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")  # otherwise MEMORY.md says it
    told("remember", RULE, cwd=project)
    if cached:
        Conversation(project, "s0").says(NEXT)
    monkeypatch.setattr(detach, "detach", lambda *_: 0)  # the child is killed before it begins
    talk = Conversation(project, "s1")
    payload = json.dumps(talk.payload("SessionStart", source="startup")).encode()
    assert b"kumquat" in entry.serve(["inject"], payload, os.environ)
    entry.serve(["tool-after"], json.dumps(talk.after("Bash", command="make")).encode(), os.environ)
    pending = journal.pending(home / "psychmem", "s1")
    assert (pending.cwd, pending.transcript, len(pending.uses)) == (str(project), str(talk.transcript), 1)


def test_two_that_salvage_one_file_at_once_bring_it_back_once(path: Path, db: sqlite3.Connection) -> None:
    damaged = f"{path}.corrupt-20260101-000000"
    with open_store(damaged, now=NOW) as other:
        store(other, [made(RULE, Kind.CONSTRAINT, project=SHOP.id)])
    before = state(str(path))

    def meanwhile() -> None:
        with open_store(path, now=NOW) as quicker:
            assert salvage(quicker, damaged)[0] == 1

    at_begin(db, 1, meanwhile)
    assert salvage(db, damaged)[0] == 0
    assert [one.text for one in rows.listed(db, all_projects=True)] == [RULE]
    assert db.execute("select count(*) from change").fetchone() == (1,)
    assert state(str(path)) != before


def registered() -> None:
    registration.register([claude_code.OWNER], os.environ, Path(os.environ["PSYCHMEM_HOME"]), command=["/bin/hook"])


def unregistered() -> None:
    registration.unregister([claude_code.OWNER], os.environ, Path(os.environ["PSYCHMEM_HOME"]))


@pytest.mark.parametrize("command", [
    pytest.param(lambda: config.pause(all_=True), id="pause"),
    pytest.param(lambda: config.resume(all_=True), id="resume"),
    pytest.param(lambda: config.set_("small_model", "haiku"), id="config set"),
    pytest.param(lambda: agents.judge(off=True), id="judge --off"),
    pytest.param(registered, id="install"),
    pytest.param(unregistered, id="uninstall"),
])  # fmt: skip
def test_a_file_is_changed_by_one_at_a_time(command: Callable[[], None], shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    monkeypatch.setattr(locks, "_PATIENCE_S", 0.0)
    with locks.command_lock(os.environ), pytest.raises(BusyError, match="try again"):
        command()
    command()
    assert not [name for name in os.listdir(os.environ["HOME"]) if "lock" in name]


def test_settings_that_the_client_writes_meanwhile_are_not_overwritten(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = claude_code.settings_file(os.environ)
    settings.parent.mkdir()
    settings.write_text('{"model": "old"}\n')
    installing = claude_code.installing

    def meanwhile(*given: object) -> list[patches.FileEdit]:
        edits = installing(*given)  # type: ignore[arg-type]
        settings.write_text('{"model": "new"}\n')
        return edits

    with monkeypatch.context() as at_once:
        at_once.setattr(claude_code, "installing", meanwhile)
        with pytest.raises(RefusedError, match="run this again"):
            registered()
    assert settings.read_text() == '{"model": "new"}\n'
    registered()
    unregistered()
    assert settings.read_text() == '{"model": "new"}\n'


@pytest.mark.parametrize("before", [None, "{}", '{\n  "hooks": {},\n  "model": "x"\n}\n'])
@pytest.mark.parametrize("writes", [1, 2, 3, 4])
def test_a_killed_install_is_taken_back(before: str | None, writes: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = claude_code.settings_file(os.environ)
    if before is not None:
        settings.parent.mkdir()
        settings.write_text(before)
    write, done = patches.write, list[Path]()

    def then_killed(path: Path, text: str, mode: int | None = None) -> None:
        if len(done) == writes:
            raise KeyboardInterrupt
        done.append(path)
        write(path, text, mode)

    with monkeypatch.context() as half_way:
        half_way.setattr(patches, "write", then_killed)
        with pytest.raises(KeyboardInterrupt):
            registered()
    unregistered()
    assert (settings.read_text() if settings.exists() else None) == before


def test_a_wording_is_not_put_over_one_that_was_given_while_the_editor_was_open(shop: Path, tmp_path: Path) -> None:
    key = remembered(shop, "The port is 8080", "--project", ".")
    editor = tmp_path / "ed.sh"
    other = f'{sys.executable} -c "from psychmem_py.cli import main; main()" edit {key} "The port is 9090"'
    editor.write_text(f'#!/bin/sh\n{other} > /dev/null || exit 9\necho "The port is 7070" > "$1"\n')
    editor.chmod(0o755)
    done = psychmem("edit", key, cwd=shop, EDITOR=str(editor))
    assert done.returncode == 1
    assert "7070" in done.stderr
    assert told("show", key, cwd=shop)["text"] == "The port is 9090"


def test_an_answer_is_for_what_was_shown(tmp_path: Path) -> None:
    waits = made("Deploy on fridays", Kind.CONSTRAINT, status=Status.QUARANTINED)
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        store(db, [waits])
        shown = pending.item_of(db, waits.id)
        assert pending.recheck(db, shown) == shown
        actions.edit(act(db), waits.id, Edit(text="Never deploy on fridays"))
        with pytest.raises(RefusedError, match="Never deploy"):
            pending.recheck(db, shown)


def test_what_is_paused_stays_so_when_the_clock_is_set_back(home: Path) -> None:
    data = os.environ["PSYCHMEM_HOME"]
    pauses.write(data, [Pause(ALL, "", NOW, 0.0)])
    assert pauses.now_paused(data, "s", "/p", NOW - 3_600)
    pauses.write(data, [Pause(ALL, "", NOW, NOW - 3_600)])  # resumed by that clock
    assert not pauses.now_paused(data, "s", "/p", NOW - 3_599)
    pauses.write(data, [Pause(ALL, "", began := time.time() - 60, 0.0)])
    config.resume(all_=True)
    (ended,) = pauses.read(data)
    assert (ended.holds(began + 1), ended.holds(time.time()), ended.lasts(began + 1)) == (True, False, False)
