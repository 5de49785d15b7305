"""Single settings of config.toml are changed, and nothing else in it."""

from __future__ import annotations

import tomllib

import pytest

from psychmem_py.home.config import edited

ON = {"by": "command", "command": 'a "b" \\c', "small_model": None}


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("", id="no file"),
        pytest.param("model = 'fsrs'", id="no end of line"),
        pytest.param("# x\n[upkeep]\ngc_after_d = 3 # d\n\n[ judge ] # mine\ncalls_per_day = 3\n\n[scoring]\nbeta = 1\n", id="in the middle"),
        pytest.param('[judge]\ncommand = "old"\nsmall_model = "old"\n', id="set before"),
    ],
)  # fmt: skip
def test_a_setting_is_put_into_its_table_and_the_rest_stays(before: str) -> None:
    after = edited(before, "judge", ON)
    wanted = tomllib.loads(before)
    wanted["judge"] = {**wanted.get("judge", {}), "by": "command", "command": 'a "b" \\c'}
    wanted["judge"].pop("small_model", None)
    assert tomllib.loads(after) == wanted
    assert all(line in after.splitlines() for line in before.splitlines() if "old" not in line)
    assert edited(after, "judge", ON) == after


def test_taking_out_what_is_not_there_changes_nothing() -> None:
    assert edited("a = 1\n", "judge", {"by": None}) == "a = 1\n"
