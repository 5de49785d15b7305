"""What the client noted itself is taken up as the agent's word."""

import os
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.agents import claude_memory
from psychmem_py.agents.claude_topics import parsed
from tests.data import holds
from tests.forks import told
from tests.hooks import Conversation
from tests.test_cli import run as psychmem

NOTE = "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {type}\n---\n\n{body}\n"


def noted(project: Path, name: str, description: str, type_: str = "project") -> Path:
    folder = Path(claude_memory.folder_of(str(project), os.environ).path)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    path.write_text(NOTE.format(name=name, description=description, type=type_, body="More about it."))
    return path


def listed(project: Path, *more: str) -> list[dict[str, Any]]:
    return told("list", *more, cwd=project)


def read(content: str) -> tuple[str | None, str | None]:
    note = parsed("a.md", content)
    return (note.text, note.kind) if note else (None, None)


test_a_file = holds("ingestion", {"a note is read": lambda content, *found: (read(content), tuple(found))})


def test_a_fact_the_client_noted_belongs_to_the_project_and_is_taken_up_once(project: Path) -> None:
    noted(project, "queue", "The order queue runs on Redis streams since May.")
    talk = Conversation(project, "s")
    talk.says("Please look at the failing build.")
    talk.says("And now at the other one.")
    (memory,) = [row for row in listed(project) if "Redis streams" in row["text"]]
    assert [memory[key] for key in ("origin", "scope", "store", "status")] == ["assistant", "project", "stm", "active"]


def test_the_person_s_own_words_settle_a_note(project: Path) -> None:
    noted(project, "queue", "The order queue runs on Redis streams.")
    Conversation(project, "s").says("You know that the order queue runs on redis streams here, so have a look at the consumer")
    assert {row["store"] for row in listed(project) if "redis streams" in row["text"].lower()} == {"ltm"}


def test_a_rule_the_client_noted_waits_for_a_person(project: Path) -> None:
    noted(project, "style", "Never write comments in the generated client code.", "feedback")
    Conversation(project, "s").says("Please look at the failing build.")
    assert not [row for row in listed(project) if "generated client" in row["text"]]
    (waiting,) = [row for row in listed(project, "--status", "quarantined") if "generated client" in row["text"]]
    assert waiting["origin"] == "assistant"


def test_links_and_files_of_ours_are_no_notes(project: Path, home: Path) -> None:
    real = noted(project, "queue", "The order queue runs on Redis streams.")
    outside = home / "outside.md"
    real.rename(outside)
    real.symlink_to(outside)
    Conversation(project, "s").says("Please look at the failing build.")
    assert not [row for row in listed(project) if "Redis streams" in row["text"]]


QUEUE = "The order queue runs on Redis streams."


def waits(project: Path) -> dict[str, str]:
    return {row["text"]: row["waits_as"] for row in told("review", cwd=project)}


def gone(project: Path, words: str = "Please look at the failing build.") -> dict[str, Any]:
    """What is listed of the queue after the client noted it and deleted its note."""
    path = noted(project, "queue", QUEUE)
    Conversation(project, "s").says(words)
    assert {row["text"]: row["store"] for row in listed(project)}[QUEUE] == ("ltm" if "redis" in words else "stm")
    path.unlink()
    Conversation(project, "t").says("And now at the other one.")
    return {row["text"]: row for row in listed(project)}[QUEUE]


def test_a_note_that_the_client_deleted_is_put_before_the_person_and_nothing_is_forgotten(project: Path) -> None:
    memory = gone(project, "Why does the consumer fail when the order queue runs on redis streams?")
    assert (memory["status"], memory["store"]) == ("active", "stm")  # it was settled, and sinks
    assert waits(project) == {QUEUE: "the client deleted its note of this"}
    assert "deleted the note it came from" in " ".join(psychmem("history", memory["id"], cwd=project).stdout.split())
    assert psychmem("sort", memory["id"], cwd=project).returncode == 0
    assert waits(project) == {}
    Conversation(project, "u").says("Once more please.")
    assert {row["text"]: row["store"] for row in listed(project)}[QUEUE] == "ltm"


def test_a_note_that_is_back_is_no_hint_any_more(project: Path) -> None:
    gone(project)
    noted(project, "queue", QUEUE)
    Conversation(project, "u").says("Once more please.")
    assert waits(project) == {}


def test_an_edited_note_is_a_hint_at_what_it_said_before(project: Path) -> None:
    noted(project, "queue", QUEUE)
    Conversation(project, "s").says("Please look at the failing build.")
    noted(project, "queue", "Mails are sent by the night worker, one batch for each customer.")
    Conversation(project, "t").says("And now at the other one.")
    assert waits(project) == {QUEUE: "the client deleted its note of this"}


@pytest.mark.parametrize("how", ["touched", "folder", "off", "many"])
def test_no_hint_where_a_person_touched_it_or_not_all_is_seen(project: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = noted(project, "queue", QUEUE)
    Conversation(project, "s").says("Please look at the failing build.")
    if how == "touched":
        psychmem("good", listed(project)[0]["id"], cwd=project)
    if how == "off":
        monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    path.unlink() if how != "many" else [path.with_name(f"a{at}.md").write_text("A draft.") for at in range(200)]
    if how == "folder":
        path.parent.rename(path.parent.with_name("moved"))
    Conversation(project, "t").says("And now at the other one.")
    assert waits(project) == {}
