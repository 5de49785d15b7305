"""Claude Code, the real one: what one session says the next is told once, by its module or, where that cannot, by the hooks."""

import json
import shutil
import subprocess

import pytest

from tests.e2e.claude import Machine
from tests.e2e.machine import QUESTION, RULE, installed, program
from tests.e2e.model_server import call
from tests.hooks import QUIET, ROOT, eventually

pytestmark = pytest.mark.long

SLOW = "npm run slow"


def told(requests: list[str]) -> list[int]:
    """How often each request says the rule."""
    return [request.count("always use pnpm") for request in requests]


def behind_its_first_line(machine: Machine, line: str) -> None:
    """Puts a line of sh at the beginning of what starts the hooks."""
    run = machine.plugin / "hooks" / "run"
    run.write_text(run.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\n{line}\n"))


def silence_starts(machine: Machine) -> None:
    """Lets the command hook of a start say nothing: whatever is told then, the module says."""
    behind_its_first_line(machine, '[ "$1" = inject ] && exec >/dev/null')


def without_module(machine: Machine, text: str = "") -> None:
    """Leaves the plugin a module that says `text`, or none."""
    hooks = machine.plugin / "hooks" / "hooks.json"
    if text:
        (hooks.parent / "module.js").write_text(text)
        return
    record = json.loads(hooks.read_text())
    del record["modules"]
    hooks.write_text(json.dumps(record))


def test_a_compaction_keeps_it_and_loses_nothing_said_just_before_it(claude_code: Machine) -> None:
    claude_code.run(RULE)
    session = claude_code.begins()
    claude_code.run("/compact", "--resume", session)
    assert told(claude_code.turn(QUESTION, "--resume", session)) == [1]
    shop = claude_code.project("another")
    full = {**call("Bash", command="echo hi"), "usage": {"input_tokens": 195_000}}
    claude_code.model.turns = ["Noted.", full, "Carrying on."]
    window = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000"}
    session = claude_code.begins(at=shop)
    big = f"{RULE} Now do the big job."
    requests = claude_code.turn(big, "--resume", session, *claude_code.leave, at=shop, **window)
    assert any("detailed summary" in request for request in requests)
    assert told(requests)[-1] >= 1


def test_what_the_agent_saves_with_a_true_quote_is_the_person_s_word(claude_code: Machine) -> None:
    """The client names its session and writes what was typed before a tool runs; an untrue quote: `tests/test_cli.py`."""
    ours = program(claude_code.root / "bin" / "psychmem-command", "psychmem_py.cli")
    rule, quote = "Release notes are written in German", "the release notes go out in German here"
    command = f"{ours} remember '{rule}' --class constraint --quote '{quote}'"
    claude_code.model.turns = [call("Bash", command=command, description="Save a memory"), "Done."]
    claude_code.run(f"Could you look at the readme? By the way {quote}.", *claude_code.leave)
    (row, *_) = [one for one in claude_code.listed() if "German" in one["text"]]
    assert (row["origin"], row["status"]) == ("user_prompt", "active")


def test_the_module_says_the_brief_by_itself_once_a_session_and_again_after_a_compaction(claude_code: Machine) -> None:
    claude_code.run(RULE, **QUIET)
    silence_starts(claude_code)
    session = claude_code.begins(**QUIET)
    claude_code.run("Shall I use npm or pnpm in this repository?", "--resume", session, **QUIET)
    assert told(claude_code.model.texts(1)) == [1, 1]
    claude_code.run("/compact", "--resume", session, **QUIET)
    assert told(claude_code.turn("Hello again", "--resume", session, **QUIET)) == [1]


def test_with_module_and_command_hook_each_start_is_told_once(claude_code: Machine) -> None:
    hooks = json.loads((claude_code.plugin / "hooks" / "hooks.json").read_text())["hooks"]
    text = json.dumps({"hooks": hooks}).replace("${CLAUDE_PLUGIN_ROOT}", str(claude_code.plugin))
    (claude_code.home / ".claude" / "settings.json").write_text(text)  # and a third time, by the settings
    for said in (RULE, "Hello", "Hello"):
        claude_code.run(said, **QUIET)
    assert told(claude_code.model.texts(1)) == [1, 1]


FAULTS = {
    "throws as it loads": "throw new Error('no')",
    "throws as it registers": "export const register = () => { throw new Error('no') }",
    "throws at the event": "export const register = (on) => on('classic.SessionStart', async () => { throw new Error('no') })",
    "never answers": "export const register = (on) => on('classic.SessionStart', () => new Promise(() => {}))",
    "is gone": "",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_where_the_module_fails_the_command_hook_says_it(claude_code: Machine, fault: str) -> None:
    claude_code.run(RULE, **QUIET)
    without_module(claude_code, FAULTS[fault])
    assert told(claude_code.turn("Hello", **QUIET)) == [1]


def test_it_is_of_the_types_that_the_client_declares(claude_code: Machine) -> None:
    compiler = installed("typescript", "5.9.3", "typescript/bin/tsc")
    types = claude_code.plugin / ".claude-plugin" / "types"
    with claude_code.terminal():
        eventually(lambda: (types / "tsconfig.json").exists() and (types / "claude-code" / "index.d.ts").exists(), limit_s=30)
    project = {"extends": "./.claude-plugin/types/tsconfig.json", "include": ["hooks/*.js"]}
    project["compilerOptions"] = {"allowJs": True, "checkJs": True, "typeRoots": [".claude-plugin/types"]}
    (claude_code.plugin / "check.json").write_text(json.dumps(project))
    command = ["node", str(compiler), "-p", str(claude_code.plugin / "check.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout


def test_what_a_turn_brought_is_told_once_and_taken_back_by_a_word(claude_code: Machine) -> None:
    claude_code.people()
    with claude_code.terminal() as terminal:
        terminal.shows("auto mode on")
        terminal.type(RULE)
        terminal.shows("kept: Never use npm")
        terminal.type("/forget")
        terminal.shows("forgot")
        assert claude_code.listed() == []
    assert len(claude_code.model.requests) == 1


def test_the_pane_shows_what_came_and_its_buttons_do_what_they_say(claude_code: Machine) -> None:
    claude_code.people()
    with claude_code.terminal() as terminal:
        terminal.shows("auto mode on")
        terminal.type("/remember The port of the shop is 8080")
        terminal.shows("remembered [0-9a-f]{8}")
        (row,) = claude_code.listed()
        terminal.type("/memories")
        terminal.shows(r"Kept today\s+(?s:.*)keep \](?s:.*)Pending: nothing")
        terminal.type("", "C-x", "Tab")
        terminal.type("", "Tab")
        terminal.type("", "Tab")  # from keep to forget
        terminal.type("")
        terminal.shows("Kept today: nothing")
        assert claude_code.listed() == []
        terminal.type("", "Tab")
        terminal.type("")
        terminal.shows("took back")
        assert [one["id"] for one in claude_code.listed()] == [row["id"]]
    assert row["origin"] == "user_cli"  # a person's own Enter
    assert claude_code.model.requests == []


def test_a_command_that_no_person_entered_speaks_for_the_agent(claude_code: Machine) -> None:
    claude_code.people()
    assert "remembered" in claude_code.run("/remember The port of the shop is 8080")
    assert "8080" in claude_code.run("/memories port")
    assert [one["origin"] for one in claude_code.listed()] == ["assistant"]
    assert claude_code.model.requests == []


def test_the_command_hook_is_told_who_entered_the_prompt(claude_code: Machine) -> None:
    behind_its_first_line(claude_code, '[ "$1" = prompt ] && echo "$PSYCHMEM_TYPED_BY" >"$HOME/who"')
    claude_code.model.turns = [call("Bash", command="env > who-in-bash"), "Done."]
    session = claude_code.begins(*claude_code.leave)
    assert (claude_code.home / "who").read_text() == f"{session} sdk\n"
    assert "PSYCHMEM_TYPED_BY" not in (claude_code.shop / "who-in-bash").read_text()


def test_the_plugins_own_configuration_is_a_setting_of_both(claude_code: Machine) -> None:
    given = json.dumps({"pluginConfigs": {"psychmem": {"options": {"budget": 600, "reminders": False}}}})
    for number in range(12):
        text = f"Service number {number} of this shop listens on port {8000 + number}"
        claude_code.psychmem("remember", text, "--project", ".")
    claude_code.run("Hello", **QUIET)
    claude_code.run("Hello", "--settings", given, **QUIET)
    silence_starts(claude_code)
    claude_code.run("Hello", "--settings", given, **QUIET)
    lines = [request.count("listens on port") for request in claude_code.model.texts()]
    assert lines[0] > 6
    assert 1 <= lines[1] == lines[2] <= 6


def test_the_clients_small_model_reads_when_it_was_switched_on(claude_code: Machine) -> None:
    claude_code.people()
    claude_code.model.rules = {'"protocol":2': json.dumps({"keep": []})}
    claude_code.psychmem("judge", "--with", "client")
    claude_code.run(RULE, **QUIET)
    with claude_code.terminal() as terminal:
        terminal.shows("auto mode on")
        terminal.type(QUESTION)
        eventually(lambda: json.loads(claude_code.psychmem("judge", "--json"))["calls_today"] == 1)
    asked = [body for body in claude_code.model.requests if "protocol" in json.dumps(body["messages"])]
    assert ["haiku" in body["model"] for body in asked] == [True]
    assert [one["text"] for one in claude_code.listed()] == [RULE]  # a reader that keeps nothing costs no rule


def test_the_plugin_brings_the_tools_along_and_a_rule_speaks_at_one(claude_code: Machine) -> None:
    claude_code.people()
    shutil.copy(ROOT / ".mcp.json", claude_code.plugin)
    tool, fact = "mcp__plugin_psychmem_psychmem__memory_save", "Decided on Kafka for the order events"
    claude_code.model.turns = [call(tool, text=fact, kind="decision"), "Saved."]
    claude_code.run("Note it.", "--allowedTools", tool)
    assert [(row["text"], row["origin"]) for row in claude_code.listed()] == [(fact, "assistant")]
    claude_code.psychmem("remember", "Never use the psychmem MCP")
    claude_code.model.turns = [call(tool, text="Kafka has three brokers", kind="decision"), "Saved."]
    assert "The user said on" in claude_code.turn("And that.", "--allowedTools", tool)[-1]


def test_what_was_refused_twice_is_known_in_the_third_session(claude_code: Machine) -> None:
    for _ in range(2):
        claude_code.model.turns = [call("Bash", command=SLOW, description="run it")]
        with claude_code.terminal("--permission-mode", "default") as terminal:
            terminal.shows("shortcuts")
            terminal.type("Run the checks, please.")
            terminal.shows("Do you want to proceed")
            terminal.type("", "Escape")
            terminal.shows("Interrupted|[Rr]ejected|What should Claude do")
            terminal.type("/exit")
        claude_code.settle()
    claude_code.model.turns = [call("Bash", command=SLOW, description="run it"), "Sorry."]
    requests = claude_code.turn("Run the checks again.", *claude_code.leave)
    refused = f"The user refused `{SLOW}` 2 of 2 times"
    assert [text.count(refused) for text in requests] == [1, 2]  # in the brief, then at the call
