"""Every documented setting changes something that can be seen: one row each in the files beside, with a value other than the default."""

from __future__ import annotations

from pathlib import Path

import pytest

from psychmem_py.model.settings import keys
from tests.settings_matter import asking, doors, hearing, judging, keeping
from tests.settings_matter.world import seen, usual

FAMILIES = (hearing, doors, keeping, asking, judging)
MATTERS = {name: row for family in FAMILIES for name, row in family.ROWS.items()}


def test_every_setting_has_its_row() -> None:
    assert set(MATTERS) == set(keys())


@pytest.mark.parametrize("name", keys())
def test_it_changes_what_is_seen(name: str, tmp_path: Path) -> None:
    row = MATTERS[name]
    assert usual(row, tmp_path) != seen(row, tmp_path / "other", {**row.besides, name: row.value})
