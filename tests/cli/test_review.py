"""Judging by key: one screen for each thing that waits, one key for each answer, every answer undoable; and the editor."""

import json
import os
import pty
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.forks import COMMAND
from tests.hooks import Conversation
from tests.test_cli import ROOT, remembered, run, texts, told


def typed(keys: Sequence[str], *words: str, cwd: Path, asks: bytes = b"q quit", **env: str) -> str:
    """What a terminal shows when these keys are pressed, each once the last line of keys has come."""
    master, slave = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "COLUMNS": "100", **env}
    done = subprocess.Popen([*COMMAND, *words], cwd=cwd, env=env, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    shown, asked, end = b"", 0, time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            shown += part
            if not part:
                break
        if shown.count(asks) > asked and asked < len(keys):
            os.write(master, keys[asked].encode())
            asked += 1
    assert done.wait(30) == 0, shown.decode()
    os.close(master)
    return shown.decode().replace("\r\n", "\n")


def waiting(shop: Path, *texts: str) -> None:
    lines = "".join(json.dumps({"text": text, "class": "constraint", "scope": "user"}) + "\n" for text in texts)
    run("import", "-", cwd=shop, stdin=lines)


def inbox(shop: Path, *words: str) -> dict[str, Any]:
    return {row["text"]: row for row in told("review", *words, cwd=shop)}


A, B, C = "Always squash before merging", "Never use tabs in the Makefile", "Deploy on Mondays only"


def test_each_key_does_what_the_screen_says(shop: Path) -> None:
    waiting(shop, A, B, C)
    order = list(inbox(shop))
    shown = typed("kdl", "review", cwd=shop)
    assert [text for text in ("1 of 3", "needs your approval: an import said it") if text not in shown] == []
    assert "becomes  rule, in every project" in shown
    assert "from     an import, now (" in shown
    assert list(texts(shop)) == [order[0]]
    assert list(inbox(shop)) == [order[2]]
    assert run("show", told("list", "--status", "forgotten", cwd=shop)[0]["id"], cwd=shop).stdout.startswith(order[1])


def test_a_key_says_where_it_holds_and_u_takes_the_last_answer_back(shop: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    waiting(shop, A, B)
    first, second = inbox(shop)
    shown = typed("pa", "review", cwd=shop)
    assert [text for text in ("kept", "kept, for every project") if text not in shown] == []
    assert texts(shop)[first] == told("status", cwd=shop)["project"]["id"]
    assert texts(shop)[second] is None
    waiting(shop, C, "Never commit on Fridays")
    shown = typed("duq", "review", cwd=shop)
    assert [text for text in ("2 left", "taken back; here it is again") if text not in shown] == []
    assert len(inbox(shop)) == 2


def test_e_words_it_anew_in_the_editor(shop: Path, tmp_path: Path) -> None:
    waiting(shop, A)
    assert "false ended with 1, nothing is changed" in typed("eq", "review", cwd=shop, EDITOR="false")
    editor = tmp_path / "ed.sh"
    editor.write_text('#!/bin/sh\nsed -i s/squash/rebase/ "$1"\n')
    editor.chmod(0o755)
    typed("e", "review", cwd=shop, EDITOR=str(editor))
    assert list(texts(shop)) == ["Always rebase before merging"]
    assert not list(Path(os.environ["PSYCHMEM_HOME"]).glob("edit-*"))


def test_two_that_contradict_are_shown_together(shop: Path) -> None:
    old = remembered(shop, "Always use tabs for indentation", "--class", "constraint", "--project", ".")
    new = remembered(shop, "Indent every file with four spaces", "--class", "constraint", "--project", ".")
    run("link", new, old, "--type", "contradicts", cwd=shop)
    row = inbox(shop)["Indent every file with four spaces"]
    assert [one["id"] for one in row["contradicts"]] == [old]
    shown = typed("k", "review", cwd=shop)
    assert f"against it  {old[:8]} Always use tabs for indentation (20" in shown.partition("Indent every file")[2]
    assert "in shop, you, at the command line)" in " ".join(shown.split())
    assert list(texts(shop)) == ["Indent every file with four spaces"]
    run("undo", cwd=shop)
    typed("b", "review", cwd=shop)
    assert inbox(shop) == {}
    assert len(texts(shop)) == 2


def test_what_holds_in_one_project_lets_stand_what_holds_in_all(shop: Path) -> None:
    remembered(shop, "Always use tabs for indentation", "--class", "constraint", "--user")
    here = remembered(shop, "Always use spaces for indentation", "--class", "constraint", "--project", ".")
    assert inbox(shop) == {}
    run("review", here, cwd=shop)
    assert len(texts(shop)) == 2
    other = remembered(shop, "Indent every file with four blanks", "--class", "constraint", "--project", ".")
    run("link", other, here, "--type", "contradicts", cwd=shop)
    told = json.loads(run("review", here, "--json", cwd=shop).stdout)
    assert [one["id"] for one in told["dropped"]] == [other]
    assert len(texts(shop)) == 2


def test_a_list_has_a_block_for_each_and_is_what_comes_without_a_terminal_and_to_an_agent(shop: Path) -> None:
    waiting(shop, A, B)
    shown = run("review", "--list", cwd=shop).stdout
    blocks = [block.splitlines() for block in shown.split("\n\n")]
    assert len(blocks) == 3  # the last says how to answer
    for block, (text, row) in zip(blocks, inbox(shop).items(), strict=False):
        assert (block[0].split()[0], [line.split(None, 1)[0] for line in block[2:]]) == (row["id"][:8], ["becomes", "from"])
        assert block[1].strip() == text
        assert row["created_at"][:10] in block[3]
    waiting(shop, A)
    key = inbox(shop)[A]["id"]
    assert A in run("review", cwd=shop).stdout
    assert "q quit" not in typed("", "review", "--list", cwd=shop)
    assert "q quit" not in typed("", "review", cwd=shop, CLAUDECODE="1")
    assert run("review", key[:8], key, cwd=shop).returncode == 0  # however it is named, it is one


AROUND = "Nobody has looked at the shelves of the warehouse for weeks."
UNSURE = ("I guess we should deploy on Mondays only", f"Perhaps we will always keep the old parser here. {AROUND}")


def unsure(shop: Path, tmp_path: Path) -> list[dict[str, Any]]:
    """What is pending of things that a person said in July, and the rules are not sure of."""
    talk = Conversation(shop, "talk", tmp_path)
    talk.at = "2026-07-28T09:00:00Z"
    for text in UNSURE:
        talk.types(text)
        talk.answers("I see.")
    run("extract", "--transcript", str(talk.transcript), cwd=shop)
    return [row for row in inbox(shop).values() if row["status"] == "waiting"]


@pytest.mark.parametrize("key", ["k", "d"])
def test_what_a_person_said_and_nobody_is_sure_of_is_pending_with_its_day_and_words(shop: Path, tmp_path: Path, key: str) -> None:
    first, *_ = found = unsure(shop, tmp_path)
    assert "name it once" in run("review", first["id"], "--drop", first["id"], cwd=shop).stderr
    assert ({row["status"] for row in found}, {row["created_at"][:10] for row in found}) == ({"waiting"}, {"2026-07-28"})
    assert [row["id"] for row in told("list", "--status", "pending", cwd=shop)] == [row["id"] for row in found]
    assert f"{first['id']:8}  {first['text']}" in run("list", "--status", "pending", cwd=shop).stdout
    assert told("show", first["id"], cwd=shop) == first
    assert f": {first['text']}\n" in run("why", first["id"], cwd=shop).stdout
    shown = typed("ll", "review", cwd=shop)
    assert [text for text in ("2026-07-28", "around it") if text not in shown] == []
    assert AROUND in " ".join(shown.split())
    typed(key + "q", "review", cwd=shop)
    assert first["id"] not in [row["id"] for row in inbox(shop).values()]
    assert (first["text"] in texts(shop)) == (key == "k")


def test_one_number_says_what_is_pending_everywhere(shop: Path, tmp_path: Path) -> None:
    remembered(shop, "The port is 8080", "--project", ".")
    waiting(shop, A)
    number = 1 + len(unsure(shop, tmp_path))
    assert f"{number} pending:" in run("list", "--today", cwd=shop).stdout
    assert f"{number} pending" in run("setup", "statusline", cwd=shop, stdin="{}").stdout
    assert [row["waiting"] for row in told("list", "--projects", cwd=shop)] == [number]
    assert f"1 of {number}" in typed("q", "review", cwd=shop)
