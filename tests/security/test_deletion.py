"""`forget --purge`: a text is gone from every byte of ours, and nothing brings it back."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from psychmem_py.cli.app import whole
from psychmem_py.store import purge
from tests.forks import psychmem, told
from tests.hooks import Conversation, data, holding, repository, settle
from tests.memories_made import killed
from tests.test_cli import texts

RULE = "Always deploy the kumquat service from the zanzibar branch."
NEXT = "Never edit the flamingo tables by hand."
WORDS = ("kumquat", "zanzibar", "tamarillo")


def ours(home: Path) -> list[Path]:
    """Where something of ours may stand: everything in the home but the client's transcripts."""
    return [home / "psychmem", *(home / ".claude").glob("projects/*/memory")]


@pytest.fixture
def lived(project: Path, tmp_path: Path) -> Conversation:
    """A store in which the text has got everywhere it can get."""
    one = Conversation(project, "s1")
    one.begins()
    settle()
    one.types(RULE)
    one.types(NEXT)
    one.answers("I decided to keep the kumquat service on the zanzibar branch because releases are cut there.")
    one.uses("Edit", file_path=f"{project}/zanzibar/kumquat.py")
    one.uses("Bash", error="Exit code 1\nzanzibar: no such kumquat", command="deploy --branch zanzibar kumquat")
    one.typed(last="Fine.")
    Conversation(project, "s2").begins()
    settle()
    assert psychmem("checkpoint", "create", "early", cwd=project).returncode == 0
    clone = repository(tmp_path / "clone" / "shop", "https://example.org/team/shop")
    three = Conversation(clone, "s3")
    three.begins()
    three.says("Maybe the kumquat service could move off the zanzibar branch?")
    return one


def purged(project: Path, *keys: str) -> str:
    """What is printed when memories are purged."""
    done = psychmem("forget", *keys, "--purge", "--yes", cwd=project)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def ids_with(word: str, cwd: Path) -> list[str]:
    rows = told("list", "--all-projects", "--status", "all", cwd=cwd)
    return [row["id"] for row in rows if word in row["text"].lower()]


