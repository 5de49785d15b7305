"""Naming our tools and skills to the clients, and taking them out again."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from psychmem_py.cli import COMMANDS, renamed
from psychmem_py.errors import RefusedError
from psychmem_py.installation import patches, registration
from psychmem_py.installation.registration import Tools
from tests.hooks import ROOT

CLAUDE, OPEN = (server.OWNER for server in registration.SERVERS)
BOTH = [CLAUDE, OPEN]
THEIRS = [
    pytest.param("{}", id="empty"),
    pytest.param(
        '{\n  "theme": "dark",\n  "mcpServers": {"other": {"command": "x"}}, "mcp": {"other": {"type": "local"}}\n}\n',
        id="others",
    ),
    pytest.param('{"mcpServers":{},"mcp":{}}', id="no servers"),
    pytest.param(None, id="no file"),
]


def files(home: Path) -> list[Path]:
    return [server.file(dict(os.environ)) for server in registration.SERVERS]


def started(home: Path) -> list[list[str]]:
    """The command line of our server in each client's file."""
    entries = [
        json.loads(path.read_text())[key]["psychmem"] for path, key in zip(files(home), ("mcpServers", "mcp"), strict=True)
    ]
    return [[entry["command"], *entry["args"]] if "args" in entry else entry["command"] for entry in entries]


def before(home: Path, text: str) -> Path:
    """The first client's file with this text in it."""
    path = files(home)[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", THEIRS)
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
    path = before(home, '{"mcpServers": {"psychmem": {"command": "another"}}}')
    registration.unregister([CLAUDE], dict(os.environ), home / "psychmem")
    assert path.read_text() == '{"mcpServers": {"psychmem": {"command": "another"}}}'
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
    assert registration.names_tools(env)
    registration.register(BOTH, env, data, command=registration.server_command(Tools.ALL))
    registration.unregister(BOTH, env, data)
    assert not registration.names_tools(env)
    assert not any(path.exists() for path in files(home))


def test_the_plugins_launcher_starts_the_tools_or_says_what_is_missing(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    named = json.loads((root / ".mcp.json").read_text())["mcpServers"]["psychmem"]["command"]
    launcher = root / named.replace("${CLAUDE_PLUGIN_ROOT}/", "")
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([str(launcher)], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    found = tmp_path / ".local/share/psychmem/venv/bin/psychmem"
    found.parent.mkdir(parents=True)
    found.write_text('#!/bin/sh\necho "$@"\n')
    found.chmod(0o755)
    assert subprocess.run([str(launcher)], env=env, capture_output=True, text=True, check=True).stdout == "mcp\n"


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
        assert place.read_text() == shipped.replace(f"name: {folder}", f"name: {name}")
        for command in re.findall(r"^ +psychmem (\w+)", shipped, re.MULTILINE):
            assert renamed([command])[0] in {name for name, *_ in COMMANDS}


def test_a_skill_of_somebody_else_with_that_name_stays(home: Path) -> None:
    theirs = places(home)[0]
    theirs.parent.mkdir(parents=True)
    theirs.write_text("---\nname: psychmem\n---\nmine\n")
    registration.register(["claude-code"], env(home), home / "data")
    registration.unregister(["claude-code"], env(home), home / "data")
    assert theirs.read_text().endswith("mine\n")


def test_leaving_takes_our_skill_along_with_its_folders_and_a_second_registration_changes_nothing(home: Path) -> None:
    (home / ".claude").mkdir()
    registration.register(AGENTS, env(home), home / "data")
    assert registration.register(AGENTS, env(home), home / "data") == []
    registration.unregister(AGENTS, env(home), home / "data")
    assert not any(place.exists() for place in places(home))
    assert not (home / ".claude" / "skills").exists()
