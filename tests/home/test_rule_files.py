"""What counts as a rule file, and what of it would be told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from psychmem_py.home.instructions import MOST_BYTES, MOST_CHARS, MOST_FILES, rule_files
from psychmem_py.model.terms import Tier


def write(root: Path, name: str, text: str) -> Path:
    path = root / ".psychmem" / "rules" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_its_title_its_triggers_and_its_tier(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.md",
        "---\ntitle: Deploying\ntriggers: [deploy, 'release train']\ntier: critical\n---\n# Head\nOnly on Mondays.\n",
    )
    (rule,) = rule_files(str(tmp_path))
    assert (rule.path, rule.text, rule.triggers, rule.tier) == (
        ".psychmem/rules/a.md",
        "Deploying: Only on Mondays.",
        ("deploy", "release train"),
        Tier.CRITICAL,
    )


@pytest.mark.parametrize(
    "written", ["triggers: deploy, release", "triggers:\n  - deploy\n  - release\ntitle: Ship", "Triggers: [deploy,release]"]
)
def test_triggers_are_written_in_any_of_three_ways(tmp_path: Path, written: str) -> None:
    write(tmp_path, "a.md", f"---\n{written}\n---\nOnly on Mondays.\n")
    assert rule_files(str(tmp_path))[0].triggers == ("deploy", "release")


def test_a_file_without_anything_above_it_is_constitutional_and_its_heading_the_title(tmp_path: Path) -> None:
    (tmp_path / "CONSTITUTION.md").write_text("# House rules\n\n- Tabs.\n- No emoji.\n")
    (rule,) = rule_files(str(tmp_path))
    assert (rule.text, rule.tier, rule.triggers) == ("House rules: - Tabs. - No emoji.", Tier.CONSTITUTIONAL, ())


def test_the_constitutional_files_of_spec_kit_s_skills_are_rules_too(tmp_path: Path) -> None:
    folder = tmp_path / ".opencode" / "skill" / "system-spec-kit" / "constitutional"
    folder.mkdir(parents=True)
    (folder / "gate.md").write_text("---\ntitle: Gate 3\ntriggers:\n  - spec folder\n---\nAsk for the spec folder.\n")
    (rule,) = rule_files(str(tmp_path))
    assert (rule.path, rule.text) == (
        ".opencode/skill/system-spec-kit/constitutional/gate.md",
        "Gate 3: Ask for the spec folder.",
    )


def test_links_pipes_directories_and_documents_are_no_rules(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("Read me.")
    root = tmp_path / "root"
    folder = write(root, "long.md", "x" * (MOST_BYTES + 1)).parent
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "dir.md").mkdir()
    os.mkfifo(folder / "pipe.md")
    assert rule_files(str(root)) == []
    linked = tmp_path / "linked"
    (linked / ".psychmem").mkdir(parents=True)
    (linked / ".psychmem" / "rules").symlink_to(outside)
    assert rule_files(str(linked)) == []


def test_secrets_and_control_characters_are_cut_out_and_length_is_limited(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "Use password: hunter2hunter2 \x1b[31mhere. " + "word " * 300)
    (rule,) = rule_files(str(tmp_path))
    assert "hunter2" not in rule.text
    assert "\x1b" not in rule.text
    assert len(rule.text) <= MOST_CHARS


def test_of_very_many_files_the_first_by_name_count(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 5):
        write(tmp_path, f"{number:03}.md", f"Rule number {number}.")
    assert len(rule_files(str(tmp_path))) == MOST_FILES
