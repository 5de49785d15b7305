"""The real clients: what calls teach, what the agent saves and finds by the tools, and what was refused."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e import claude, opencode
from tests.e2e.claude import hook_launcher, settle
from tests.e2e.model_server import Model, call
from tests.hooks import ROOT
from tests.test_cli import run as psychmem

pytestmark = pytest.mark.long


@pytest.fixture
def claude_machine(tmp_path: Path) -> claude.Machine:
    return claude.Machine(tmp_path, claude.client(), hook_launcher(tmp_path / "plugin"))


Turn = Callable[[Path, str], list[str]]


def taught_by_calls(model: Model, turn: Turn, shop: Path, write: dict[str, object], read: dict[str, object], shell: str) -> None:
    """A rule said in half a sentence is shown where the file that was changed then is read; a program that is not there is told in the
    third session, with what worked in its place.
    """
    model.turns = [write, "Done."]
    turn(shop, "Put the price there, and never round it to whole cents.")
    model.turns = [read, "Read."]
    asked, behind = turn(shop, "Have a look at where the price is made.")
    assert "never round it" in behind
    assert behind.count("It was said when this file was last worked on") == asked.count("It was said when") + 1
    for _ in range(2):
        calls = [call(shell, command=line, description="run") for line in ("pyhton3 -c pass", "python3 -c pass")]
        model.turns = [*calls, "Done."]
        assert "pyhton3` failed" not in turn(shop, "Run it once.")[0]
    model.turns = ["Hello."]
    assert "`pyhton3` failed in 2 sessions (command not found); `python3 -c pass` worked." in turn(shop, "What now?")[0]


def test_claude_code_is_taught_by_its_calls(claude_machine: claude.Machine) -> None:
    shop = claude_machine.project("shop")
    file = str(shop / "price.py")
    with Model() as model:

        def turn(project: Path, prompt: str) -> list[str]:
            return model.turn(lambda: claude_machine.run(project, model.url, prompt, "--allowedTools", "Bash,Write,Read"))

        taught_by_calls(
            model, turn, shop, call("Write", file_path=file, content="PRICE = 1\n"), call("Read", file_path=file), "Bash"
        )
        rule = next(one for one in json.loads(claude_machine.psychmem(shop, "list", "--json")) if "never round" in one["text"])
        (shop / "CLAUDE.md").write_text("A shop.\n")
        claude_machine.psychmem(shop, "edit", rule["id"], "--to-repository")
        assert '  - "price.py"' in (shop / ".claude" / "rules" / "psychmem.md").read_text()
        model.turns, off = [call("Read", file_path=file), "Read."], {"PSYCHMEM_DISABLE": "1"}
        told = model.turn(lambda: claude_machine.run(shop, model.url, "Look again.", "--allowedTools", "Read", **off))
        assert ["never round it" in text for text in told] == [False, True]  # by the client, without us


SLOW = "npm run slow"
REFUSED = f"The user refused `{SLOW}` 2 of 2 times"


def test_what_was_refused_twice_in_claude_code_is_known_in_the_third_session(claude_machine: claude.Machine) -> None:
    shop = claude_machine.project("shop")
    with Model() as model:
        for _ in range(2):
            model.turns = [call("Bash", command=SLOW, description="run it")]
            with claude_machine.terminal(shop, model.url, "--permission-mode", "default") as terminal:
                terminal.shows("shortcuts")
                terminal.type("Run the checks, please.")
                terminal.shows("Do you want to proceed")
                terminal.type("", "Escape")
                terminal.shows("Interrupted|[Rr]ejected|What should Claude do")
                terminal.type("/exit")
            settle(claude_machine)
        model.turns = [call("Bash", command=SLOW, description="run it"), "Sorry."]
        told = model.turn(lambda: claude_machine.run(shop, model.url, "Run the checks again.", "--allowedTools", "Bash"))
        assert [text.count(REFUSED) for text in told] == [1, 2]  # in the brief, then at the call


@pytest.fixture
def opencode_machine(tmp_path: Path) -> opencode.Machine:
    return opencode.Machine(tmp_path, opencode.client())


def test_opencode_is_taught_by_its_calls(opencode_machine: opencode.Machine) -> None:
    shop = opencode_machine.project("shop")
    file = str(shop / "price.py")
    with Model() as model:

        def turn(project: Path, prompt: str) -> list[str]:
            return model.turn(lambda: opencode_machine.run(project, model.url, prompt))

        taught_by_calls(
            model, turn, shop, call("write", filePath=file, content="PRICE = 1\n"), call("read", filePath=file), "bash"
        )


def test_what_was_refused_twice_in_opencode_is_known_in_the_third_session(opencode_machine: opencode.Machine) -> None:
    shop = opencode_machine.project("shop")
    (shop / "opencode.json").write_text(json.dumps({"permission": {"bash": "ask"}}))  # which `opencode run` answers with no
    with Model() as model:
        for _ in range(2):
            model.turns = [call("bash", command=SLOW, description="run it"), "Sorry."]
            opencode_machine.run(shop, model.url, "Run the checks, please.")
        told = model.turn(lambda: opencode_machine.run(shop, model.url, "Hello again."))
    assert any(REFUSED in text for text in told)


FACT = "Decided on Kafka for the order events"


def test_opencode_s_agent_saves_and_finds_by_the_tools(
    opencode_machine: opencode.Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = opencode_machine.project("shop")
    place = {key: value for key, value in opencode_machine.env().items() if key.startswith(("HOME", "XDG_", "PSYCHMEM_"))}
    with Model() as model:
        opencode_machine.configure(model.url)
        assert psychmem("install", "--opencode", "--mcp", cwd=shop, **place).returncode == 0
        servers = json.loads((opencode_machine.config / "opencode.json").read_text())["mcp"]
        own = opencode_machine.configure

        def with_tools(url: str, *, context: int = 200_000) -> None:
            own(url, context=context)
            file = opencode_machine.config / "opencode.json"
            file.write_text(json.dumps({**json.loads(file.read_text()), "mcp": servers}))

        monkeypatch.setattr(opencode_machine, "configure", with_tools)
        model.turns = [call("psychmem_memory_save", text=FACT, kind="decision"), "Saved."]
        opencode_machine.run(shop, model.url, "Note what we chose.")
        model.turns = [call("psychmem_memory_search", query="which queue for order events"), "Kafka."]
        opencode_machine.run(shop, model.url, "Which queue do we use?")
        found = [message for message in model.requests[-1]["messages"] if message["role"] == "tool"]
    assert any(FACT in json.dumps(message) for message in found)
    (row,) = json.loads(psychmem("list", "--json", cwd=shop, **place).stdout)
    assert (row["text"], row["origin"]) == (FACT, "assistant")


def test_the_plugin_brings_the_tools_along(claude_machine: claude.Machine) -> None:
    shop = claude_machine.project("shop")
    claude_machine.people()
    shutil.copy(ROOT / ".mcp.json", claude_machine.plugin)
    with Model() as model:
        model.turns = [call("mcp__plugin_psychmem_psychmem__memory_save", text=FACT, kind="decision"), "Saved."]
        claude_machine.run(shop, model.url, "Note it.", "--allowedTools", "mcp__plugin_psychmem_psychmem__memory_save")
    (row,) = json.loads(claude_machine.psychmem(shop, "list", "--json"))
    assert (row["text"], row["origin"]) == (FACT, "assistant")
