"""What each event may load: imports are what a hook costs, and a set of names is a sharper limit than a clock."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from psychmem_py.briefing.actionable import actionable
from psychmem_py.briefing.prepared import RuleIndex, write_rules
from psychmem_py.guards.trigger import packed
from tests.hooks import COMMAND, PAYLOADS, ROOT, settle

# Heavy, and never needed before an agent goes on.
NEVER = set(
    """typer rich dataclasses regex tomllib platformdirs subprocess inspect logging argparse asyncio socket tempfile shutil random
    urllib.request ssl email multiprocessing concurrent.futures unittest site""".split()
)
# What costs more than the whole rest of a process that only takes a note.
LIGHT = NEVER | set("sqlite3 _sqlite3 pathlib hashlib datetime json re typing enum collections functools signal".split())
# What a prompt does without: it only reads, and classes, settings and times go by their plain values.
READING = (LIGHT - {"_sqlite3"}) | {"contextlib", "types", "operator"}
OURS = "model.records model.settings safety.control_chars safety.suspicion agents.claude_topics home.config"
READING |= {f"psychmem_py.{name}" for name in OURS.split()}
_CODE = COMMAND[4].replace("sys.exit(main())", "import os; os._exit = abs; main(); sys.stderr.write('\\n'.join(sys.modules))")


def loaded(event: str, payload: str) -> set[str]:
    """The modules in a hook's process when it ends."""
    raw = json.loads((PAYLOADS / f"claude-code-2.1.329-{payload}.json").read_bytes())
    raw["cwd"] = os.environ["HOME"]
    command = [*COMMAND[:4], _CODE, *COMMAND[5:], event]
    done = subprocess.run(command, input=json.dumps(raw).encode(), capture_output=True, check=True)
    settle()
    return set(done.stderr.decode().splitlines())


@pytest.mark.parametrize(("event", "payload", "forbidden"), [
    ("tool-after", "PostToolUse-Bash", LIGHT),
    ("tool-after", "PostToolUseFailure-Bash", LIGHT),
    ("before", "PreToolUse-Edit", LIGHT),
    ("stop", "Stop", LIGHT),
    ("session-end", "SessionEnd-other", LIGHT),
    ("inject", "SessionStart-startup", NEVER | {"typing"}),
    ("prompt", "UserPromptSubmit", READING),
])  # fmt: skip
def test_a_hook_loads_nothing_heavy(event: str, payload: str, forbidden: set[str]) -> None:
    if event == "prompt":
        loaded(event, payload)  # the first makes the store
    found = loaded(event, payload)
    assert found & forbidden == set()
    assert "psychmem_py.hooks.entry" in found


def ours(event: str, payload: str) -> set[str]:
    """Which of our modules these are."""
    return {name.removeprefix("psychmem_py.") for name in loaded(event, payload) if name.startswith("psychmem_py.")}


def test_each_event_loads_these_of_our_modules_and_no_others(home: Path) -> None:
    found = ours("tool-after", "PostToolUse-Bash")
    assert not (home / "psychmem" / "memory.db").exists()
    # fmt: off
    assert found == {
        "agents", "agents.claude_code", "agents.event", "agents.tool_traces", "errors", "home",
        "home.journal", "home.light_json", "home.places", "home.surroundings", "hooks", "hooks.entry", "safety", "safety.secret_free",
    }
    made = packed(rule for text in ("Never push to main", "Never edit go.mod") if (rule := actionable("r", text)))
    write_rules(str(home / "psychmem" / "memory.db"), os.environ["HOME"], RuleIndex(made, made_from="these"))
    found = ours("before", "PreToolUse-Edit")
    # fmt: off
    assert found == {
        "agents", "agents.claude_code", "agents.event", "briefing", "briefing.at_call", "briefing.prepared", "errors", "guards",
        "guards.call", "guards.shell", "guards.trigger", "home", "home.light_json", "home.places",
        "home.surroundings", "hooks", "hooks.entry", "model", "model.light_record", "model.tools",
    }
    # fmt: on
    assert not (home / "psychmem" / "memory.db").exists()
    loaded("prompt", "UserPromptSubmit")  # makes the store
    found = ours("prompt", "UserPromptSubmit")
    assert (home / "psychmem" / "memory.db").exists()
    # fmt: off
    assert found == {
        "agents", "agents.claude_code", "agents.event",
        "briefing", "briefing.at_prompt", "errors",
        "home", "home.journal", "home.light_json", "home.places", "home.project", "home.surroundings",
        "hooks", "hooks.entry", "model", "model.light_record", "recall",
        "recall.memory_line", "recall.query", "recall.ranking", "safety", "safety.fence", "store", "store.matches", "store.read_only", "store.sqlite", "text",
        "text.dates", "text.likeness", "text.tokenizer",
        "words",
    }
    # fmt: on


