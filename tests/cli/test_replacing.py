"""`remember --replaces`, and what is said of oneself here and everywhere: what stands before, what after, what undo gives back."""

from __future__ import annotations

from pathlib import Path

from tests.test_cli import remembered, run, told

HALVES = "Nora lives in Oslo and works at Equinor"


def texts(cwd: Path) -> set[str]:
    return {row["text"] for row in told("list", "--json", cwd=cwd)}


def test_what_is_named_is_replaced_and_undo_gives_it_back(shop: Path) -> None:
    remembered(shop, HALVES)
    remembered(shop, "Tom lives in Riga")
    said = run("remember", "Nora moved to Bergen", "--replaces", "Nora's home in Oslo", cwd=shop).stdout
    assert HALVES in said
    assert texts(shop) == {"Nora moved to Bergen", "Tom lives in Riga"}
    run("undo", cwd=shop)
    assert texts(shop) == {HALVES, "Tom lives in Riga"}


def test_a_memory_is_replaced_by_its_id(shop: Path) -> None:
    known = remembered(shop, "The mascot is a heron")
    remembered(shop, "We chose an otter for the logo", "--replaces", known[:8])
    assert texts(shop) == {"We chose an otter for the logo"}


def test_what_nobody_spoke_of_replaces_nothing_and_that_is_said(shop: Path) -> None:
    remembered(shop, HALVES)
    done = run("remember", "Nora wears size 39", "--replaces", "shoe size", cwd=shop)
    assert "shoe size" in done.stderr
    assert texts(shop) == {HALVES, "Nora wears size 39"}


def test_an_agent_replaces_nothing_a_person_said(shop: Path) -> None:
    known = remembered(shop, "The mascot is a heron", "--class", "semantic", "--project", ".")
    run(
        "remember",
        "The mascot is an otter",
        "--class",
        "semantic",
        "--project",
        ".",
        "--replaces",
        known[:8],
        cwd=shop,
        CLAUDECODE="1",
    )
    assert "The mascot is a heron" in texts(shop)


def test_what_is_said_to_hold_no_longer_is_ended_wherever_it_stands(shop: Path) -> None:
    remembered(shop, "I like coffee in the morning")
    remembered(shop, "I no longer like coffee in the morning")
    assert texts(shop) == {"I no longer like coffee in the morning"}


def test_what_holds_everywhere_is_compared_with_what_is_said_here(shop: Path) -> None:
    here = remembered(shop, "I prefer tabs for indentation", "--project", ".", "--class", "preference")
    done = run("remember", "I prefer spaces for indentation", "--user", "--class", "preference", cwd=shop)
    assert "I prefer tabs for indentation" in done.stderr
    assert here[:8] in done.stdout
    assert texts(shop) == {"I prefer tabs for indentation", "I prefer spaces for indentation"}


def test_what_replaces_a_rule_for_all_holds_for_all(shop: Path, other: Path) -> None:
    remembered(shop, "Use tabs for indentation", "--user", "--class", "constraint", "--pin")
    later = "We use spaces instead of tabs for indentation"
    remembered(shop, later)
    assert texts(other) == {later}
    (row,) = told("list", "--json", cwd=other)
    assert (row["class"], row["scope"], row["pinned"]) == ("constraint", "user", True)
