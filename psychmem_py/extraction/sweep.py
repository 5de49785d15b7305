"""Stage 1 and the four gates: messages in, one verdict for every clause that held evidence. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.extraction import classify, gates, passages, structure, waiting, weights, wording
from psychmem_py.extraction.classify import tells_steps
from psychmem_py.extraction.clause_evidence import (
    ANNOUNCING,
    PASSING,
    ClauseEvidence,
    announces,
    behind_wrapper,
    evidence_behind,
    evidence_in,
    evidence_within,
    lexical_signals,
    says_enough,
    shifted,
    states_the_project,
    without_doubles,
)
from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause, clauses, with_list
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.prepared_message import (
    PreparedMessage,
    context_of,
    pointing_back,
    prepared_message,
    regard,
    subject_to_forget,
)
from psychmem_py.languages.matcher import Hit, Matcher
from psychmem_py.memory.admission import FORGET_ABOUT
from psychmem_py.model.records import HUMAN, RULES, Candidate, Gate, Kind, Message, Role, Scope, Signal, Store, ToolUse, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.safety.secrets import CUT
from psychmem_py.text.own_subject import has_own_subject, speaks_of_a_link

TEXT_CHARS = 4, 500  # shorter and longer texts are not kept; the longest is true-mem's
AGAIN = "again"  # the family of what was said before
NONE_AGAIN: Mapping[str, int] = {}
FAINT = "faint"  # reason of a clause that holds nothing but boosters

# Runs the reading of one message and gives its verdicts, or those given where it does not come to an end in time.
Attempt = Callable[[Callable[[], list[Verdict]], list[Verdict]], list[Verdict]]


def sweep(
    messages: Sequence[Message],
    matcher: Matcher,
    settings: Settings = DEFAULTS,
    *,
    uses: Sequence[ToolUse] = (),
    again: Mapping[str, int] = NONE_AGAIN,
    faint: bool = False,
    attempt: Attempt = lambda act, _otherwise: act(),
) -> list[Verdict]:
    """A verdict for every clause with evidence in it, in order: kept, waiting, or rejected with gate and reason.

    `again` tells by message where what it says was said before, which is evidence like a request to remember it.
    `attempt` runs the reading of each message, so that one can be given up alone. With `faint`, clauses that hold nothing but boosters are told too, rejected as "faint": a judge may see more in them.
    The maximum per stop is not applied here: it counts after deduplication against the store (see `limited`).
    """
    thresholds = weights.thresholds(settings)
    verdicts: list[Verdict] = []
    earlier: list[str] = []
    for index, message in enumerate(messages):
        if message.role is Role.TOOL:
            continue
        around = structure.Neighbourhood(
            previous=message.previous or (messages[index - 1].text if index and message.role is Role.USER else ""),
            earlier=tuple(earlier[max(0, len(earlier) - settings.extraction.message_window_size) :]),
            failed=any(not use.ok for use in uses),
        )
        context = context_of(messages, index)

        def read(message: Message = message, around: structure.Neighbourhood = around, context: str = context) -> list[Verdict]:
            prepared = prepared_message(message, matcher, around)
            return _verdicts(prepared, matcher, thresholds, context, again=again.get(message.id, -1), faint=faint)

        verdicts += attempt(read, [])
        if message.role is Role.USER:
            earlier.append(message.text)
    return verdicts


class _Statement(NamedTuple):
    """What a clause states between others, and its evidence."""

    clause: Clause
    evidence: ClauseEvidence
    before: Clause | None = None
    after: Sequence[Clause] = ()
    wrapped_in: Clause | None = None  # the whole clause, where `clause` is without the words that only wrap it
    remedy: Clause | None = None  # what mended the cause that an assistant tells, where it stands right behind it


def _verdicts(
    prepared: PreparedMessage, matcher: Matcher, thresholds: weights.Thresholds, context: str, *, again: int, faint: bool
) -> list[Verdict]:
    """The verdicts on one message's clauses; what is said twice in it is judged once."""
    abbreviations = [word for code in prepared.codes for word in matcher.languages[code].abbreviations]
    by_text: dict[str, Verdict] = {}
    before: Clause | None = None
    announced: tuple[Hit, ...] = ()
    every = clauses(prepared.text, abbreviations) if prepared.codes else []
    role, from_human = prepared.message.role, prepared.message.role is Role.USER
    passage = passages.mail_in(prepared.text) if from_human else None
    pointers: set[int] = set()  # where what asks to remember the sentence before begins: it asks about no text
    list_until = 0  # as far as a list that was kept with the clause that opens it
    for number, clause in enumerate(every, 1):
        if clause.start < list_until:
            continue
        folded = prepared.folded[clause.start : clause.end]
        if from_human and (pointing := pointing_back(prepared, clause, folded, matcher)):
            pointers.add(clause.start)
            asked = _asked_for(prepared, before, pointing, matcher) if before else None
            if asked:
                verdict = _verdict(prepared, asked, thresholds)
                verdict = passages.judged(verdict, asked.clause.end, passage) if passage else verdict
                by_text[verdict.candidate.text] = verdict
            continue
        announced = shifted(announced, clause.start - before.start) if before and says_enough(clause.text) else ()
        if from_human and (lead := wording.behind_admission(clause.text)):
            clause, announced = _taken_back(prepared, clause, lead, announced, matcher)  # noqa: PLW2901
        if clause.start <= again < clause.end:
            clause, announced = _said_again(prepared, clause, again, announced, matcher)  # noqa: PLW2901
        folded = prepared.folded[clause.start : clause.end]
        evidence = evidence_in(folded, matcher, prepared.codes, role, announced, faint=faint)
        may_announce = evidence and not evidence.faint and not announced and number < len(every)
        announcement = announces(evidence, folded) if evidence and may_announce else ()
        if evidence and not announcement:
            plain = _unwrapped(prepared, _Statement(clause, evidence, before, every[number:]), matcher)
            verdict = _verdict(prepared, statement := _with_remedy(prepared, plain, matcher), thresholds)
            if passage:
                ends = [hit.end for hit in statement.evidence.signals]
                verdict = passages.judged(verdict, statement.clause.start + max(1, min(ends)), passage)
            if verdict.is_kept and from_human:
                verdict = _for_now(prepared, verdict, statement)
            list_until = verdict.candidate.end if verdict.is_kept else list_until
            by_text.setdefault(verdict.candidate.text, verdict)
        elif from_human and (wish := _wish(prepared, clause, folded, matcher, thresholds)):
            by_text.setdefault(wish.candidate.text, wish)
        in_list = clause.item and number < len(every) and every[number].item  # what announces a list speaks of each of its items
        announced = announcement or (announced if in_list else ())
        before = clause
    verdicts = [one if one.reason == FORGET_ABOUT else _with_context(one, context) for one in by_text.values()]
    if not from_human:
        return verdicts
    asking = [clause for clause in every if clause.start not in pointers]
    verdicts = passages.doubted(verdicts, asking, prepared.message.text, prepared.folded, regard(prepared, matcher))
    verdicts = waiting.in_passing(verdicts, prepared.length, thresholds)
    return waiting.drafted(verdicts, thresholds) if len(prepared.message.text) > waiting.DOCUMENT_CHARS else verdicts


