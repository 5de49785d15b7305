"""Editing the client's settings: our hooks come and go, every other byte stays."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.errors import RefusedError
from psychmem_py.installation import claude_code, patches

COMMAND = ["/home/dev/.local/share/psychmem/venv/bin/psychmem-hook"]
OTHERS = '{"type": "command", "command": "notify-send done"}'

STYLES = {
    "an empty file": "",
    "an empty object without a newline": "{}",
    "an empty object": "{}\n",
    "an empty object on two lines": "{\n}\n",
    "one line": '{"model": "opus"}',
    "two blanks": '{\n  "model": "opus"\n}\n',
    "four blanks, no newline at the end": '{\n    "model": "opus",\n    "env": {}\n}',
    "tabs": '{\n\t"model": "opus"\n}\n',
    "Windows line ends": '{\r\n  "model": "opus"\r\n}\r\n',
    "a byte order mark": '\ufeff{\n  "model": "opus"\n}\n',
    "hooks but none": '{\n  "hooks": {}\n}\n',
    "an event without hooks": '{\n  "hooks": {"Stop": []}\n}\n',
    "somebody else's hook": '{\n  "hooks": {\n    "Stop": [\n      {"hooks": [' + OTHERS + "]}\n    ]\n  }\n}\n",
    "somebody else's on one line": '{"b": 1, "hooks": {"Stop": [{"hooks": [' + OTHERS + ']}]}, "a": 1.50}',
    "numbers and escapes keep their spelling": '{\n  "größe": "\\u00fc",\n  "n": 1e5\n}\n',
}


def installed(path: Path) -> patches.Patch:
    edit = claude_code.install(path, COMMAND, None)
    patch = patches.prepared(edit, claude_code.OWNER)
    patches.write(edit.path, edit.after or "")
    return patch


def events(path: Path) -> dict[str, int]:
    return claude_code.registered(path.read_bytes().decode("utf-8"))


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES)
def test_installing_twice_is_installing_once_and_uninstall_gives_every_byte_back(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(text.encode())
    patch = installed(path)
    assert events(path) == {hook.event: 1 for hook in claude_code.HOOKS}
    assert json.loads(path.read_bytes().decode("utf-8-sig"))["hooks"]["Stop"][-1]["hooks"][0]["args"] == ["stop"]
    assert (claude_code.install(path, COMMAND, patch).after or "").encode() == path.read_bytes()
    assert claude_code.uninstall(path, patch).after == text
    left = claude_code.uninstall(path, None).after or ""  # without a record the rest keeps its meaning
    assert claude_code.registered(left) == {}
    before, after = (json.loads(one.lstrip("\ufeff") or "{}") for one in (text, left))
    assert {k: v for k, v in after.items() if k != "hooks"} == {k: v for k, v in before.items() if k != "hooks"}
    assert "notify-send" not in text or "notify-send" in left


def test_what_the_person_wrote_since_stays_to_the_letter_even_beside_ours(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  "model": "opus"\n}\n')
    patch = installed(path)
    path.write_text(path.read_text().replace('"opus"', '"sonnet",\n  "added":   true'))
    assert claude_code.uninstall(path, patch).after == '{\n  "model": "sonnet",\n  "added":   true\n}\n'
    path.unlink()
    patch = installed(path)
    settings = json.loads(path.read_text())
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "true"})
    path.write_text(json.dumps(settings))
    left = claude_code.uninstall(path, patch).after
    assert json.loads(left or "") == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}


def test_a_file_we_made_goes_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deeper" / "settings.json"
    patch = installed(path)
    assert claude_code.uninstall(path, patch).after is None
    patches.remove(path, patch.folders)
    assert list(tmp_path.iterdir()) == []


def test_a_linked_settings_file_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    real.chmod(0o640)
    path = tmp_path / "settings.json"
    path.symlink_to(real)
    installed(path)
    assert path.is_symlink()
    assert "psychmem-hook" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1} x', '{"hooks": 3}', '{"hooks": {"Stop": {}}}', "{'a': 1}"])
def test_a_file_that_is_not_settings_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    with pytest.raises(RefusedError, match="correct it"):
        installed(path)
    assert path.read_text() == text


def test_the_plugin_registers_the_same_hooks() -> None:
    plugin = json.loads((Path(__file__).parents[2] / "hooks" / "hooks.json").read_text())["hooks"]
    ours = {hook.event: [claude_code.entry(hook, ["${CLAUDE_PLUGIN_ROOT}/hooks/run"])] for hook in claude_code.HOOKS}
    assert plugin == ours


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=4).filter(lambda key: key != "hooks"), values, max_size=4),
    st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_any_settings_come_back(
    tmp_path_factory: pytest.TempPathFactory, settings: dict[str, object], indent: int | str | None
) -> None:
    path = tmp_path_factory.mktemp("any") / "settings.json"
    text = json.dumps(settings, indent=indent, ensure_ascii=False)
    path.write_bytes(text.encode("utf-8"))
    patch = installed(path)
    after = json.loads(path.read_bytes())
    after.pop("hooks")
    assert after == settings
    assert claude_code.uninstall(path, patch).after == text
