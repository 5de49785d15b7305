"""The client's memory files are written from the store: changes in our lines are put back, and never read."""

import json
import os
from pathlib import Path

import pytest

from psychmem_py.agents import claude_memory
from tests.hooks import Conversation, repository, settle
from tests.test_cli import checks, remembered, told
from tests.test_cli import run as psychmem

PORT, HOST = "The staging server listens on port 8080", "The staging host is called kiwi"
RULE = "Never push to the release branch"


@pytest.fixture
def talk(shop: Path) -> Conversation:
    """A conversation in the shop, whose memory folder shows three memories."""
    made = Conversation(shop, "s1")
    made.begins()
    settle()
    for text, kind in ((PORT, "semantic"), (HOST, "semantic"), (RULE, "constraint")):
        remembered(shop, text, "--class", kind, "--project", ".")
    made.begins("resume")
    settle()
    return made


def memory_file(shop: Path, name: str = "MEMORY.md") -> Path:
    return Path(claude_memory.folder_of(str(shop), dict(os.environ)).path, name)


def changed(shop: Path, old: str, new: str, name: str = "MEMORY.md") -> None:
    path = memory_file(shop, name)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def texts(shop: Path) -> set[str]:
    return {row["text"] for row in told("list", cwd=shop)}


def found(shop: Path) -> str:
    """What doctor says of the memory folder."""
    return checks(shop)["MEMORY.md"]["found"]


@pytest.mark.usefixtures("talk")
def test_a_file_of_gigabytes_is_left_alone_and_told(shop: Path) -> None:
    os.truncate(memory_file(shop), 1 << 31)
    assert PORT in Conversation(shop, "s2").begins()
    settle()
    assert (memory_file(shop).stat().st_size, "at most 16 MB" in checks(shop)["access"]["found"]) == (1 << 31, True)


def test_a_line_changed_is_put_back(shop: Path, talk: Conversation) -> None:
    name = "learnings.md"
    before = memory_file(shop, name).read_text()
    changed(shop, "port 8080", "port 9090", name)
    brief = Conversation(shop, "s2").begins()
    settle()
    assert "9090" not in brief
    assert texts(shop) == {PORT, HOST, RULE}
    assert memory_file(shop, name).read_text() == before


def test_a_line_added_between_our_marks_goes_and_one_outside_stays_byte_for_byte(shop: Path, talk: Conversation) -> None:
    path = memory_file(shop)
    path.write_text("# Mine\n- I keep bees (fact)  \n" + path.read_text().replace("- " + HOST, "- I keep hens (fact)\n- " + HOST))
    path.write_bytes(path.read_bytes() + b"- my own, \xff\r\n")
    Conversation(shop, "s2").begins()
    settle()
    assert texts(shop) == {PORT, HOST, RULE}
    assert b"hens" not in path.read_bytes()
    assert path.read_bytes().startswith(b"# Mine\n- I keep bees (fact)  \n<!-- psychmem:start")
    assert path.read_bytes().endswith(b"- my own, \xff\r\n")


def test_files_that_are_gone_are_made_anew_and_a_purge_is_nobody_s_change(shop: Path, talk: Conversation, home: Path) -> None:
    both = memory_file(shop), memory_file(shop, "learnings.md")
    for path in both:
        path.unlink()
    Conversation(shop, "s2").begins()
    settle()
    assert all(PORT in path.read_text() for path in both)
    identity = next(row["id"] for row in told("list", cwd=shop) if "kiwi" in row["text"])
    assert psychmem("forget", identity, "--purge", "--yes", cwd=shop).returncode == 0
    assert not [path for path in (home / "psychmem").rglob("*") if path.is_file() and b"kiwi" in path.read_bytes()]
    assert texts(shop) == {PORT, RULE}
    assert found(shop) == str(memory_file(shop))


def test_what_a_transcript_is_read_for_is_shown_at_once(shop: Path, talk: Conversation) -> None:
    talk.types("From now on always run the linter before you commit.")
    told("extract", "--transcript", str(talk.transcript), cwd=shop)
    assert "linter" in memory_file(shop).read_text()


def test_two_that_contradict_leave_the_file_to_the_brief(shop: Path, talk: Conversation) -> None:
    older, newer = "Always squash before merging", "Never squash before merging"
    remembered(shop, older, "--class", "constraint", "--user")
    assert older in memory_file(shop).read_text()
    remembered(shop, newer, "--class", "constraint", "--project", ".")
    brief = Conversation(shop, "s2").begins()
    settle()
    assert "squash" not in memory_file(shop).read_text()
    assert f"- {newer} (rule) (earlier: {older})" in brief


@pytest.mark.parametrize("root", ["", "D:/till"])
def test_a_project_that_stands_nowhere_here_writes_into_no_folder(shop: Path, talk: Conversation, root: str) -> None:
    before = memory_file(shop).read_text()
    row = {"text": "The till speaks French", "class": "decision", "scope": "project", "project": "dir:D:/till", "origin": "user_cli",
           "project_seen": ["till", root, "2026-01-01T00:00:00Z"]}  # fmt: skip
    assert psychmem("import", "--exact", "-", cwd=shop, stdin=json.dumps(row)).returncode == 0
    assert memory_file(shop).read_text() == before
    assert "French" in psychmem("context", "--project", "till", cwd=shop).stdout


@pytest.mark.usefixtures("talk")
def test_a_project_that_gets_another_remote_keeps_its_file(shop: Path) -> None:
    (shop / ".git" / "config").write_text('[remote "origin"]\n\turl = https://example.org/other/place\n')
    remembered(shop, RULE, "--class", "constraint", "--project", ".")
    assert RULE in memory_file(shop).read_text()


def test_a_folder_that_two_projects_share_by_their_names_holds_nothing_of_ours(shop: Path, talk: Conversation) -> None:
    twin = shop.with_name("sh.op"), shop.with_name("sh-op")
    for project in twin:
        repository(project)
    remembered(twin[0], "Always tar the release", "--class", "constraint", "--project", ".")
    made = [Conversation(project, f"s{n}") for n, project in enumerate(twin, 5)]
    made[0].begins()
    settle()
    assert memory_file(twin[0]).is_file()
    remembered(twin[1], "Never zip the release", "--class", "constraint", "--project", ".")
    assert not memory_file(twin[0]).exists()
    settle()
    told_there = made[1].begins()
    assert ("zip" in told_there, "tar" in told_there) == (True, False)
