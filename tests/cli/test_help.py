"""What help says, in plain words and without loading what is not needed; and settings set by command."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from psychmem_py.cli import ALIASES, COMMANDS
from psychmem_py.cli.app import whole
from tests.cli.test_every_command import LEAVES
from tests.data import cases
from tests.test_cli import ROOT, run, told

FIRST = [(name, sentence) for name, _, heading, sentence in COMMANDS if heading]


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_the_commands_people_need_fit_one_screen(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line.startswith("  ")] == [f"  {name:<12}{sentence}" for name, sentence in FIRST]
    assert len(FIRST) <= 20
    assert max(len(sentence) for _, sentence in FIRST) <= 60


def test_help_all_tells_every_command_and_every_older_name_in_words_and_not_in_types(tmp_path: Path) -> None:
    lines = run("help", "--all", cwd=tmp_path).stdout.splitlines()
    assert [line for line in lines if len(line) > 80 or "…" in line] == []
    assert [name for name, _, _, sentence in COMMANDS if len(sentence) > 60] == []
    for name in [name for name, *_ in COMMANDS] + [old for old, _, _ in ALIASES]:
        assert [line for line in lines if line.startswith(f"  {name} ")], name
    for name, *_ in COMMANDS:
        done = CliRunner().invoke(whole(), [*name.split(), "--help"], prog_name="psychmem", env={"COLUMNS": "80"})
        assert done.exit_code == 0
        assert not re.search(r"list\[|<bool>|int range|\[x>=|INTEGER|<str>|BOOLEAN", done.stdout), name
        assert f"Usage: psychmem {name}" in done.stdout
        assert "…" not in done.stdout.partition("--class CLASS")[2].partition("\n\n")[0], name
        leads_on = any(other.startswith(f"{name} ") for other in LEAVES)
        assert leads_on or f"psychmem {name}" in done.stdout.partition("Examples:")[2], name


@pytest.mark.parametrize(
    ("wish", "name", "word"), cases("cli", "what is wished for, the command that does it and the word one looks for")
)
def test_a_reader_finds_what_is_wished_for_in_one_guess(wish: str, name: str, word: str) -> None:
    """The word one looks for stands in the line of one command of the first screen, and of no other."""
    assert [found for found, sentence in FIRST if re.search(rf"\b{word}", sentence, re.IGNORECASE)] == [name]


def test_the_overview_loads_no_command_and_a_command_no_other() -> None:
    code = "import sys; from psychmem_py.cli import main\ntry: main()\nfinally: sys.stderr.write(' '.join(sys.modules))"

    def loaded(*words: str) -> set[str]:
        done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, check=True)
        return set(done.stderr.split())

    assert not {"typer", "rich", "sqlite3", "psychmem_py.cli.app"} & loaded()
    listed = loaded("list", "--json")
    ours = {name.rpartition(".")[2] for name in listed if name.startswith("psychmem_py.cli.commands.")}
    assert ours == {"listing"}
    assert not {"rich.console", "regex", "psychmem_py.extraction", "tomllib"} & listed


def test_a_setting_is_set_read_back_and_taken_out_and_a_value_that_cannot_be_changes_nothing(tmp_path: Path) -> None:
    path = Path(told("config", "path", cwd=tmp_path)["path"])
    path.parent.mkdir(parents=True)
    path.write_text("# mine\n[forgetting]\ndecay_threshold = 0.8 # so\n")
    assert run("config", "set", "stores.long_term_classes", "bugfix", "--dry-run", cwd=tmp_path).returncode == 0
    assert "bugfix" not in path.read_text()
    run("config", "set", "long_term_classes", "bugfix", cwd=tmp_path)
    row = told("config", "get", "long_term_classes", cwd=tmp_path)
    assert (row["key"], row["value"], row["origin"]) == ("stores.long_term_classes", "bugfix", str(path))
    run("config", "set", "inject_on_compaction", "no", cwd=tmp_path)
    assert "inject_on_compaction = false" in path.read_text()
    run("config", "unset", "long_term_classes", cwd=tmp_path)
    assert told("config", "get", "long_term_classes", cwd=tmp_path)["origin"] == "default"
    run("config", "set", "decay_threshold", "0.7", cwd=tmp_path)
    assert path.read_text().startswith("# mine\n[forgetting]\ndecay_threshold = 0.7 # so\n")
    run("config", "set", "judge.calls_per_day", "7", cwd=tmp_path)
    wrong = {"judge.calls_per_day": "many", "stores.stm_half_life_d": "magic", "decay_threshold": "-2",
             "retrieval.max_prompt_memories": "999", "brief_limit_chars": "5", "extraction.languages": "xx"}  # fmt: skip
    for name, value in wrong.items():
        done = run("config", "set", name, value, cwd=tmp_path)
        assert (done.returncode, value in done.stderr) == (2, True), name
    assert told("config", "get", "calls_per_day", cwd=tmp_path)["value"] == 7
    done = run("config", "get", "stm_half_lif_d", cwd=tmp_path)
    assert (done.returncode, "did you mean stm_half_life_d" in done.stderr) == (2, True)
    hint = run("config", "get", "nope", cwd=tmp_path).stderr.partition("did you mean ")[2].rstrip("?\n").split(" or ")
    assert len(set(hint)) == len(hint)
    path.write_text("\ufeff[general]\r\nepisodes = false\r\n")
    assert told("config", "unset", "episodes", "--dry-run", cwd=tmp_path)["value"] is True
    assert run("config", "set", "episodes", "yes", cwd=tmp_path).returncode == 0
    forms = ("general = { episodes = true }\n", "episodes = true\n", "[general]\nepisodes = [\n1]\n")
    for form, change in zip(forms, ("set episodes no", "unset episodes", "unset episodes"), strict=True):
        path.write_text(form)
        assert ("change it there" in run("config", *change.split(), cwd=tmp_path).stderr, path.read_text()) == (True, form)


def test_completion_is_a_script_the_shell_understands(tmp_path: Path) -> None:
    script = tmp_path / "c.bash"
    script.write_text(run("completion", "bash", cwd=tmp_path).stdout)
    for words, expected in (("psychmem li", {"list"}), ("psychmem list --st", {"--status"})):
        asked = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_PSYCHMEM_COMPLETE": "complete_bash"}
        assert set(run(cwd=tmp_path, **asked).stdout.split()) == expected
    assert subprocess.run(["bash", "-n", script], check=True).returncode == 0
    assert "complete --command psychmem" in run("completion", "fish", cwd=tmp_path).stdout
