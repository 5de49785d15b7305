"""What waits for a doubt is kept where a table fitted to labelled messages does not share it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import fit
from psychmem_py.extraction import fitted, fitted_table
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role


def verdicts(text: str) -> list[tuple[bool, str]]:
    found = sweep([Message(id="a", role=Role.USER, text=text, origin=Origin.USER_PROMPT)], files.matcher())
    return [(one.is_kept, one.reason) for one in found if one.is_kept or one.waiting]


def sure(monkeypatch: pytest.MonkeyPatch, odds: int) -> None:
    monkeypatch.setattr(fitted, "odds", lambda seen: odds)


@pytest.mark.parametrize(("odds", "kept"), [(fitted.LIKELY, True), (fitted.LIKELY - 1, False)])
def test_what_the_weights_doubt_is_kept_when_the_table_is_sure(monkeypatch: pytest.MonkeyPatch, odds: int, kept: bool) -> None:
    sure(monkeypatch, odds)
    assert verdicts("the weighing screen should list the depots by their short names") == [(kept, "likely" if kept else "unsure")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Don't touch the footer of the depot page.", id="a ban on one thing"),
        pytest.param("Quiero que los recibos muestren el peso de cada paquete.", id="a language without enough labels"),
        pytest.param("our header is on the left and it should not be", id="the look of a page"),
        pytest.param("No, use 8081", id="too short to be understood"),
    ],
)
def test_what_waits_for_another_reason_goes_on_waiting(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    sure(monkeypatch, 99)
    assert not any(kept for kept, _ in verdicts(text))


def row(who: str, worth: int, *seen: str) -> fit.Row:
    return fit.Row("set", who, f"{who}{seen}", frozenset(seen), worth, kept=False, waits=True)


ROWS = [row(who, worth, name, f"of {who}") for who in "abcd" for worth, name in ((2, "good"), (0, "bad")) for _ in range(20)]


def test_a_feature_weighs_what_it_was_met_with_at_three_people() -> None:
    base, table = fit.rounded(*fit.fit(ROWS))
    assert table["good"] > 0 > table["bad"]
    assert not any(name.startswith("of ") for name in table)
    assert base + table["good"] >= fitted.LIKELY > base + table["bad"]


def test_whoever_is_judged_is_not_among_those_the_table_was_fitted_to() -> None:
    odd = [row("e", 0, "good") for _ in range(60)]
    judged = list(fit.left_out([*ROWS, *odd]))
    assert len(judged) == len(ROWS) + len(odd)
    assert all(odds >= fitted.LIKELY for one, odds in judged if one.who == "e")


def test_the_written_module_holds_the_table(tmp_path: Path) -> None:
    space: dict[str, object] = {}
    exec(fit.written(-16, {"good": 7, "bad+word": -3, "^we": 7}), space)
    assert (space["BASE"], space["TABLE"]) == (-16, {"good": 7, "bad+word": -3, "^we": 7})


def test_the_shipped_table_is_small_and_of_integers() -> None:
    assert Path(fitted_table.__file__).stat().st_size < 100_000
    assert {type(weight) for weight in fitted_table.TABLE.values()} == {int}
