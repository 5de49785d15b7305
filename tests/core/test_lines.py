"""One line for each memory: what the light module knows by name is what the model says."""

from __future__ import annotations

from psychmem_py.core import lines
from psychmem_py.core.model import RULES, Kind
from tests.memories_made import NOW, made


def test_every_class_has_its_word() -> None:
    assert set(lines.CALLED) == {str(kind) for kind in Kind}
    assert {str(kind) for kind in RULES} == lines.LASTING


def test_invisible_signs_are_taken_out_of_a_line() -> None:
    assert lines.one_line(made("a\u200bb  c\n\x1b[31md", Kind.DECISION)) == "- ab c d (decision)"
    assert lines.one_line(made("plain   text", Kind.BUGFIX)) == "- plain text (fix)"


def test_a_changed_file_is_mentioned() -> None:
    assert lines.dated_line(made("x", Kind.CONSTRAINT), NOW, stale=True) == "- x (rule, file changed since)"
