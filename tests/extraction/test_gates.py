"""Clauses: how they are cut and set, what they weigh, and why one is refused."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.extraction import structure
from psychmem_py.extraction.clauses import Clause, clauses
from psychmem_py.extraction.gates import filtered
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.weights import confidence
from psychmem_py.languages.matcher import Hit
from psychmem_py.model.records import Role
from tests.data import holds


def hits(names: str, group: str = "filters") -> list[Hit]:
    return [Hit(group=group, name=name, language="en", start=0, end=5) for name in names.split()]


def refusal(text: str, families: str, filters: str, role: str) -> tuple[str | None, str]:
    found = filtered(text, hits(families, "signals.x"), hits(filters), Role(role))
    return found.gate, found.reason


def denied(text: str, denial: str, rule: str) -> bool:
    def hit(group: str, name: str, words: str) -> Hit:
        return Hit(group=group, name=name, language="en", start=text.index(words), end=text.index(words) + len(words))

    found = filtered(text, [hit("signals.constraint", "must", rule)], [hit("filters", "negation", denial)], Role.USER)
    return found.gate is not None


def around(text: str, before: int, earlier: int, failed: bool) -> set[str]:
    """What is seen of a message behind an answer so long, and behind so many short messages."""
    known = structure.Neighbourhood(previous="x" * before, earlier=("a" * 20,) * earlier, failed=failed)
    return set(structure.message_structure(text, known).names)


test_a_clause = holds("extraction", {
    "a clause is refused for what it says of itself": lambda *cells: (refusal(*cells[:4]), cells[4:]),
    "a negation denies what stands in its part of the sentence": lambda text, denial, rule, refused: (denied(text, denial, rule), refused),
    "soft filters take from the confidence": lambda families, filters, doubt: (
        filtered("x", hits(families, "signals.x"), hits(filters), Role.USER).adjustment, pytest.approx(float(doubt)),
    ),
    "cut": lambda text, expected: ([clause.text for clause in clauses(text)], expected),
    "what holds for a whole message": lambda *cells: (around(*cells[:4]), {*cells[4]}),
})  # fmt: skip


def test_a_signal_inside_an_idiom_says_nothing() -> None:
    always = Hit(group="signals.emphasis_cue", name="always", language="en", start=3, end=9)
    idiom = Hit(group="filters", name="smalltalk", language="en", start=0, end=9)
    result = filtered("as always", [always], [idiom], Role.USER)
    assert (result.void, result.reason) == ((always,), "smalltalk")


WEIGHTS = st.lists(st.floats(0.05, 0.9), min_size=1, max_size=6)


def test_confidence():
    # (.8 + .3 + .2) / 2, (.6 + .3 + .2) / 2, (.6 + .3 + .2 + .15) / 2, (.6 + .3 + .4) / 2, (.3 + .3 + .15) / 2, nothing
    found = [confidence(weights) for weights in ([0.8], [0.6], [0.6, 0.3], [0.6, 0.6], [0.3], [])]
    assert found == pytest.approx([0.65, 0.55, 0.625, 0.65, 0.375, 0.0])


@given(WEIGHTS, st.floats(0.05, 0.9), st.floats(-1, 1))
def test_more_evidence_never_lowers_confidence_which_stays_a_share(weights: list[float], more: float, adjustment: float):
    assert confidence([*weights, more]) >= confidence(weights) - 1e-9
    assert 0 <= confidence(weights, adjustment) <= 1


def clause(text: str, *, item: bool = False) -> Clause:
    return Clause(text, 0, len(text), item)


def test_how_a_clause_is_set_and_that_it_was_said_before_are_signals() -> None:
    set_so = clause("NEVER push"), clause("use the HTTP api"), clause("never push"), clause("never push", item=True)
    found = [{signal.family for signal in structure.clause_signals(one, structure.MessageStructure())} for one in set_so]
    assert found == [{"typography"}, set(), set(), {"enumeration"}]
    whole = structure.message_structure("always use pnpm", structure.Neighbourhood(earlier=("please always use pnpm",)))
    assert "repetition" in {signal.family for signal in structure.clause_signals(clause("always use pnpm"), whole)}


def test_an_assistant_s_cause_counts_more_when_it_names_code_and_nothing_follows() -> None:
    named = clause(f"the lock in {OPAQUE * 5} is never released")
    assert structure.assistant_adjustment(named, {"cause_present"}, "That is it.") > 0
    assert structure.assistant_adjustment(named, {"cause_present"}, "Let me look:") == 0
    assert structure.assistant_adjustment(clause("it is slow"), {"cause_present"}, "That is it.") == 0


def test_a_wrapped_line_goes_on():
    text = "this sentence is long enough to have been wrapped by an editor at its\nright edge and never ends there"
    assert len(clauses(text)) == 1


@given(st.text(alphabet="ab.!?\n 1)-。", max_size=80))
def test_offsets_are_true_and_in_order(text: str):
    found = clauses(text)
    assert all(text[c.start : c.end] == c.text for c in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
