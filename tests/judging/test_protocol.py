"""What is put before a judge, and what of its answer is believed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from psychmem_py.judging import protocol
from psychmem_py.judging.instructions import instructions
from psychmem_py.judging.judged import after, is_proposed, proposed
from psychmem_py.judging.protocol import Proposal, Ruling, Word, item, request, rulings
from psychmem_py.model.records import Candidate, Verdict
from psychmem_py.model.terms import Gate, Kind, Origin, Role, Scope, Store

KEEP = '{"verdicts": [{"n": 0, "verdict": "keep"}, {"n": 1, "verdict": "drop"}]}'


def made(message: str, sentence: str = "never push to main", previous: str = "", role: Role = Role.USER) -> Proposal:
    return item(role=role, previous=previous, message=message, quote=sentence, sentence=sentence, kind=Kind.CONSTRAINT)


def test_each_part_has_its_length() -> None:
    long = made("word " * 400 + "never push to main " + "more " * 400, "never push to main", "before " * 200)
    assert (len(long.previous), len(long.message)) == (protocol.PREVIOUS_CHARS, protocol.MESSAGE_CHARS)
    assert "never push to main" in long.message
    assert long.previous.endswith("before")
    assert len(made("a", "word " * 200).sentence) <= protocol.SENTENCE_CHARS


def test_no_secret_and_no_code_is_sent() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    sent = request([made(f"never push to main, the token is {secret}\n```\nprint('hidden')\n```\nthanks")], "")
    assert secret not in sent
    assert "hidden" not in sent
    assert "[…] thanks" in sent


def test_no_request_is_longer_than_it_may_be() -> None:
    items = [made(f"{n} " + "word " * 300) for n in range(60)]
    batches = protocol.batches(items, instructions(), 20_000)
    assert [one for batch in batches for one in batch] == items
    assert max(len(request(batch, instructions())) for batch in batches) <= 20_000


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(KEEP, id="alone"),
        pytest.param(f"Here you are:\n```json\n{KEEP}\n```\nAnything else?", id="in a code fence"),
        pytest.param(f"I looked at {{each}} of them. {KEEP}", id="behind other braces"),
        pytest.param(f'{{"result": {KEEP}}}', id="inside of another object"),
        pytest.param(KEEP.replace('"keep"', '" Keep "'), id="with a capital"),
    ],
)
def test_an_answer_is_found_wherever_it_stands(reply: str) -> None:
    assert {n: one.word for n, one in rulings(reply, 2).items()} == {0: Word.KEEP, 1: Word.DROP}


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("", id="nothing"),
        pytest.param("Sorry, I cannot help with that.", id="refused"),
        pytest.param('{"verdicts": [{"n": 0, "verdict": "ke', id="cut off"),
        pytest.param('{"verdicts": "keep all"}', id="no list"),
        pytest.param('{"verdicts": [{"n": true, "verdict": "keep"}, {"n": 9, "verdict": "keep"}, {"n": -1, "verdict": "keep"}]}', id="no such item"),
        pytest.param('{"verdicts": [{"n": 0, "verdict": "absolutely"}, "keep", null, {"n": 1}]}', id="no such verdict"),
        pytest.param("{" * 5000 + '"verdicts"', id="deep"),
        pytest.param('{"a":' * 5000 + '"verdicts"', id="deeper"),
        pytest.param('{"verdicts": [{"n": 0, "verdict": "keep"}]} or {"verdicts": [{"n": 0, "verdict": "drop"}]}', id="two answers"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_rules_nothing(reply: str) -> None:
    assert rulings(reply, 2) == {}


def test_an_unknown_class_and_an_endless_text_are_left_out() -> None:
    said = {"n": 0, "verdict": "keep", "class": "law", "text": "x" * 5000}
    assert rulings(json.dumps({"verdicts": [said]}), 1) == {0: Ruling(Word.KEEP)}


def verdict(text: str = "never push to main", **given: Any) -> Verdict:
    fields: dict[str, Any] = {
        "text": text, "quote": text, "kind": Kind.CONSTRAINT, "scope": Scope.USER, "importance": 0.7, "confidence": 0.6,
        "signals": (), "role": Role.USER, "origin": Origin.USER_PROMPT, "message_id": "m", "start": 0, "end": len(text),
    }  # fmt: skip
    return Verdict(Candidate(**(fields | given)))


SAID = ("And never push to main, please.", "")


def test_without_a_ruling_the_rules_stand() -> None:
    waiting = verdict()._replace(waiting=True, reason="unsure")
    assert after(waiting, None, SAID) == waiting
    assert after(waiting, Ruling(Word.MAYBE, Kind.DECISION, "Never push to main, please"), SAID) == waiting


def test_keep_settles_what_was_kept_waiting_or_weak() -> None:
    for offered in (verdict(), verdict()._replace(waiting=True), Verdict(verdict().candidate, Gate.EVIDENCE, "weak")):
        found = after(offered, Ruling(Word.KEEP), SAID)
        assert (found.gate, found.waiting, found.candidate.store) == (None, False, Store.LTM)


def test_a_wording_is_taken_only_when_the_message_bears_it_out() -> None:
    better, worse = Ruling(Word.KEEP, None, "Never push to main."), Ruling(Word.KEEP, None, "Always push to main.")
    assert after(verdict(), better, SAID).candidate.text == "Never push to main."
    assert after(verdict(), worse, SAID).candidate.text == "never push to main"


def test_the_quote_stays_as_evidence_of_a_new_wording() -> None:
    found = after(verdict(), Ruling(Word.KEEP, None, "Never push to main."), SAID).candidate
    assert found.quote == "never push to main"


def test_a_judge_makes_no_rule_of_an_assistants_words() -> None:
    stated = verdict(
        "the build needs node 20", kind=Kind.SEMANTIC, scope=Scope.PROJECT, origin=Origin.ASSISTANT, role=Role.ASSISTANT
    )
    found = after(stated, Ruling(Word.KEEP, Kind.CONSTRAINT), ("the build needs node 20", "")).candidate
    assert (found.kind, found.scope, found.origin) == (Kind.SEMANTIC, Scope.PROJECT, Origin.ASSISTANT)


def test_a_judge_narrows_a_scope_and_never_widens_one() -> None:
    narrower = after(verdict(), Ruling(Word.KEEP, Kind.DECISION), SAID).candidate
    told = after(verdict(scope=Scope.PROJECT), Ruling(Word.KEEP, Kind.PREFERENCE), SAID).candidate
    assert (narrower.scope, told.scope) == (Scope.PROJECT, Scope.PROJECT)


def test_what_was_told_as_for_good_is_not_put_before_a_judge() -> None:
    assert is_proposed(verdict())
    assert not is_proposed(verdict(store=Store.LTM))


def test_a_judge_is_asked_about_the_surest_two_and_about_faint_ones_only_where_there_is_nothing_else() -> None:
    def one(confidence: float, reason: str = "", gate: Gate | None = None) -> Verdict:
        made = verdict()
        return made._replace(candidate=made.candidate._replace(confidence=confidence), reason=reason, gate=gate)

    faint = one(0.3, "faint", Gate.EVIDENCE)
    assert proposed([one(0.6), one(0.5), one(0.9), faint]) == [0, 2]
    assert proposed([one(0.9), one(0.5, "unsure")._replace(waiting=True)]) == [
        0
    ]  # a further one that waits seldom holds anything
    assert proposed([one(0.2, "faint", Gate.EVIDENCE)]) == []
    assert proposed([faint, one(0.4, "weak", Gate.EVIDENCE)]) == [1]
    assert proposed([faint, faint]) == [0]
    assert proposed([one(0.9, "question", Gate.QUESTION)]) == []


def test_a_judge_is_not_asked_about_what_hardly_ever_holds_anything() -> None:
    def waits(reason: str, text: str = "never push to main", **given: Any) -> Verdict:
        return verdict(text, **given)._replace(waiting=True, reason=reason)

    stated: dict[str, Any] = {"kind": Kind.SEMANTIC, "role": Role.ASSISTANT, "origin": Origin.ASSISTANT}
    long = "the mirror of the registry only syncs at night, so a package published today is missing until tomorrow"
    assert is_proposed(waits("unsure"))
    assert is_proposed(waits("unsure", kind=Kind.LEARNING))
    assert not is_proposed(waits("unsure", kind=Kind.SEMANTIC))
    assert not any(is_proposed(waits(reason)) for reason in ("cut", "dangling", "pointing", "task"))
    assert is_proposed(waits("unsure", long, **stated))
    assert not is_proposed(waits("unsure", "the mirror only syncs at night", **stated))
    assert is_proposed(Verdict(verdict(long, **stated).candidate, Gate.EVIDENCE, "faint"))
    assert not is_proposed(Verdict(verdict(long[:60], **stated).candidate, Gate.EVIDENCE, "faint"))