def _said_again(
    prepared: PreparedMessage, clause: Clause, again: int, announced: tuple[Hit, ...], matcher: Matcher
) -> tuple[Clause, tuple[Hit, ...]]:
    """What a clause says again, as evidence: of "test the release, but bump the version before" the second part, unless more than that
    repetition speaks for the whole. What is asked again of "these changes", with no name, is asked of others each time.
    """
    folded = prepared.folded[clause.start : clause.end]
    stated = evidence_in(folded, matcher, prepared.codes, prepared.message.role)
    asked = folded[again - clause.start :]
    if not stated and OPAQUE not in asked and any(hit.name == passages.THIS for hit in regard(prepared, matcher).words(asked)):
        return clause, announced
    announced = (*announced, Hit("signals.explicit_remember", AGAIN, prepared.codes[0], 0, 1))
    if stated:
        return clause, announced
    return clause._replace(text=clause.text[again - clause.start :], start=again), announced


def _taken_back(
    prepared: PreparedMessage, clause: Clause, lead: int, announced: tuple[Hit, ...], matcher: Matcher
) -> tuple[Clause, tuple[Hit, ...]]:
    """What is right behind "I was wrong,": the clause without these words, announced as a correction where it states something."""
    rest = clause._replace(text=clause.text[lead:], start=clause.start + lead)
    folded = prepared.folded[rest.start : rest.end]
    if wording.is_new_value(rest.text) or evidence_in(folded, matcher, prepared.codes, prepared.message.role, announced):
        announced = (*announced, Hit("signals.correction", "correction", prepared.codes[0], -lead, 0))
    return rest, announced


def _with_context(verdict: Verdict, context: str) -> Verdict:
    return verdict._replace(candidate=verdict.candidate._replace(context=context))


