"""Evidence that needs no language: how a clause is set, and what stands around its message."""

from __future__ import annotations

import pytest

from psychmem_py.extraction import structure
from psychmem_py.extraction.clauses import Clause
from psychmem_py.extraction.mask import OPAQUE


def clause(text: str, *, item: bool = False) -> Clause:
    return Clause(text, 0, len(text), item)


@pytest.mark.parametrize(
    ("message", "around", "names"),
    [
        pytest.param("no, pnpm", structure.Neighbourhood(previous="x" * 600), {"short_reply"}, id="short after long"),
        pytest.param("no, pnpm", structure.Neighbourhood(previous="x" * 100), set(), id="short after short"),
        pytest.param("y" * 300, structure.Neighbourhood(earlier=("a" * 20,) * 3), {"elaboration"}, id="longer than usual"),
        pytest.param("y" * 300, structure.Neighbourhood(earlier=("a" * 20,) * 2), set(), id="nobody knows what is usual"),
        pytest.param("it broke", structure.Neighbourhood(failed=True), {"near_error"}, id="a tool failed"),
        pytest.param("Traceback (most recent call last)", structure.Neighbourhood(), {"near_error"}, id="a trace"),
    ],
)
def test_what_holds_for_a_whole_message(message: str, around: structure.Neighbourhood, names: set[str]) -> None:
    assert set(structure.message_structure(message, around).names) == names


@pytest.mark.parametrize(
    ("one", "names"),
    [
        pytest.param(clause("NEVER push"), {"typography"}, id="capitals"),
        pytest.param(clause("use the HTTP api"), set(), id="an acronym without a vowel is not shouted"),
        pytest.param(clause("never push"), set(), id="quiet"),
        pytest.param(clause("never push", item=True), {"enumeration"}, id="an item of a list"),
    ],
)
def test_how_a_clause_is_set(one: Clause, names: set[str]) -> None:
    assert {signal.family for signal in structure.clause_signals(one, structure.MessageStructure())} == names


def test_saying_it_again_is_a_signal() -> None:
    whole = structure.message_structure("always use pnpm", structure.Neighbourhood(earlier=("please always use pnpm",)))
    assert "repetition" in {signal.family for signal in structure.clause_signals(clause("always use pnpm"), whole)}


def test_an_assistant_s_cause_counts_more_when_it_names_code_and_nothing_follows() -> None:
    named = clause(f"the lock in {OPAQUE * 5} is never released")
    assert structure.assistant_adjustment(named, {"cause_present"}, "That is it.") > 0
    assert structure.assistant_adjustment(named, {"cause_present"}, "Let me look:") == 0
    assert structure.assistant_adjustment(clause("it is slow"), {"cause_present"}, "That is it.") == 0
