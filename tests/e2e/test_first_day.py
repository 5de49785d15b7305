"""A day of a new user with both clients and one memory: said, looked at, corrected by key and by page, changed in the Markdown and put back, left."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from pathlib import Path

import pytest

from psychmem_py.home.files import OWN, PUBLIC
from psychmem_py.home.places import DATABASE
from tests.cli.test_review import typed
from tests.e2e import claude, opencode
from tests.e2e.model_server import Model
from tests.e2e.test_claude_code import settle
from tests.forks import COMMAND
from tests.test_cli import ROOT

pytestmark = pytest.mark.long

RULE = "From now on never push to main, always open a pull request."
PORT = "The staging database listens on port 5433."
CHOICE = "Let's go with an in-process cache with a 60 second lifetime instead of Redis, the list is small."


def test_what_was_corrected_by_key_and_by_page_is_what_the_next_session_is_told_and_markdown_is_put_back(tmp_path: Path) -> None:
    one = claude.Machine(tmp_path, claude.client(), claude.hook_launcher(tmp_path / "plugin"))
    (tmp_path / "other").mkdir()
    other = opencode.Machine(tmp_path / "other", opencode.client())
    other.memory = one.memory
    shop = one.project("shop")

    with Model() as model:

        def told_opencode(prompt: str) -> str:
            before = len(model.requests)
            other.run(shop, model.url, prompt)
            settle(one)
            return "\n".join(model.texts(before))

        one.run(shop, model.url, RULE)
        settle(one)
        assert "never push to main" in told_opencode(PORT)
        told_opencode(CHOICE)
        one.run(shop, model.url, "Please look at the readme.")
        settle(one)

        here = {"HOME": str(one.home), "PSYCHMEM_HOME": str(one.memory), "CLAUDE_CONFIG_DIR": str(one.home / ".claude")}
        rows = json.loads(one.psychmem(shop, "list", "--json"))
        assert sorted(row["text"] for row in rows) == sorted([RULE, PORT, CHOICE])

        asked = [row["text"] for row in json.loads(one.psychmem(shop, "review", "--heard", "--json"))]
        keys = "l" * asked.index(PORT) + "eq"
        typed(keys, "review", "--heard", cwd=shop, EDITOR="sed -i s/5433/5444/", **here)

        rule = next(row["id"] for row in rows if row["text"] == RULE)
        clicked(one, shop, deed="edit", id=rule, text="Never push to main or release, always open a pull request.")

        [index] = (one.home / ".claude" / "projects").glob("*/memory/MEMORY.md")
        index.write_text(index.read_text().replace("60 second lifetime", "90 second lifetime"))

        for corrected in ("port 5444", "main or release"):
            assert corrected in one.psychmem(shop, "context")
        told = told_opencode("What is the capital of France?")
        for holds in ("port 5444", "main or release", "60 second lifetime"):
            assert holds in told
        assert not re.search("port 5433|90 second", told)
        one.run(shop, model.url, "Please look at the readme again.")
        settle(one)
        assert "60 second lifetime" in index.read_text()

        one.psychmem(shop, "uninstall", "--all")
        assert not index.exists()
        ours = {*PUBLIC, *(path.partition("/")[0] for path in OWN)}
        assert [path.name for path in one.memory.iterdir() if not path.name.startswith(DATABASE) and path.name not in ours] == []
        assert len(json.loads(one.psychmem(shop, "list", "--json"))) == 3  # the memories stay


def clicked(machine: claude.Machine, project: Path, **deed: str) -> None:
    """Does what a button of the served page does."""
    env = {**machine.env(""), "PYTHONPATH": str(ROOT)}
    serving = subprocess.Popen([*COMMAND, "report", "--serve"], cwd=project, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert serving.stdout is not None
        address = serving.stdout.readline().split()[0]
        headers = {"Content-Type": "application/json", "Origin": address.rsplit("/", 2)[0]}
        request = urllib.request.Request(f"{address}act", json.dumps(deed).encode(), headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        assert json.load(opener.open(request, timeout=300))["said"].startswith("changed")
    finally:
        serving.kill()
        serving.wait()
