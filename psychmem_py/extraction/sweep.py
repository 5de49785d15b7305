"""Stage 1 and the four gates: messages in, one verdict for every clause that held evidence. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from psychmem_py.extraction import clause_evidence, gates, passages, structure, waiting, weights, wording
from psychmem_py.extraction.classify import AGAIN, OFTEN
from psychmem_py.extraction.clause_evidence import ClauseEvidence
from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause, clauses
from psychmem_py.extraction.likelihood import FORMULA, is_alone, likelihood
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.prepared_message import (
    PreparedMessage,
    context_of,
    pointing_back,
    prepared_message,
    regard,
    subject_to_forget,
)
from psychmem_py.extraction.statement import Statement, candidate_of, corrected, unclear
from psychmem_py.languages.matcher import Hit, Matcher
from psychmem_py.memory.admission import FORGET_ABOUT
from psychmem_py.model.records import RULES, Candidate, Gate, Message, Role, Signal, ToolUse, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.safety.secrets import CUT
from psychmem_py.text.own_subject import has_own_subject, speaks_of_a_link

TEXT_CHARS = 4, 500  # shorter and longer texts are not kept; the longest is true-mem's
NEVER = -1, 0
NONE_AGAIN: Mapping[str, tuple[int, int]] = {}
_NEAR_START = 3  # signs before what opens a question
FAINT = "faint"  # reason of a clause that holds nothing but boosters

# Runs the reading of one message and gives its verdicts, or those given where it does not come to an end in time.
Attempt = Callable[[Callable[[], list[Verdict]], list[Verdict]], list[Verdict]]


def sweep(
    messages: Sequence[Message],
    matcher: Matcher,
    settings: Settings = DEFAULTS,
    *,
    earlier: Sequence[str] = (),
    uses: Sequence[ToolUse] = (),
    again: Mapping[str, tuple[int, int]] = NONE_AGAIN,
    faint: bool = False,
    attempt: Attempt = lambda act, _otherwise: act(),
) -> list[Verdict]:
    """A verdict for every clause with evidence in it, in order: kept, waiting, or rejected with gate and reason.

    `earlier` is what was typed before them. `again` tells by message where what it says was said before, and how often: evidence
    like a request to remember it. `attempt` runs the reading of each message, so that one can be given up alone. `faint` adds
    clauses with boosters alone, rejected as "faint", for a judge. The maximum per stop is applied later, after deduplication
    against the store (see `limited`).
    """
    verdicts: list[Verdict] = []
    typed = list(earlier)
    for index, message in enumerate(messages):
        if message.role is Role.TOOL:
            continue
        around = structure.Neighbourhood(
            previous=message.previous or (messages[index - 1].text if index and message.role is Role.USER else ""),
            earlier=tuple(typed[max(0, len(typed) - settings.extraction.message_window_size) :]),
            failed=any(not use.ok for use in uses),
        )

        def read(message: Message = message, around: structure.Neighbourhood = around) -> list[Verdict]:
            if message.chosen:
                return _chosen(message, matcher, settings)
            prepared = prepared_message(message, around, matcher, settings)
            return _verdicts(prepared, again=again.get(message.id, NEVER), faint=faint)

        context = context_of(messages, index)
        for one in attempt(read, []):
            told = one.candidate if one.reason == FORGET_ABOUT else one.candidate._replace(context=context)
            verdicts.append(one._replace(candidate=told))
        if message.role is Role.USER:
            typed.append(message.text)
    return verdicts


def _chosen(message: Message, matcher: Matcher, settings: Settings) -> list[Verdict]:
    """What was decided by choosing an offered answer; nothing for "not sure", a number or a request. A momentary one waits."""
    asked = " ".join(message.previous.split())
    whole = message._replace(text=f"{asked} {message.text}", previous="")
    prepared = prepared_message(whole, structure.Neighbourhood(), matcher, settings)
    if not prepared.codes or not clause_evidence.says_enough(asked) or not any(map(str.isalpha, message.text)):
        return []
    choice = Hit("signals.decision", "choice", prepared.codes[0], 0, 1)
    evidence = clause_evidence.evidence_in(prepared.folded, matcher, prepared.codes, Role.USER, [choice])
    for hit in evidence.filters if evidence else ():
        if (hit.name == "hedge" and hit.start > len(asked)) or (hit.name == "task_request" and hit.start <= _NEAR_START):
            return []
    only = ClauseEvidence((choice,), (), (), frozenset(), opens_with_pronoun=False)
    verdict = _verdict(prepared, Statement(Clause(prepared.text, 0, len(prepared.text)), only))
    at_hand = any(hit.name == "at_hand" for hit in matcher.hits(prepared.folded[: len(asked)], prepared.codes))
    return [verdict._replace(waiting=True, reason="at hand") if at_hand and verdict.is_kept else verdict]


def _verdicts(prepared: PreparedMessage, *, again: tuple[int, int], faint: bool) -> list[Verdict]:
    """The verdicts on one message's clauses; what is said twice in it is judged once."""
    abbreviations = [word for code in prepared.codes for word in prepared.matcher.languages[code].abbreviations]
    by_text: dict[str, Verdict] = {}
    before: Clause | None = None
    announced: tuple[Hit, ...] = ()
    every = clauses(prepared.text, abbreviations) if prepared.codes else []
    passage = passages.mail_in(prepared.text) if prepared.by_person else None
    pointers: set[int] = set()  # where what asks to remember the sentence before begins: it asks about no text
    list_until = 0  # as far as a list that was kept with the clause that opens it
    for number, clause in enumerate(every, 1):
        if clause.start < list_until:
            continue
        if prepared.by_person and (pointing := pointing_back(prepared, clause)):
            pointers.add(clause.start)
            asked = _asked_for(prepared, before, pointing) if before else None
            if asked:
                verdict = _verdict(prepared, asked)
                verdict = passages.judged(verdict, asked.clause.end, passage) if passage else verdict
                by_text[verdict.candidate.text] = verdict
            continue
        announced = announced if clause_evidence.says_enough(clause.text) else ()
        announced = clause_evidence.shifted(announced, clause.start - before.start) if before else ()
        if prepared.by_person and (lead := wording.admission_end(clause.text)):
            clause, announced = _without_admission(prepared, clause, lead, announced)  # noqa: PLW2901
        if clause.start <= again[0] < clause.end:
            clause, announced = _said_again(prepared, clause, *again, announced)  # noqa: PLW2901
        evidence = prepared.evidence(clause, announced, faint=faint)
        may_announce = evidence and not evidence.faint and not announced and number < len(every)
        announcement = clause_evidence.announces(evidence, prepared.folded_in(clause)) if evidence and may_announce else ()
        if evidence and not announcement:
            plain = _beside_request(prepared, _unwrapped(prepared, Statement(clause, evidence, before, every[number:])))
            verdict = _verdict(prepared, statement := _whole_cause(prepared, plain))
            if passage:
                ends = [hit.end for hit in statement.evidence.signals]
                verdict = passages.judged(verdict, statement.clause.start + max(1, min(ends)), passage)
            if verdict.is_kept and prepared.by_person:
                asked_of = bool(statement.after) and statement.after[0].text.endswith(QUESTION_MARKS)
                said = len((statement.wrapped_in or statement.clause).text)
                verdict = waiting.deferred(verdict, statement.evidence, said, prepared.length, asked_of=asked_of)
            list_until = verdict.candidate.end if verdict.is_kept else list_until
            by_text.setdefault(verdict.candidate.text, verdict)
        elif prepared.by_person and (wish := _wish(prepared, clause)):
            by_text.setdefault(wish.candidate.text, wish)
        # What announces a list speaks of each of its items.
        in_list = clause.item and number < len(every) and every[number].item
        announced = announcement or (announced if in_list else ())
        before = clause
    if not prepared.by_person:
        return [*by_text.values()]
    asking = [clause for clause in every if clause.start not in pointers]
    return passages.doubted([*by_text.values()], asking, prepared.message.text, prepared.folded, regard(prepared))


