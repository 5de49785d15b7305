"""`undo` takes back the last command of whoever types it, wherever that wrote; or it says that it cannot, and changes nothing."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.curation import exports
from psychmem_py.store import candidates, episodes
from psychmem_py.store.connection import open_store
from tests.cli.test_every_command import LEAVES
from tests.cli.test_review import typed
from tests.data import cases
from tests.hooks import Conversation, settle
from tests.test_cli import remembered, run, told

# What each command of the tree that writes is given, and whether an undo takes it back: of the others it says that it cannot.
WRITERS = cases("cli", "what an undo takes back and of what it says that it cannot")
# `share trust` is in test_trust_rules and sync/test_stories; the rest needs a terminal, git, a hook, a
# pause, or what was shared.
ELSEWHERE = {"log", "undo", "resume", "share trust", "share stop"}


def at_home(patch: pytest.MonkeyPatch, home: Path) -> None:
    for name, place in (("HOME", home), ("PSYCHMEM_HOME", home / "psychmem"), ("CLAUDE_CONFIG_DIR", home / ".claude")):
        patch.setenv(name, str(place))


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """A place with a bit of everything, made once: two projects, what waits or is old, a checkpoint, a remote, a conversation."""
    top = tmp_path_factory.mktemp("undo")
    patch = pytest.MonkeyPatch()
    at_home(patch, top / "home")
    for name in ("home", "vault", "team", "mine", "waterfront/.git", "shop/.git", "quay/.git"):
        (top / name).mkdir(parents=True)
    shop = top / "shop"
    keys = {"old": remembered(shop, "The shop sells plums", "--project", ".")}
    run("checkpoint", "create", "before", cwd=shop)
    remembered(top / "waterfront", "The till listens on port 6060", "--project", ".")
    Conversation(shop, "talk-1").says("Add a retry to the client. Our staging server is at 10.0.0.5.")
    Conversation(top / "quay", "talk-2").says("Add a retry to the client.")
    keys["waiting"] = told("review", "--waiting", cwd=shop)[0]["id"]
    old = {"text": "We tried port 1", "class": "episodic", "scope": "project", "created_at": "2020-01-01", "origin": "user_cli"}
    assert run("import", "--exact", "-", cwd=shop, stdin=json.dumps({**old, "status": "active"})).returncode == 0
    rule = {"text": "Never squash", "class": "constraint", "scope": "user"}
    assert run("import", "-", cwd=shop, stdin=json.dumps(rule)).returncode == 0
    keys["asked"] = told("review", cwd=shop)[0]["id"]
    keys["rule"] = remembered(shop, "Never run npm install", "--class", "constraint", "--project", ".")
    run("link", keys["rule"], keys["old"], cwd=shop)
    run("share", "add", "home", "../mine", "--mine", cwd=shop)
    (top / "notes.jsonl").write_text('{"text": "The cache is kiwi"}\n{"text": "Always rebase", "class": "constraint"}\n')
    for name, place in (("past", top), ("c0ffee01", top / "home" / ".claude" / "projects" / "-shop")):
        Conversation(shop, name, place).types("From now on always run the migrations with make migrate, never by hand.")
    keys["fact"] = remembered(shop, "The shop listens on port 8080", "--project", ".")  # which an undo of too much would take
    settle()
    yield top, keys
    patch.undo()


@pytest.fixture
def place(before: tuple[Path, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to change, where the original stood: projects are known by their directories."""
    top, _ = before
    shutil.copytree(top, tmp_path / "kept")
    at_home(monkeypatch, top / "home")
    yield top / "shop"
    shutil.rmtree(top)
    shutil.copytree(tmp_path / "kept", top)


def held(shop: Path) -> dict[str, Any]:
    """All that could be lost: the memories as an export has them, what waits, and every note."""
    with open_store(shop.parent / "home" / "psychmem" / "memory.db", now=0.0) as db:
        rows = {row["id"]: row for row in map(json.loads, exports.export(db))}
        talked = {one.project for one in episodes.kept(db)}
        waits = [(one.candidate.text, one.gate, one.reason) for one in candidates.waiting(db, project=None, all_projects=True)]
    for row in rows.values():
        row.get("project_seen", [])[2:] = []  # when one worked there last
    notes = sorted(str(path) for path in (shop.parent / "vault").rglob("*.md"))
    return {"export": rows, "waits": waits, "notes": notes, "talked in": talked}


