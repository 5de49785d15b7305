"""Our hooks, tools, skills and the plugin file come and go in the clients' files; every other byte stays."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.cli import COMMANDS, unalias
from psychmem_py.errors import RefusedError
from psychmem_py.installation import claude_code, json_edit, patches, registration
from psychmem_py.installation.registration import Tools
from tests.data import cases, holds, json_values
from tests.hooks import ROOT

COMMAND = ["/home/dev/.local/share/psychmem/venv/bin/psychmem-hook"]


def installed(path: Path) -> patches.Patch:
    edit = claude_code.installing({"CLAUDE_CONFIG_DIR": str(path.parent)}, COMMAND, {})[0]
    patch = patches.prepared(edit, claude_code.OWNER)
    patches.write(edit.path, edit.after or "")
    return patch


def events(path: Path) -> dict[str, int]:
    return claude_code.registered(path.read_bytes().decode("utf-8"))


@pytest.mark.parametrize("text", cases("installation", "settings in many styles come back to the byte"))
def test_installing_twice_is_installing_once_and_uninstall_gives_every_byte_back(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(text.encode())
    patch = installed(path)
    assert events(path) == dict.fromkeys(claude_code.HOOKS, 1)
    assert json.loads(path.read_bytes().decode("utf-8-sig"))["hooks"]["Stop"][-1]["hooks"][0]["args"] == ["stop"]
    again = claude_code.installing({"CLAUDE_CONFIG_DIR": str(tmp_path)}, COMMAND, {str(path): patch})[0]
    assert (again.after or "").encode() == path.read_bytes()
    assert patches.without(path, patch, claude_code.ours).after == text
    left = patches.without(path, None, claude_code.ours).after or ""  # without a record the rest keeps its meaning
    assert claude_code.registered(left) == {}
    before, after = (json.loads(one.lstrip("\ufeff") or "{}") for one in (text, left))
    assert {k: v for k, v in after.items() if k != "hooks"} == {k: v for k, v in before.items() if k != "hooks"}
    assert "notify-send" not in text or "notify-send" in left


def test_what_the_person_wrote_since_stays_to_the_letter_even_beside_ours(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  "model": "opus"\n}\n')
    patch = installed(path)
    path.write_text(path.read_text().replace('"opus"', '"sonnet",\n  "added":   true'))
    assert patches.without(path, patch, claude_code.ours).after == '{\n  "model": "sonnet",\n  "added":   true\n}\n'
    path.unlink()
    patch = installed(path)
    settings = json.loads(path.read_text())
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "true"})
    path.write_text(json.dumps(settings))
    left = patches.without(path, patch, claude_code.ours).after
    assert json.loads(left or "") == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}


def test_a_file_we_made_goes_with_its_folders_and_a_linked_settings_file_stays_a_link(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deeper" / "settings.json"
    patch = installed(path)
    assert patches.without(path, patch, claude_code.ours).after is None
    patches.remove(path, patch.folders)
    assert list(tmp_path.iterdir()) == []
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    real.chmod(0o640)
    path = tmp_path / "settings.json"
    path.symlink_to(real)
    installed(path)
    assert path.is_symlink()
    assert "psychmem-hook" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    patches.remove(path, ())
    assert (path.is_symlink(), real.exists()) == (True, False)


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1} x', '{"hooks": 3}', '{"hooks": {"Stop": {}}}', "{'a': 1}"])
def test_a_file_that_is_not_settings_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    with pytest.raises(RefusedError, match="correct it"):
        installed(path)
    assert path.read_text() == text
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(RefusedError, match="is no file"):
        installed(path)


def test_the_plugin_registers_the_same_hooks() -> None:
    plugin = json.loads((Path(__file__).parents[2] / "hooks" / "hooks.json").read_text())["hooks"]
    ours = {name: [claude_code.entry(event, ["${CLAUDE_PLUGIN_ROOT}/hooks/run"])] for name, event in claude_code.HOOKS.items()}
    assert plugin == ours


SETTINGS = st.dictionaries(st.text(max_size=4).filter(lambda key: key != "hooks"), json_values(), max_size=4)


@given(SETTINGS, st.sampled_from([None, 1, 2, 4, "\t"]))
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
    assert patches.without(path, patch, claude_code.ours).after == text


CLAUDE, OPEN = (server.OWNER for server in registration.SERVERS)
BOTH = [CLAUDE, OPEN]
OTHER = '{\n  "theme": "dark",\n  "mcpServers": {"other": {"command": "x"}}, "mcp": {"other": {"type": "local"}}\n}\n'
THEIRS = {"empty": "{}", "others": OTHER, "no servers": '{"mcpServers":{},"mcp":{}}', "no file": None}


def files(home: Path) -> list[Path]:
    return [server.file(dict(os.environ)) for server in registration.SERVERS]


def started(home: Path) -> list[list[str]]:
    """The command line of our server in each client's file."""
    keyed = zip(files(home), ("mcpServers", "mcp"), strict=True)
    entries = [json.loads(path.read_text())[key]["psychmem"] for path, key in keyed]
    return [[entry["command"], *entry["args"]] if "args" in entry else entry["command"] for entry in entries]