def _said_again(
    prepared: PreparedMessage, clause: Clause, again: int, times: int, announced: tuple[Hit, ...]
) -> tuple[Clause, tuple[Hit, ...]]:
    """A repeated clause, as evidence: the second part of "test the release, but bump the version before", unless more speaks for
    the whole. What is asked again of "these changes", with no name, is asked of others each time.
    """
    stated, asked = prepared.evidence(clause), prepared.folded[again : clause.end]
    if not stated and OPAQUE not in asked and any(hit.name == passages.THIS for hit in regard(prepared)(asked)):
        return clause, announced
    announced = (*announced, Hit("signals.explicit_remember", AGAIN, prepared.codes[0], 0, 1, OFTEN if times > 1 else ""))
    if stated:
        return clause, announced
    return clause._replace(text=clause.text[again - clause.start :], start=again), announced


def _without_admission(
    prepared: PreparedMessage, clause: Clause, lead: int, announced: tuple[Hit, ...]
) -> tuple[Clause, tuple[Hit, ...]]:
    """The clause without an opening "I was wrong,", announced as a correction where the rest states something."""
    rest = clause._replace(text=clause.text[lead:], start=clause.start + lead)
    if wording.is_new_value(rest.text) or corrected(prepared, rest) or prepared.evidence(rest, announced):
        announced = (*announced, Hit("signals.correction", "correction", prepared.codes[0], -lead, 0))
    return rest, announced


