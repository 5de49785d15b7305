"""The text of a memory: what is taken off a clause, and what is put before it."""

from psychmem_py.extraction import wording
from tests.data import holds

test_a_wording = holds("extraction", {
    "politeness and marks are trimmed": lambda text, wanted: (wording.trimmed(text), wanted),
    "a short correction is put into the sentence it corrects": lambda text, before, wanted: (wording.resolved(text, before) or text, wanted or text),
    "a choice is told with what was offered under it": lambda text, before, wanted: (wording.chosen(text, before), wanted or ""),
    "the sentence behind a wrapper is found": lambda text, until, rest: (text[wording.unwrapped(text, until) :], rest),
    "files and identifiers are named": lambda text, names: (list(wording.names_in(text)), names),
    "a long sentence ends where something is added": lambda text, wanted: (wording.shortened(text, (0, 20), 80), wanted or text),
    "a long sentence begins where a statement of its own does": lambda text, rule, wanted: (around(text, rule), wanted or text),
})  # fmt: skip


def around(text: str, rule: str) -> str:
    return wording.shortened(text, (text.index(rule), text.index(rule) + len(rule)), 80)


def test_a_lead_is_put_before_what_leans_on_it_unless_it_is_a_question() -> None:
    before = "The old API is used by two teams"
    assert wording.with_lead("It must stay.", before, 240) == f"{before}. It must stay."
    assert wording.with_lead("It must stay.", "What about the old API?", 240) == "It must stay."
    assert wording.with_lead("It must stay.", before, 40) == "It must stay."
    assert wording.with_lead("It must stay.", "The old API (5.4", 240) == "It must stay."
