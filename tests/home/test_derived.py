"""A file made from others is used only while it is whole and they are as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from psychmem_py.home import derived
from psychmem_py.home.places import mark

MADE = {"text": "one\ntwo", "number": 3}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda raw: b"", id="empty"),
        pytest.param(lambda raw: raw[:-3], id="cut off"),
        pytest.param(lambda raw: raw.replace(b":3", b":4"), id="another value"),
        pytest.param(lambda raw: raw.split(b"\n")[0], id="nothing behind its head"),
        pytest.param(lambda raw: b"[1]\n" + raw, id="no head"),
        pytest.param(lambda raw: b"[" * 9000, id="nesting without end"),
    ],
)
def test_a_file_that_is_not_whole_is_none(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "made"
    derived.write(str(path), "this", MADE)
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    assert derived.read(str(path), "this") is None


def test_what_was_made_from_something_else_is_none(tmp_path: Path) -> None:
    derived.write(str(tmp_path / "made"), "this", MADE)
    assert derived.read(str(tmp_path / "made"), "that") is None
    assert derived.read(str(tmp_path / "made"), "this") == MADE


def test_what_was_made_from_a_file_that_changed_came_or_went_is_none(tmp_path: Path) -> None:
    there, missing, made = tmp_path / "there", tmp_path / "missing", str(tmp_path / "made")
    there.write_text("x")
    derived.write(made, "", MADE, {str(one): mark(str(one)) for one in (there, missing)})
    assert derived.read(made, "") == MADE
    missing.write_text("")
    assert derived.read(made, "") is None
    missing.unlink()
    there.write_text("xy")
    assert derived.read(made, "") is None


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    derived.write(str(tmp_path / "made"), "", MADE)
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o600