def _asked_for(prepared: PreparedMessage, before: Clause, pointing: Sequence[Hit]) -> Statement | None:
    """The sentence that the next one asks to remember, if it says enough."""
    asked = Hit("signals.explicit_remember", "remember", pointing[0].language, 0, 1)
    evidence = prepared.evidence(before, [asked])
    if evidence is None or not clause_evidence.says_enough(before.text):
        return None
    cues = tuple(hit for hit in pointing if hit.group == "scope")
    return Statement(before, evidence._replace(cues=(*evidence.cues, *cues)))


def _wish(prepared: PreparedMessage, clause: Clause) -> Verdict | None:
    """A wish to forget all of a subject, which is the candidate's text; it is never carried out, only proposed."""
    subject, hits = subject_to_forget(prepared, clause)
    if not subject:
        return None
    statement = Statement(clause, ClauseEvidence(tuple(hits), (), (), frozenset(), opens_with_pronoun=False))
    return Verdict(candidate_of(prepared, statement)._replace(text=subject), Gate.FILTER, FORGET_ABOUT)


def _unwrapped(prepared: PreparedMessage, statement: Statement) -> Statement:
    """The sentence behind "remember that" and the like, read as if it stood alone; else the whole clause."""
    clause, evidence = statement.clause, statement.evidence
    cut = clause_evidence.wrapper_end(clause.text, evidence)
    if not cut:
        return statement
    wrapper = clause_evidence.shifted(
        [hit for hit in evidence.signals if hit.start < cut and hit.name in clause_evidence.ANNOUNCING], cut
    )
    rest = clause._replace(text=clause.text[cut:], start=clause.start + cut)
    inside = prepared.evidence(rest, wrapper)
    if not inside:
        return statement
    return statement._replace(clause=rest, evidence=clause_evidence.evidence_behind(evidence, cut, inside), wrapped_in=clause)


# What holds whatever is asked for in the same sentence; and rules, behind an "and" whatever stands before it.
_RULES = frozenset({"always", "never", "ban", "forever", "habit"})
_HOLDS = _RULES | {"choice", "label", "fact", "limit"}


def _beside_request(prepared: PreparedMessage, statement: Statement) -> Statement:
    """What a person decided, rules or states as a fact, without the request beside it: "add a retry, and we decided on Redis"."""
    clause, evidence = statement.clause, statement.evidence
    if not prepared.by_person or _HOLDS.isdisjoint(evidence.families):
        return statement
    cuts = [(0, 0), *wording.parts(clause.text)]
    asking = [number for number, (_, begin) in enumerate(cuts) if _asks(prepared, clause, begin)]
    behind = [(begin, len(clause.text)) for _, begin in cuts[asking[-1] + 1 :]] if asking else []
    first = min((hit.start for hit in evidence.signals), default=0)
    joined = [begin for end, begin in cuts[1:] if begin <= first and wording.is_joined(clause.text, end, begin)]
    if joined and not asking and not _RULES.isdisjoint(evidence.families):
        behind = [(joined[-1], len(clause.text))]
    for begin, end in [(0, cuts[asking[0]][0])] if asking and asking[0] else behind:
        part = clause._replace(text=clause.text[begin:end], start=clause.start + begin, end=clause.start + end)
        alone = prepared.evidence(part)
        if alone and not _HOLDS.isdisjoint(alone.families) and has_own_subject(prepared.written_in(part)):
            made = statement._replace(clause=part, evidence=alone)
            if _verdict(prepared, made).is_kept:
                return made
    return statement