def test_no_byte_of_a_purged_text_stays_and_reading_brings_none_back(
    lived: Conversation, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (key, *more) = ids_with("kumquat", project)
    assert psychmem("edit", key, RULE.replace("kumquat", "tamarillo kumquat"), cwd=project).returncode == 0
    lived.uses("Bash", command="ls zanzibar")
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    memory, *_ = (home / ".claude").glob("projects/*/memory/MEMORY.md")
    for path in (memory, home / "psychmem" / "journals" / "s7.jsonl", home / "psychmem" / "briefs" / "1.json"):
        path.with_name(f"{path.name}.psychmem-{ended.pid}").write_text(RULE)  # as who is killed while writing leaves it
    assert {word for _, word in holding(ours(home), *WORDS)} == set(WORDS)
    with monkeypatch.context() as half_way:
        half_way.setattr(purge, "removed", killed)
        CliRunner().invoke(whole(), ["forget", key, "--purge", "--yes"])
    assert holding([home / "psychmem" / "checkpoints"], *WORDS) == [], "who is killed meanwhile still has an id to purge"
    said = purged(project, key, *more)
    assert holding(ours(home), *WORDS) == []
    assert ids_with("flamingo", project)
    assert [place for place in ("export", "checkpoint", "transcript") if place not in said] == []
    lived.typed(last="Fine.")
    Conversation(project, "s9").typed(RULE, RULE.upper())  # in a new transcript, every record with an id of its own
    assert psychmem("extract", "--transcript", str(lived.transcript), cwd=project).returncode == 0
    assert ids_with("kumquat", project) == []


def test_a_text_of_two_common_words_goes_from_its_neighbours_too(project: Path, home: Path) -> None:
    key = told("remember", "use tabs", cwd=project)["id"]
    told("remember", "We use spaces in YAML and tabs in Go files", cwd=project)
    told("remember", NEXT, cwd=project)
    with sqlite3.connect(data() / "memory.db") as db:
        db.execute("update memory set context = 'before: use tabs' where text like '%flamingo%'")
    purged(project, key)
    assert holding(ours(home), "use tabs") == []
    assert len(told("list", cwd=project)) == 2
    (data() / "opencode.db").touch()
    about = psychmem("forget", "--about", "tabs", "--purge", "--yes", cwd=project, PSYCHMEM_DB_PATH="{agentType}.db")
    assert "PSYCHMEM_AGENT_TYPE=opencode" in about.stderr, about


def test_a_neighbour_read_later_does_not_bring_it_back(project: Path, home: Path) -> None:
    key = told("remember", RULE, cwd=project)["id"]
    purged(project, key)
    one = Conversation(project, "s5")
    one.types(f"{RULE} {NEXT}")
    one.answers(f"Understood. {RULE}")
    one.typed("We decided to use PostgreSQL because the team knows it.", last="Fine.")
    assert ids_with("postgresql", project)
    assert holding(ours(home), "kumquat") == []


def test_an_open_reader_does_not_keep_it_in_the_log(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setattr(purge, "_READER_MS", 100)
    key = told("remember", RULE, cwd=project)["id"]
    reader = sqlite3.connect(data() / "memory.db", isolation_level=None)
    reader.execute("begin")
    reader.execute("select count(*) from memory").fetchone()
    try:
        done = CliRunner().invoke(whole(), ["forget", key, "--purge", "--yes"])
        assert "memory.db may still hold it; another program reads it" in done.output, done  # told, not hidden
    finally:
        reader.close()
    assert psychmem("list", cwd=project).returncode == 0
    assert holding(ours(home), "kumquat") == []


def test_what_was_purged_or_rejected_is_not_learned_again(project: Path) -> None:
    gone = told("remember", "Alice lives in Berlin", "--class", "semantic", cwd=project)["id"]
    rejected = told("remember", "Bob works at Globex", "--class", "semantic", cwd=project)["id"]
    purged(project, gone)
    assert psychmem("forget", rejected, cwd=project).returncode == 0
    Conversation(project, "s1").typed("FYI: Alice lives in Berlin. Note: Bob works at Globex. Note: Alice works at Initech.")
    kept = " ".join(row["text"] for row in told("list", cwd=project))
    assert [word for word in ("Berlin", "Globex", "Initech") if word in kept] == ["Initech"]


def test_a_wish_to_forget_in_a_conversation_is_proposed_and_not_done(project: Path) -> None:
    told("remember", "Zhang Wei signs off every release", cwd=project)
    Conversation(project, "s1").typed("Please forget everything about Zhang Wei.")
    assert len(told("list", cwd=project)) == 1
    assert "psychmem forget --about 'Zhang Wei'" in psychmem("review", cwd=project).stdout
    assert psychmem("forget", "--about", "Zhang Wei", "--yes", cwd=project).returncode == 0
    assert "Zhang Wei" not in psychmem("review", cwd=project).stdout


def test_a_purge_by_id_says_what_takes_the_same_in_other_words(project: Path) -> None:
    keys = [told("remember", f"{name} lives in Berlin", cwd=project)["id"] for name in ("Alice", "Bob")]
    assert "forget --about TEXT --purge" in purged(project, keys[0])
    dry, done = (told("forget", keys[1], "--purge", how, cwd=project) for how in ("--dry-run", "--yes"))
    assert {"ids": [keys[1]], "memories": 1}.items() <= dry.items() <= done.items()
    places = ("--project=.", "--user")
    key, other = (told("remember", "Carol skis", place, "--class", "fact", cwd=project)["id"] for place in places)
    told("edit", key, "Carol walks", cwd=project)
    assert told("forget", key, "--purge", "--yes", cwd=project)["ids"] == [key]
    assert [row["id"] for row in told("list", cwd=project)] == [other], "what others in use say stays, also in words it once had"


ABOUT = ["Zhang Wei (张伟) signs off every audit", "张伟喜欢绿茶", "Order 5678 was refunded"]
BESIDE = ["Dana Moore skis", "Order 5679 was shipped"]


@pytest.fixture
def known(project: Path) -> Path:
    for text in ABOUT + BESIDE:
        told("remember", text, cwd=project)
    return project


def test_another_script_goes_with_a_name_that_a_memory_ties_to_it_but_nothing_where_nobody_is_asked(known: Path) -> None:
    for words in (["--about", "Zhang Wei"], [ids_with("skis", known)[0]]):
        done = psychmem("forget", *words, "--purge", cwd=known)
        assert (done.returncode, "--yes" in done.stderr) == (1, True)
    assert set(texts(known)) == {*ABOUT, *BESIDE}
    assert f") {ABOUT[0]}" in psychmem("forget", "--about", "Zhang Wei", "--dry-run", cwd=known).stdout  # behind its project
    found = told("forget", "--about", "Zhang Wei", "--yes", cwd=known)
    assert {row["text"] for row in found["memories"]} == set(ABOUT[:2])
    assert set(texts(known)) == {ABOUT[2], *BESIDE}
    assert psychmem("undo", cwd=known).returncode == 0
    assert set(texts(known)) == {*ABOUT, *BESIDE}
    for text in ("Ole's invoices are late", "Ole likes calls"):
        told("remember", text, cwd=known)
    told("forget", "--about", "Ole's invoices", "--yes", cwd=known)  # a part of what is known goes, and the rest stays
    assert set(texts(known)) == {*ABOUT, *BESIDE, "Ole likes calls"}


def test_a_purge_leaves_no_byte_in_former_wordings_journals_and_copies(known: Path, home: Path) -> None:
    beside = next(row["id"] for row in told("list", cwd=known) if row["text"] == BESIDE[0])
    for wording in ("Dana Moore skis with Zhang-Wei", BESIDE[0]):
        told("edit", beside, wording, cwd=known)
    assert psychmem("checkpoint", "create", "early", cwd=known).returncode == 0
    one = Conversation(known, "s1")
    one.begins()
    settle()
    one.uses("Bash", command="mail zhang.wei")
    purged(known, "--about", "Zhang Wei")
    assert holding(ours(home), "zhang", "Zhang", "张伟") == []
    assert set(texts(known)) == {ABOUT[2], *BESIDE}
