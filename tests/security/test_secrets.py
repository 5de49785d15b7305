"""From end to end: no byte of a secret that stood in a conversation is on disk afterwards, and what is there already can be found."""

import json
import os
import random
from pathlib import Path

import pytest

from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Origin
from psychmem_py.store import change_log
from psychmem_py.store.connection import open_store
from tests.forks import psychmem, told
from tests.hooks import Conversation, holding, run, settle
from tests.memories_made import NOW, made

from .secrets_made import PROVIDER, _password

# Without a mark of their own, or with slashes, these cannot be told from a folder's name inside a path.
KINDS = [kind for kind in PROVIDER if kind not in ("aws_secret", "random_base62", "azure_key", "pem", "slack_hook")]


def test_no_secret_of_a_conversation_reaches_the_disk(project: Path, home: Path) -> None:
    r = random.Random(11)
    drawn = [PROVIDER[kind](r) for kind in KINDS] + [_password(r) for _ in range(12)]
    one = Conversation(project, "s1")
    one.begins()
    for n, secret in enumerate(drawn):
        known = f"password={secret}" if n >= len(KINDS) else secret
        one.asks(f"Remember: the deploy key is {known}, always use it")
        one.types(f"Remember: the deploy key for area{n} is {known}, always use it for releases. Never restart area{n} by hand.")
        one.answers(f"I decided to store {known} in the vault because area{n} needs it.")
        error, command = f"Exit code 1\nHTTPError: 401 for {known}", f"deploy --with '{known}'"
        one.uses("Bash", error=error, command=command, file_path=f"/tmp/{known}/x.py", content=known)
    assert holding([home / "psychmem"], *drawn) == []
    one.typed(last=f"The token is {drawn[0]}.")
    one.begins("compact")
    Conversation(project, "s2").begins()
    settle()
    assert told("remember", f"The staging login is password={drawn[-1]} for everyone", cwd=project)
    line = json.dumps({"text": f"use password={drawn[-2]} there", "context": drawn[0], "names": [drawn[1]], "tags": [drawn[2]]})
    assert psychmem("import", "-", cwd=project, stdin=line).returncode == 0
    places = [home / "psychmem", *(home / ".claude").glob("projects/*/memory")]
    assert len(told("list", "--all-projects", "--status", "all", cwd=project)) > 3
    assert holding(places, *drawn) == []


def test_a_private_block_is_nobodys_business_and_scan_finds_nothing_in_what_the_product_filled(project: Path, home: Path) -> None:
    one = Conversation(project, "s1")
    one.typed(
        "Always deploy from main. <private>Always bribe the marsupial auditor.</private> Never deploy on Fridays.",
        "We always use tabs. <PRIVATE>the marsupial pays",
    )
    assert holding([home / "psychmem"], "marsupial") == []
    assert told("list", "--all-projects", cwd=project)
    one = Conversation(project, "3f2b8c1e-9d4a-4f6b-8e2a-1c5d7e9f0a3b")
    one.says(
        "We decided to use SQLite for the queue. Never commit directly to the main branch.",
        "I found that the queue needs WAL mode.",
    )
    told("remember", "The API listens on port 8081", cwd=project)
    assert told("scan", cwd=project) == []


def test_scan_finds_what_is_stored_everywhere_and_takes_it_out(project: Path, home: Path) -> None:
    r = random.Random(12)
    secrets = [PROVIDER["github_classic"](r) for _ in range(8)]
    text, context, name, quote, tag, field, error, path = secrets
    memory = made(
        f"Deploy with {text} from main", Kind.CONSTRAINT, origin=Origin.USER_CLI, context=f"with {context}", names=(name,), tags=(tag,),
        metadata=(("note", field),),
    )  # fmt: skip
    seen = Evidence(memory.id, 1.0, "cli", Origin.USER_CLI, quote=quote)
    with open_store(home / "psychmem" / "memory.db", now=NOW) as db:
        change_log.apply(db, [Change(ChangeType.ADD, memory.id, None, memory, "test", seen)], batch="test", now=NOW)
    (key,) = [one["id"] for one in told("list", cwd=project)]
    assert psychmem("pin", key, cwd=project).returncode == 0
    assert psychmem("checkpoint", "create", "early", cwd=project).returncode == 0
    journal = home / "psychmem" / "journals"
    journal.mkdir(exist_ok=True)
    use = {"id": "t1", "tool": "Bash", "at": 1.0, "ok": False, "command": "ls", "paths": [f"/x/{path}"]}
    (journal / "old.jsonl").write_text(json.dumps({"use": use | {"error_line": f"401 {error}"}}) + "\n")
    assert {needle for _, needle in holding([home / "psychmem"], *secrets)} == set(secrets)

    looked = psychmem("scan", cwd=project)
    assert looked.returncode == 1
    assert not any(secret in looked.stdout + looked.stderr for secret in secrets)
    assert psychmem("scan", "--fix", cwd=project).returncode == 0
    assert holding([home / "psychmem"], *secrets) == []
    assert psychmem("scan", cwd=project).returncode == 0
    (after,) = told("list", cwd=project)
    assert (after["id"], after["pinned"], after["origin"]) == (key, True, "user_cli")
    assert after["text"] == "Deploy with [REDACTED:github_token] from main"
    assert told("search", "deploy main", cwd=project)


@pytest.mark.parametrize("globs", ["*/shop", "*/shop/**", "*/other, */sh?p"])
def test_an_ignored_project_leaves_no_trace(globs: str, project: Path, home: Path) -> None:
    before = os.environ.copy()
    one = Conversation(project, "unseen-talk")
    env = {"PSYCHMEM_IGNORE": globs}
    assert one.begins(**env) == ""
    run("tool-after", one.after("Bash", command="marsupial"), **env)
    one.asks("marsupial", **env)
    one.typed("Remember: never touch the marsupial tables.", last="The marsupial is fine.", **env)
    assert holding([home / "psychmem"], "marsupial", "unseen-talk") == [] if (home / "psychmem").exists() else True
    assert os.environ == before
