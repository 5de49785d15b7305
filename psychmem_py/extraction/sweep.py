"""Stage 1 and the four gates: messages in, one verdict for every clause that held evidence. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from psychmem_py.extraction import clause_evidence, gates, passages, structure, weights, wording
from psychmem_py.extraction.classify import AGAIN, OFTEN
from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause, clauses
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.prepared_message import PreparedMessage, Statement, candidate_of, prepared_message, unclear
from psychmem_py.extraction.structure import FORMULA, is_alone, likelihood
from psychmem_py.languages.matcher import Hit, Matcher
from psychmem_py.memory.admission import FORGET_ABOUT
from psychmem_py.model.records import CONTEXT_CHARS, RULES, Candidate, Gate, Message, Role, Signal, ToolUse, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.safety.secrets import CUT
from psychmem_py.text.own_subject import has_own_subject, speaks_of_a_link

TEXT_CHARS = 4, 500  # shorter and longer texts are not kept; the longest is true-mem's
NEVER = -1, 0
_NEAR_START = 3  # signs before what opens a question
MIN_SUBJECT_CHARS, _MARKS = 2, " \n.,;:!?。，、！？।؟\"'“”「」"  # of what is to be forgotten
FAINT = "faint"  # reason of a clause that holds nothing but boosters
# Runs the reading of one message and gives its verdicts, or those given where it does not come to an end in time.
Attempt = Callable[[Callable[[], list[Verdict]], list[Verdict]], list[Verdict]]
# What holds whatever is asked for in the same sentence; and rules, behind an "and" whatever stands before it.
_RULES = gates.ORDERS | {"habit"}
_ASKED = gates.ORDERS | {"want", "dont_want"}  # may open a sentence that says what it wants later
_HOLDS = _RULES | {"choice", "label", "fact", "limit"}
POINTER = "pointer"  # a list of words: what begins with one speaks of the sentence before
_REMEDY_NEAR = 3  # signs of emphasis that may stand before "Fix:"
_STOPS = (".", "。", "।")
# A fact or duty that is all that was typed was typed for its own sake.
_PLAIN, PLAIN = frozenset({"fact", "must", "ensure", "universal", "important", "same_as", "because"}), 0.1


def sweep(
    messages: Sequence[Message],
    matcher: Matcher,
    settings: Settings = DEFAULTS,
    *,
    earlier: Sequence[str] = (),
    uses: Sequence[ToolUse] = (),
    again: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    faint: bool = False,
    attempt: Attempt = lambda act, _otherwise: act(),
) -> list[Verdict]:
    """A verdict for every clause with evidence in it, in order: kept, waiting, or rejected with gate and reason.
    `earlier` was typed before them. `again` tells by message where what it says was said before, and how often: evidence like a
    request to remember it. `attempt` runs the reading of each message, so that one can be given up alone. `faint` adds clauses of
    boosters alone, rejected as "faint". The maximum per stop comes later, after deduplication (see `limited`).
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

        near = [messages[at] for at in (index - 1, index + 1) if 0 <= at < len(messages) and messages[at].role is not Role.TOOL]
        context = " … ".join(" ".join(one.text.split())[:CONTEXT_CHARS] for one in near)
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
    if not prepared.codes or not clause_evidence.says_enough(asked.rstrip(": ：")) or not any(map(str.isalpha, message.text)):
        return []
    choice = Hit("signals.decision", "choice", prepared.codes[0], 0, 1)
    evidence = clause_evidence.evidence_in(prepared.folded, matcher, prepared.codes, Role.USER, [choice])
    for hit in evidence.filters if evidence else ():
        if (hit.name == "hedge" and hit.start > len(asked)) or (hit.name == "task_request" and hit.start <= _NEAR_START):
            return []
    whole_text = Clause(prepared.text, 0, len(prepared.text))
    verdict = _verdict(prepared, Statement(whole_text, clause_evidence.ClauseEvidence((choice,))))
    at_hand = any(hit.name == "at_hand" for hit in matcher.hits(prepared.folded[: len(asked)], prepared.codes))
    return [verdict._replace(waiting=True, reason="at hand") if at_hand and verdict.is_kept else verdict]


