"""What a shell line runs, whatever it is wrapped in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.guards.acts import triggers
from psychmem_py.guards.call import call_of
from psychmem_py.guards.shell import commands
from psychmem_py.guards.trigger import act
from tests.data import cases


@pytest.mark.parametrize(("line", "run"), cases("guards", "a line is the commands it runs"))
def test_a_line_is_the_commands_it_runs(line: str, run: list[str]) -> None:
    assert [" ".join(one.words) for one in commands(line)] == run


@pytest.mark.parametrize(
    ("line", "writes", "deletes"),
    [
        ("sed -i s/a/b/ db/schema.sql", {"s/a/b/", "db/schema.sql"}, set()),
        ("cat a > b.txt", {"b.txt"}, set()),
        ("rm -rf build/", set(), {"build/"}),
        ("cp a b", {"b"}, set()),
        ("mv a b", {"b"}, {"a"}),
        ("git rm old.py", set(), {"old.py"}),
        ("rm -f /tmp/a $TMPDIR/b c", set(), {"c"}),
        ("sed s/a/b/ x.txt", set(), set()),
        ("grep -r x src", set(), set()),
    ],
)
def test_a_command_says_which_files_it_changes(line: str, writes: set[str], deletes: set[str]) -> None:
    (command,) = call_of("Bash", {"command": line}).commands
    assert (set(command.writes), set(command.deletes)) == (writes, deletes)


@given(st.text(alphabet="git push'\"`$()<>|&;\\\n -=#{}", max_size=80))
def test_whatever_is_written_is_read(line: str) -> None:
    for one in commands(line):
        assert all(isinstance(word, str) for word in one.words)


@pytest.mark.parametrize(("name", "line"), cases("guards", "the same act by other programs"))
def test_the_same_act_by_other_programs(name: str, line: str) -> None:
    call = call_of("Bash", {"command": line})
    assert any(act(one, call) >= 0 for one in triggers(name))


@pytest.mark.parametrize(("name", "line"), cases("guards", "what comes near is another act"))
def test_what_comes_near_is_another_act(name: str, line: str) -> None:
    call = call_of("Bash", {"command": line})
    assert not any(act(one, call) >= 0 for one in triggers(name))
