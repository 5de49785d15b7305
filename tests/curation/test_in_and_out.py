"""What must not come in, and what a move, a merge or a file in the repository must leave as it was."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_cli import remembered, run, told

RULE = "Never push to main"


def at_remote(place: Path, name: str = "") -> Path:
    """A repository, with a remote of this name."""
    place.mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q"], cwd=place, check=True)
    if name:
        subprocess.run(["git", "remote", "add", "origin", f"git@github.com:acme/{name}.git"], cwd=place, check=True)
    return place


def test_what_is_private_or_secret_goes_before_a_file_is_taken_apart(shop: Path, home: Path) -> None:
    (home / ".claude").mkdir(exist_ok=True)
    private = "<private>\n\n- My salary is zebra5 a month\n\nMy doctor is zebra6.\n\n</private>"
    secret = "## Database password\n\n- hunter7Zebra!9x\n\nPassword:\n\nplum88Orange!"
    (home / ".claude" / "CLAUDE.md").write_text(f"# Me\n\n- Always answer in English.\n\n{private}\n\n{secret}\n", "utf-8")
    run("import", "--from", "instructions", cwd=shop)
    run("import", "-", cwd=shop, stdin=json.dumps({"text": "The db", "metadata": {"password": "plum77Orange!", "domain": "x"}}))
    assert run("remember", "<private>zebra</private>", cwd=shop).returncode == 1
    kept = told("list", "--status", "all", "--all-projects", cwd=shop)
    assert {one["text"]: one["class"] for one in kept} == {"Always answer in English.": "preference", "The db": "semantic"}
    assert [one["metadata"] for one in kept if one["metadata"]] == [{"password": "[REDACTED:assignment]", "domain": "x"}]


@pytest.mark.parametrize("as_agent", [True, False])
def test_of_two_that_say_the_same_a_merge_keeps_the_firmer(shop: Path, tmp_path: Path, as_agent: bool) -> None:
    other = at_remote(tmp_path / "other")
    weaker = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s"} if as_agent else {}
    run("remember", RULE, "--class", "rule", cwd=other, **weaker)
    firm = remembered(shop, RULE, "--class", "rule", "--pin", "--project", ".")
    gone = remembered(shop, "The till beeps twice", "--project", ".")
    run("forget", gone, cwd=shop)
    run("project", "merge", ".", str(other), cwd=shop)
    assert [(one["id"], one["pinned"]) for one in told("list", cwd=other)] == [(firm, True)]
    assert gone in {one["id"] for one in told("list", "--status", "all", cwd=other)}


def test_a_file_of_rules_that_others_wrote_is_left_alone(shop: Path) -> None:
    (shop / "generated").mkdir()
    (shop / "generated" / "a.ts").touch()
    key = remembered(shop, "Never edit files under generated/", "--class", "rule", "--project", ".")
    path = shop / ".claude" / "rules" / "psychmem.md"
    path.parent.mkdir(parents=True)
    path.write_text("# Ours\n\nWe review on Fridays.\n", "utf-8")
    assert "lines that PsychMem did not write" in run("edit", key, "--to-repository", cwd=shop).stderr
    path.unlink()
    run("edit", key, "--to-repository", cwd=shop)
    path.write_text(path.read_text("utf-8") + "by hand\n", "utf-8")
    assert "by hand" in run("forget", key, cwd=shop).stderr
    assert path.read_text("utf-8").endswith("by hand\n")


def test_a_rule_that_moves_leaves_the_files_of_the_old_place(shop: Path, tmp_path: Path) -> None:
    (shop / "AGENTS.md").write_text("# A\n", "utf-8")
    other = at_remote(tmp_path / "other")
    (other / "AGENTS.md").write_text("# B\n", "utf-8")
    key = remembered(shop, RULE, "--class", "rule", "--project", ".")
    run("edit", key, "--to-repository", cwd=shop)
    run("edit", key, "--to", str(other), cwd=shop)
    run("forget", key, cwd=other)
    run("undo", cwd=other)
    assert ((shop / "AGENTS.md").read_text("utf-8"), (other / "AGENTS.md").read_text("utf-8")) == ("# A\n", "# B\n")


def test_an_import_taken_back_leaves_what_it_did_not_write(shop: Path) -> None:
    (shop / "AGENTS.md").write_text("# A\n", "utf-8")
    key = remembered(shop, RULE, "--class", "rule", "--project", ".")
    run("edit", key, "--to-repository", cwd=shop)
    run("promote", key, "--vault", ".", cwd=shop)
    written = {path: path.read_text("utf-8") for path in shop.rglob("*.md")}
    whole = run("export", cwd=shop).stdout
    shutil.rmtree(os.environ["PSYCHMEM_HOME"])  # on a new machine
    run("import", "--exact", "-", cwd=shop, stdin=whole)
    assert "is gone" in run("undo", cwd=shop).stdout
    assert {path: path.read_text("utf-8") for path in shop.rglob("*.md")} == written


def test_what_came_plainly_comes_whole_at_the_second_try(shop: Path) -> None:
    key = remembered(shop, RULE, "--class", "rule", "--pin", "--project", ".")
    whole = run("export", cwd=shop).stdout.replace(RULE, "Never tag by hand").replace(key, "another")
    run("import", "-", cwd=shop, stdin=json.dumps({"text": "Never tag by hand", "class": "rule"}))
    run("import", "--exact", "-", cwd=shop, stdin=whole)
    assert [(one["id"], one["pinned"]) for one in told("list", cwd=shop) if one["id"] != key] == [("another", True)]
