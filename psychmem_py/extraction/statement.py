"""What a clause states among others, as a candidate: worded to be understood alone, classed, and with its place. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.extraction import classify, gates, waiting, weights, wording
from psychmem_py.extraction.clause_evidence import ClauseEvidence, evidence_within
from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause, with_list
from psychmem_py.extraction.likelihood import is_alone
from psychmem_py.extraction.prepared_message import PreparedMessage
from psychmem_py.memory.change_cues import is_negative
from psychmem_py.memory.forgetting import OF_A_TASK, TWICE
from psychmem_py.model.records import HUMAN, Candidate, Kind, Role, Scope, Signal, Store
from psychmem_py.text.own_subject import has_own_subject


class Statement(NamedTuple):
    """What a clause states between others, and its evidence."""

    clause: Clause
    evidence: ClauseEvidence
    before: Clause | None = None
    after: Sequence[Clause] = ()
    wrapped_in: Clause | None = None  # the whole clause, where `clause` is without the words that only wrap it
    trouble: Clause | None = None  # what the cause that an assistant tells is the cause of, where it stands right before it
    remedy: Clause | None = None  # what mended it, where that stands right behind it


# Families that tell enough even of "it" and "this".
_ALONE = gates.STANDING | {"correction", "cause", "fixed", "learned", "milestone"}


def unclear(evidence: ClauseEvidence, role: Role) -> bool:
    """Whether a person's statement is about "it" or "this" and its family does not make up for that."""
    return role is Role.USER and evidence.opens_with_pronoun and not _ALONE & evidence.families


def _rule_alone(clause: Clause, evidence: ClauseEvidence) -> Clause:
    """The clause without the one-off request that stands before its rule."""
    standing = [hit.start for hit in evidence.signals if hit.name in gates.STANDING]
    if not standing or not any(hit.name == "task_request" and hit.start < min(standing) for hit in evidence.filters):
        return clause
    cut = wording.rule_start(clause.text, max(0, min(standing)))
    return clause._replace(text=clause.text[cut:], start=clause.start + cut)


def candidate_of(
    prepared: PreparedMessage, statement: Statement, signals: tuple[Signal, ...] = (), confidence: float = 0.0
) -> Candidate:
    """The statement as it would be stored: worded, classed, and with its place."""
    message, evidence = prepared.message, statement.evidence
    clause = with_list(prepared.text, _rule_alone(statement.clause, evidence), statement.after)
    text = _worded(prepared, statement, clause)
    names = wording.names_in(text)
    families = classify.families_of(evidence.signals) if message.role is Role.USER else evidence.families
    kind = classify.kind_of(families, evidence.words, message.role)
    scope, store = _placed(prepared, statement, kind, names)
    whole = statement.wrapped_in or clause  # the wrapper's words are evidence too
    lasts = message.role is not Role.USER or classify.outlasts_the_task(
        evidence.signals, evidence.filters, alone=is_alone(prepared.written_in(whole), prepared.length)
    )
    if statement.trouble:
        text = wording.with_lead(text, prepared.written_in(statement.trouble), waiting.LONGEST_TEXT)
    if statement.remedy:
        whole = whole._replace(end=statement.remedy.end)
        text = f"{text} {wording.trimmed(prepared.written_in(statement.remedy))}"
    return Candidate(
        text=text,
        quote=prepared.written_in(whole),
        kind=kind,
        scope=scope,
        importance=weights.importance(signals),
        confidence=confidence,
        signals=signals,
        role=message.role,
        origin=message.origin,
        message_id=message.id,
        start=whole.start,
        end=whole.end,
        language=next((signal.language for signal in signals if signal.language), prepared.codes[0]),
        at=message.at,
        names=wording.names_in(text),
        metadata=() if lasts else ((OF_A_TASK, TWICE if classify.AGAIN in evidence.families else "once"),),
        store=store,
    )


def _worded(prepared: PreparedMessage, statement: Statement, clause: Clause) -> str:
    """The text of `clause`, put into the answer it corrects or behind the sentence it points at, and not too long."""
    message, evidence, before = prepared.message, statement.evidence, statement.before
    quote = prepared.written_in(clause)
    asked = next((hit.end for hit in evidence.filters if hit.name == "task_request" and hit.start <= _NEAR_START), 0)
    if asked and "habit" in evidence.families and quote.endswith(QUESTION_MARKS):
        quote = quote[asked:].rstrip("".join(QUESTION_MARKS))  # "can you always …?" asks for a rule
    if any(hit.name == "complaint" and hit.start <= waiting.OPENING_CHARS for hit in evidence.signals):
        quote = quote.rstrip("".join(QUESTION_MARKS))  # nor does "why are you still …?" ask
    text = wording.trimmed(quote)
    if evidence.families & {"correction", "use_not"}:
        text = corrected(prepared, clause) or text
    if "choice" in evidence.families and prepared.by_person:
        text = wording.chosen(text, prepared.around.previous) or text
    points = unclear(evidence, Role.USER) or not has_own_subject(text)  # about something that stands before it
    if before and prepared.by_person and "\n" not in message.text[before.end : clause.start] and points:
        text = wording.with_lead(text, prepared.written_in(before), waiting.LONGEST_TEXT)
    return wording.shortened(text, evidence_within(evidence, message.role, len(quote) - len(text)), waiting.LONGEST_TEXT)


_TOLD_AS_LASTING = frozenset({"remember", "forever"})
_NEAR_START = 12  # signs of a greeting or of "please" that may stand before them


def _placed(prepared: PreparedMessage, statement: Statement, kind: Kind, names: Sequence[str]) -> tuple[Scope, Store]:
    """Where a statement holds, and its store: long-term where it begins by saying outright that it is for good, or is all of the
    message and ends so, as in Japanese.
    """
    clause, evidence = statement.clause, statement.evidence
    first = next((at for at, char in enumerate(prepared.text) if char.isalpha()), 0)
    said = prepared.folded_in(clause)
    everywhere = classify.claims_everywhere(evidence.cues, names, kind)
    begins = next((at for at, char in enumerate(said) if char.isalpha()), 0) + _NEAR_START
    lasting = any(hit.name in _TOLD_AS_LASTING and hit.start <= begins for hit in evidence.signals)
    end = len(prepared.text.rstrip()) - clause.start - _NEAR_START
    asked = [hit for hit in evidence.signals if hit.name == "remember" and hit.end >= end]
    ends = not all(is_negative(said[hit.start : hit.end]) for hit in asked)  # "don't forget to test" is for now
    lasting = lasting or ((everywhere or ends) and clause.start <= first)
    confirmed = (lasting and prepared.message.origin in HUMAN) or prepared.settings.stores.at_once(kind)
    return Scope.USER if everywhere else Scope.PROJECT, Store.LTM if confirmed else Store.STM


def corrected(prepared: PreparedMessage, clause: Clause) -> str:
    """The sentence of the previous answer as the clause corrects it; empty where it says nothing to put into one."""
    correction = wording.trimmed(prepared.written_in(clause))
    whole = wording.resolved(correction, prepared.around.previous)
    return whole if whole != correction else ""
