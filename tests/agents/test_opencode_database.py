"""OpenCode's database while the client writes it: a hook's child may read between any two of its writes, and nothing is lost."""

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.agents import opencode_database
from psychmem_py.agents.opencode import Turn, messages_of
from psychmem_py.home import health
from psychmem_py.ingestion.spans import forget_reverted
from psychmem_py.model.records import Message, Origin
from psychmem_py.store.connection import open_store
from tests.hooks import data, run, selected, settle
from tests.memories_made import NOW

SESSION = "ses_1"
RULE = "Never commit directly to the main branch, always open a pull request."
CAUSE = "Root cause found: the cache key leaves out the tenant, so two tenants share one entry. Fixed it by adding the tenant to the key."


class Client:
    """The client's database, written turn by turn and part by part as the client does it."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.path = Path(os.environ["XDG_DATA_HOME"], "opencode", "opencode.db")
        self.path.parent.mkdir(parents=True)
        self.write("create table session (id text primary key, parent_id text, revert text)")
        self.write("create table message (id text primary key, session_id text, time_created integer, data text)")
        self.write("create table part (id text primary key, message_id text, data text)")
        self.write("insert into session (id) values (?)", SESSION)

    def turn(self, number: int, role: str, **info: Any) -> None:
        """A message, without its parts; a second call for the same number changes it."""
        time = {"created": number * 1000, **info.pop("time", {})}
        message = json.dumps({"role": role, "time": time, **info})
        self.write("insert or replace into message values (?, ?, ?, ?)", f"msg_{number}", SESSION, number * 1000, message)

    def part(self, number: int, text: str) -> None:
        part = json.dumps({"type": "text", "text": text})
        self.write("insert into part values (?, ?, ?)", f"prt_{number}", f"msg_{number}", part)

    def types(self, number: int, text: str) -> None:
        """A message of the person's, whole."""
        self.turn(number, "user")
        self.part(number, text)

    def asks(self, number: int, state: dict[str, Any]) -> None:
        """The tool part of a turn in which the assistant asks the person, as OpenCode 1.18.33 writes it."""
        part = json.dumps({"type": "tool", "callID": "call_1_0", "tool": "question", "state": state})
        self.turn(number, "assistant", finish="tool-calls", time={"completed": number * 1000 + 500})
        self.write("insert into part values (?, ?, ?)", f"prt_{number}", f"msg_{number}", part)

    def answer(self, number: int, text: str) -> None:
        """A whole one of the assistant."""
        self.turn(number, "assistant", finish="stop", time={"completed": number * 1000 + 500})
        self.part(number, text)

    def hook(self, event: str) -> None:
        """What our plugin hands over, and its child's work to the end; the messages are read from the database."""
        place = str(self.project)
        run(f"--agent opencode {event}", {"session": SESSION, "cwd": place, "worktree": place, "messages": []})
        settle()

    def write(self, statement: str, *values: object) -> None:
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute(statement, values)


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)


def known() -> list[str]:
    """Every memory and what waits to become one."""
    assert health.failures(data()) == []
    return selected("select text from memory where status = 'active' union all select text from candidate")


@pytest.mark.parametrize("event", ["inject", "pre-compact", "stop"])
def test_a_message_whose_words_are_not_yet_written_is_not_passed(client: Client, event: str) -> None:
    client.turn(1, "user")
    client.hook(event)
    client.part(1, RULE)
    client.answer(2, "Noted.")
    client.hook("stop")
    assert any("main branch" in text for text in known())


@pytest.mark.parametrize("meanwhile", [(), (3,)])
def test_words_typed_while_the_assistant_works_are_taken_up_before_its_answer(client: Client, meanwhile: tuple[int, ...]) -> None:
    client.types(1, "Why do two customers see each other's numbers?")
    client.turn(2, "assistant")
    for number in meanwhile:
        client.types(number, RULE)
    client.hook("pre-compact")
    assert sum("main branch" in text for text in known()) == len(meanwhile)
    client.answer(2, CAUSE)
    client.hook("stop")
    assert any("tenant" in text for text in known())
    assert sum("main branch" in text for text in known()) == len(meanwhile)


