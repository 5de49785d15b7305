"""The glossary and the code use the same words, and words that were given up name nothing public any more."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "psychmem_py"
ROW = re.compile(r"^\| ([\w ]+) \| .+ \| `([\w/]+\.py): (\w+)` \|$", re.MULTILINE)
TERMS = [pytest.param(*row, id=row[0]) for row in ROW.findall((ROOT / "docs" / "glossary.md").read_text("utf-8"))]
# Given up for: language identification, synonyms, weights, at_prompt, at_start, journal, heartbeat, output, commands by what they do.
RETIRED = frozenset("telling trade plain weigh asking jotting pulse paper keeping preparing foremost kept_languages".split())
RETIRED |= frozenset("Judgement Told Reading _Said _Reading SEEDS SEED_NAMES".split())


def public_names(path: Path) -> set[str]:
    """What a module defines at its top level, and its own name."""
    names = {path.stem}
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


def test_the_glossary_is_read() -> None:
    lines = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    assert len(TERMS) == sum(line.startswith("| ") for line in lines) - 1 > 30  # all but the head of the table


@pytest.mark.parametrize(("term", "file", "name"), TERMS)
def test_a_term_stands_where_the_glossary_says(term: str, file: str, name: str) -> None:
    assert name in public_names(PACKAGE / file), term


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_retired_word_names_anything(path: Path) -> None:
    assert not public_names(path) & RETIRED
