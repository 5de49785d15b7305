"""The module inside the real Claude Code: it says what was prepared while the command hooks only take notes, and they say it when it cannot."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.e2e.claude import Machine, client, hook_launcher
from tests.e2e.model_server import Model, call
from tests.e2e.npm import installed
from tests.e2e.test_claude_code import RULE, told
from tests.hooks import QUIET, eventually

pytestmark = pytest.mark.long


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, client(), hook_launcher(tmp_path / "plugin"))


def silence_starts(machine: Machine) -> None:
    """Lets the command hook of a start say nothing: whatever is told then, the module says."""
    run = machine.plugin / "hooks" / "run"
    run.write_text(run.read_text().replace("#!/bin/sh\n", '#!/bin/sh\n[ "$1" = inject ] && exec >/dev/null\n'))


def without_module(machine: Machine, text: str = "") -> None:
    """Leaves the plugin a module that says `text`, or none."""
    hooks = machine.plugin / "hooks" / "hooks.json"
    if text:
        (hooks.parent / "module.js").write_text(text)
        return
    record = json.loads(hooks.read_text())
    del record["modules"]
    hooks.write_text(json.dumps(record))


def test_the_module_says_the_brief_by_itself_once_a_session_and_again_after_a_compaction(machine: Machine) -> None:
    shop = machine.project("shop")
    with Model() as model:
        machine.run(shop, model.url, RULE, **QUIET)
        silence_starts(machine)
        session = json.loads(machine.run(shop, model.url, "Hello", "--output-format", "json", **QUIET))["session_id"]
        machine.run(shop, model.url, "Shall I use npm or pnpm in this repository?", "--resume", session, **QUIET)
        assert [told(request) for request in model.texts(1)] == [1, 1]
        machine.run(shop, model.url, "/compact", "--resume", session, **QUIET)
        again = model.turn(lambda: machine.run(shop, model.url, "Hello again", "--resume", session, **QUIET))
        assert [told(request) for request in again] == [1]


def test_with_module_and_command_hook_each_start_is_told_once(machine: Machine) -> None:
    shop = machine.project("shop")
    hooks = json.loads((machine.plugin / "hooks" / "hooks.json").read_text())["hooks"]
    text = json.dumps({"hooks": hooks}).replace("${CLAUDE_PLUGIN_ROOT}", str(machine.plugin))
    (machine.home / ".claude" / "settings.json").write_text(text)  # and a third time, by the settings
    with Model() as model:
        machine.run(shop, model.url, RULE, **QUIET)
        for _ in range(2):
            machine.run(shop, model.url, "Hello", **QUIET)
        assert [told(request) for request in model.texts(1)] == [1, 1]


FAULTS = {
    "throws as it loads": "throw new Error('no')",
    "throws as it registers": "export const register = () => { throw new Error('no') }",
    "throws at the event": "export const register = (on) => on('classic.SessionStart', async () => { throw new Error('no') })",
    "never answers": "export const register = (on) => on('classic.SessionStart', () => new Promise(() => {}))",
    "is gone": "",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_where_the_module_fails_the_command_hook_says_it(machine: Machine, fault: str) -> None:
    shop = machine.project("shop")
    with Model() as model:
        machine.run(shop, model.url, RULE, **QUIET)
        without_module(machine, FAULTS[fault])
        machine.run(shop, model.url, "Hello", **QUIET)
        assert [told(request) for request in model.texts(1)] == [1]


def test_it_is_of_the_types_that_the_client_declares(machine: Machine) -> None:
    compiler = installed("typescript", "5.9.3", "typescript/bin/tsc")
    types = machine.plugin / ".claude-plugin" / "types"
    with Model() as model, machine.terminal(machine.project("shop"), model.url):
        eventually(lambda: (types / "tsconfig.json").exists() and (types / "claude-code" / "index.d.ts").exists(), limit_s=30)
    project = {"extends": "./.claude-plugin/types/tsconfig.json", "include": ["hooks/*.js"]}
    project["compilerOptions"] = {"allowJs": True, "checkJs": True, "typeRoots": [".claude-plugin/types"]}
    (machine.plugin / "check.json").write_text(json.dumps(project))
    command = ["node", str(compiler), "-p", str(machine.plugin / "check.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout


def test_what_a_turn_brought_is_told_once_and_taken_back_by_a_word(machine: Machine) -> None:
    shop = machine.project("shop")
    machine.people()
    with Model() as model, machine.terminal(shop, model.url) as terminal:
        terminal.shows("auto mode on")
        terminal.type(RULE)
        terminal.shows("kept: Never use npm")
        terminal.type("/forget")
        terminal.shows("forgot")
        settled = json.loads(machine.psychmem(shop, "list", "--json"))
    assert settled == []
    assert len(model.requests) == 1


def test_the_pane_shows_what_came_and_its_buttons_do_what_they_say(machine: Machine) -> None:
    shop = machine.project("shop")
    machine.people()
    with Model() as model, machine.terminal(shop, model.url) as terminal:
        terminal.shows("auto mode on")
        terminal.type("/remember The port of the shop is 8080")
        terminal.shows("remembered [0-9a-f]{8}")
        (row,) = json.loads(machine.psychmem(shop, "list", "--json"))
        terminal.type("/memories")
        terminal.shows(r"Kept today\s+(?s:.*)keep \](?s:.*)Pending: nothing")
        terminal.type("", "C-x", "Tab")
        terminal.type("", "Tab")
        terminal.type("", "Tab")  # from keep to forget
        terminal.type("")
        terminal.shows("Kept today: nothing")
        assert json.loads(machine.psychmem(shop, "list", "--json")) == []
        terminal.type("", "Tab")
        terminal.type("")
        terminal.shows("took back")
        assert [one["id"] for one in json.loads(machine.psychmem(shop, "list", "--json"))] == [row["id"]]
    assert row["origin"] == "user_cli"  # a person's own Enter
    assert model.requests == []


def test_a_command_that_no_person_entered_speaks_for_the_agent(machine: Machine) -> None:
    shop = machine.project("shop")
    machine.people()
    with Model() as model:
        assert "remembered" in machine.run(shop, model.url, "/remember The port of the shop is 8080")
        assert "8080" in machine.run(shop, model.url, "/memories port")
    assert [one["origin"] for one in json.loads(machine.psychmem(shop, "list", "--json"))] == ["assistant"]
    assert model.requests == []


def test_the_command_hook_is_told_who_entered_the_prompt(machine: Machine) -> None:
    shop = machine.project("shop")
    run = machine.plugin / "hooks" / "run"
    note = '[ "$1" = prompt ] && echo "$PSYCHMEM_TYPED_BY" >"$HOME/who"\n'
    run.write_text(run.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\n{note}"))
    with Model(turns=[call("Bash", command="env > who-in-bash"), "Done."]) as model:
        reply = machine.run(shop, model.url, "Hello", "--output-format", "json", "--allowedTools", "Bash")
    assert (machine.home / "who").read_text() == f"{json.loads(reply)['session_id']} sdk\n"
    assert "PSYCHMEM_TYPED_BY" not in (shop / "who-in-bash").read_text()


def test_the_plugins_own_configuration_is_a_setting_of_both(machine: Machine) -> None:
    shop = machine.project("shop")
    given = json.dumps({"pluginConfigs": {"psychmem": {"options": {"budget": 600, "reminders": False}}}})
    with Model() as model:
        for number in range(12):
            text = f"Service number {number} of this shop listens on port {8000 + number}"
            machine.psychmem(shop, "remember", text, "--project", ".")
        machine.run(shop, model.url, "Hello", **QUIET)
        machine.run(shop, model.url, "Hello", "--settings", given, **QUIET)
        silence_starts(machine)
        machine.run(shop, model.url, "Hello", "--settings", given, **QUIET)
        lines = [request.count("listens on port") for request in model.texts()]
    assert lines[0] > 6
    assert 1 <= lines[1] == lines[2] <= 6


def test_the_clients_small_model_reads_when_it_was_switched_on(machine: Machine) -> None:
    shop = machine.project("shop")
    machine.people()
    with Model(rules={'"protocol":2': json.dumps({"keep": []})}) as model:
        machine.psychmem(shop, "judge", "--with", "client")
        machine.run(shop, model.url, RULE, **QUIET)
        with machine.terminal(shop, model.url) as terminal:
            terminal.shows("auto mode on")
            terminal.type("What is the capital of France?")
            eventually(lambda: json.loads(machine.psychmem(shop, "judge", "--json"))["calls_today"] == 1)
    asked = [body for body in model.requests if "protocol" in json.dumps(body["messages"])]
    assert ["haiku" in body["model"] for body in asked] == [True]
    assert json.loads(machine.psychmem(shop, "list", "--json")) == []