def _verdicts(prepared: PreparedMessage, *, again: tuple[int, int], faint: bool) -> list[Verdict]:
    """The verdicts on one message's clauses; what is said twice in it is judged once."""
    abbreviations = [word for code in prepared.codes for word in prepared.matcher.languages[code].abbreviations]
    by_text: dict[str, Verdict] = {}
    before: Clause | None = None
    listed: tuple[Hit, ...] = ()  # what the clause that opens a list says of each of its items
    every = clauses(prepared.text, abbreviations) if prepared.codes else []
    pointers: set[int] = set()  # where what asks to remember the sentence before begins: it asks about no text
    list_until = 0  # as far as a list that was kept with the clause that opens it
    for number, clause in enumerate(every, 1):
        if clause.start < list_until:
            continue
        if prepared.by_person and (pointing := prepared.pointing_back(clause)):
            pointers.add(clause.start)
            if asked := _asked_for(prepared, before, pointing) if before else None:
                verdict = _verdict(prepared, asked)
                by_text[verdict.candidate.text] = verdict
            continue
        announced = listed = listed if clause.item and clause_evidence.says_enough(clause.text) else ()
        if prepared.by_person and (lead := wording.admission_end(clause.text)):
            clause = clause._replace(text=clause.text[lead:], start=clause.start + lead)  # noqa: PLW2901
            right = wording.is_new_value(clause.text) or prepared.corrected(clause) or prepared.evidence(clause)
            announced = (Hit("signals.correction", "correction", prepared.codes[0], -lead, 0),) if right else ()
        if clause.start <= again[0] < clause.end:
            clause, announced = _said_again(prepared, clause, *again, announced)  # noqa: PLW2901
        evidence = prepared.evidence(clause, announced, faint=faint)
        before_items = not listed and number < len(every) and every[number].item
        if opened := clause_evidence.said_of_a_list(evidence, clause.text) if evidence and before_items else ():
            listed = opened
        elif evidence:
            plain = _beside_request(prepared, _unwrapped(prepared, Statement(clause, evidence, before, every[number:])))
            verdict = _verdict(prepared, statement := _whole_cause(prepared, plain))
            if verdict.is_kept and prepared.by_person:
                asked_of = bool(statement.after) and statement.after[0].text.endswith(QUESTION_MARKS)
                said = len((statement.wrapped_in or statement.clause).text)
                verdict = gates.deferred(verdict, statement.evidence, said, prepared.length, asked_of=asked_of)
            list_until = verdict.candidate.end if verdict.is_kept else list_until
            by_text.setdefault(verdict.candidate.text, verdict)
        elif prepared.by_person and (wish := _wish(prepared, clause)):
            by_text.setdefault(wish.candidate.text, wish)
        before = clause
    if not prepared.by_person:
        return [*by_text.values()]
    asking = [clause for clause in every if clause.start not in pointers]
    told = passages.judged([*by_text.values()], prepared.text)
    return passages.doubted(told, asking, prepared.message.text, prepared.folded, prepared.regard())


def _said_again(
    prepared: PreparedMessage, clause: Clause, again: int, times: int, announced: tuple[Hit, ...]
) -> tuple[Clause, tuple[Hit, ...]]:
    """A repeated clause, as evidence, from where it was said before unless more speaks for the whole; not of "these changes"."""
    stated, asked = prepared.evidence(clause), prepared.folded[again : clause.end]
    if not stated and OPAQUE not in asked and any(hit.name == "this_text" for hit in prepared.regard()(asked)):
        return clause, announced
    announced = (*announced, Hit("signals.explicit_remember", AGAIN, prepared.codes[0], 0, 1, OFTEN if times > 1 else ""))
    return (clause if stated else clause._replace(text=clause.text[again - clause.start :], start=again)), announced


def _asked_for(prepared: PreparedMessage, before: Clause, pointing: Sequence[Hit]) -> Statement | None:
    asked = Hit("signals.explicit_remember", "remember", pointing[0].language, 0, 1)
    if (evidence := prepared.evidence(before, [asked])) is None or not clause_evidence.says_enough(before.text):
        return None
    return Statement(before, evidence._replace(cues=(*evidence.cues, *(hit for hit in pointing if hit.group == "scope"))))


