"""The settings of one event are read once, and parsed when they have changed; an incomplete compiled form counts for nothing."""

import json
import os
import subprocess
import time
import tomllib
from pathlib import Path

import pytest

from psychmem_py.errors import ConfigError
from psychmem_py.home import config, surroundings
from psychmem_py.home.config import edited
from psychmem_py.home.files import directories
from psychmem_py.home.places import config_file, folder_of
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.records import Kind
from psychmem_py.model.settings import DEFAULTS
from tests.data import cases
from tests.hooks import COMMAND, PAYLOADS, run, settle

FOUR = "max_prompt_memories = 4\nmax_session_memories = 30\nextract_on_message = true\nignore = '/nowhere/*'\n"
# Tells on stderr how often the process opened the config file and whether it loaded what parses it.
_COUNTING = """
import os, sys
opened = []
def look(event, arguments):
    if event == "open" and str(arguments[0]).endswith("config.toml"): opened.append(1)
    if event == "import" and arguments[0] == "tomllib": opened.append("tomllib")
sys.addaudithook(look)
def tell(_code): os.write(2, (str(opened.count(1)) + " " + str(opened.count("tomllib"))).encode())
os._exit = tell
"""


@pytest.fixture
def file(home: Path) -> Path:
    """A config file that has rested for a while."""
    path = home / "psychmem" / "config" / "config.toml"
    path.parent.mkdir(parents=True)
    write(path, FOUR)
    return path


def write(path: Path, text: str, *, age_s: float = 60) -> None:
    path.write_text(text)
    os.utime(path, (time.time() - age_s, time.time() - age_s))


def compiled(home: Path) -> Path:
    return home / "psychmem" / surroundings.COMPILED


def around(**env: str) -> Surroundings:
    return Surroundings({**os.environ, **env}, time.time())


def opens_and_parses(event: str, payload: str) -> str:
    raw = json.loads((PAYLOADS / f"claude-code-2.1.329-{payload}.json").read_bytes())
    raw["cwd"] = os.environ["HOME"]
    command = [*COMMAND[:4], _COUNTING + COMMAND[4], *COMMAND[5:], *event.split()]
    done = subprocess.run(command, input=json.dumps(raw).encode(), capture_output=True, check=True)
    settle()
    return done.stderr.decode()


EVENTS = (
    "inject SessionStart-startup, inject SessionStart-resume, prompt UserPromptSubmit, tool-after PostToolUse-Bash, stop Stop"
)


@pytest.mark.parametrize(("event", "payload"), [pair.split() for pair in EVENTS.split(", ")])
def test_an_event_opens_the_config_file_once_and_only_after_a_change(file: Path, home: Path, event: str, payload: str) -> None:
    assert opens_and_parses(event, payload) == "1 1"
    assert compiled(home).stat().st_mode & 0o777 == 0o600
    assert opens_and_parses(event, payload) == "0 0"
    write(file, FOUR.replace("4", "5"))
    assert opens_and_parses(event, payload) == "1 1"


def test_a_detached_child_opens_the_config_file_once_and_only_after_a_change(file: Path) -> None:
    assert opens_and_parses("work stop", "Stop")[0] == "1"  # what parses it also reads language files
    assert opens_and_parses("work stop", "Stop")[0] == "0"


def test_a_file_written_just_now_is_read_each_time_and_a_removed_one_leaves_the_defaults(file: Path, home: Path) -> None:
    write(file, FOUR, age_s=0)
    assert around().overrides()["max_prompt_memories"] == 4
    assert not compiled(home).exists()
    around().overrides()
    file.unlink()
    assert around().settings() == DEFAULTS


def test_compiled_settings_are_those_of_file_and_environment(file: Path, home: Path) -> None:
    tables = '[classes.decision]\nscope = "user"\nttl_d = "never"\nhalf_life_d = 9\n[retrieval]\nguidance = false\n'
    write(file, f'autoPromoteToLtm = ["decision"]\nscoringWeights = {{recency = 0.1}}\n{tables}')
    variables = {"PSYCHMEM_MAX_PROMPT_MEMORIES": "2", "PSYCHMEM_CLASS_LEARNING_TTL_D": "30", "PSYCHMEM_DB_PATH": "x.db"}
    first = around(**variables).settings()
    assert compiled(home).exists()
    assert around(**variables).settings() == first == config.load({**os.environ, **variables})
    assert first.policy(Kind.DECISION).half_life_d == 9
    assert around().settings().retrieval.max_prompt_memories == DEFAULTS.retrieval.max_prompt_memories
    assert around(PSYCHMEM_DB_PATH="x.db").settings().general.db_path != around().settings().general.db_path == ""


def test_a_broken_file_is_an_error_for_the_settings_it_names_and_loses_no_tool_call(file: Path, home: Path) -> None:
    write(file, "ignore = '/x/*'\nmax_prompt_memories = \n")
    broken = around()
    with pytest.raises(ConfigError):
        broken.setting("ignore")
    with pytest.raises(ConfigError):
        broken.settings()
    assert broken.setting("extract_on_message") is None
    assert around(PSYCHMEM_IGNORE="/y/*").setting("ignore") == "/y/*"
    assert around(PSYCHMEM_EXTRACT_ON_MESSAGE="off").is_off("extract_on_message")
    write(file, "max_prompt_memories = \n")
    run("tool-after", (PAYLOADS / "claude-code-2.1.329-PostToolUse-Bash.json").read_bytes())
    assert list((home / "psychmem" / "journals").iterdir())
    moved = file.rename(home / "psychmem" / "config.toml")
    assert config_file(os.environ) == str(moved)


@pytest.mark.parametrize("given", ["~", "~/mem", "/x/~/mem"])
def test_a_tilde_that_no_shell_expanded_is_the_home_directory(given: str) -> None:
    """A client passes on what its settings file says, wherever it stands."""
    env = {"HOME": "/home/kim", "PSYCHMEM_HOME": given}
    root = given.replace("~", "/home/kim", 1) if given.startswith("~") else given
    assert folder_of("data", env) == root
    assert config_file(env) == f"{root}/config/config.toml"
    assert folder_of("log", env) == f"{root}/log"
    assert [str(path) for path in directories(env)] == [root, f"{root}/config", f"{root}/cache", f"{root}/log"]
    assert Surroundings(env).database_file("opencode") == f"{root}/memory.db"


ON = {"by": "command", "command": 'a "b" \\c', "small_model": None}


@pytest.mark.parametrize("before", cases("home", "a setting is put into its table and the rest stays"))
def test_a_setting_is_put_into_its_table_and_the_rest_stays(before: str) -> None:
    after = edited(before, "judge", ON)
    wanted = tomllib.loads(before)
    wanted["judge"] = {**wanted.get("judge", {}), "by": "command", "command": 'a "b" \\c'}
    wanted["judge"].pop("small_model", None)
    assert tomllib.loads(after) == wanted
    assert all(line in after.splitlines() for line in before.splitlines() if "old" not in line)
    assert edited(after, "judge", ON) == after
