"""What is kept of a message, and why the rest is not: one probe for every kind of mistake that memories of this sort make."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import fit
from psychmem_py.extraction import structure
from psychmem_py.extraction.prepared_message import own_words
from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.sweep_lines import limited
from psychmem_py.model.records import Gate, Kind, Message, Origin, Role, Store, ToolUse
from psychmem_py.model.settings import DEFAULTS, Extraction
from tests.data import cases, holds
from tests.shipped_languages import MATCHER, kept, swept, texts_kept

test_a_message = holds("extraction", {
    "nothing is kept of": lambda text: (kept(text), []),
    "a label or a no stands before a rule": lambda text: ([kind for kind, _ in kept(text)], [Kind.CONSTRAINT]),
    "the same words tell what happens": lambda texts: ([text for text in texts if kept(text)], []),
    "the class follows the grammar of": lambda text, kind: ([found for found, _ in kept(text)], [kind]),
    "what is kept of a message": lambda text, texts: (texts_kept(text), texts),
    "what is kept of a message behind a client s marks": lambda text, texts: (texts_kept(own_words(text)), texts),
    "the scope of": lambda text, scope: ([v.candidate.scope for v in swept(text) if v.gate is None], [scope]),
    "the store of": lambda text, store: ([v.candidate.store for v in swept(text) if v.gate is None and not v.waiting], [store]),
    "what a person chose of the agent s offers is a decision told with its question": lambda question, answer, texts: (
        kept(str(answer), previous=question, chosen=True), [(Kind.DECISION, text) for text in texts],
    ),
    "an assistant may only state outcomes": lambda text, kinds: ([kind for kind, _ in kept(text, Role.ASSISTANT)], kinds),
})  # fmt: skip


@pytest.mark.parametrize(("rule", "acts"), cases("extraction", "a plain rule is kept, whatever is done"))
def test_a_plain_rule_is_kept_whatever_is_done(rule: str, acts: list[str]):
    missed = [act for act in acts if not kept(rule.format(act))]
    assert len(missed) <= len(acts) // 3, missed


def test_each_sentence_of_a_message_is_a_memory_of_its_own():
    text = "I prefer tabs. Never use var. We decided to use SQLite for the queue. Remember the demo is on Friday."
    assert [kind for kind, _ in kept(text)] == [Kind.PREFERENCE, Kind.CONSTRAINT, Kind.DECISION, Kind.SEMANTIC]


def test_a_short_correction_is_put_into_the_sentence_it_corrects_and_into_no_question() -> None:
    texts = [v.candidate.text for v in swept("No, it's 8081.", previous="Done. The API listens on port 8080. Shall I go on?")]
    assert texts == ["The API listens on port 8081."]
    assert kept("No, use 8081", previous="Shall the API listen on port 8080?") == []


@pytest.mark.parametrize("text", cases("extraction", "who takes back a word and gives the value is believed"))
def test_who_takes_back_a_word_and_gives_the_value_is_believed(text: str) -> None:
    ((_, found),) = kept(text)
    assert "40" in found
    assert len(found) < len(text)  # what was taken back is not part of it


def test_statements_side_by_side_do_not_lower_each_other() -> None:
    each = "I dislike long names.|I prefer tables.|Never rename a column.|We release on Mondays only.|Always test first."
    alone = {v.candidate.text: v.candidate.confidence for text in each.split("|") for v in swept(text)}
    assert {v.candidate.text: v.candidate.confidence for v in swept(each.replace("|", " "))} == alone


def test_a_cause_told_after_a_failure_counts_for_more_and_a_rule_does_not() -> None:
    def confidence(text: str, *, ok: bool) -> float:
        message = Message("m", Role.USER, Origin.USER_PROMPT, text)
        (verdict,) = sweep([message], MATCHER, uses=[ToolUse("t", "Bash", 1.0, ok=ok)])
        assert verdict.is_kept
        return verdict.candidate.confidence

    for text in ("The export broke because the disk was full", "Learned that the relay drops idle sockets"):
        assert confidence(text, ok=False) > confidence(text, ok=True)
    assert confidence("Never rename a column", ok=False) == confidence("Never rename a column", ok=True)


def test_a_short_answer_to_a_long_text_counts_for_more_and_what_is_said_in_passing_for_less() -> None:
    def surely(previous: str) -> float:
        (verdict,) = swept("never rename a column", previous=previous)
        return verdict.candidate.confidence

    assert surely("Here is what I found. " * 40) > surely("Here is what I found.")
    rule = "The session token is limited to one hour."
    long = f"{rule} Then have a look at the form, the fields of the second page and the texts below them, one after the other."
    alone, passing = (next(v for v in swept(text) if v.candidate.text == rule) for text in (rule, long))
    assert passing.candidate.confidence < alone.candidate.confidence


PASSAGE = "Then have a look at the form, the fields of the second page and the texts below them, one after the other."


@given(
    st.lists(st.sampled_from("we use must should the export be small because never queue of".split()), min_size=3).map(" ".join)
)
def test_the_table_takes_nothing_from_what_is_all_of_a_message_nor_below_pending(said: str) -> None:
    def sure(text: str) -> list[float]:
        return [v.candidate.confidence for v in swept(text) if said in v.candidate.quote]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("psychmem_py.extraction.sweep.likelihood", lambda *_: None)
        by_formula, among_others = sure(said), sure(f"{said}. {PASSAGE}")
        patch.setattr("psychmem_py.extraction.sweep.likelihood", lambda *_: 0.0)
        assert sure(said) == by_formula
        assert sure(f"{said}. {PASSAGE}") == pytest.approx([max(structure.FORMULA * one, min(one, 0.4)) for one in among_others])


def test_a_table_is_fitted_to_labelled_messages_and_one_feature_of_few_people_is_none(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"{n}-{word}",
            "role": "user",
            "text": f"We use {word} for {n}.",
            "labels": [{"span": f"We use {word}"}] if n % 2 else [],
        }
        for n in range(20)
        for word in (("plum", "peach") if n % 2 else ("apple",))
    ]
    rows.append({"id": "one", "role": "user", "text": "We use a kiwi.", "labels": []})
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    weights = fit.fitted([*fit.cases(tmp_path / "said.jsonl", MATCHER)])
    assert weights["plum"] > 0 > weights["apple"]
    assert "kiwi" not in weights
    assert structure.parsed(fit.lines(weights).splitlines())["plum"] == pytest.approx(weights["plum"], abs=0.006)


def test_evidence_is_cut_from_the_original_text_with_the_words_that_are_not_stored() -> None:
    text = "ok. `x`\n- Never call `init` twice from src/main.py!"
    candidate = swept(text)[-1].candidate
    assert text[candidate.start : candidate.end] == candidate.quote == "Never call `init` twice from src/main.py!"
    assert text[candidate.signals[0].start : candidate.signals[0].end].startswith("Never")
    [verdict] = swept("Remember that the demo shop has no real customers.")
    assert verdict.candidate.quote == "Remember that the demo shop has no real customers."


@pytest.mark.parametrize(("text", "kind", "stored"), cases("extraction", "what only wraps a memory is not stored"))
def test_what_only_wraps_a_memory_is_not_stored(text: str, kind: Kind | None, stored: str):
    [verdict] = [v for v in swept(text) if v.gate is None and not v.waiting]
    assert verdict.candidate.text == stored
    assert kind in (None, verdict.candidate.kind)
    assert verdict.candidate.quote in text


def test_a_sentence_that_opens_a_list_is_stored_with_it_if_it_is_short() -> None:
    said = "The root cause was two stale files:\n- deploy.json from the old deploy\n- the cached manifest\n\nI will look at the rest."
    stored = "The root cause was two stale files: deploy.json from the old deploy; the cached manifest"
    assert kept(said, Role.ASSISTANT) == [(Kind.BUGFIX, stored)]
    said = "The root cause was a set of stale files in dist/cache/:\n" + "- one more stale file of the old deploy\n" * 30
    ((_, text),) = kept(said, Role.ASSISTANT)
    assert len(text) <= 240


def test_an_assistant_states_no_rule_and_nothing_for_good_and_a_tool_nothing_at_all() -> None:
    text = "Remember that the root cause was a missing index on `orders.customer_id`."
    assert {v.candidate.store for v in swept(text, Role.ASSISTANT)} <= {Store.STM}
    assert {v.gate for v in swept("Never commit secrets to the repository.", Role.ASSISTANT)} == {Gate.ROLE}
    assert swept("The root cause was a stale lock. Never do that again.", Role.TOOL) == []


def test_words_that_two_families_share_are_one_piece_of_evidence():
    [verdict] = [v for v in swept("Invoices should always be numbered without gaps.") if v.gate is None]
    assert "should" not in {signal.family for signal in verdict.candidate.signals}


def test_weak_evidence_waits_and_a_refusal_names_gate_and_reason() -> None:
    assert [(v.waiting, v.gate) for v in swept("I'd like the totals without decimals.")] == [(True, None)]
    found = swept("We could always rewrite it in Go, and never look back.")
    assert [(v.gate, v.reason) for v in found] == [(Gate.FILTER, "hypothetical")]


def test_at_most_seven_are_kept_of_a_stop_the_best_first():
    text = "\n".join(f"Never deploy service number {n} on a Friday." for n in range(10))
    found = limited(swept(text))
    assert (sum(v.gate is None for v in found), sum(v.gate is Gate.LIMIT for v in found)) == (7, 3)


def test_a_setting_can_make_it_stricter():
    message = Message("m", Role.USER, Origin.USER_PROMPT, "Never push to main.")
    settings = Extraction(), Extraction(confidence_threshold=0.9), Extraction(message_importance_threshold=1.1)
    (found,) = zip(*(sweep([message], MATCHER, DEFAULTS._replace(extraction=one)) for one in settings), strict=True)
    assert [v.gate is None and not v.waiting for v in found] == [True, False, False]


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_can_be_swept(text: str):
    for role in (Role.USER, Role.ASSISTANT):
        for verdict in swept(text, role):
            candidate = verdict.candidate
            assert 0 <= candidate.confidence <= 1
            assert 0 <= candidate.importance <= 1
            assert 0 <= candidate.start < candidate.end <= len(text)


@pytest.mark.parametrize("piece", cases("extraction", "hostile text takes no time"))
def test_hostile_text_takes_no_time(piece: str):
    swept(piece * (20_000 // len(piece)))  # the suite's time limit is the assertion; quadratic work would take minutes


def test_what_holds_nothing_but_a_booster_is_told_only_where_it_is_asked_for():
    message = Message("m", Role.USER, Origin.USER_PROMPT, "The reports go to every single customer because of the contract.")
    assert (sweep([message], MATCHER), {v.reason for v in sweep([message], MATCHER, faint=True)}) == ([], {"faint"})


@pytest.mark.parametrize("chars", [1000, 2000, 9000])
def test_what_is_said_behind_a_long_log_is_kept(chars: int):
    log = "\n".join(f"2026-11-22 10:00:{n % 60:02d} INFO worker {n} is done" for n in range(300))[:chars]
    said = "the staging host is called oslo-two."
    assert [text for text in texts_kept(f"{log}\n\nRemember: {said}")] == [said]
