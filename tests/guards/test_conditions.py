"""What a word of a command line counts as."""

from __future__ import annotations

import pytest

from psychmem_py.guards.call import _words


@pytest.mark.parametrize(
    ("option", "forms"),
    [
        ("-vm", {"-vm", "-v", "-m"}),
        ("-vxyz", {"-vxyz", "-v", "-x", "-y", "-z"}),
        ("-chdir", {"-chdir"}),
        ("-n5", {"-n5"}),
        ("--all", {"--all"}),
        ("--tags=v1", {"--tags=v1", "--tags"}),
    ],
)
def test_letters_behind_one_dash_are_options_each_unless_it_is_a_word(option: str, forms: set[str]) -> None:
    assert _words("git", (option,)) - {"git"} == forms
