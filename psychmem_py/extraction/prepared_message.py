"""A message ready to be read clause by clause, and what a clause of it states, as a candidate: worded, classed, placed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from psychmem_py.extraction import classify, gates, passages, structure, weights, wording
from psychmem_py.extraction.clause_evidence import STANDING, ClauseEvidence, evidence_in, evidence_within
from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause, with_list
from psychmem_py.extraction.mask import masked
from psychmem_py.languages.matcher import Chooser, Hit, Matcher, languages_of
from psychmem_py.memory.change_cues import is_negative
from psychmem_py.memory.forgetting import OF_A_TASK, TWICE
from psychmem_py.model.records import HUMAN, Candidate, Kind, Message, Role, Scope, Signal, Store
from psychmem_py.model.settings import Settings
from psychmem_py.safety.secrets import redact, redact_typed
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.text.folding import fold
from psychmem_py.text.own_subject import has_own_subject

_MESSAGE_CHARS = 100_000  # of one message that are read; whoever says more has pasted it
_LONG_RUN = 64
_ROUND = re.compile(rf"([^\n]{{1,8}}?)\1{{{_LONG_RUN},}}")
_SHORT_CHARS = 2_000
# Where a client names what was pasted into the prompt that begins so: "[Image #1] From now on …".
_ATTACHED = re.compile(r"(?m)^[^\S\n]*(?:\[(?:Image|Pasted text)(?: #?\d|: source:)[^\]\n]{0,400}\]\s*)+")
_BACK = ("filters", "back")
_ASKED = passages.REGARD | passages.WORK | {passages.AGENT}
POINTING_CHARS = 90  # "Remember that for this project, please." is no longer
_ALONE = STANDING | {"correction", "cause", "fixed", "learned", "milestone"}  # families that tell enough even of "it" and "this"
_TOLD_AS_LASTING = frozenset({"remember", "forever"})
_NEAR_START = 12  # signs of a greeting or of "please" that may stand before them


def cleaned(message: Message) -> Message:
    """The message without secrets, invisible characters and what we ourselves had put there."""
    cut = redact_typed if message.role is Role.USER else redact
    return message._replace(text=cut(own_words(message.text)), previous=redact(own_words(message.previous)))


def own_words(text: str) -> str:
    """The text without our blocks, marks of clients, and 64 equal signs or groups in a row, which nobody says: patterns pay."""
    text = text[:_MESSAGE_CHARS]
    if len(text) >= _SHORT_CHARS:
        text = _ROUND.sub(lambda match: match.group()[: len(match.group(1)) * _LONG_RUN], text)
    return without_our_blocks(_ATTACHED.sub("", text))


class PreparedMessage(NamedTuple):
    """A message made ready to be read clause by clause."""

    message: Message
    around: structure.Neighbourhood
    matcher: Matcher
    settings: Settings
    text: str  # masked
    folded: str
    codes: tuple[str, ...]  # languages it may be in
    structure: structure.MessageStructure

    @property
    def by_person(self) -> bool:
        return self.message.role is Role.USER

    @property
    def length(self) -> int:
        """Letters and signs of the message."""
        return len(self.message.text.strip())

    def folded_in(self, clause: Clause) -> str:
        return self.folded[clause.start : clause.end]

    def written_in(self, clause: Clause) -> str:
        return self.message.text[clause.start : clause.end]

    def evidence(self, clause: Clause, announced: Sequence[Hit] = (), *, faint: bool = False) -> ClauseEvidence | None:
        """See `clause_evidence.evidence_in`."""
        return evidence_in(self.folded_in(clause), self.matcher, self.codes, self.message.role, announced, faint=faint)

    def hits(self, clause: Clause, part: str, asked: Chooser) -> list[Hit]:
        """See `languages.matcher.Matcher.hits`."""
        return self.matcher.hits(self.folded_in(clause), self.codes, part, asked)

    def pointing_back(self, clause: Clause) -> list[Hit]:
        """What a clause says that only points at the sentence before it: the hit, and where it is to hold; else nothing."""
        if len(clause.text) > POINTING_CHARS:
            return []
        hits = self.hits(clause, "pointing", lambda group, name: group == "scope" or (group, name) == _BACK)
        return hits if any((hit.group, hit.name) == _BACK for hit in hits) else []

    def corrected(self, clause: Clause) -> str:
        """The sentence of the previous answer as the clause corrects it; empty where it says nothing to put into one."""
        return wording.resolved(wording.trimmed(self.written_in(clause)), self.around.previous)

    def regard(self) -> passages.Regard:
        """Finds whether a folded text asks about another or says where that comes from."""
        matcher = self.matcher

        def asked(group: str, name: str) -> bool:
            spoken = group.startswith("signals") and name in passages.SPOKEN
            return spoken or group == "scope" or (group == "lexicon" and name in _ASKED)

        @cache  # a clause is asked about as a sentence of its own and as a question behind another
        def words(folded: str) -> list[Hit]:
            codes = dict.fromkeys((*self.codes, *languages_of(folded, tuple(matcher.languages.values()))))
            hits = matcher.hits(folded, codes, "regard", asked)
            if "en" in codes or "en" not in matcher.languages:
                return hits
            little = {word for code in codes for word in matcher.languages[code].function_words}  # "comment" is "how" in French
            english = matcher.hits(folded, ["en"], "work", lambda group, name: group == "lexicon" and name in passages.WORK)
            return [*hits, *(hit for hit in english if folded[hit.start : hit.end] not in little)]

        return words


def prepared_message(message: Message, around: structure.Neighbourhood, matcher: Matcher, settings: Settings) -> PreparedMessage:
    """The message as the gates need it."""
    by_person = message.role is Role.USER
    text = masked(message.text, from_human=by_person)
    folded = fold(text)
    codes = languages_of(folded, tuple(matcher.languages.values()))
    shape = structure.message_structure(message.text, around) if by_person else structure.MessageStructure()
    return PreparedMessage(message, around, matcher, settings, text, folded, codes, shape)


class Statement(NamedTuple):
    """What a clause states between others, and its evidence."""

    clause: Clause
    evidence: ClauseEvidence
    before: Clause | None = None
    after: Sequence[Clause] = ()
    wrapped_in: Clause | None = None  # the whole clause, where `clause` is without the words that only wrap it
    trouble: Clause | None = None  # what the cause that an assistant tells is the cause of, where it stands right before it
    remedy: Clause | None = None  # what mended it, where that stands right behind it


def unclear(evidence: ClauseEvidence, role: Role) -> bool:
    """Whether a person's statement is about "it" or "this" and its family does not make up for that."""
    return role is Role.USER and evidence.opens_with_pronoun and not _ALONE & evidence.families


