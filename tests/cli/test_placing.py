"""Where memories belong: projects listed, renamed, merged, forgotten; memories moved and made one. Each can be undone."""

from __future__ import annotations

import json
from pathlib import Path

from tests.test_cli import remembered, run, told


def texts(place: Path) -> dict[str, str | None]:
    return {row["text"]: row["project"] for row in told("list", "--json", cwd=place)}


def test_every_project_is_listed_with_its_memories(shop: Path, other: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    remembered(other, "The port is 9090", "--project", ".")
    rows = {row["name"]: row for row in told("project", "list", "--json", cwd=shop)}
    assert {name: row["memories"] for name, row in rows.items()} == {"shop": 1, "waterfront": 1}
    assert "shop" in run("project", "list", cwd=shop).stdout


def test_a_project_merged_into_another_leaves_nothing_behind_and_comes_back_by_undo(shop: Path, other: Path) -> None:
    for text in ("The port is 8080", "The host is kiwi"):
        remembered(shop, text, "--class", "semantic", "--project", ".")
    remembered(other, "The host is kiwi", "--class", "semantic", "--project", ".")
    assert len(told("project", "merge", "shop", "waterfront", "--dry-run", "--json", cwd=shop)["moved"]) == 1
    assert len(texts(shop)) == 2
    done = told("project", "merge", "shop", "waterfront", "--json", cwd=shop)
    assert (len(done["moved"]), len(done["known"])) == (1, 1)
    assert texts(shop) == {}
    assert set(texts(other)) == {"The port is 8080", "The host is kiwi"}
    run("undo", "--all-projects", cwd=shop)
    assert len(texts(shop)) == 2


def test_a_project_is_forgotten_after_asking_and_only_by_a_person(shop: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    remembered(shop, "I like short answers", "--user")
    alone = run("project", "forget", "shop", cwd=shop)
    assert alone.returncode == 1
    assert "nobody is there to be asked; --yes" in alone.stderr
    assert run("project", "forget", "shop", "--yes", cwd=shop, CLAUDECODE="1").returncode == 1
    run("project", "forget", "shop", "--yes", cwd=shop)
    assert set(texts(shop)) == {"I like short answers"}
    assert "forgotten with its project" in run("undo", cwd=shop).stdout
    assert len(texts(shop)) == 2


def test_a_memory_is_moved_to_a_directory_or_everywhere(shop: Path, other: Path) -> None:
    memory_id = remembered(shop, "The port is 8080", "--project", ".")
    assert run("move", memory_id, cwd=shop).returncode == 2
    told_ = run("move", memory_id, "--to", str(other), cwd=shop).stdout
    assert "in the project waterfront" in told_
    assert set(texts(other)) == {"The port is 8080"}
    assert "in every project" in run("move", memory_id, "--user", cwd=other).stdout
    assert texts(shop) == {"The port is 8080": None}
    run("undo", cwd=other)
    assert texts(shop) == {}


def test_a_rule_holds_here_until_it_is_said_in_two_projects(shop: Path, tmp_path: Path) -> None:
    rule = "From now on never squash a merge"
    first = run("remember", rule, "--class", "constraint", cwd=shop).stdout
    assert "in the project" in first
    assert "--user` makes it hold in every project" in first
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    assert texts(other) == {}
    assert "in every project" in run("remember", rule, cwd=other).stdout
    assert texts(shop) == texts(other) == {rule: None}
    run("undo", cwd=other)
    assert texts(other) == {}
    assert len(texts(shop)) == 1
    assert "in every project" in run("remember", "In general never rename a tag", "--class", "constraint", cwd=shop).stdout


def test_several_memories_become_one_with_all_that_was_known_of_them(shop: Path) -> None:
    first = remembered(shop, "Deploy from main", "--class", "procedural", "--project", ".", "--tag", "ops")
    second = remembered(shop, "Releases happen on Mondays", "--class", "procedural", "--project", ".", "--tag", "dates")
    run("good", second, cwd=shop)
    assert run("merge", first, cwd=shop).returncode == 1
    told("merge", first, second, "--text", "Deploy from main on Mondays", "--json", cwd=shop)
    row = told("show", first, "--json", cwd=shop)
    assert (row["text"], row["tags"], row["use_count"]) == ("Deploy from main on Mondays", ["ops", "dates"], 1)
    assert [link["type"] for link in row["links"]] == ["supersedes"]
    assert set(texts(shop)) == {"Deploy from main on Mondays"}
    run("undo", cwd=shop)
    assert set(texts(shop)) == {"Deploy from main", "Releases happen on Mondays"}
    assert told("show", first, "--json", cwd=shop)["links"] == []
    assert run("merge", first, second, cwd=shop, CLAUDECODE="1").returncode == 1


def test_conversations_say_what_they_left_and_stats_what_there_is(shop: Path, tmp_path: Path) -> None:
    talk = tmp_path / "c0ffee01.jsonl"
    said = "From now on always run the migrations with make migrate, never by hand."
    line = {"type": "user", "uuid": "u1", "cwd": str(shop), "promptSource": "typed", "message": {"role": "user", "content": said}}
    talk.write_text(json.dumps(line) + "\n")
    run("extract", "--transcript", str(talk), cwd=shop)
    (row,) = told("sessions", "--json", cwd=shop)
    assert (row["id"], row["kept"], row["files"]) == ("c0ffee01", 1, [])
    assert "migrat" in row["left"][0]["text"]
    assert "kept 1; shown 0" in run("sessions", "c0ff", cwd=shop).stdout
    assert run("sessions", "nope", cwd=shop).returncode == 1
    found = told("stats", "--json", cwd=shop)
    assert (found["total"], found["by_language"], found["told"]["lines"]) == (1, {"en": 1}, 0)
    assert found["by_told_in"] == {"shop": 1}
    assert "1 memory, 1 of them in use" in run("stats", cwd=shop).stdout