def _asked_for(prepared: PreparedMessage, before: Clause, pointing: Sequence[Hit], matcher: Matcher) -> _Statement | None:
    """The sentence that the next one asks to remember, if it says enough."""
    asked = Hit("signals.explicit_remember", "remember", pointing[0].language, 0, 1)
    folded = prepared.folded[before.start : before.end]
    evidence = evidence_in(folded, matcher, prepared.codes, prepared.message.role, [asked])
    if evidence is None or not says_enough(before.text):
        return None
    cues = tuple(hit for hit in pointing if hit.group == "scope")
    return _Statement(before, evidence._replace(cues=(*evidence.cues, *cues)))


def _wish(
    prepared: PreparedMessage, clause: Clause, folded: str, matcher: Matcher, thresholds: weights.Thresholds
) -> Verdict | None:
    """A wish to forget all of a subject, which is the candidate's text; it is never carried out, only proposed."""
    subject, hits = subject_to_forget(prepared, clause, folded, matcher)
    if not subject:
        return None
    statement = _Statement(clause, ClauseEvidence(tuple(hits), (), (), frozenset(), opens_with_pronoun=False))
    candidate = _candidate(prepared, statement, (), 0.0, thresholds.settings)
    return Verdict(candidate._replace(text=subject), Gate.FILTER, FORGET_ABOUT)


def _unwrapped(prepared: PreparedMessage, statement: _Statement, matcher: Matcher) -> _Statement:
    """The sentence behind "remember that" and the like, read as if it stood alone; else the whole clause."""
    clause, evidence = statement.clause, statement.evidence
    cut = behind_wrapper(clause.text, evidence)
    if not cut:
        return statement
    wrapper = shifted([hit for hit in evidence.signals if hit.start < cut and hit.name in ANNOUNCING], cut)
    rest = clause._replace(text=clause.text[cut:], start=clause.start + cut)
    inside = evidence_in(prepared.folded[rest.start : rest.end], matcher, prepared.codes, prepared.message.role, wrapper)
    if not inside:
        return statement
    return statement._replace(clause=rest, evidence=evidence_behind(evidence, cut, inside), wrapped_in=clause)


def _for_now(prepared: PreparedMessage, verdict: Verdict, statement: _Statement) -> Verdict:
    asked_of = bool(statement.after) and statement.after[0].text.endswith(QUESTION_MARKS)
    said = len((statement.wrapped_in or statement.clause).text)
    return waiting.for_now(verdict, statement.evidence, said, prepared.length, asked_of=asked_of)


_REMEDY_NEAR = 3  # signs of emphasis that may stand before "Fix:"
_STOPS = (".", "。", "।")


def _with_remedy(prepared: PreparedMessage, statement: _Statement, matcher: Matcher) -> _Statement:
    """A cause that an assistant tells, with the "Fix: …" that stands right behind it: without the one the other helps nobody."""
    if prepared.message.role is not Role.ASSISTANT or not statement.after or "cause" not in statement.evidence.families:
        return statement
    behind = statement.after[0]
    folded = prepared.folded[behind.start : behind.end]
    evidence = evidence_in(folded, matcher, prepared.codes, prepared.message.role) if ":" in folded or "：" in folded else None
    hits = [hit for hit in evidence.signals if hit.name == "fixed" and hit.start <= _REMEDY_NEAR] if evidence else []
    fits = behind.end - statement.clause.start <= waiting.LONGEST_TEXT and statement.clause.text.endswith(_STOPS)
    if not hits or not fits or not says_enough(behind.text):
        return statement
    told = shifted(hits, statement.clause.start - behind.start)
    signals = (*statement.evidence.signals, *told)
    return statement._replace(remedy=behind, evidence=statement.evidence._replace(signals=signals))


