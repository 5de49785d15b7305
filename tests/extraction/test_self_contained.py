"""What is not understood alone waits."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.self_contained import fault
from psychmem_py.model.records import Candidate
from psychmem_py.model.terms import Kind, Origin, Role, Scope


def said(text: str, role: Role = Role.USER, kind: Kind = Kind.CONSTRAINT, names: tuple[str, ...] = ()) -> Candidate:
    return Candidate(
        text=text, quote=text, kind=kind, scope=Scope.PROJECT, importance=0.8, confidence=0.7, signals=(), role=role,
        origin=Origin.USER_PROMPT, message_id="m", start=0, end=len(text), names=names,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("Never push to main.", "", id="a short rule says enough"),
        pytest.param("Always log the order id (and the customer id).", "", id="what is opened is closed"),
        pytest.param("メインブランチに直接プッシュしないこと", "", id="no full stop needed"),
        pytest.param("Always log the order id (and the customer", "cut", id="a bracket stays open"),
        pytest.param("Always call `flush before closing.", "cut", id="a code word stays open"),
        pytest.param("To suppress this warning, always run:", "dangling", id="ends in a colon"),
        pytest.param("we never deploy on Fridays,", "dangling", id="ends in a comma"),
    ],
)
def test_a_person_s_sentence(text: str, reason: str) -> None:
    assert fault(said(text), pointing=False, named=False) == reason


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        pytest.param(dict(names=("orders.py",)), "", id="names a file"),
        pytest.param(dict(kind=Kind.BUGFIX, named=True), "", id="a cause names a tool"),
        pytest.param(dict(kind=Kind.DECISION, named=True), "unnamed", id="a tool alone is no decision"),
        pytest.param(dict(), "unnamed", id="names nothing"),
        pytest.param(dict(names=("orders.py",), pointing=True), "pointing", id="speaks of it"),
    ],
)
def test_an_assistant_s_statement(given: dict, reason: str) -> None:
    made = said("The total was counted twice.", Role.ASSISTANT, given.pop("kind", Kind.BUGFIX), given.pop("names", ()))
    assert fault(made, pointing=given.get("pointing", False), named=given.get("named", False)) == reason
