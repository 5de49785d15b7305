"""Where memories belong: projects listed, renamed, merged, forgotten; memories moved, merged and replaced; what is paused."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from psychmem_py.home import pauses
from psychmem_py.text.dates import iso
from tests.data import cases
from tests.hooks import Conversation, repository, settle
from tests.test_cli import remembered, run, texts, told


def test_a_project_merged_into_another_leaves_nothing_behind(shop: Path, other: Path) -> None:
    for text in ("The port is 8080", "The host is kiwi"):
        remembered(shop, text, "--class", "semantic", "--project", ".")
    remembered(other, "The host is kiwi", "--class", "semantic", "--project", ".")
    assert len(told("project", "merge", "shop", "waterfront", "--dry-run", cwd=shop)["moved"]) == 1
    assert {row["name"]: row["memories"] for row in told("project", "list", cwd=shop)} == {"shop": 2, "waterfront": 1}
    done = told("project", "merge", str(shop), "waterfront", cwd=shop)
    assert (len(done["moved"]), len(done["known"])) == (1, 1)
    assert (texts(shop), set(texts(other))) == ({}, {"The port is 8080", "The host is kiwi"})


def test_what_was_said_in_a_folder_that_is_gone_stays_with_its_project(tmp_path: Path) -> None:
    one = Conversation(repository(tmp_path / "w", "git@host.example:a/b.git"), "s1")
    one.begins()
    settle()
    shutil.rmtree(one.project)
    one.typed("Never push to main.")
    assert [row["project"] for row in told("list", "--all-projects", cwd=tmp_path)] == ["git:host.example/a/b"]


def test_a_project_is_forgotten_after_asking_and_only_by_a_person(shop: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    remembered(shop, "I like short answers", "--user")
    alone = run("project", "forget", "shop", cwd=shop)
    assert alone.returncode == 1
    assert "nobody is there to be asked; --yes" in alone.stderr
    assert run("project", "forget", "shop", "--yes", cwd=shop, CLAUDECODE="1").returncode == 1
    run("project", "forget", ".", "--yes", cwd=shop)
    assert set(texts(shop)) == {"I like short answers"}
    assert "forgotten with its project" in run("undo", cwd=shop).stdout


def test_a_memory_is_moved_to_a_directory_or_everywhere(shop: Path, other: Path) -> None:
    memory_id = remembered(shop, "The port is 8080", "--project", ".")
    told_ = run("edit", memory_id, "--to", str(other), cwd=shop).stdout
    assert "in the project waterfront" in told_
    assert set(texts(other)) == {"The port is 8080"}
    assert "in every project" in run("edit", memory_id, "--user", cwd=other).stdout
    assert texts(shop) == {"The port is 8080": None}


def test_no_link_shows_an_agent_what_another_project_holds(shop: Path, other: Path) -> None:
    here, there = remembered(shop, "The till is slow", "--project", "."), remembered(other, "The quay floods", "--project", ".")
    run("edit", there, "--link", here, "--type", "caused", cwd=other)
    for command in ("show", "why"):
        assert "quay" in run(command, here, cwd=shop).stdout
        assert "quay" not in run(command, here, cwd=shop, CLAUDECODE="1").stdout


def test_a_rule_holds_here_until_it_is_said_in_two_projects(shop: Path, tmp_path: Path) -> None:
    rule = "From now on never squash a merge"
    first = run("remember", rule, "--class", "constraint", cwd=shop).stdout
    assert [text for text in ("in the project", "--user` makes it hold in every project") if text not in first] == []
    other = repository(tmp_path / "other")
    assert texts(other) == {}
    assert "in every project" in run("remember", rule, cwd=other).stdout
    assert texts(shop) == texts(other) == {rule: None}
    run("undo", cwd=other)
    assert (texts(other), len(texts(shop))) == ({}, 1)
    assert "in every project" in run("remember", "In general never rename a tag", "--class", "constraint", cwd=shop).stdout
    for (tied,) in (case.values for case in cases("cli", "a rule that names its project")):
        for place in (shop, other):
            run("remember", tied, "--class", "constraint", cwd=place)
        assert None not in (texts(shop)[tied], texts(other)[tied])


def test_several_memories_become_one_with_all_that_was_known_of_them(shop: Path) -> None:
    first = remembered(shop, "Deploy from main", "--class", "procedural", "--project", ".", "--tag", "ops")
    second = remembered(shop, "Releases happen on Mondays", "--class", "procedural", "--project", ".", "--tag", "dates")
    run("good", second, cwd=shop)
    assert run("merge", first, cwd=shop).returncode == 1
    told("merge", first, second, "--text", "Deploy from main on Mondays", cwd=shop)
    row = told("show", first, cwd=shop)
    assert (row["text"], row["tags"], row["use_count"]) == ("Deploy from main on Mondays", ["ops", "dates"], 1)
    assert [link["type"] for link in row["links"]] == ["supersedes"]
    assert set(texts(shop)) == {"Deploy from main on Mondays"}
    run("undo", cwd=shop)
    assert set(texts(shop)) == {"Deploy from main", "Releases happen on Mondays"}
    assert told("show", first, cwd=shop)["links"] == []
    assert run("merge", first, second, cwd=shop, CLAUDECODE="1").returncode == 1


def test_conversations_say_what_they_left_and_stats_what_there_is(shop: Path, tmp_path: Path) -> None:
    talk = Conversation(shop, "c0ffee01", tmp_path)
    talk.types("From now on always run the migrations with make migrate, never by hand.")
    run("extract", "--transcript", str(talk.transcript), cwd=shop)
    (row,) = told("sessions", cwd=shop)
    assert (row["id"], row["kept"], row["files"]) == ("c0ffee01", 1, [])
    assert "migrat" in row["left"][0]["text"]
    assert "kept 1; shown 0" in run("sessions", "c0ff", cwd=shop).stdout
    assert run("sessions", "nope", cwd=shop).returncode == 1
    assert "`psychmem sessions c0ff` shows it" in run("show", "c0ff", cwd=shop).stderr
    found = told("stats", cwd=shop)
    assert (found["total"], found["by_language"], found["told"]["lines"]) == (1, {"en": 1}, 0)
    assert found["by_told_in"] == {"shop": 1}
    assert "class     rule 1" in run("stats", cwd=shop).stdout
    shutil.copy(talk.transcript, longer := tmp_path / "c0ffee012.jsonl")
    run("extract", "--transcript", str(longer), cwd=shop)
    assert [row["id"] for row in told("sessions", "c0ffee01", cwd=shop)] == ["c0ffee01"]


def test_what_is_named_is_replaced_until_an_undo_and_what_nobody_spoke_of_replaces_nothing(shop: Path) -> None:
    halves = "Nora has two houses in Oslo and works at Equinor"
    remembered(shop, halves)
    remembered(shop, "Tom lives in Riga")
    assert halves in run("remember", "Nora moved to Bergen", "--replaces", "Nora's house by the fjord in Oslo", cwd=shop).stdout
    assert set(texts(shop)) == {"Nora moved to Bergen", "Tom lives in Riga"}
    run("undo", cwd=shop)
    assert run("remember", "The facade is blue", "--replaces", "facade", "--dry-run", cwd=shop).returncode == 0  # no id
    assert set(texts(shop)) == {halves, "Tom lives in Riga"}
    assert "shoe size" in run("remember", "Nora wears size 39", "--replaces", "shoe size", cwd=shop).stderr
    assert set(texts(shop)) == {halves, "Tom lives in Riga", "Nora wears size 39"}
    done = run("remember", "Nora wears size 40", "--replaces", "shoe size", cwd=shop)
    assert ("replaces" in done.stdout, done.stderr) == (True, "")  # by its own words


def test_a_memory_is_replaced_by_its_id_and_no_agent_replaces_what_a_person_said(shop: Path) -> None:
    known = remembered(shop, "The mascot is a heron", "--class", "semantic", "--project", ".")
    words = ("remember", "The mascot is an otter", "--class", "semantic", "--project", ".", "--replaces", known[:8])
    run(*words, cwd=shop, CLAUDECODE="1")
    assert "The mascot is a heron" in texts(shop)
    remembered(shop, "We chose an otter for the logo", "--replaces", known[:4], "--project", ".")
    assert "The mascot is a heron" not in texts(shop)
    rule = remembered(shop, "Never push to main", "--class", "constraint", "--project", ".")
    run("edit", rule, "--ask", "--on", "git push * main", cwd=shop)
    wider = remembered(shop, "Never push to main or develop", "--replaces", rule, "--project", ".")
    assert "you are asked before git push main" in run("show", wider, cwd=shop).stdout


def test_what_is_said_to_hold_no_longer_is_ended_and_what_merely_differs_stands_beside(shop: Path) -> None:
    remembered(shop, "I like coffee in the morning")
    remembered(shop, "I no longer like coffee in the morning")
    assert set(texts(shop)) == {"I no longer like coffee in the morning"}
    here = remembered(shop, "I prefer tabs for indentation", "--project", ".", "--class", "preference")
    done = run("remember", "I prefer spaces for indentation", "--user", "--class", "preference", cwd=shop)
    assert ("I prefer tabs for indentation" in done.stderr, here[:8] in done.stdout) == (True, True)
    assert {"I prefer tabs for indentation", "I prefer spaces for indentation"} <= set(texts(shop))


def test_what_replaces_a_rule_for_all_holds_for_all(shop: Path, other: Path) -> None:
    remembered(shop, "Use tabs for indentation", "--user", "--class", "constraint", "--pin")
    later = "We use spaces instead of tabs for indentation"
    remembered(shop, later)
    assert set(texts(other)) == {later}
    (row,) = told("list", cwd=other)
    assert (row["class"], row["scope"], row["pinned"]) == ("constraint", "user", True)


def types_now(talk: Conversation, text: str) -> None:
    talk.at = iso(time.time())
    talk.typed(text)


@pytest.mark.parametrize("words", [(), ("--all",), ("--session", "s1")], ids=["project", "all", "session"])
def test_while_paused_nothing_is_told_and_what_is_said_is_never_kept(shop: Path, words: tuple[str, ...]) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    talk = Conversation(shop / "src", "s1-and-more")
    assert "8080" in talk.begins()
    settle()
    run("pause", *words, cwd=shop)
    assert Conversation(shop / "src", "s1-and-more").begins("resume") == ""
    assert ("paused here" in run("context", cwd=shop).stderr) == ("--session" not in words)
    types_now(talk, "Please always run the migrations with make migrate, never by hand.")
    asked = run("remember", "Migrations run with make migrate", cwd=shop, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="s1-and-more")
    assert (asked.returncode, "`psychmem resume`" in asked.stderr) == (1, True)
    for ended in (("resume",), ("pause", "--until", "1 second")):  # a person's pause is no agent's to end
        run(*ended, cwd=shop, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="s1-and-more")
    time.sleep(1 if "--session" in words else 0)
    types_now(talk, "Please always deploy with make migrated, never by hand.")
    run("resume", *words, cwd=shop)
    types_now(talk, "Remember that the staging host is called kiwi.")
    assert len(texts(shop)) == 2
    assert not [text for text in texts(shop) if "migrat" in text]
    told("extract", "--transcript", str(talk.transcript), cwd=shop)
    assert not [text for text in texts(shop) if "migrat" in text]


def test_a_pause_of_one_project_leaves_the_others_alone_and_a_dry_run_pauses_nothing(shop: Path, tmp_path: Path) -> None:
    remembered(shop, "I like short answers", "--user")
    run("pause", "--dry-run", cwd=shop)
    assert "Nothing is paused here" in run("resume", cwd=shop).stdout
    run("import", "-", "--trusted", cwd=shop, stdin='{"text": "The till is slow", "project": "till"}')
    assert "no directory" in run("pause", "--project", "till", cwd=shop).stderr  # which would be every directory
    run("pause", cwd=shop)
    other = tmp_path / "shopping"
    other.mkdir()
    assert "short answers" in Conversation(other, "s2").begins()
    assert told("status", cwd=shop)["paused"] == [f"in {shop}"]
    run("pause", "--all", cwd=shop)
    run("resume", "--all", "--dry-run", cwd=shop)
    assert "still paused: everywhere" in run("resume", cwd=shop).stdout


def test_a_pause_ends_by_itself_when_it_was_said_for_how_long_and_an_agent_pauses_its_own_conversation(shop: Path) -> None:
    row = told("pause", "--until", "2 hours", cwd=shop)
    assert (row["what"], row["key"], row["dry_run"]) == ("folder", str(shop), False)
    (pause,) = pauses.read(os.environ["PSYCHMEM_HOME"])
    assert pause.until == pytest.approx(pause.since + 7200)
    assert pause.lasts(pause.since + 7199)
    assert not pause.lasts(pause.since + 7201)
    for words in ((), ("--all",), ("--session", "other")):
        assert run("pause", *words, cwd=shop, CLAUDECODE="1").returncode == 1
    row = told("pause", cwd=shop, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="mine")
    assert (row["what"], row["key"]) == ("session", "mine")
    told("resume", cwd=shop)
    told("remember", "Never push to main", "--class", "constraint", cwd=shop)
    mine = Conversation(shop, "mine")
    assert (mine.begins(), "Never push" in mine.reminder("Bash", command="git push origin main")) == ("", True)


def test_a_remote_or_a_name_brings_along_what_is_remembered_once(tmp_path: Path) -> None:
    """A repository cloned anew to the same place is another one, and what is shared takes nothing in unasked."""
    shop = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", "--template=", shop], check=True)
    for text, came in (("Never push to main", 1), ("The shop is open", 2)):  # the second time without the remote
        told("remember", text, cwd=shop)
        subprocess.run(["git", "remote", "add", "origin", "https://x.org/a/shop.git"], cwd=shop, check=True)
        assert [row["project"] for row in told("list", cwd=shop)] == ["git:x.org/a/shop"] * came
        told("undo", cwd=shop)
        assert told("list", cwd=shop) == []
        assert f"`psychmem project merge dir:{shop}/.git .`" in run("list", cwd=shop).stdout
        for number in range(2):  # the second may be made ready
            assert "under another git remote" in Conversation(shop, f"talk-{came}-{number}").begins()
            settle()
        subprocess.run(["git", "remote", "remove", "origin"], cwd=shop, check=True)
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", other], check=True)
    told("remember", "The other shop is closed", cwd=other)
    shutil.rmtree(other)
    subprocess.run(["git", "init", "-q", other], check=True)
    (other / ".git" / "description").touch()
    (other / ".psychmem.toml").write_text('id = "another"')
    assert told("list", cwd=other) == []