def test_directories_to_be_ignored_are_looked_up_without_anything_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PSYCHMEM_IGNORE", "/nowhere/*, ~/private/*")
    loaded("tool-after", "PostToolUse-Bash")  # the first makes our directory, the second keeps the settings compiled there
    loaded("tool-after", "PostToolUse-Bash")
    assert loaded("tool-after", "PostToolUse-Bash") & LIGHT == set()


_OF_MEMORIES = {f"psychmem_py.{name}" for name in ("model.records", "model.settings", "safety.control_chars")}


def test_a_resumed_session_is_told_without_what_only_writing_needs_and_a_ready_brief_with_little_of_sqlite(home: Path) -> None:
    loaded("inject", "SessionStart-startup")  # makes the store
    found = loaded("inject", "SessionStart-resume")
    assert found & (READING - _OF_MEMORIES) == set()
    assert found & {"psychmem_py.store.connection", "psychmem_py.store.change_log"} == set()
    loaded("stop", "Stop")  # the child makes the brief
    assert loaded("inject", "SessionStart-startup") & {"collections", "functools", "types"} == set()
    assert (home / "psychmem" / "memory.db").exists()


_COMMAND = """
import sys; sys.path.insert(0, sys.argv.pop(1))
from psychmem_py.cli import main
try:
    main()
finally:
    print(*sys.modules, sep="\\n", file=sys.stderr)
"""
_EXTRACTING = {
    "psychmem_py.mcp_door.server",
    "regex",
    "psychmem_py.extraction.sweep",
    "psychmem_py.languages.matcher",
    "psychmem_py.safety.told_values",
}


@pytest.mark.parametrize(
    ("words", "forbidden"),
    [
        (["status"], _EXTRACTING | {"psychmem_py.safety.secrets", "rich.console", "rich.table"}),
        (["list"], _EXTRACTING | {"psychmem_py.safety.secrets"}),
        (["search", "words"], _EXTRACTING | {"psychmem_py.safety.secrets"}),
        (["stats"], _EXTRACTING | {"psychmem_py.safety.secrets", "rich.table"}),
        (["review"], {"regex", "psychmem_py.extraction.sweep", "psychmem_py.languages.matcher"}),
        (["remember", "We build at night", "--class", "semantic", "--user"], {"regex", "psychmem_py.extraction.sweep"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_into_a_pipe_loads_only_what_it_needs(home: Path, words: list[str], forbidden: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", _COMMAND, ROOT, *words], cwd=home, capture_output=True, check=True, text=True)
    assert set(done.stderr.splitlines()) & forbidden == set()


def test_after_the_store_was_loaded_functools_is_python_s_own() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from psychmem_py.store.sqlite import sqlite3; print('functools' in sys.modules);"
        "import functools; print(functools.lru_cache.__module__, sqlite3.connect(':memory:').execute('select 7').fetchone()[0])"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, ROOT], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["False", "functools", "7"]
