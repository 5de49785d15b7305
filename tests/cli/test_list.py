"""The list parted under headings, and as it was on another day."""

from __future__ import annotations

from pathlib import Path

from tests.test_cli import remembered, run, shop

__all__ = ["shop"]


def test_a_list_is_parted_by_place_class_or_day_and_loses_nothing(shop: Path) -> None:
    remembered(shop, "The port is 8080", "--class", "semantic", "--project", ".")
    remembered(shop, "Deploy on Mondays only", "--class", "constraint", "--project", ".")
    remembered(shop, "I like short answers", "--class", "preference", "--user")
    for words, headings in (
        (["place"], {"shop (2)", "everywhere (1)"}),
        (["class"], {"semantic (1)", "constraint (1)", "preference (1)"}),
    ):
        shown = run("list", "--by", *words, cwd=shop).stdout
        assert {line.strip() for line in shown.splitlines() if line.rstrip().endswith(")")} == headings
        assert shown.count("8080") == shown.count("Mondays") == shown.count("short answers") == 1
    (heading,) = [line for line in run("list", "--by", "day", cwd=shop).stdout.splitlines() if line.rstrip().endswith("(3)")]
    assert heading[:2] == "20"
    assert run("list", "--by", "colour", cwd=shop).returncode == 2