def _verdict(prepared: PreparedMessage, statement: _Statement, thresholds: weights.Thresholds) -> Verdict:
    """What the four gates decide about a statement; the first that refuses names the reason."""
    role, clause = prepared.message.role, statement.clause
    evidence = statement.evidence
    if role is Role.USER and "choice" in evidence.families and wording.chosen(clause.text, prepared.around.previous):
        evidence = evidence._replace(filters=tuple(hit for hit in evidence.filters if hit.name != "list_choice"))
    filtered = gates.filtered(clause.text, evidence.signals, evidence.filters, role, evidence.words)
    evidence = evidence._replace(signals=tuple(hit for hit in evidence.signals if hit not in filtered.void))
    statement = statement._replace(evidence=evidence)
    signals, confidence = _weighed(prepared, statement, filtered.adjustment, thresholds)
    candidate = _candidate(prepared, statement, signals, confidence, thresholds.settings)
    if filtered.refusal:
        return Verdict(candidate, filtered.refusal.gate, filtered.refusal.reason)
    if role is Role.ASSISTANT and (candidate.kind in RULES or not any(signal.weight for signal in signals)):
        return Verdict(candidate, Gate.ROLE, "rule_from_assistant")
    if evidence.faint:
        return Verdict(candidate, Gate.EVIDENCE, FAINT)
    verdict = _by_threshold(candidate, thresholds)
    if verdict.gate is not None:
        return verdict
    dangles = _leans(evidence, role) and candidate.text == wording.trimmed(prepared.message.text[clause.start : clause.end])
    dangles = dangles or (role is Role.USER and speaks_of_a_link(candidate.text))
    if fault := waiting.fault(candidate, evidence.words, leaning=dangles):
        return verdict._replace(waiting=True, reason=fault)
    return verdict._replace(reason=waiting.weakness(candidate, evidence.words, item=clause.item) or verdict.reason)


def _weighed(
    prepared: PreparedMessage, statement: _Statement, adjustment: float, thresholds: weights.Thresholds
) -> tuple[tuple[Signal, ...], float]:
    """The signals of a statement, of words and of structure, and how sure they make us; `adjustment` is what the filters add."""
    clause, evidence, role = statement.clause, statement.evidence, prepared.message.role
    lexical = lexical_signals(without_doubles(evidence.signals), role, clause.start)
    structural = structure.clause_signals(clause, prepared.structure) if role is Role.USER else ()
    change = adjustment - structure.LEANING * _leans(evidence, role) + _structural_change(prepared, clause, evidence, structural)
    confidence = weights.confidence([signal.weight for signal in lexical if signal.weight >= weights.SIGNAL], change)
    if "correction" in evidence.families and (_corrected(prepared, clause) or _puts_right(statement)):
        confidence = max(confidence, thresholds.keep(role))
    return (*lexical, *structural), confidence


def _puts_right(statement: _Statement) -> bool:
    """Does a correction say alone what is right: a thing and its value, and nothing of the moment?"""
    passing = PASSING & {hit.name for hit in statement.evidence.filters}
    return not passing and "verb_request" not in statement.evidence.words and wording.is_new_value(statement.clause.text)


def _by_threshold(candidate: Candidate, thresholds: weights.Thresholds) -> Verdict:
    """What the last gate decides about a candidate that no filter refused."""
    if not TEXT_CHARS[0] <= len(candidate.text) <= TEXT_CHARS[1]:
        return Verdict(candidate, Gate.EVIDENCE, "length")
    if CUT in candidate.text:  # what it was about is gone: "my key is [REDACTED], from now on use it"
        return Verdict(candidate, Gate.FILTER, "secret")
    if candidate.importance < thresholds.importance:
        return Verdict(candidate, Gate.EVIDENCE, "unimportant")
    if candidate.confidence >= thresholds.keep(candidate.role):
        return Verdict(candidate)
    if candidate.confidence >= thresholds.wait:
        return Verdict(candidate, waiting=True, reason="unsure")
    return Verdict(candidate, Gate.EVIDENCE, "weak")


# Families that tell enough even of "it" and "this".
_ALONE = gates.STANDING | {"correction", "cause", "fixed", "learned", "milestone"}


def _leans(evidence: ClauseEvidence, role: Role) -> bool:
    """Whether a person's statement is about "it" or "this" and its family does not make up for that."""
    return role is Role.USER and evidence.opens_with_pronoun and not _ALONE & evidence.families


def _structural_change(
    prepared: PreparedMessage, clause: Clause, evidence: ClauseEvidence, structural: Sequence[Signal]
) -> float:
    if prepared.message.role is not Role.USER:
        return structure.assistant_adjustment(clause, evidence.families, prepared.message.text)
    names = wording.names_in(prepared.message.text[clause.start : clause.end])
    around = {"traced": prepared.structure.traced, "named": bool(wording.names_in(clause.text))}
    return (
        (STATED if states_the_project(evidence) else 0.0)
        + structure.naming(names, evidence.families, {hit.name for hit in evidence.filters})
        + structure.user_adjustment(clause, evidence.signals, structural, prepared.pasted, evidence.words, **around)
    )


STATED = 0.05  # what a plain fact needs to be kept when it is about the project