def test_an_answer_broken_off_holds_nothing_up(client: Client) -> None:
    client.types(1, "Hello")
    client.turn(2, "assistant")  # the client was killed here
    client.types(3, RULE)
    client.answer(4, "Noted.")
    client.turn(5, "user", time={"created": 1e999})
    client.hook("stop")
    assert selected("select watermark from session") == [4000]
    assert any("main branch" in text for text in known())


@pytest.mark.parametrize("damage", [
    "update part set data = replace(data, 'type', 'kind')",
    "update part set data = 5",
    "alter table part rename to piece",
])  # fmt: skip
def test_what_was_said_stays_known_when_the_client_writes_it_otherwise(client: Client, damage: str) -> None:
    client.types(1, RULE)
    client.hook("stop")
    client.write(damage)
    client.hook("stop")
    assert any("main branch" in text for text in known())


def test_what_another_process_takes_up_meanwhile_is_not_reverted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backfill reads a turn that came after the child had read the conversation."""
    client.types(1, "Hello")
    client.answer(2, "Hello.")
    client.hook("stop")
    read = opencode_database.conversation

    def meanwhile(env: Mapping[str, str], session: str, *, whole: bool = False) -> tuple[Turn, ...] | None:
        conversation = read(env, session, whole=whole)
        client.types(3, RULE)
        client.answer(4, "Noted.")
        client.hook("stop")
        return conversation

    monkeypatch.setattr(opencode_database, "conversation", meanwhile)
    with open_store(data() / "memory.db", now=NOW) as db:
        forget_reverted(db, SESSION, os.environ, now=NOW, batch="b")
    assert any("main branch" in text for text in known())


BOX = {  # question -> what is offered, what was answered
    "Which database should the billing service use?": (["Postgres (Recommended)", "SQLite"], ["Postgres (Recommended)"]),
    "Which outputs should the export have?": (["CSV", "JSON"], ["CSV", "JSON"]),
    "How are invoices numbered?": (["By year", "By customer"], ["by branch, and the year behind it"]),
    "What is the next step?": (["Use pgbouncer"], ["Use pgbouncer"]),
    "Which port?": (["80"], []),
}
QUESTIONS = [
    {"question": question, "header": "Plan", "options": [{"label": label, "description": ""} for label in offered]}
    for question, (offered, _) in BOX.items()
]
ANSWERED = {"status": "completed", "input": {"questions": QUESTIONS}, "metadata": {"answers": [one for _, one in BOX.values()]}}


def asked(client: Client, state: dict[str, Any]) -> list[Message]:
    client.types(1, "Plan the billing service.")
    client.asks(2, state)
    return messages_of(opencode_database.conversation(os.environ, SESSION) or ())[1:]


def test_an_answer_in_the_question_box_stands_behind_its_question(client: Client) -> None:
    messages = asked(client, ANSWERED)
    assert [one.previous for one in messages] == list(BOX)[:4]
    assert [one.text for one in messages] == ["Postgres", "CSV, JSON", "by branch, and the year behind it", "Use pgbouncer"]
    assert [one.chosen for one in messages] == [True, True, False, True]
    assert len({one.id for one in messages}) == len(messages)
    assert {(one.at, one.origin) for one in messages} == {(2.0, Origin.USER_PROMPT)}


@pytest.mark.parametrize("state", [
    {"status": "error", "input": {"questions": QUESTIONS}, "error": "The user dismissed this question"},
    {"status": "running", "input": {"questions": QUESTIONS}, "metadata": {"answers": None}},
    {"status": "completed", "input": {"questions": "x"}, "metadata": {"answers": [["x"], 1]}},
])  # fmt: skip
def test_a_box_that_was_dismissed_or_stands_open_has_no_answers(client: Client, state: dict[str, Any]) -> None:
    assert asked(client, state) == []


def test_what_was_chosen_is_taken_up_and_a_question_about_the_work_at_hand_waits(client: Client) -> None:
    asked(client, ANSWERED)
    client.answer(3, "Noted.")
    client.hook("stop")
    active = selected("select text from memory where status = 'active'")
    assert any("Postgres" in text for text in active)
    assert not any("pgbouncer" in text for text in active)
