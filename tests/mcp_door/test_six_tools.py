"""The six tools, as the SDK's own client sees them over stdio."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from psychmem_py.installation.mcp_servers import Tools
from tests.forks import told
from tests.hooks import repository
from tests.mcp_door.client import COMMAND, call, parameters, refusal, talk, talk_here, text, told_six

SIX = ["memory_search", "memory_get", "memory_save", "memory_update", "memory_forget", "memory_context"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


def psychmem(project: Path, *words: str) -> Any:
    """What a person's command prints as JSON."""
    return told(*words, cwd=project)


def test_a_client_finds_six_tools_with_what_they_do_in_a_thousand_tokens(project: Path) -> None:
    async def conversation(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == SIX
        assert all(tool.annotations is not None and tool.description for tool in tools)
        size = sum(len(json.dumps(tool.model_dump(by_alias=True, exclude_none=True))) for tool in tools)
        assert size <= 4_000  # characters: four to a token
        assert client.instructions is not None
        assert "search what was agreed" in client.instructions

    talk(parameters(project), conversation)


@told_six
async def test_only_forgetting_says_that_it_takes_something_away(client: Client, project: Path) -> None:
    hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    assert [name for name, hint in hints.items() if hint and hint.destructive_hint] == ["memory_forget"]
    readers = {name for name, hint in hints.items() if hint and hint.read_only_hint}
    assert readers == {"memory_search", "memory_get", "memory_context"}


def test_what_a_tool_saves_is_the_agents_word_and_a_later_conversation_finds_it(project: Path) -> None:
    async def saving(client: Client) -> None:
        kept = await call(client, "memory_save", text="Decided on Kafka for the order events", kind="decision", tags=["queue"])
        assert kept["class"] == "decision"

    async def asking(client: Client) -> None:
        found = await call(client, "memory_search", query="which queue for order events")
        assert [one["text"] for one in found["memories"]] == ["Decided on Kafka for the order events"]

    talk(parameters(project), saving)
    (row,) = psychmem(project, "list")
    assert (row["origin"], row["tags"]) == ("assistant", ["queue"])
    talk(parameters(project), asking)


@told_six
async def test_a_rule_from_a_tool_waits_for_a_person(client: Client, project: Path) -> None:
    kept = await call(client, "memory_save", text="Always deploy from the main branch", kind="constraint")
    assert "psychmem review" in kept["waits"]
    assert (await call(client, "memory_search", query="deploy main branch"))["memories"] == []
    assert "is pending" in await refusal(client, "memory_get", ids=[kept["kept"]])
    assert psychmem(project, "list") == []


@told_six
async def test_forgetting_is_soft_and_can_be_taken_back(client: Client, project: Path) -> None:
    kept = psychmem(project, "remember", "The staging host is called heron", "--class", "semantic")
    await call(client, "memory_forget", ids=[kept["id"][:12]])
    assert (await call(client, "memory_search", query="staging host"))["memories"] == []
    await call(client, "memory_forget", undo=True)
    assert len((await call(client, "memory_search", query="staging host"))["memories"]) == 1
    assert "forgotten nothing" in await refusal(client, "memory_forget", undo=True)
    assert [row["status"] for row in psychmem(project, "list")] == ["active"]


def test_what_a_conversation_has_seen_comes_short_and_to_the_next_whole(project: Path) -> None:
    long = "The invoice service keeps its totals in cents because the ledger rounds half to even on every export"
    psychmem(project, "remember", long, "--class", "semantic")

    async def conversation(client: Client) -> None:
        first = (await call(client, "memory_search", query="invoice totals"))["memories"][0]
        second = (await call(client, "memory_search", query="invoice totals"))["memories"][0]
        assert first["text"] == long
        assert second["seen"]
        assert len(second["text"]) < len(long)
        assert (await call(client, "memory_get", ids=[first["id"]]))["memories"][0]["text"] == long

    talk_here(project, conversation, Tools.SIX)
    talk_here(project, conversation, Tools.SIX)


@told_six
async def test_the_context_is_told_once_in_a_conversation(client: Client, project: Path) -> None:
    psychmem(project, "remember", "Never use npm here, always use pnpm", "--class", "constraint")
    assert "pnpm" in (await call(client, "memory_context", about="install a package"))["brief"]
    again = await call(client, "memory_context")
    assert again["brief"] == ""
    assert again["note"].startswith("1 memories")


@told_six
async def test_an_update_corrects_the_agents_word_and_not_a_persons(client: Client, project: Path) -> None:
    persons = psychmem(project, "remember", "The staging host is called heron", "--class", "semantic")
    kept = await call(client, "memory_save", text="The cache is Redis 6", kind="semantic")
    changed = await call(client, "memory_update", id=kept["kept"], text="The cache is Redis 7")
    assert changed["text"] == "The cache is Redis 7"
    assert "only a person" in await refusal(client, "memory_update", id=persons["id"], text="It is called egret")
    await call(client, "memory_update", id=persons["id"], helped=True)
    assert psychmem(project, "show", persons["id"])["use_count"] == 1


@told_six
async def test_another_projects_memory_is_refused(client: Client, project: Path) -> None:
    other = repository(project.parent / "blog")
    kept = psychmem(other, "remember", "The blog is built with Hugo", "--class", "semantic")
    assert "no memory has an id" in await refusal(client, "memory_get", ids=[kept["id"]])
    assert "no memory has an id" in await refusal(client, "memory_forget", ids=[kept["id"]])
    assert (await call(client, "memory_search", query="blog Hugo"))["memories"] == []


@told_six
async def test_a_refusal_is_one_sentence_with_the_mend(client: Client, project: Path) -> None:
    result = await client.call_tool("memory_search", {"query": " "})
    assert result.is_error
    assert "say what to look for" in text(result)
    assert "Traceback" not in text(result)


def test_without_the_sdk_the_command_says_what_to_install(project: Path) -> None:
    hidden = "import sys, importlib.util as u; f = u.find_spec; u.find_spec = lambda n, *a: None if n == 'mcp' else f(n, *a); "
    command = [sys.executable, "-c", hidden + COMMAND, "mcp"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"{sys.executable} -m pip install 'mcp>=" in done.stderr  # into the Python that runs, whatever `pip` stands for


def test_no_other_command_loads_the_sdk(project: Path) -> None:
    after = "; assert not {'mcp', 'mcp_types', 'psychmem_py.mcp_door.server'} & set(sys.modules)"
    code = f"import sys\nfrom psychmem_py.cli import main\ntry:\n main()\nexcept SystemExit: pass\nx = 1{after}"
    for words in (["list"], ["search", "x"], ["--help"]):
        done = subprocess.run([sys.executable, "-c", code, *words], cwd=project, capture_output=True, text=True, check=False)
        assert "AssertionError" not in done.stderr
        assert done.returncode == 0
