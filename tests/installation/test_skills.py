"""The skills come with every way of installing, name commands that exist, and go again."""

from __future__ import annotations

import re
from pathlib import Path

from psychmem_py.cli.command_table import COMMANDS
from psychmem_py.cli.overview import renamed
from psychmem_py.installation import patches, registration
from tests.hooks import ROOT

AGENTS = ["claude-code", "opencode"]


def places(home: Path) -> list[Path]:
    folders = (home / ".claude", home / "xdg" / "config" / "opencode")
    return [folder / "skills" / name / "SKILL.md" for folder in folders for name in patches.SKILLS]


def env(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "xdg" / "config"), "PATH": "/nowhere"}


def test_both_clients_get_it_under_the_name_of_its_folder(home: Path) -> None:
    registration.register(AGENTS, env(home), home / "data")
    for place in places(home):
        text = place.read_text()
        assert re.search(rf"^name: {place.parent.name}$", text, re.MULTILINE)
        assert re.search(r"^description: .{50,1000}$", text, re.MULTILINE)


def test_its_commands_are_the_ones_that_exist(home: Path) -> None:
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


def test_leaving_takes_it_along_with_the_folders_made_for_it(home: Path) -> None:
    (home / ".claude").mkdir()
    registration.register(AGENTS, env(home), home / "data")
    registration.unregister(AGENTS, env(home), home / "data")
    assert not any(place.exists() for place in places(home))
    assert not (home / ".claude" / "skills").exists()


def test_a_skill_of_somebody_else_with_that_name_stays(home: Path) -> None:
    theirs = places(home)[0]
    theirs.parent.mkdir(parents=True)
    theirs.write_text("---\nname: psychmem\n---\nmine\n")
    registration.register(["claude-code"], env(home), home / "data")
    registration.unregister(["claude-code"], env(home), home / "data")
    assert theirs.read_text().endswith("mine\n")


def test_a_second_registration_changes_nothing(home: Path) -> None:
    registration.register(AGENTS, env(home), home / "data")
    assert registration.register(AGENTS, env(home), home / "data") == []