def test_every_command_that_writes_is_looked_at_here() -> None:
    named = {case.values[0] for case in WRITERS} | ELSEWHERE
    assert {name for name, options in LEAVES.items() if "--dry-run" in options} == named


@pytest.mark.parametrize(("name", "words", "back"), WRITERS)
def test_an_undo_takes_back_the_last_command_or_says_why_not(
    place: Path, before: tuple[Path, dict[str, str]], name: str, words: list[str], back: bool
) -> None:
    was = held(place)
    done = run(*name.split(), *(word.format(**before[1]) for word in words), cwd=place)
    assert done.returncode == 0, done.stderr
    now = held(place)
    undone = run("undo", cwd=place)
    if back:
        assert now != was
        assert (undone.returncode, undone.stderr) == (0, "")
        assert held(place) == was
    else:
        assert undone.returncode == 1
        assert f"`psychmem {name}` did nothing that can be undone" in undone.stderr
        assert held(place) == now


def everywhere(place: Path) -> set[str]:
    return {row["text"] for row in told("list", "--all-projects", cwd=place)}


def test_what_others_did_since_or_elsewhere_is_left_alone_and_an_agent_takes_back_its_own_alone(place: Path) -> None:
    agent = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "talk-3"}
    mine = remembered(place, "The queue is called plum", "--project", ".")
    Conversation(place, "talk-3").says("From now on never deploy on fridays.")
    told("remember", "The queue is called kiwi", cwd=place, **agent)
    remembered(place.parent / "waterfront", "The till is grey", "--project", ".")
    was = everywhere(place)
    run("undo", cwd=place)
    assert was - everywhere(place) == {"The queue is called plum"}
    assert told("show", mine, "--history", cwd=place)[-1]["type"] == "undo"
    (said,) = [row for row in told("list", cwd=place) if "fridays" in row["text"]]
    (line,) = told("show", said["id"], "--history", cwd=place)
    for words in ([line["batch"]], [str(line["seq"])]):
        assert "only a person may" in run("undo", *words, cwd=place, **agent).stderr
    was = everywhere(place)
    assert run("undo", cwd=place, **agent).returncode == 0
    assert was - everywhere(place) == {"The queue is called kiwi"}
    assert "only a person may" in run("undo", cwd=place, **agent).stderr
    Conversation(place, "talk-4").says("We decided to use Postgres instead of MySQL for the till, because of the row locks.")
    assert "only a person takes back" in run("undo", cwd=place, **agent | {"CLAUDE_CODE_SESSION_ID": "talk-4"}).stderr


def test_a_key_of_review_is_taken_back_by_the_next_key_and_by_undo(place: Path, before: tuple[Path, dict[str, str]]) -> None:
    was = held(place)
    shown = typed("dukq", "review", "--waiting", cwd=place)
    assert [text for text in ("dropped", "taken back; here it is again") if text not in shown] == []
    assert held(place) != was
    assert run("undo", cwd=place).returncode == 0
    assert held(place) == was


def test_an_undo_is_undone_by_its_name(place: Path, before: tuple[Path, dict[str, str]]) -> None:
    run("review", before[1]["asked"], "--drop", before[1]["waiting"], cwd=place)
    now = held(place)
    run("undo", cwd=place)
    with open_store(Path(told("doctor", "--status", cwd=place)["database"]), now=0.0) as db:
        (name,) = db.execute("select batch from command where undoes != ''").fetchone()
    assert run("undo", name, cwd=place).returncode == 0
    assert held(place) == now


def test_undo_after_trust_takes_back_nothing_of_the_other_project(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".psychmem.toml").write_text('id = "team"')
    told("remember", "The vault is in room 7", cwd=tmp_path / "first")
    told("trust", cwd=tmp_path / "second")
    assert run("undo", cwd=tmp_path / "second").returncode == 1
    assert [row["text"] for row in told("list", cwd=tmp_path / "first")] == ["The vault is in room 7"]
    assert run("trust", "--not", cwd=tmp_path / "second").returncode == 2
