"""One line for each memory: what the light module knows by name is what the model says."""

from __future__ import annotations

from psychmem_py.model.terms import RULES, Kind
from psychmem_py.recall import memory_line
from psychmem_py.safety.fence import CLASS_LABELS
from tests.memories_made import NOW, made


def test_every_class_has_its_word() -> None:
    assert set(CLASS_LABELS) == {str(kind) for kind in Kind}
    assert {str(kind) for kind in RULES} == memory_line.LASTING


def test_invisible_signs_are_taken_out_of_a_line() -> None:
    assert memory_line.one_line(made("a\u200bb  c\n\x1b[31md", Kind.DECISION)) == "- ab c d (decision)"
    assert memory_line.one_line(made("plain   text", Kind.BUGFIX)) == "- plain text (fix)"


def test_how_a_file_has_changed_is_mentioned() -> None:
    noted = memory_line.dated_line(made("x", Kind.CONSTRAINT), NOW, changed=memory_line.changed_since("a.py", sessions=3))
    assert noted == "- x (rule, a.py changed since, in 3 sessions)"
    assert memory_line.changed_since("a.py", sessions=1) == "a.py changed since"
    assert memory_line.changed_since("a.py", "retry", 3) == "`retry` no longer stands in a.py"
