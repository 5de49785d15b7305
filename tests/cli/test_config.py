"""Settings got, set and taken out: checked before they are written, and nothing else in the file is touched."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.test_cli import run, told


def test_a_setting_is_set_read_back_and_taken_out_again(tmp_path: Path) -> None:
    path = Path(told("config", "path", "--json", cwd=tmp_path)["path"])
    path.parent.mkdir(parents=True)
    path.write_text("# mine\n[forgetting]\ndecay_threshold = 0.8 # so\n")
    assert run("config", "set", "stores.long_term_classes", "bugfix", "--dry-run", cwd=tmp_path).returncode == 0
    assert "bugfix" not in path.read_text()
    run("config", "set", "long_term_classes", "bugfix", cwd=tmp_path)
    row = told("config", "get", "long_term_classes", "--json", cwd=tmp_path)
    assert (row["key"], row["value"], row["origin"]) == ("stores.long_term_classes", "bugfix", str(path))
    run("config", "set", "inject_on_compaction", "no", cwd=tmp_path)
    assert "inject_on_compaction = false" in path.read_text()
    run("config", "unset", "long_term_classes", cwd=tmp_path)
    assert told("config", "get", "long_term_classes", "--json", cwd=tmp_path)["origin"] == "default"
    assert path.read_text().startswith("# mine\n[forgetting]\ndecay_threshold = 0.8 # so\n")


def test_a_value_that_cannot_be_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    run("config", "set", "judge.calls_per_day", "7", cwd=tmp_path)
    for name, value in (
        ("judge.calls_per_day", "many"),
        ("stores.stm_half_life_d", "magic"),
        ("decay_threshold", "2"),
        ("retrieval.max_prompt_memories", "999"),
        ("brief_limit_chars", "10001"),
    ):
        done = run("config", "set", name, value, cwd=tmp_path)
        assert done.returncode == 2, name
        assert value in done.stderr
    assert told("config", "get", "calls_per_day", "--json", cwd=tmp_path)["value"] == 7
    done = run("config", "get", "stm_half_lif_d", cwd=tmp_path)
    assert (done.returncode, "did you mean stm_half_life_d" in done.stderr) == (2, True)


def test_a_wrong_name_is_answered_with_different_ones(tmp_path: Path) -> None:
    hint = run("config", "get", "nope", cwd=tmp_path).stderr.partition("did you mean ")[2].rstrip("?\n").split(" or ")
    assert len(set(hint)) == len(hint)


def test_completion_is_a_script_the_shell_understands(tmp_path: Path) -> None:
    script = tmp_path / "c.bash"
    script.write_text(run("completion", "bash", cwd=tmp_path).stdout)
    for words, expected in (("psychmem li", {"list", "link"}), ("psychmem list --st", {"--store", "--status"})):
        asked = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_PSYCHMEM_COMPLETE": "complete_bash"}
        assert set(run(cwd=tmp_path, **asked).stdout.split()) == expected
    assert subprocess.run(["bash", "-n", script], check=True).returncode == 0
    assert "complete --command psychmem" in run("completion", "fish", cwd=tmp_path).stdout
    assert run("completion", "tcsh", cwd=tmp_path).returncode == 2
