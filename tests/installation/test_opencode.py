"""The plugin file for OpenCode, and what leaving takes back."""

from __future__ import annotations

from pathlib import Path

from psychmem_py.installation import registration


def everything(home: Path) -> list[str]:
    return sorted(str(path.relative_to(home)) for path in home.rglob("*"))


def test_leaving_takes_every_folder_that_was_made(tmp_path):
    home, data = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    env = {"HOME": str(home), "PATH": "/bin"}
    registration.register(["opencode"], env, data)
    assert ".config/opencode/plugins/psychmem.js" in everything(home)
    registration.unregister(["opencode"], env, data)
    assert everything(home) == []


def test_leaving_keeps_a_folder_in_which_something_stands(tmp_path):
    home, data = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    env = {"HOME": str(home), "PATH": "/bin"}
    registration.register(["opencode"], env, data)
    (home / ".config" / "opencode" / "opencode.json").write_text("{}")
    registration.unregister(["opencode"], env, data)
    assert everything(home) == [".config", ".config/opencode", ".config/opencode/opencode.json"]


def test_one_project_alone_is_registered_and_left_as_it_was(tmp_path):
    home, data, project = tmp_path / "home", tmp_path / "data", tmp_path / "shop"
    home.mkdir()
    (project / ".opencode").mkdir(parents=True)
    registration.register_in_project(project, {"HOME": str(home)}, data)
    assert (project / ".opencode" / "plugins" / "psychmem.js").exists()
    assert registration.register_in_project(project, {"HOME": str(home)}, data) == []
    assert everything(home) == []
    registration.unregister(["opencode"], {"HOME": str(home), "PATH": "/bin"}, data)
    assert everything(project) == [".opencode"]
