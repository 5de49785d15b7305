"""What each event may load: imports are what a hook costs, and a set of names is a sharper limit than a clock."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from psychmem_py.briefing.fill_rule_index import actionable
from psychmem_py.briefing.rule_index import RuleIndex, write
from tests.hooks import COMMAND, PAYLOADS, settle

# Heavy, and never needed before an agent goes on.
NEVER = {
    "typer",
    "rich",
    "dataclasses",
    "regex",
    "tomllib",
    "platformdirs",
    "subprocess",
    "inspect",
    "logging",
    "argparse",
    "asyncio",
    "socket",
}
NEVER |= {
    "tempfile",
    "shutil",
    "random",
    "urllib.request",
    "ssl",
    "email",
    "multiprocessing",
    "concurrent.futures",
    "unittest",
    "site",
}
# What costs more than the whole rest of a process that only takes a note.
LIGHT = NEVER | {
    "sqlite3",
    "_sqlite3",
    "pathlib",
    "hashlib",
    "datetime",
    "json",
    "re",
    "typing",
    "enum",
    "collections",
    "functools",
    "signal",
}
# What a prompt does without: it only reads, and classes, settings and times go by their plain values.
READING = NEVER | {"sqlite3", "pathlib", "hashlib", "datetime", "json", "re", "typing", "enum", "contextlib", "signal"}
READING |= {
    f"psychmem_py.{name}"
    for name in (
        "model.records",
        "model.terms",
        "model.settings",
        "safety.control_chars",
        "safety.suspicion",
        "recall.memory_index",
        "home.config",
        "home.directories",
    )
}
_CODE = COMMAND[4].replace("sys.exit(main())", "import os; os._exit = abs; main(); sys.stderr.write('\\n'.join(sys.modules))")


def loaded(event: str, payload: str) -> set[str]:
    """The modules in a hook's process when it ends."""
    raw = json.loads((PAYLOADS / f"claude-code-2.1.329-{payload}.json").read_bytes())
    raw["cwd"] = os.environ["HOME"]
    command = [*COMMAND[:4], _CODE, *COMMAND[5:], event]
    done = subprocess.run(command, input=json.dumps(raw).encode(), capture_output=True, check=True)
    settle()
    return set(done.stderr.decode().splitlines())


@pytest.mark.parametrize(
    ("event", "payload", "forbidden"),
    [
        ("tool-after", "PostToolUse-Bash", LIGHT),
        ("tool-after", "PostToolUseFailure-Bash", LIGHT),
        ("before", "PreToolUse-Edit", LIGHT),
        ("stop", "Stop", LIGHT),
        ("session-end", "SessionEnd-other", LIGHT),
        ("inject", "SessionStart-startup", NEVER | {"typing"}),
        ("prompt", "UserPromptSubmit", READING),
    ],
)
def test_a_hook_loads_nothing_heavy(event: str, payload: str, forbidden: set[str]) -> None:
    if event == "prompt":
        loaded(event, payload)  # the first makes the store
    found = loaded(event, payload)
    assert found & forbidden == set()
    assert "psychmem_py.serving.serve" in found


def test_a_tool_event_loads_these_of_our_modules_and_no_others() -> None:
    ours = {
        name.removeprefix("psychmem_py.") for name in loaded("tool-after", "PostToolUse-Bash") if name.startswith("psychmem_py.")
    }
    # fmt: off
    assert ours == {
        "agents", "agents.claude_code", "agents.event", "agents.tool_traces", "errors", "handover", "handover.journal", "home",
        "home.heartbeat", "home.light_json", "home.places", "home.surroundings", "hooks", "hooks.entry", "safety", "safety.secret_free", "serving",
        "serving.serve",
    }
    # fmt: on


def test_before_a_call_that_breaks_no_rule_these_of_our_modules_are_loaded_and_no_others(home: Path) -> None:
    rules = RuleIndex([rule for text in ("Never push to main", "Never edit go.mod") if (rule := actionable("r", text))], "")
    write(str(home / "psychmem" / "memory.db"), os.environ["HOME"], rules, "")
    ours = {name.removeprefix("psychmem_py.") for name in loaded("before", "PreToolUse-Edit") if name.startswith("psychmem_py.")}
    # fmt: off
    assert ours == {
        "agents", "agents.claude_code", "agents.event", "briefing", "briefing.at_call", "briefing.rule_index", "errors", "guards",
        "guards.call", "guards.shell", "guards.trigger", "home", "home.heartbeat", "home.light_json", "home.places",
        "home.surroundings", "hooks", "hooks.entry", "model", "model.light_record", "serving", "serving.serve",
    }
    # fmt: on
    assert not (home / "psychmem" / "memory.db").exists()


def test_a_tool_event_leaves_the_database_alone(home: Path) -> None:
    loaded("tool-after", "PostToolUse-Bash")
    assert not (home / "psychmem" / "memory.db").exists()


def test_a_prompt_loads_these_of_our_modules_and_no_others(home: Path) -> None:
    loaded("prompt", "UserPromptSubmit")  # makes the store
    ours = {name.removeprefix("psychmem_py.") for name in loaded("prompt", "UserPromptSubmit") if name.startswith("psychmem_py.")}
    assert (home / "psychmem" / "memory.db").exists()
    # fmt: off
    assert ours == {
        "agents", "agents.claude_code", "agents.claude_memory", "agents.claude_slug", "agents.event",
        "briefing", "briefing.at_prompt", "briefing.prompt", "errors", "handover", "handover.claims", "handover.journal",
        "home", "home.file_versions", "home.git", "home.heartbeat", "home.light_json", "home.places", "home.project", "home.surroundings",
        "hooks", "hooks.entry", "model", "model.light_record", "model.recall_settings", "model.statuses", "recall",
        "recall.chance", "recall.memory_line", "recall.query", "recall.ranking", "safety", "safety.fence", "serving",
        "serving.serve", "store", "store.ledger", "store.matches", "store.other_words", "store.read_only", "store.rule_file_trust", "store.schema", "store.state", "text",
        "text.compiled_words", "text.dates", "text.spelling", "text.stems", "text.synonyms", "text.tokenizer",
        "text.utf16",
    }
    # fmt: on


def test_a_resumed_session_is_told_without_what_only_writing_needs(home: Path) -> None:
    loaded("inject", "SessionStart-startup")  # makes the store
    assert loaded("inject", "SessionStart-resume") & {"json", "sqlite3", "datetime", "typing", "hashlib"} == set()
    assert (home / "psychmem" / "memory.db").exists()
