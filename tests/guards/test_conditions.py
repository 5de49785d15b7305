"""What a code word in a rule is taken for, and what a word of a command line counts as."""

from __future__ import annotations

import pytest

from psychmem_py.guards.call import _words
from psychmem_py.guards.conditions import of_code


@pytest.mark.parametrize(
    ("code", "text", "program"),
    [
        ("getInvoice", "getInvoice", ""),
        ("FIXME", "FIXME", ""),
        ("retry_later()", "retry_later", ""),
        ("terraform", "", "terraform"),
        ("Terraform", "", "terraform"),
        ("7Zip", "", "7zip"),
        ("jQ", "", "jq"),
        ("<<<", "", ""),
    ],
)
def test_a_code_word_is_text_by_its_signs_and_capitals_and_a_program_without(code: str, text: str, program: str) -> None:
    found = [(one.text, one.programs) for one in of_code(code)]
    assert found == [((text,), ())] * bool(text) + [((), (program,))] * bool(program)


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
