"""Sections and kinds of documents, and the line that tells a memory."""

from psychmem_py.model.records import RULES, Kind
from psychmem_py.recall import memory_line
from psychmem_py.recall.documents import found, in_folder, kind_of, parsed
from psychmem_py.safety.fence import CLASS_LABELS
from tests.data import holds, written
from tests.memories_made import NOW, made

TEXT = written("document.txt")


def test_anchors_and_headings_make_sections_and_what_is_wrong_with_one_is_said() -> None:
    document = parsed("docs/login.md", TEXT)
    assert document.title == "Login"
    sections = [("summary", "summary"), ("", ""), ("", "Login"), ("", "Limits")]
    assert [(one.anchor, one.heading) for one in document.sections] == sections
    assert sum("Redis" in one.text for one in document.sections) == 1
    assert parsed("a.md", "<!-- ANCHOR:a -->\nx").faults == ("anchor a is opened and never closed",)
    twice = 2 * "<!-- ANCHOR:a -->\nx\n<!-- /ANCHOR:a -->\n"
    assert parsed("a.md", twice).faults == ("anchor a stands twice; the first one counts",)


test_a_document = holds("recall", {"a path tells what a document is": lambda path, kind: (kind_of(path), kind)})


def test_a_folder_is_met_by_its_whole_name() -> None:
    assert in_folder("specs/003-memory/spec.md", "003-memory")
    assert in_folder("specs/003-memory/notes/a.md", "specs/003-memory")
    assert not in_folder("specs/003-memory-upgrade/spec.md", "003-memory")
    assert not in_folder("003-memory", "003-memory")


def test_a_specification_comes_before_a_readme_and_a_common_word_alone_finds_nothing() -> None:
    said = "# Queue\n\nOrder events go through Kafka.\n"
    hits = found([parsed("README.md", said), parsed("specs/1/spec.md", said)], "which queue for order events")
    assert [hit.document.kind for hit in hits] == ["spec", "readme"]
    several = [parsed(f"docs/{n}.md", f"# Part {n}\n\nThe service runs in region {n}.\n") for n in range(5)]
    assert found(several, "how does the service rotate its signing keys") == []


def test_a_line_names_its_class_and_how_its_file_has_changed_and_has_no_invisible_signs() -> None:
    assert set(CLASS_LABELS) == {str(kind) for kind in Kind}
    assert {str(kind) for kind in RULES} == memory_line.LASTING
    assert memory_line.one_line(made("a\u200bb  c\n\x1b[31md", Kind.DECISION)) == "- ab c d (decision)"
    assert memory_line.one_line(made("plain   text", Kind.BUGFIX)) == "- plain text (fix)"
    noted = memory_line.dated_line(made("x", Kind.CONSTRAINT), NOW, changed=memory_line.changed_since("a.py", "", 3))
    assert noted == "- x (rule, a.py changed since, in 3 sessions)"
    assert memory_line.changed_since("a.py", "", 1) == "a.py changed since"
    assert memory_line.changed_since("a.py", "retry", 1) == "`retry` no longer stands in a.py"