def _wish(prepared: PreparedMessage, clause: Clause) -> Verdict | None:
    """A wish to forget all of a subject, which is the candidate's text; it is never carried out, only proposed."""
    hits = prepared.hits(clause, "wish", lambda group, name: (group, name) == ("filters", FORGET_ABOUT))
    around = (clause.text[: hits[0].start], clause.text[hits[-1].end :]) if hits else ("", "")
    if len(subject := max(around, key=len).strip(_MARKS)) < MIN_SUBJECT_CHARS:
        return None
    statement = Statement(clause, clause_evidence.ClauseEvidence(tuple(hits)))
    return Verdict(candidate_of(prepared, statement)._replace(text=subject), Gate.FILTER, FORGET_ABOUT)


def _unwrapped(prepared: PreparedMessage, statement: Statement) -> Statement:
    """The sentence behind "remember that" and the like, read as if it stood alone; else the whole clause."""
    clause, evidence = statement.clause, statement.evidence
    if not (cut := clause_evidence.wrapper_end(clause.text, evidence)):
        return statement
    wrapper = [hit for hit in evidence.signals if hit.start < cut and hit.name in clause_evidence.OPENING]
    rest = clause._replace(text=clause.text[cut:], start=clause.start + cut)
    if not (inside := prepared.evidence(rest, clause_evidence.shifted(wrapper, cut))):
        return statement
    return statement._replace(clause=rest, evidence=clause_evidence.evidence_behind(evidence, cut, inside), wrapped_in=clause)


def _beside_request(prepared: PreparedMessage, statement: Statement) -> Statement:
    """What a person decided, rules or states as a fact, without the request beside it: "add a retry, and we decided on Redis"."""
    clause, evidence = statement.clause, statement.evidence
    if not prepared.by_person or _HOLDS.isdisjoint(evidence.families):
        return statement
    cuts = [(0, 0), *(match.span() for match in wording.PART.finditer(clause.text, wording.MIN_CUT_CHARS))]
    opening, comma, _ = clause.text.partition(",")
    asked = (hit for hit in evidence.signals if hit.name in _ASKED)
    if comma and not clause_evidence.says_besides(opening, (*asked, *evidence.filters, *evidence.cues)):
        return statement  # "never, in any of my projects, use tabs": what it says comes later

    def asks(at: int) -> bool:
        rest = clause._replace(text=clause.text[at:], start=clause.start + at)
        found = prepared.hits(rest, "asking", lambda _, name: name == "task_request" or name in _RULES)
        near = {hit.name for hit in found if hit.start <= _NEAR_START}
        if rest.text.isascii() and rest.text.strip(" .!").isalpha():
            return False  # the last of a list: "ship it means: bump, tag, push"
        return "task_request" in near and near.isdisjoint(_RULES)  # "commit after every step and …" asks for no commit now

    asking = [number for number, (_, begin) in enumerate(cuts) if asks(begin)]
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


def _whole_cause(prepared: PreparedMessage, statement: Statement) -> Statement:
    """An assistant's cause, with the trouble before that it points at ("This happened because …") and the "Fix: …" behind it."""
    before, clause, evidence = statement.before, statement.clause, statement.evidence
    if prepared.message.role is not Role.ASSISTANT or "cause" not in evidence.families:
        return statement
    if before and POINTER in evidence.words and "\n" not in prepared.text[before.end : clause.start]:
        told = wording.trimmed(clause.text)
        leaning = prepared.hits(before, "leaning", lambda _, name: name in (POINTER, "self", "cause", "fixed"))
        if not leaning and wording.with_lead(told, prepared.written_in(before), gates.LONGEST_TEXT) != told:
            evidence = evidence._replace(words=evidence.words - {POINTER, "pronoun"})
            statement = statement._replace(trouble=before, evidence=evidence)
    behind = statement.after[0] if statement.after else clause
    told_behind = prepared.evidence(behind) if re.search("[:：]", prepared.folded_in(behind)) else None
    hits = [hit for hit in told_behind.signals if hit.name == "fixed" and hit.start <= _REMEDY_NEAR] if told_behind else []
    fits = behind.end - clause.start <= gates.LONGEST_TEXT and clause.text.endswith(_STOPS)
    if behind is clause or not hits or not fits or not clause_evidence.says_enough(behind.text):
        return statement
    signals = (*evidence.signals, *clause_evidence.shifted(hits, clause.start - behind.start))
    return statement._replace(remedy=behind, evidence=evidence._replace(signals=signals))


