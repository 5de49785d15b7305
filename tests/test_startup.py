"""What each event may load: imports are what a hook costs, and a set of names is a sharper limit than a clock."""

from __future__ import annotations

import json
import marshal
import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

import psychmem_py
from psychmem_py.briefing.actionable import actionable
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
READING |= {"collections", "functools", "types", "operator"}
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


def test_directories_to_be_ignored_are_looked_up_without_anything_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PSYCHMEM_IGNORE", "/nowhere/*, ~/private/*")
    loaded("tool-after", "PostToolUse-Bash")  # the first makes our directory, the second keeps the settings compiled there
    loaded("tool-after", "PostToolUse-Bash")
    assert loaded("tool-after", "PostToolUse-Bash") & LIGHT == set()


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
        "serving.serve", "store", "store.ledger", "store.matches", "store.other_words", "store.read_only", "store.rule_file_trust", "store.schema", "store.sqlite", "store.state", "text",
        "text.compiled_words", "text.dates", "text.spelling", "text.stems", "text.tokenizer",
        "text.utf16",
    }
    # fmt: on


_OF_MEMORIES = {f"psychmem_py.{name}" for name in ("model.records", "model.terms", "model.settings", "safety.control_chars")}


def test_a_resumed_session_is_told_without_what_only_writing_needs(home: Path) -> None:
    loaded("inject", "SessionStart-startup")  # makes the store
    found = loaded("inject", "SessionStart-resume")
    assert found & (READING - _OF_MEMORIES) == set()
    assert found & {"psychmem_py.store.connection", "psychmem_py.store.change_log", "psychmem_py.store.index"} == set()
    assert (home / "psychmem" / "memory.db").exists()


def test_a_start_with_a_cached_brief_reads_the_store_without_what_sqlite_seldom_needs(home: Path) -> None:
    loaded("stop", "Stop")  # the child makes the store and the brief
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
_EXTRACTING = {"regex", "psychmem_py.extraction.sweep", "psychmem_py.languages.matcher", "psychmem_py.safety.spoken_secrets"}


@pytest.mark.parametrize(
    ("words", "forbidden"),
    [
        (["status"], _EXTRACTING | {"psychmem_py.safety.secrets", "rich.console", "rich.table"}),
        (["list"], _EXTRACTING | {"psychmem_py.safety.secrets"}),
        (["search", "words"], _EXTRACTING | {"psychmem_py.safety.secrets"}),
        (["stats"], _EXTRACTING | {"psychmem_py.safety.secrets", "rich.table"}),
        (
            ["review"],
            {"regex", "psychmem_py.extraction.sweep", "psychmem_py.languages.matcher", "psychmem_py.ingestion.edited_lines"},
        ),
        (["remember", "We build at night", "--class", "semantic", "--user"], {"regex", "psychmem_py.extraction.sweep"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_into_a_pipe_loads_only_what_it_needs(home: Path, words: list[str], forbidden: set[str]) -> None:
    root = str(Path(psychmem_py.__file__).parent.parent)
    done = subprocess.run([sys.executable, "-c", _COMMAND, root, *words], cwd=home, capture_output=True, check=True, text=True)
    assert set(done.stderr.splitlines()) & forbidden == set()


def test_after_the_store_was_loaded_functools_is_python_s_own() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from psychmem_py.store.sqlite import sqlite3; print('functools' in sys.modules);"
        "import functools; print(functools.lru_cache.__module__, sqlite3.connect(':memory:').execute('select 7').fetchone()[0])"
    )
    root = str(Path(psychmem_py.__file__).parent.parent)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, root], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["False", "functools", "7"]


_ASK = """
import sys; sys.path.insert(0, sys.argv[1])
import psychmem_py.inner.leaf as leaf, psychmem_py.alone as alone, psychmem_py.inner as inner
print(leaf.WORD, type(leaf.__spec__.loader).__name__, leaf.__file__, leaf.__cached__, leaf.__package__, *inner.__path__, alone.WORD)
"""


class Copied:
    """A folder with our way of finding modules and a few to find."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.leaf = folder, folder / "psychmem_py" / "inner" / "leaf.py"
        self.leaf.parent.mkdir(parents=True)
        (folder / "psychmem_py" / "__init__.py").write_bytes(Path(psychmem_py.__file__).read_bytes())
        (folder / "psychmem_py" / "alone.py").write_text("WORD = 'alone'\n")
        (self.leaf.parent / "__init__.py").write_text("")
        self.leaf.write_text("WORD = 'old'\n")

    def asked(self, *options: str) -> list[str]:
        """The leaf's word, how it was loaded, its file, its compiled file, its package, the package's path, the other module's word."""
        command = [sys.executable, "-I", "-S", *options, "-c", _ASK, str(self.folder)]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()


@pytest.fixture
def copied(tmp_path: Path) -> Copied:
    return Copied(tmp_path / "copied")


def test_a_compiled_module_is_found_the_short_way_and_looks_as_if_python_had_found_it(copied: Copied) -> None:
    by_python, by_us = copied.asked(), copied.asked()
    assert (by_python.pop(1), by_us.pop(1)) == ("SourceFileLoader", "_Compiled")
    assert by_us == by_python
    assert by_us[0] == "old"
    assert by_us[-1] == "alone"


@pytest.mark.parametrize("text", ["WORD = 'new'\n", "WORD = 'longer'\n"], ids=["same size", "another size"])
def test_a_module_changed_since_it_was_compiled_is_loaded_as_it_is_now(copied: Copied, text: str) -> None:
    copied.asked()
    was = copied.leaf.stat().st_mtime
    copied.leaf.write_text(text)
    os.utime(copied.leaf, (was + 10, was + 10))
    assert copied.asked()[0] == text.split("'")[1]


def test_a_module_with_an_old_date_put_in_the_place_of_another_is_loaded_as_it_is_now(copied: Copied) -> None:
    copied.asked()
    was = copied.leaf.stat().st_mtime
    copied.leaf.write_text("WORD = 'new'\n")
    os.utime(copied.leaf, (was - 1000, was - 1000))
    assert copied.asked()[0] == "new"


def test_a_damaged_compiled_module_is_left_to_python(copied: Copied) -> None:
    compiled = Path(copied.asked()[3])
    compiled.write_bytes(compiled.read_bytes()[:7])
    assert copied.asked()[:2] == ["old", "SourceFileLoader"]
    compiled.write_bytes(b"\0" * 8 + compiled.read_bytes()[8:])  # of another version of Python
    assert copied.asked()[:2] == ["old", "SourceFileLoader"]


def test_modules_compiled_for_another_purpose_are_left_to_python(copied: Copied) -> None:
    copied.asked()
    assert copied.asked("-O")[1] == "SourceFileLoader"
    assert copied.asked("-X", f"pycache_prefix={copied.folder}/elsewhere")[1] == "SourceFileLoader"
    py_compile.compile(str(copied.leaf), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    assert copied.asked()[1] == "SourceFileLoader"


def test_every_compiled_module_of_ours_is_small_enough_for_the_short_way() -> None:
    root = Path(psychmem_py.__file__).parent
    large = [path for path in root.rglob("*.py") if len(marshal.dumps(compile(path.read_bytes(), str(path), "exec"))) > 100_000]
    assert large == []
