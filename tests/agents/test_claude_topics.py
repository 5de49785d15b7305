"""Our files in the client's memory folder."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.errors import RefusedError


@pytest.fixture
def folder(tmp_path: Path) -> claude_memory.MemoryFolder:
    return claude_memory.MemoryFolder(str(tmp_path / "memory"), loaded=True)


def index(folder: claude_memory.MemoryFolder) -> Path:
    return Path(folder.path) / "MEMORY.md"


def tree(folder: claude_memory.MemoryFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder.path).iterdir()}


def test_writing_and_removing_leaves_the_folder_as_it_was(folder: claude_memory.MemoryFolder) -> None:
    Path(folder.path).mkdir()
    index(folder).write_bytes(b"# Mine\r\n\xff\xfe no UTF-8\n- x")
    (Path(folder.path) / "decisions.md").write_text("my own decisions\n")
    before = tree(folder)
    claude_topics.write(folder, ["- one"], {"constraints.md": "one\n", "decisions.md": "ours\n"})
    assert sorted(tree(folder)) == ["MEMORY.md", "constraints.md", "decisions.md"]
    assert tree(folder)["decisions.md"] == before["decisions.md"]
    claude_topics.remove(folder)
    assert tree(folder) == before


def test_a_file_of_ours_goes_with_its_last_line(folder: claude_memory.MemoryFolder) -> None:
    claude_topics.write(folder, ["- one"], {"bugfixes.md": "one\n"})
    assert index(folder).stat().st_mode & 0o777 == 0o600
    claude_topics.write(folder, [], {})
    assert tree(folder) == {}


@pytest.mark.parametrize("name", ["MEMORY.md", "constraints.md"])
def test_no_symlinked_file_is_written_through(folder: claude_memory.MemoryFolder, tmp_path: Path, name: str) -> None:
    Path(folder.path).mkdir()
    target = tmp_path / "elsewhere.md"
    target.write_text("<!-- psychmem:topic x -->\nmine")
    (Path(folder.path) / name).symlink_to(target)
    with pytest.raises(RefusedError, match="symbolic link"):
        claude_topics.write(folder, ["- one"], {"constraints.md": "one\n"})
    assert target.read_text() == "<!-- psychmem:topic x -->\nmine"


def test_no_symlinked_folder_is_written_through(folder: claude_memory.MemoryFolder, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    Path(folder.path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RefusedError):
        claude_topics.write(folder, ["- one"], {})
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_folder_is_the_one_of_the_main_work_tree_and_moves_with_the_setting(tmp_path: Path, home: Path) -> None:
    (tmp_path / "my.app" / ".git").mkdir(parents=True)
    (tmp_path / "my.app" / "src").mkdir()
    slug = str((tmp_path / "my.app").resolve()).replace("/", "-").replace(".", "-").replace("_", "-")
    found = claude_memory.folder_of(str(tmp_path / "my.app" / "src"), os.environ)
    assert found == claude_memory.MemoryFolder(str(home / ".claude" / "projects" / slug / "memory"), loaded=True)
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{"autoMemoryDirectory": "~/notes"}')
    assert claude_memory.folder_of(str(tmp_path), os.environ).path == str(home / "notes")


OFF, DISABLE = {"autoMemoryEnabled": False}, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
SWITCHES = [({}, {}, {}, True), (OFF, {}, {}, False), ({}, OFF, {}, False), (OFF, {}, {DISABLE: "0"}, True), ({}, {}, {DISABLE: "1"}, False),
            ({}, {}, {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}, False)]  # fmt: skip


@pytest.mark.parametrize(("user", "project", "env", "loaded"), SWITCHES)
def test_the_clients_switches(home: Path, tmp_path: Path, user: Any, project: Any, env: dict[str, str], loaded: bool) -> None:
    for place, settings in ((home, user), (tmp_path, project)):
        (place / ".claude").mkdir(exist_ok=True)
        (place / ".claude" / "settings.json").write_text(json.dumps(settings))
    found = claude_memory.folder_of(str(tmp_path), {**os.environ, **env})
    assert found.loaded is loaded
    if not loaded:
        claude_topics.write(found, ["- one"], {})
        assert not Path(found.path).exists()