def _rule_alone(clause: Clause, evidence: ClauseEvidence) -> Clause:
    """The clause without the one-off request that stands before its rule."""
    standing = [hit.start for hit in evidence.signals if hit.name in gates.STANDING]
    if not standing or not any(hit.name == "task_request" and hit.start < min(standing) for hit in evidence.filters):
        return clause
    cut = wording.rule_start(clause.text, max(0, min(standing)))
    return clause._replace(text=clause.text[cut:], start=clause.start + cut)


def _candidate(
    prepared: PreparedMessage, statement: _Statement, signals: tuple[Signal, ...], confidence: float, settings: Settings
) -> Candidate:
    """The statement as it would be stored: worded, classed, and with its place."""
    message, evidence = prepared.message, statement.evidence
    clause = with_list(prepared.text, _rule_alone(statement.clause, evidence), statement.after)
    text = _worded(prepared, statement, clause)
    names = wording.names_in(text)
    families = classify.families_of(evidence.signals) if message.role is Role.USER else evidence.families
    kind = classify.kind_of(families, evidence.words, message.role)
    if kind is Kind.CONSTRAINT and "never" not in evidence.families and tells_steps(text):
        kind = Kind.PROCEDURAL
    scope, store = _placed(prepared, statement, kind, names, settings)
    whole = statement.wrapped_in or clause  # the wrapper's words are evidence too
    if statement.remedy:
        whole = whole._replace(end=statement.remedy.end)
        text = f"{text} {wording.trimmed(message.text[statement.remedy.start : statement.remedy.end])}"
        names = wording.names_in(text)
    return Candidate(
        text=text,
        quote=message.text[whole.start : whole.end],
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
        names=names,
        store=store,
    )


def _worded(prepared: PreparedMessage, statement: _Statement, clause: Clause) -> str:
    """The text of `clause`, put into the answer it corrects or behind the sentence it points at, and not too long."""
    message, evidence, before = prepared.message, statement.evidence, statement.before
    quote = message.text[clause.start : clause.end]
    asked = next((hit.end for hit in evidence.filters if hit.name == "task_request" and hit.start <= _NEAR_START), 0)
    if asked and "habit" in evidence.families and quote.endswith(QUESTION_MARKS):
        quote = quote[asked:].rstrip("".join(QUESTION_MARKS))  # "can you always …?" asks for a rule
    if any(hit.name == "complaint" and hit.start <= waiting.OPENING_CHARS for hit in evidence.signals):
        quote = quote.rstrip("".join(QUESTION_MARKS))  # nor does "why are you still …?" ask
    text = wording.trimmed(quote)
    if evidence.families & {"correction", "use_not"}:
        text = _corrected(prepared, clause) or text
    if "choice" in evidence.families and message.role is Role.USER:
        text = wording.chosen(text, prepared.around.previous) or text
    if before and message.role is Role.USER and "\n" not in message.text[before.end : clause.start] and _points(text, evidence):
        text = wording.with_lead(text, message.text[before.start : before.end], waiting.LONGEST_TEXT)
    return wording.shortened(text, evidence_within(evidence, message.role, len(quote) - len(text)), waiting.LONGEST_TEXT)


def _points(text: str, evidence: ClauseEvidence) -> bool:
    """Whether a statement is about something that stands before it."""
    return _leans(evidence, Role.USER) or not has_own_subject(text)


_TOLD_AS_LASTING = frozenset({"remember", "forever"})
_NEAR_START = 12  # signs of a greeting or of "please" that may stand before them


def _placed(
    prepared: PreparedMessage, statement: _Statement, kind: Kind, names: Sequence[str], settings: Settings
) -> tuple[Scope, Store]:
    """Where a statement holds, and its store: long-term is what a person tells as for good in so many words where a message begins."""
    clause, evidence = statement.clause, statement.evidence
    first = next((at for at, char in enumerate(prepared.text) if char.isalpha()), 0)
    everywhere = classify.claims_everywhere(evidence.cues, prepared.folded[clause.start : clause.end], names)
    lasting = any(hit.name in _TOLD_AS_LASTING and clause.start + hit.start <= first + _NEAR_START for hit in evidence.signals)
    lasting = lasting or (everywhere and clause.start <= first)
    confirmed = (lasting and prepared.message.origin in HUMAN) or settings.stores.at_once(kind)
    return Scope.USER if everywhere else Scope.PROJECT, Store.LTM if confirmed else Store.STM


def _corrected(prepared: PreparedMessage, clause: Clause) -> str:
    """The sentence of the previous answer as the clause corrects it; empty where it says nothing to put into one."""
    correction = wording.trimmed(prepared.message.text[clause.start : clause.end])
    whole = wording.resolved(correction, prepared.around.previous)
    return whole if whole != correction else ""
