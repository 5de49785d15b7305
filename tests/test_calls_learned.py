"""What tool calls teach, with the real hooks as processes: rules at the files they belong to, refusals, commands that fail."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.forks import psychmem, told
from tests.hooks import QUIET, Conversation

RULE = "Never round prices here, keep them in cents."


def worked(project: Path, session: str, text: str, *files: str) -> None:
    """A turn in which something was said and files were edited behind it."""
    one = Conversation(project, session)
    one.types(text)
    for name in files:
        one.calls("Edit", file_path=str(project / name), old_string="a", new_string="b")
    one.answers("Done.")
    one.typed(last="Done.")


def after(project: Path, session: str, tool: str, error: str = "", **given: Any) -> str:
    """What the hook says behind a call."""
    return Conversation(project, session).uses(tool, error=error and f"Exit code 1\n{error}", **given)


def read(project: Path, session: str, name: str) -> str:
    return after(project, session, "Read", file_path=str(project / name))


def test_a_rule_is_shown_where_the_file_it_was_said_at_is_read_until_it_is_forgotten(project: Path) -> None:
    worked(project, "told", RULE, "src/price.py")
    assert read(project, "told", "src/price.py") == ""  # the session of its birth
    assert read(project, "next", "src/other.py") == ""
    assert after(project, "next", "Edit", file_path=str(project / "src/price.py")) == ""
    shown = read(project, "next", "src/price.py")
    assert f'The user said on 21 November 2026: "{RULE}" (said once; ' in shown
    assert read(project, "next", "src/price.py") == ""
    (project / "docs").mkdir()
    assert RULE in Conversation(project / "docs", "below").uses("Read", file_path=str(project / "src/price.py"))
    (row,) = told("list", cwd=project)
    psychmem("forget", row["id"], cwd=project)
    assert read(project, "later", "src/price.py") == ""


def test_files_changed_after_a_prompt_was_read_belong_to_it(project: Path) -> None:
    one = Conversation(project, "told")
    one.typed("Never round it.")  # too short to be found again; and then is idle within a turn
    one.calls("Edit", file_path=str(project / "src/price.py"), old_string="a", new_string="b")
    one.answers("Done.")
    one.typed(last="Done.")
    assert "Never round it" in read(project, "next", "src/price.py")


def test_a_rule_said_once_is_shown_in_three_sessions_and_a_session_is_shown_two(project: Path) -> None:
    worked(project, "told", RULE, "src/price.py")
    shown = []
    for number in range(4):
        shown.append(read(project, f"later{number}", "src/price.py"))
        Conversation(project, f"later{number}").typed()
    assert [bool(text) for text in shown] == [True, True, True, False]
    assert "a file that it belongs to was read" in psychmem("explain", "--last", cwd=project).stdout
    for number, thing in enumerate(("cache the rates", "log the totals", "sort the rows")):
        worked(project, f"more{number}", f"You must never {thing} in this folder.", f"src/{number}.py")
    assert [bool(read(project, "busy", f"src/{number}.py")) for number in range(3)] == [True, True, False]


def test_a_settled_rule_is_shown_at_files_in_ten_sessions_until_it_is_said_again(project: Path, home: Path) -> None:
    worked(project, "told", RULE, "src/price.py")
    worked(project, "again", RULE, "src/price.py")
    database = home / "psychmem" / "memory.db"
    with closing(sqlite3.connect(database)) as db, db:
        ((key,),) = db.execute("select id from memory").fetchall()
        shown = [(f"s{number}#read", key, 0, "prompt", time.time() + number) for number in range(9)]
        db.executemany("insert into shown values (?, ?, ?, ?, ?)", shown)
    assert RULE in read(project, "tenth", "src/price.py")
    Conversation(project, "tenth").typed()
    assert read(project, "eleventh", "src/price.py") == ""
    worked(project, "once more", RULE)
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("update memory set anchor_at = ?", (time.time() + 60,))
    assert RULE in read(project, "twelfth", "src/price.py")


def test_a_rule_is_shown_at_the_file_that_it_names_and_what_forbids_nothing_at_none(project: Path) -> None:
    worked(project, "many", RULE, *(f"src/{number}.py" for number in range(7)))
    worked(project, "wish", "We decided to use Postgres as the database.", "src/db.py")
    assert (read(project, "next", "src/0.py"), read(project, "next", "src/db.py")) == ("", "")
    (project / "db").mkdir()
    (project / "db" / "prices.py").write_text("")
    worked(project, "told", "You must always keep the amounts in prices.py in cents.")
    assert "amounts in prices.py in cents" in read(project, "next", "db/prices.py")
    worked(project, "lock", "Never edit Cargo.lock by hand, the bot does that.")
    assert "never edit cargo.lock" in read(project, "next", "app/Cargo.lock").lower()


def refused(project: Path, session: str, command: str, reason: str = "") -> None:
    one = Conversation(project, session)
    one.types("Go on with the work.")
    one.calls("Bash", command=command, refused=True, reason=reason)
    one.typed()


def listed(project: Path) -> list[str]:
    return [str(row["text"]) for row in told("list", cwd=project)]


def test_what_is_refused_in_two_sessions_is_a_rule_until_it_is_let_through(project: Path) -> None:
    refused(project, "one", "cd api && mise run test:ci | tail")
    assert listed(project) == []
    refused(project, "two", "mise run test:ci", "too slow")
    assert listed(project) == ["The user refused `mise run test:ci` 2 of 2 times"]
    assert "The user refused `mise run test:ci` 2 of 2 times" in Conversation(project, "three").begins(**QUIET)
    assert "The user refused" in Conversation(project, "three").reminder("Bash", command="mise run test:ci")
    refused(project, "three", "mise run test:ci", "You must never run the whole suite here.")
    assert listed(project) == ["The user refused `mise run test:ci` 3 of 3 times: You must never run the whole suite here."]
    one = Conversation(project, "four")
    for _ in range(7):
        one.calls("Bash", command="mise run test:ci")
    one.typed()
    assert listed(project) == []


def test_what_is_refused_is_the_option_where_every_refused_call_had_it(project: Path) -> None:
    for session in ("one", "two"):
        refused(project, session, "git push --force origin main")
    assert listed(project) == ["The user refused `git push --force` 2 of 2 times"]
    assert Conversation(project, "three").reminder("Bash", command="git push origin feat/x") == ""
    assert "The user refused" in Conversation(project, "three").reminder("Bash", command="git push --force origin feat/x")


def failed(project: Path, session: str) -> None:
    one = Conversation(project, session)
    one.types("Run them.")
    one.calls("Bash", command="rtk bun run test", error="Exit code 2\nerror: unrecognized subcommand 'bun'")
    one.calls("Bash", command="bun run test")
    one.typed()


def test_a_command_that_is_called_wrongly_is_answered_with_what_worked(project: Path) -> None:
    error = "error: unrecognized subcommand 'bun'"
    failed(project, "one")
    assert after(project, "one", "Bash", error, command="rtk bun x") == ""
    said = after(project, "two", "Bash", error, command="cd api && rtk bun test")
    assert "`rtk bun` failed in an earlier session (unrecognized subcommand); `bun run test` worked." in said
    assert after(project, "two", "Bash", "1 test failed", command="rtk bun test") == ""
    assert "rtk" not in Conversation(project, "three").begins(**QUIET)
    failed(project, "two")
    briefs = [Conversation(project, name).begins(**QUIET) for name in ("three", "four")]
    said = "Commands that fail here (if a note of the user's asks for one, tell them once):\n- `rtk bun` failed in 2 sessions"
    assert all(said in one for one in briefs)
    assert Conversation(project, "three").begins("resume", **QUIET) == ""
    one = Conversation(project, "three")
    one.calls("Bash", command="rtk bun run test")
    one.typed()
    assert "rtk" not in Conversation(project, "four").begins()


ASKED = "why did the broker ban us for an hour, is it the retry_limit in src/queue.py?"


def test_a_prompt_tells_what_a_file_has_lost_as_the_last_child_saw_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    (project / "src").mkdir()
    (project / "src" / "queue.py").write_text("retry_limit = 3\n")
    rule = "Never raise `retry_limit` in src/queue.py above three, the broker bans us for an hour."
    worked(project, "told", rule, "src/queue.py")
    for thing in ("invoice", "parcel", "voucher", "ledger", "courier", "basket"):
        psychmem("remember", f"The {thing} table is written by the {thing} worker alone", cwd=project)
    (project / "src" / "queue.py").write_text("retries = 3\n")
    shown = Conversation(project, "next").asks(ASKED)
    assert ("Never raise `retry_limit`" in shown, "no longer" in shown) == (True, False)
    worked(project, "other", "Go on.")
    (project / "src" / "queue.py").write_text("retry_limit = 3\n")  # nobody reads it while a person waits
    assert "`retry_limit` no longer stands in src/queue.py" in Conversation(project, "third").asks(ASKED)


def test_a_rule_about_a_kind_of_file_is_shown_at_the_first_of_that_kind(project: Path) -> None:
    worked(project, "told", "Never wrap long lines in the markdown.", "docs/guide.md")
    worked(project, "more", "From now on always run the tests before committing.")
    assert read(project, "next", "docs/guide.py") == ""
    assert read(project, "next", "tests/test_price.py") == ""  # it is told at the commit
    assert read(project, "next", "docs/guide.md").count("Never wrap long lines") == 1  # it was edited after the rule, too
    assert read(project, "next", "docs/other.md") == ""
