"""What is not sure enough and waits, and what speaks for and against a clause."""

from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.extraction.clause_evidence import (
    ClauseEvidence,
    evidence_behind,
    lexical_signals,
    says_enough,
    shifted,
    without_doubles,
    wrapper_end,
)
from psychmem_py.extraction.gates import LONGEST_TEXT, why_unclear
from psychmem_py.languages.matcher import Hit
from psychmem_py.model.records import Kind, Origin, Role
from tests.data import holds
from tests.memories_made import said
from tests.shipped_languages import swept, texts_kept

test_a_statement = holds("extraction", {
    "a person s sentence": lambda text, reason: (why_unclear(said(text), ()), reason),
    "what speaks against an assistant s statement": lambda text, expected: (
        [one.reason for one in swept(text, Role.ASSISTANT) if one.is_kept], [expected],
    ),
    "an assistant s statement": lambda kind, names, words, reason: (
        why_unclear(said("The total was counted twice.", Kind(kind), origin=Origin.ASSISTANT, names=tuple(names)), words), reason,
    ),
    "what was announced must say something": lambda text, enough: (says_enough(text), enough),
})  # fmt: skip


def test_a_sentence_that_is_not_understood_alone_waits_for_its_subject() -> None:
    assert why_unclear(said("It must stay blue."), (), leaning=True) == "pointing"
    found = swept("I want the parcels " + "of the depot in the yard " * 11)
    assert [(verdict.waiting, verdict.reason) for verdict in found] == [(True, "long")]


def test_what_is_said_of_a_link_waits_and_what_a_link_is_does_not() -> None:
    assert (
        texts_kept("https://example.com/issues/7 this issue says the import breaks because we changed the parser to strict mode.")
        == []
    )
    assert len(texts_kept("Remember that https://staging.example.com is our staging server.")) == 1


def test_what_stands_in_brackets_alone_is_an_aside() -> None:
    text = "Moved the rest into `orders.md` (it lacked the section on refunds): totals, taxes, rounding."
    assert {verdict.reason for verdict in swept(text, Role.ASSISTANT) if verdict.waiting} == {"aside"}
    cause = "The root cause was that `orders.go` (which reads the totals) slept before the lock was free."
    assert len(texts_kept(cause, Role.ASSISTANT)) == 1


_WORDS = st.sampled_from("the parcels|of the depot|never|must|we decided|, because|, besides|—|;|(|)|`van`|and|weigh".split("|"))


@given(st.lists(_WORDS, min_size=20, max_size=80), st.sampled_from(list(Role)[:2]))
def test_nothing_longer_than_a_line_of_a_brief_is_kept(words: list[str], role: Role) -> None:
    text = "From now on we must never " + " ".join(words)
    assert all(len(one) <= LONGEST_TEXT for one in texts_kept(text, role))


def hit(name: str, start: int, end: int, group: str = "signals.constraint") -> Hit:
    return Hit(group=group, name=name, language="en", start=start, end=end)


def evidence(*signals: Hit) -> ClauseEvidence:
    return ClauseEvidence(signals, (), (), frozenset(), opens_with_pronoun=False)


def test_should_beside_a_stronger_rule_on_the_same_words_is_no_second_evidence() -> None:
    never, should, elsewhere = hit("never", 0, 12), hit("should", 3, 9), hit("should", 20, 26)
    assert without_doubles([never, should, elsewhere]) == (never, elsewhere)


def test_a_wrapper_ends_where_the_sentence_begins_and_offsets_follow_what_is_cut_out() -> None:
    text = "remember that CI is very slow"
    assert text[wrapper_end(text, evidence(hit("remember", 0, 8))) :] == "CI is very slow"
    assert wrapper_end(text, evidence(hit("never", 0, 8))) == 0
    assert shifted([hit("never", 10, 15)], 8) == (hit("never", 2, 7),)
    ask, pasted, at_cut, later = (
        hit(name, at, at + 6, "filters")
        for name, at in (("task_request", 0), ("pasted", 0), ("narration", 14), ("task_request", 20))
    )
    whole = evidence()._replace(filters=(ask, pasted, at_cut, later))
    left = evidence_behind(whole, 14, evidence()).filters
    assert [(one.name, one.start) for one in left] == [("pasted", -14), ("narration", 0), ("task_request", 6)]


def test_a_family_found_twice_is_one_signal_and_a_person_s_ban_weighs_more_than_an_assistant_s() -> None:
    twice = [hit("never", 0, 5), hit("never", 10, 15)]
    (person,) = lexical_signals(twice, Role.USER, 100)
    (assistant,) = lexical_signals(twice, Role.ASSISTANT, 100)
    assert (person.start, person.end) == (100, 105)
    assert person.weight > assistant.weight == 0