def before(home: Path, text: str) -> Path:
    """The first client's file with this text in it."""
    path = files(home)[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", THEIRS.values(), ids=THEIRS)
def test_the_tools_come_and_go_and_leave_every_byte(home: Path, text: str | None) -> None:
    for path in files(home):
        if text is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    data = home / "psychmem"
    registration.register(BOTH, dict(os.environ), data, command=registration.server_command())
    assert all("mcp" in words for words in started(home))
    assert registration.register(BOTH, dict(os.environ), data, command=registration.server_command()) == []
    registration.unregister(BOTH, dict(os.environ), data)
    assert [path.read_text() if path.exists() else None for path in files(home)] == [text, text]


def test_what_is_not_ours_in_a_client_s_file_stays(home: Path) -> None:
    path = before(home, '{"mcpServers": {"other": {"command": "x"}}}')
    registration.register([CLAUDE], dict(os.environ), home / "psychmem", command=registration.server_command())
    written = json.loads(path.read_text()) | {"startups": 7}
    path.write_text(json.dumps(written, indent=4))
    registration.unregister([CLAUDE], dict(os.environ), home / "psychmem")
    assert json.loads(path.read_text()) == {"mcpServers": {"other": {"command": "x"}}, "startups": 7}
    for entry in ('{"command": "another"}', '{"command": "psychmem", "args": 5}', "5"):
        path = before(home, f'{{"mcpServers": {{"psychmem": {entry}}}}}')
        registration.unregister([CLAUDE], dict(os.environ), home / "psychmem")
        assert entry in path.read_text()
    for call, calls in (('"args": ["psychmem-hook"]', {"Stop": 1}), ('"args": 5', {}), ('"command": "pgrep psychmem-hook"', {})):
        assert claude_code.registered(f'{{"hooks": {{"Stop": [{{"hooks": [{{{call}}}]}}]}}}}') == calls
    path = before(home, '{"mcpServers": []}')
    with pytest.raises(RefusedError, match="is not an object"):
        registration.register([CLAUDE], dict(os.environ), home / "psychmem", command=registration.server_command())
    assert path.read_text() == '{"mcpServers": []}'


def test_all_tools_are_named_where_they_were_asked_for_and_go_like_the_six(home: Path) -> None:
    env, data = dict(os.environ), home / "psychmem"
    for chosen in (Tools.SIX, Tools.ALL, Tools.SIX):
        registration.register(BOTH, env, data, command=registration.server_command(chosen))
        for words in started(home):
            assert words[words.index("mcp") + 1 :] == ([] if chosen is Tools.SIX else ["--tools", "all"])
    registration.register(BOTH, env, data, command=registration.server_command(Tools.ALL))
    registration.unregister(BOTH, env, data)
    assert not any(path.exists() for path in files(home))


def test_the_plugins_launcher_starts_the_tools_or_says_what_is_missing(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    server = json.loads((root / ".mcp.json").read_text())["mcpServers"]["psychmem"]
    launcher = [str(root / server["command"].replace("${CLAUDE_PLUGIN_ROOT}/", "")), *server["args"]]
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(launcher, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    found = tmp_path / ".local/share/psychmem/venv/bin/psychmem"
    found.parent.mkdir(parents=True)
    found.write_text('#!/bin/sh\necho "$@"\n')
    found.chmod(0o755)
    assert subprocess.run(launcher, env=env, capture_output=True, text=True, check=True).stdout == "mcp\n"


AGENTS = ["claude-code", "opencode"]


def places(home: Path) -> list[Path]:
    folders = (home / ".claude", home / "xdg" / "config" / "opencode")
    return [folder / "skills" / name / "SKILL.md" for folder in folders for name in patches.SKILLS]


def env(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "xdg" / "config"), "PATH": "/nowhere"}


def test_both_clients_get_our_skills_under_the_names_of_their_folders_with_commands_that_exist(home: Path) -> None:
    registration.register(AGENTS, env(home), home / "data")
    for place in places(home):
        text = place.read_text()
        assert re.search(rf"^name: {place.parent.name}$", text, re.MULTILINE)
        assert re.search(r"^description: .{50,1000}$", text, re.MULTILINE)
    program = home / "bin" / "psychmem"
    program.parent.mkdir()
    program.touch(mode=0o755)
    registration.register(AGENTS, {**env(home), "PATH": str(program.parent)}, home / "data")
    assert '\n    psychmem remember "Use pnpm' in places(home)[0].read_text()
    for place, (name, folder) in zip(places(home), patches.SKILLS.items(), strict=False):
        shipped = (ROOT / "skills" / folder / "SKILL.md").read_text()
        allowed = tuple(re.findall(r"Bash\((.+?):", shipped)) or ("psychmem",)
        assert [line for line in re.findall(r"(?m)^ {4,}(psychmem .*)", shipped) if not line.startswith(allowed)] == []
        assert place.read_text() == shipped.replace(f"name: {folder}", f"name: {name}")
        for command in re.findall(r"^ +psychmem (\w+)", shipped, re.MULTILINE):
            assert unalias([command])[0] in {name for name, *_ in COMMANDS}


def test_leaving_takes_our_skill_along_with_its_folders_but_none_of_somebody_else_with_that_name(home: Path) -> None:
    (home / ".claude").mkdir()
    registration.register(AGENTS, env(home), home / "data")
    assert registration.register(AGENTS, env(home), home / "data") == []
    registration.unregister(AGENTS, env(home), home / "data")
    assert not any(place.exists() for place in places(home))
    assert not (home / ".claude" / "skills").exists()
    theirs = places(home)[0]
    theirs.parent.mkdir(parents=True)
    theirs.write_text("---\nname: psychmem\n---\nmine\n")
    registration.register(["claude-code"], env(home), home / "data")
    registration.unregister(["claude-code"], env(home), home / "data")
    assert theirs.read_text().endswith("mine\n")


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


def added(text: str) -> str:
    array = json_edit.parse(text).get("a")
    assert array is not None
    return json_edit.addition(text, array, "", 2).into(text)


test_a_file = holds("installation", {
    "an item is added in the files own style": lambda text, wanted: (added(text), wanted),
    "a child goes with its comma": lambda text, place, wanted: (json_edit.cut(text, [(json_edit.parse(text), place)]), wanted),
})  # fmt: skip


@pytest.mark.parametrize("text", ["", "{", '{"a"}', '{"a" 1}', "[1 2]", "[1]]", "{a: 1}", "{1: 2}", "[", '"x'])
def test_what_is_not_json_is_said(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        json_edit.parse(text)


def test_a_link_that_leads_nowhere_stays_and_what_is_not_of_us_need_not_be_json_for_us_to_leave(tmp_path: Path) -> None:
    path, env = tmp_path / ".claude" / "settings.json", {"HOME": str(tmp_path)}
    path.parent.mkdir()
    path.symlink_to("/nowhere/at/all.json")
    with pytest.raises(RefusedError, match="whose folder is not there"):
        registration.register([claude_code.OWNER], env, tmp_path, command=COMMAND)
    registration.unregister([claude_code.OWNER], env, tmp_path)
    assert path.is_symlink()
    path.unlink()
    path.write_text("{")
    assert patches.without(path, None, claude_code.ours).after == "{"


def test_the_extras_are_those_that_the_package_offers_and_nobody_is_sent_to_a_package_of_our_name() -> None:
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    ours = {"embeddings": registration.EMBEDDINGS, "hub": registration.HUB}
    assert {"dev": offered["dev"], **{name: list(extra) for name, extra in ours.items()}} == offered
    for extra in ours.values():
        assert tuple(shlex.split(registration.bringing(extra))[-len(extra) :]) == extra
        assert "psychmem[" not in registration.bringing(extra)


def test_an_environment_without_pip_is_filled_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert shlex.split(registration.bringing(registration.EMBEDDINGS))[:4] == ["pip", "--python", sys.executable, "install"]
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert registration.bringing(registration.EMBEDDINGS).startswith(f"uv pip install --python {sys.executable} ")