def _asks(prepared: PreparedMessage, clause: Clause, at: int) -> bool:
    """Whether a request opens the part of a clause from `at` on."""
    rest = clause._replace(text=clause.text[at:], start=clause.start + at)
    return any(hit.start <= _NEAR_START for hit in prepared.hits(rest, "asking", lambda _, name: name == "task_request"))


POINTER = "pointer"  # a list of words: what begins with one speaks of the sentence before
_REMEDY_NEAR = 3  # signs of emphasis that may stand before "Fix:"
_STOPS = (".", "。", "।")


def _whole_cause(prepared: PreparedMessage, statement: Statement) -> Statement:
    """A cause told by an assistant, with the trouble before it that it points at ("This happened because …") and the "Fix: …"
    right behind it: without the one the other helps nobody.
    """
    if prepared.message.role is not Role.ASSISTANT or "cause" not in statement.evidence.families:
        return statement
    return _with_remedy(prepared, _with_trouble(prepared, statement))


def _with_trouble(prepared: PreparedMessage, statement: Statement) -> Statement:
    before, clause, evidence = statement.before, statement.clause, statement.evidence
    if not before or POINTER not in evidence.words or "\n" in prepared.text[before.end : clause.start]:
        return statement
    told = wording.trimmed(clause.text)
    leaning = prepared.hits(before, "leaning", lambda _, name: name in (POINTER, "self", "cause", "fixed"))
    if leaning or wording.with_lead(told, prepared.written_in(before), waiting.LONGEST_TEXT) == told:
        return statement
    return statement._replace(trouble=before, evidence=evidence._replace(words=evidence.words - {POINTER, "pronoun"}))


def _with_remedy(prepared: PreparedMessage, statement: Statement) -> Statement:
    if not statement.after:
        return statement
    behind = statement.after[0]
    evidence = prepared.evidence(behind) if re.search("[:：]", prepared.folded_in(behind)) else None
    hits = [hit for hit in evidence.signals if hit.name == "fixed" and hit.start <= _REMEDY_NEAR] if evidence else []
    fits = behind.end - statement.clause.start <= waiting.LONGEST_TEXT and statement.clause.text.endswith(_STOPS)
    if not hits or not fits or not clause_evidence.says_enough(behind.text):
        return statement
    signals = (*statement.evidence.signals, *clause_evidence.shifted(hits, statement.clause.start - behind.start))
    return statement._replace(remedy=behind, evidence=statement.evidence._replace(signals=signals))


def _verdict(prepared: PreparedMessage, statement: Statement) -> Verdict:
    """What the four gates decide about a statement; the first that refuses names the reason."""
    role, clause = prepared.message.role, statement.clause
    evidence = statement.evidence
    if role is Role.USER and "choice" in evidence.families and wording.chosen(clause.text, prepared.around.previous):
        evidence = evidence._replace(filters=tuple(hit for hit in evidence.filters if hit.name != "list_choice"))
    filtered = gates.filtered(clause.text, evidence.signals, evidence.filters, role, evidence.words)
    evidence = evidence._replace(signals=tuple(hit for hit in evidence.signals if hit not in filtered.void))
    statement = statement._replace(evidence=evidence)
    signals, confidence = _weighed(prepared, statement, filtered.adjustment)
    candidate = candidate_of(prepared, statement, signals, confidence)
    if filtered.refusal:
        return Verdict(candidate, filtered.refusal.gate, filtered.refusal.reason)
    if role is Role.ASSISTANT and (candidate.kind in RULES or not any(signal.weight for signal in signals)):
        return Verdict(candidate, Gate.ROLE, "rule_from_assistant")
    if evidence.faint:
        return Verdict(candidate, Gate.EVIDENCE, FAINT)
    verdict = _by_threshold(candidate, prepared.settings)
    if verdict.gate is not None:
        return verdict
    dangles = unclear(evidence, role) and candidate.text == wording.trimmed(prepared.written_in(clause))
    dangles = dangles or (role is Role.USER and speaks_of_a_link(candidate.text))
    if fault := waiting.why_unclear(candidate, evidence.words, leaning=dangles):
        return verdict._replace(waiting=True, reason=fault)
    return verdict._replace(reason=waiting.why_weak(candidate, evidence.words, item=clause.item) or verdict.reason)