def _verdict(prepared: PreparedMessage, statement: Statement) -> Verdict:
    role, clause = prepared.message.role, statement.clause
    evidence = statement.evidence
    if role is Role.USER and "choice" in evidence.families and wording.chosen(clause.text, prepared.around.previous):
        evidence = evidence._replace(filters=tuple(hit for hit in evidence.filters if hit.name != "list_choice"))
    filtered = gates.filtered(clause.text, evidence.signals, evidence.filters, role, evidence.words)
    evidence = evidence._replace(signals=tuple(hit for hit in evidence.signals if hit not in filtered.void))
    statement = statement._replace(evidence=evidence)
    signals, confidence = _weighed(prepared, statement, filtered.adjustment)
    candidate = candidate_of(prepared, statement, signals, confidence)
    if filtered.gate:
        return Verdict(candidate, filtered.gate, filtered.reason)
    if role is Role.ASSISTANT and (candidate.kind in RULES or not any(signal.weight for signal in signals)):
        return Verdict(candidate, Gate.ROLE, "rule_from_assistant")
    if evidence.faint:
        return Verdict(candidate, Gate.EVIDENCE, FAINT)
    if (verdict := _by_threshold(candidate, prepared.settings)).gate is not None:
        return verdict
    dangles = unclear(evidence, role) and candidate.text == wording.trimmed(prepared.written_in(clause))
    dangles = dangles or (role is Role.USER and speaks_of_a_link(candidate.text))
    if fault := gates.why_unclear(candidate, evidence.words, leaning=dangles):
        return verdict._replace(waiting=True, reason=fault)
    return verdict._replace(reason=gates.why_weak(candidate, evidence.words, item=clause.item) or verdict.reason)


def _weighed(prepared: PreparedMessage, statement: Statement, adjustment: float) -> tuple[tuple[Signal, ...], float]:
    """The signals of a statement, of words and of structure, and how sure they make us; `adjustment` is what the filters add."""
    clause, evidence, role = statement.clause, statement.evidence, prepared.message.role
    lexical = clause_evidence.lexical_signals(clause_evidence.without_doubles(evidence.signals), role, clause.start)
    structural = structure.clause_signals(clause, prepared.structure) if role is Role.USER else ()
    if role is Role.USER:
        change = structure.user_adjustment(clause, prepared.written_in(clause), evidence, structural, prepared.structure)
    else:
        change = structure.assistant_adjustment(clause, evidence.families, prepared.message.text)
    confidence = weights.confidence([signal.weight for signal in lexical if signal.weight >= weights.SIGNAL], adjustment + change)
    said = prepared.folded_in(clause)
    likely = likelihood(said, evidence, prepared.length) if role is Role.USER else None
    if likely is not None:  # what is all that was typed is no less sure for it, and what is pending stays so
        least = confidence if is_alone(said, prepared.length) else min(confidence, weights.least_to_wait(prepared.settings))
        confidence = max(FORMULA * confidence + (1 - FORMULA) * likely, least)
    plain = evidence.families <= _PLAIN and not evidence.filters and "layout" not in evidence.words
    confidence += PLAIN if plain and is_alone(said, prepared.length) and has_own_subject(clause.text) else 0
    if "correction" in evidence.families:
        # What says alone, behind "actually", what is right: a thing and its value, and nothing of the moment.
        said_anew = clause.text[max(hit.end for hit in evidence.signals if hit.name == "correction") :]
        lasting = "verb_request" not in evidence.words and not {hit.name for hit in evidence.filters} & clause_evidence.PASSING
        if prepared.corrected(clause) or (lasting and wording.is_new_value(said_anew)):
            confidence = max(confidence, weights.least_to_keep(role, prepared.settings))
    return (*lexical, *structural), confidence


def _by_threshold(candidate: Candidate, settings: Settings) -> Verdict:
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
