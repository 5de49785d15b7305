"""The plugin file for OpenCode, what leaving takes back, and edits of JSON that leave the rest."""

from pathlib import Path

import pytest

from psychmem_py.installation import json_edit, registration
from tests.data import cases


def everything(home: Path) -> list[str]:
    return sorted(str(path.relative_to(home)) for path in home.rglob("*"))


def test_leaving_takes_every_folder_that_was_made_and_keeps_one_in_which_something_stands(tmp_path):
    home, data = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    env = {"HOME": str(home), "PATH": "/bin"}
    for theirs in ([], [".config", ".config/opencode", ".config/opencode/opencode.json"]):
        registration.register(["opencode"], env, data)
        assert ".config/opencode/plugins/psychmem.js" in everything(home)
        for name in theirs[-1:]:
            (home / name).write_text("{}")
        registration.unregister(["opencode"], env, data)
        assert everything(home) == theirs


def test_one_project_alone_is_registered_and_left_as_it_was(tmp_path):
    home, data, project = tmp_path / "home", tmp_path / "data", tmp_path / "shop"
    home.mkdir()
    (project / ".opencode").mkdir(parents=True)
    registration.register(["opencode"], {"HOME": str(home)}, data, project=project)
    assert (project / ".opencode" / "plugins" / "psychmem.js").exists()
    assert registration.register(["opencode"], {"HOME": str(home)}, data, project=project) == []
    assert everything(home) == []
    registration.unregister(["opencode"], {"HOME": str(home), "PATH": "/bin"}, data)
    assert everything(project) == [".opencode"]


@pytest.mark.parametrize(("text", "expected"), cases("installation", "an item is added in the files own style"))
def test_an_item_is_added_in_the_files_own_style(text: str, expected: str) -> None:
    array = json_edit.parse(text).get("a")
    assert array is not None
    assert json_edit.addition(text, array, "", 2).into(text) == expected


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        pytest.param("[1, 2, 3]", 0, "[2, 3]", id="first"),
        pytest.param("[1, 2, 3]", 1, "[1, 3]", id="middle"),
        pytest.param("[1, 2, 3]", 2, "[1, 2]", id="last"),
        pytest.param("[1, 2,]", 1, "[1,]", id="last before a trailing comma"),
        pytest.param("[ 1 ]", 0, "[]", id="only"),
        pytest.param('{\n  "a": 1,\n  "b": 2\n}', 0, '{\n  "b": 2\n}', id="first member"),
        pytest.param('{\n  "a": 1,\n  "b": 2\n}', 1, '{\n  "a": 1\n}', id="last member"),
    ],
)
def test_a_child_goes_with_its_comma(text: str, index: int, expected: str) -> None:
    assert json_edit.without(text, json_edit.parse(text), index) == expected


@pytest.mark.parametrize("text", ["", "{", '{"a"}', '{"a" 1}', "[1 2]", "[1]]", "{a: 1}", "{1: 2}", "[", '"x'])
def test_what_is_not_json_is_said(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        json_edit.parse(text)