def _weighed(prepared: PreparedMessage, statement: Statement, adjustment: float) -> tuple[tuple[Signal, ...], float]:
    """The signals of a statement, of words and of structure, and how sure they make us; `adjustment` is what the filters add."""
    clause, evidence, role = statement.clause, statement.evidence, prepared.message.role
    lexical = clause_evidence.lexical_signals(clause_evidence.without_doubles(evidence.signals), role, clause.start)
    structural = structure.clause_signals(clause, prepared.structure) if role is Role.USER else ()
    change = adjustment - structure.LEANING * unclear(evidence, role) + _structural_change(prepared, clause, evidence, structural)
    confidence = weights.confidence([signal.weight for signal in lexical if signal.weight >= weights.SIGNAL], change)
    said = prepared.folded_in(clause)
    likely = likelihood(said, evidence, prepared.length) if role is Role.USER else None
    if likely is not None:  # what is all that was typed is no less sure for it, and what is pending stays so
        least = confidence if is_alone(said, prepared.length) else min(confidence, weights.least_to_wait(prepared.settings))
        confidence = max(FORMULA * confidence + (1 - FORMULA) * likely, least)
    plain = evidence.families <= _PLAIN and not evidence.filters and "layout" not in evidence.words
    if plain and is_alone(said, prepared.length) and has_own_subject(clause.text):
        confidence += PLAIN
    if "correction" in evidence.families:
        # What says alone, behind "actually", what is right: a thing and its value, and nothing of the moment.
        said_anew = clause.text[max(hit.end for hit in evidence.signals if hit.name == "correction") :]
        lasting = "verb_request" not in evidence.words and not {hit.name for hit in evidence.filters} & clause_evidence.PASSING
        if corrected(prepared, clause) or (lasting and wording.is_new_value(said_anew)):
            confidence = max(confidence, weights.least_to_keep(role, prepared.settings))
    return (*lexical, *structural), confidence


def _by_threshold(candidate: Candidate, settings: Settings) -> Verdict:
    """What the last gate decides about a candidate that no filter refused."""
    if not TEXT_CHARS[0] <= len(candidate.text) <= TEXT_CHARS[1]:
        return Verdict(candidate, Gate.EVIDENCE, "length")
    if CUT in candidate.text:  # what it was about is gone: "my key is [REDACTED], from now on use it"
        return Verdict(candidate, Gate.FILTER, "secret")
    if candidate.importance < settings.extraction.message_importance_threshold:
        return Verdict(candidate, Gate.EVIDENCE, "unimportant")
    if candidate.confidence >= weights.least_to_keep(candidate.role, settings):
        return Verdict(candidate)
    if candidate.confidence >= weights.least_to_wait(settings):
        return Verdict(candidate, waiting=True, reason="unsure")
    return Verdict(candidate, Gate.EVIDENCE, "weak")


def _structural_change(
    prepared: PreparedMessage, clause: Clause, evidence: ClauseEvidence, structural: Sequence[Signal]
) -> float:
    if prepared.message.role is not Role.USER:
        return structure.assistant_adjustment(clause, evidence.families, prepared.message.text)
    names: Sequence[str] = wording.names_in(prepared.written_in(clause))
    if "use_not" in evidence.families and "two_names" in evidence.words:
        names = names or ("two_names",)  # "use dayjs instead of moment" names what it is about as exactly as a file is named
    of_the_moment = not structure.OF_THE_MOMENT.isdisjoint(hit.name for hit in evidence.filters)
    named = names and evidence.families & structure.ORDINARY and not of_the_moment  # an ordinary statement of a thing by name
    around = {"traced": prepared.structure.traced, "named": bool(wording.names_in(clause.text))}
    return (
        (STATED if clause_evidence.states_the_project(evidence) else 0.0)
        + (structure.NAMED if named else 0.0)
        + structure.user_adjustment(clause, evidence.signals, structural, evidence.words, **around)
    )


# A fact or duty that is all that was typed was typed for its own sake.
_PLAIN, PLAIN = frozenset({"fact", "must", "ensure", "universal", "important", "same_as", "because"}), 0.1
STATED = 0.05  # what a plain fact needs to be kept when it is about the project