def _rule_alone(clause: Clause, evidence: ClauseEvidence) -> Clause:
    standing = [hit.start for hit in evidence.signals if hit.name in STANDING]
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
    families = classify.families_of(evidence.signals) if message.role is Role.USER else evidence.families
    kind = classify.kind_of(families, evidence.words, message.role)
    scope, store = _placed(prepared, statement, kind, wording.names_in(text))
    whole = statement.wrapped_in or clause  # the wrapper's words are evidence too
    alone = structure.is_alone(prepared.written_in(whole), prepared.length)
    lasts = message.role is not Role.USER or classify.outlasts_the_task(evidence.signals, evidence.filters, alone=alone)
    if statement.trouble:
        text = wording.with_lead(text, prepared.written_in(statement.trouble), gates.LONGEST_TEXT)
    if statement.remedy:
        whole = whole._replace(end=statement.remedy.end)
        text = f"{text} {wording.trimmed(prepared.written_in(statement.remedy))}"
    return Candidate(
        text=text, quote=prepared.written_in(whole), kind=kind, scope=scope, importance=weights.importance(signals),
        confidence=confidence, signals=signals, role=message.role, origin=message.origin, message_id=message.id,
        start=whole.start, end=whole.end,
        language=next((signal.language for signal in signals if signal.language), prepared.codes[0]), at=message.at,
        names=wording.names_in(text),
        metadata=() if lasts else ((OF_A_TASK, TWICE if classify.AGAIN in evidence.families else "once"),),
        store=store,
    )  # fmt: skip


def _worded(prepared: PreparedMessage, statement: Statement, clause: Clause) -> str:
    """The text of `clause`, put into the answer it corrects or behind the sentence it points at, and not too long."""
    message, evidence, before = prepared.message, statement.evidence, statement.before
    quote = prepared.written_in(clause)
    asked = next((hit.end for hit in evidence.filters if hit.name == "task_request" and hit.start <= _NEAR_START), 0)
    if asked and "habit" in evidence.families and quote.endswith(QUESTION_MARKS):
        quote = quote[asked:].rstrip("".join(QUESTION_MARKS))  # "can you always …?" asks for a rule
    if any(hit.name == "complaint" and hit.start <= gates.OPENING_CHARS for hit in evidence.signals):
        quote = quote.rstrip("".join(QUESTION_MARKS))  # nor does "why are you still …?" ask
    text = wording.trimmed(quote)
    if evidence.families & {"correction", "use_not"}:
        text = prepared.corrected(clause) or text
    if "choice" in evidence.families and prepared.by_person:
        text = wording.chosen(text, prepared.around.previous) or text
    points = unclear(evidence, Role.USER) or not has_own_subject(text)  # about something that stands before it
    if before and prepared.by_person and "\n" not in message.text[before.end : clause.start] and points:
        text = wording.with_lead(text, prepared.written_in(before), gates.LONGEST_TEXT)
    return wording.shortened(text, evidence_within(evidence, message.role, len(quote) - len(text)), gates.LONGEST_TEXT)


def _placed(prepared: PreparedMessage, statement: Statement, kind: Kind, names: Sequence[str]) -> tuple[Scope, Store]:
    """Where a statement holds, and its store: long-term where it begins by saying that it is for good, or is all and ends so."""
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
