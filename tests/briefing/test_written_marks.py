"""Files nobody touched are known without reading them."""

from __future__ import annotations

import os
from pathlib import Path

from psychmem_py.briefing import written_marks


def noted(data: Path, folder: Path) -> None:
    (data / written_marks.FOLDER).mkdir()
    (folder / "MEMORY.md").write_text("a line\n")
    written_marks.note(str(data), str(folder), written_marks.marks(str(folder), ["MEMORY.md", "topic.md"]))


def test_files_as_they_were_noted_are_untouched(tmp_path: Path) -> None:
    noted(tmp_path, tmp_path)
    assert written_marks.untouched(str(tmp_path), str(tmp_path))


def test_a_changed_a_new_and_a_removed_file_are_noticed(tmp_path: Path) -> None:
    noted(tmp_path, tmp_path)
    (tmp_path / "topic.md").write_text("new\n")
    assert not written_marks.untouched(str(tmp_path), str(tmp_path))
    (tmp_path / "topic.md").unlink()
    os.utime(tmp_path / "MEMORY.md", ns=(1, 1))
    assert not written_marks.untouched(str(tmp_path), str(tmp_path))
    (tmp_path / "MEMORY.md").unlink()
    assert not written_marks.untouched(str(tmp_path), str(tmp_path))


def test_where_nothing_or_something_broken_was_noted_nothing_is_known(tmp_path: Path) -> None:
    assert not written_marks.untouched(str(tmp_path), str(tmp_path))
    noted(tmp_path, tmp_path)
    (record,) = (tmp_path / written_marks.FOLDER).iterdir()
    record.write_text("[")
    assert not written_marks.untouched(str(tmp_path), str(tmp_path))
