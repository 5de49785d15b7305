"""Two homes on one machine, as people and agents use them: hooks and commands as processes, a folder between them."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from psychmem_py.home import health
from psychmem_py.store import operations
from psychmem_py.store.connection import open_store
from psychmem_py.sync.op import Op
from psychmem_py.sync.remote import FolderRemote
from tests.forks import COMMAND, ROOT
from tests.forks import psychmem as run
from tests.hooks import QUIET, Conversation, repository, settle
from tests.test_cli import told

RULE = "Never commit directly to the main branch, always open a pull request."


class Home:
    """One machine of a person: a home, a clone of the project, and the variables that say so."""

    def __init__(self, root: Path, name: str) -> None:
        self.root, self.name = root / name, name
        self.project = self.root / "work" / "shop"
        repository(self.project, "git@example.org:team/shop.git")
        with (self.project / ".git" / "config").open("a") as file:
            file.write(f"[user]\n\tname = {name}\n")

    @contextmanager
    def used(self) -> Iterator[None]:
        """Everything in here happens on this machine."""
        given = {"HOME": "", "PSYCHMEM_HOME": "psychmem", "CLAUDE_CONFIG_DIR": ".claude"}
        with patch.dict(os.environ, {name: str(self.root / folder) for name, folder in given.items()}):
            yield
            settle()

    def runs(self, *words: str) -> str:
        with self.used():
            done = run(*words, cwd=self.project)
            assert done.returncode == 0, done.stderr
            return done.stdout

    def told(self, *words: str) -> Any:
        with self.used():
            return told(*words, cwd=self.project)

    def texts(self) -> list[str]:
        return [row["text"] for row in self.told("list")]

    def joins(self, folder: Path, *words: str) -> None:
        folder.mkdir(exist_ok=True)
        self.runs("remote", "add", "home", str(folder), "--as", self.name, *(words or ("--mine",)))
        self.runs("share", "--with", "home")


@pytest.fixture
def homes(tmp_path: Path) -> tuple[Home, Home]:
    return Home(tmp_path, "laptop"), Home(tmp_path, "tower")


def test_what_was_heard_once_on_each_machine_is_borne_out(homes: tuple[Home, Home], folder: Path) -> None:
    for one in homes:
        one.joins(folder)
        folder.rename(folder.with_name("away"))  # the machine is on the road
        with one.used():
            talk = Conversation(one.project, f"at-{one.name}")
            talk.at = f"2026-11-2{len(one.name) - 4}T00:36:21.866Z"
            talk.says(RULE)
        folder.with_name("away").rename(folder)
        assert [row["store"] for row in one.told("list")] == ["stm"]
    for one in (*homes, *homes):
        one.runs("sync")
    assert [[(row["text"], row["store"]) for row in one.told("list")] for one in homes] == [[(RULE, "ltm")]] * 2
    assert [path for path in folder.rglob("*") if path.stat().st_mode & 0o077] == []  # other users of the machine


def test_a_conversation_that_both_machines_have_is_heard_once_and_keeps_its_words(homes: tuple[Home, Home], folder: Path) -> None:
    for one in homes:
        one.joins(folder)
        folder.rename(folder.with_name("away"))
        with one.used():
            Conversation(one.project, "copied").says(f"Add a retry to the client. {RULE}")
        folder.with_name("away").rename(folder)
    for one in (*homes, *homes):
        one.runs("sync")
    for one in homes:
        [row] = one.told("list")
        assert (row["store"], row["session"], row["context"]) == ("stm", "copied", "Fine.")
        assert (row["text"], "copied") in [
            (proof["quote"], proof["session"]) for proof in one.told("show", row["id"])["evidence"]
        ]


def test_the_dry_run_prints_what_would_leave_and_leaves_nothing(homes: tuple[Home, Home], folder: Path) -> None:
    laptop, _ = homes
    laptop.joins(folder)
    laptop.told("remember", RULE, "--class", "constraint", "--project", ".")
    shown = laptop.runs("sync", "--dry-run")
    assert RULE[:40] in shown
    [one] = laptop.told("sync", "--dry-run")
    assert {"put"} == {op["kind"] for op in one["operations"] if op["field"] == "text"}
    assert list(folder.iterdir()) == []
    assert laptop.told("sync", "status")["remotes"][0]["leaving"] == len(one["operations"])


def test_a_colleague_s_rule_waits_with_its_author_until_they_are_trusted(homes: tuple[Home, Home], folder: Path) -> None:
    kim, lee = homes
    kim.joins(folder, "--as", "kim")
    lee.joins(folder, "--as", "lee")
    kim.told("remember", RULE, "--class", "constraint", "--project", ".")
    kim.told("remember", "The API listens on port 8080", "--class", "semantic", "--project", ".")
    kim.runs("sync")
    lee.runs("sync")
    [waits] = lee.told("review")
    assert (waits["text"], waits["author"], waits["origin"], waits["status"]) == (RULE, "kim", "sync:kim", "quarantined")
    [fact] = lee.told("list")
    assert (fact["text"], fact["author"]) == ("The API listens on port 8080", "kim")
    assert lee.told("history", fact["id"])[0]["who"] == "sync:kim"
    assert "(kim, said once)" in " ".join(lee.runs("list").split())
    with lee.used():
        done = run("trust", "mallory", cwd=lee.project)
        assert (done.returncode, "known: kim" in done.stderr) == (1, True)
    told_to_lee(lee, "one", counts=False)
    assert lee.told("trust", "kim")["memories"] == [waits["id"]]
    told_to_lee(lee, "two", counts=True)
    assert lee.told("trust", "kim", "--not")["memories"] == [waits["id"]]
    told_to_lee(lee, "three", counts=False)
    assert "trust in kim" in lee.runs("undo")
    told_to_lee(lee, "four", counts=True)
    lee.runs("trust", "kim", "--not")
    lee.runs("trust", "kim")
    lee.runs("undo")
    told_to_lee(lee, "five", counts=False)
    assert lee.told("sync", "status")["trusted"] == []


def told_to_lee(lee: Home, session: str, *, counts: bool) -> None:
    """Whether kim's rule is in the brief as kim's, spoken at the call that breaks it, listed and no longer pending."""
    with lee.used():
        talk = Conversation(lee.project, session)
        brief, spoken = talk.begins(**QUIET), talk.reminder("Bash", command="git commit -m x")
    assert "- The API listens on port 8080 (kim, fact, said once)" in brief
    assert (f"- {RULE} (kim, rule, said once)" in brief, "kim said on " in spoken and RULE in spoken) == (counts, counts)
    assert (RULE in lee.texts(), len(lee.told("review"))) == (counts, not counts)


def test_what_is_the_person_s_goes_nowhere_else_and_a_mere_directory_needs_a_name(homes: tuple[Home, Home], folder: Path) -> None:
    kim, _ = homes
    kim.joins(folder, "--as", "kim")
    (plain := kim.root / "plain").mkdir()
    with kim.used():
        for words, place, said in ((["--personal"], kim.project, "--mine"), ([], plain, ".psychmem.toml")):
            done = run("share", *words, "--with", "home", cwd=place)
            assert (done.returncode, said in done.stderr) == (1, True)


def test_a_folder_that_is_gone_is_said_and_breaks_no_stop(homes: tuple[Home, Home], folder: Path) -> None:
    laptop, _ = homes
    laptop.joins(folder)
    laptop.runs("remote", "add", "far", str(folder))  # and never reached
    folder.rmdir()
    with laptop.used():
        Conversation(laptop.project, "here").says(RULE)
        assert health.failures(os.environ["PSYCHMEM_HOME"]) == []
        done = run("sync", cwd=laptop.project)
        assert (done.returncode, "is not there" in done.stderr) == (1, True)
        with open_store(Path(os.environ["PSYCHMEM_HOME"]) / "memory.db", now=time.time()) as db:
            assert [operations.lost(db, time.time() + seconds) for seconds in (-60, 60)] == [[], ["far", "home"]]
    assert (laptop.told("sync", "status")["remotes"][0]["failed_times"] >= 1, folder.exists()) == (True, False)


@pytest.mark.long
def test_a_sync_killed_at_any_moment_is_made_good_by_the_next(homes: tuple[Home, Home], folder: Path) -> None:
    laptop, tower = homes
    for one in homes:
        one.joins(folder)
    fact = {"class": "semantic", "project": "git:example.org/team/shop", "scope": "project"}
    lines = [json.dumps({"text": f"Service {number} listens on port {9000 + number}", **fact}) for number in range(300)]
    source = laptop.root / "facts.jsonl"
    source.write_text("\n".join(lines))
    laptop.runs("import", str(source))
    count = len(laptop.texts())
    assert count > 250
    for one in (laptop, tower):
        for after_s in (0.3, 0.45, 0.6, 0.8):
            with one.used():
                env, quiet = {**os.environ, "PYTHONPATH": str(ROOT)}, dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
                with subprocess.Popen([*COMMAND, "sync"], cwd=one.project, env=env, **quiet) as process:
                    time.sleep(after_s)
                    process.kill()
    laptop.runs("sync")
    tower.runs("sync")
    assert sorted(tower.texts()) == sorted(laptop.texts())
    with tower.used(), open_store(Path(os.environ["PSYCHMEM_HOME"]) / "memory.db", now=time.time()) as db:
        assert db.execute("select count(*) from dead_letter").fetchone() == (0,)


def test_lines_nobody_understands_are_told_by_status_and_stop_nobody(homes: tuple[Home, Home], folder: Path) -> None:
    laptop, tower = homes
    for one in homes:
        one.joins(folder)
    laptop.told("remember", RULE, "--class", "constraint", "--project", ".")
    laptop.runs("sync")
    # One line of a kind that only a newer version knows, in the lane of the one device there is, as that version would write it.
    [device] = (path.name for path in folder.iterdir())
    there = FolderRemote(str(folder), device, "laptop", mine=True)
    [(lane, last)] = there.held(device).items()
    there.push(lane, [Op(device, last + 1, "1763838000000-000000", *lane[1:], "m1", "paint", "x", "green")])
    assert "1 put aside" in tower.runs("sync")
    assert tower.texts() == [RULE]
    assert tower.told("sync", "status")["dead_letters"][0]["why"] == "kind 'paint' is not known here"
    told = tower.runs("sync", "status").splitlines()
    assert f"dead letters  remote home, device {device}, why kind 'paint' is not known here, lines 1" in told
    assert [row.split()[0] for row in told if "device" in row] == ["lanes", "device", "dead"]
