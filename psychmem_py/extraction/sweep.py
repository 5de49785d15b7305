"""Stage 1 and the four gates: messages in, one verdict for every clause that held evidence. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.extraction import classify, gates, structure, wording
from psychmem_py.extraction import weights as weigh
from psychmem_py.extraction.clauses import Clause, clauses
from psychmem_py.extraction.evidence import (
    ANNOUNCING,
    Evidence,
    announces,
    behind_wrapper,
    evidence,
    inner,
    moved,
    once,
    says_enough,
    signals,
)
from psychmem_py.extraction.mask import masked
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.language import Hit
from psychmem_py.languages.matcher import Matcher, fold
from psychmem_py.model.records import Candidate, Message, Signal, ToolUse, Verdict
from psychmem_py.model.settings import DEFAULTS, Extraction, Settings
from psychmem_py.model.terms import RULES, Gate, Role, Scope, Standing

# People state one or two lasting things in a message; more in a long one come from a document.
DOCUMENT_CHARS, DOCUMENT_RULES, DOCUMENT_DOUBT = 700, 3, 0.1


def sweep(
    messages: Sequence[Message],
    matcher: Matcher,
    settings: Settings = DEFAULTS,
    *,
    uses: Sequence[ToolUse] = (),
) -> list[Verdict]:
    """A verdict for every clause with evidence in it, in order: kept, waiting, or rejected with gate and reason.

    The maximum per stop is not applied here: it counts after deduplication against the store (see `limited`).
    """
    limits = weigh.thresholds(settings)
    found: list[Verdict] = []
    earlier: list[str] = []
    for place, message in enumerate(messages):
        if message.role is Role.TOOL:
            continue
        around = structure.Surroundings(
            previous=message.previous or (messages[place - 1].text if place and message.role is Role.USER else ""),
            earlier=tuple(earlier[max(0, len(earlier) - limits.formula.message_window_size) :]),
            failed=any(not use.ok for use in uses),
        )
        context = _context(messages, place, limits.formula.context_limit_chars)
        found += _verdicts(_read(message, matcher, around, limits.formula), matcher, limits, context)
        if message.role is Role.USER:
            earlier.append(message.text)
    return found


def limited(verdicts: Sequence[Verdict], limit: int = DEFAULTS.extraction.max_memories_per_stop) -> list[Verdict]:
    """The same verdicts with only the `limit` best kept ones still kept; the rest is rejected at the gate `limit`."""
    kept = [v for v in verdicts if v.gate is None and not v.waiting]
    best = sorted(
        kept, key=lambda v: (v.candidate.role is Role.USER, v.candidate.confidence, v.candidate.importance), reverse=True
    )[:limit]
    places = {id(v) for v in best}
    return [v if v.gate or v.waiting or id(v) in places else v._replace(gate=Gate.LIMIT, reason="limit") for v in verdicts]


class _Reading(NamedTuple):
    """A message prepared for reading clause by clause."""

    message: Message
    around: structure.Surroundings
    text: str  # masked
    folded: str
    codes: tuple[str, ...]  # languages it may be in
    pasted: float
    length: int  # letters and signs of the message
    whole: structure.Whole


def _read(message: Message, matcher: Matcher, around: structure.Surroundings, formula: Extraction) -> _Reading:
    text = masked(message.text, from_human=message.role is Role.USER)
    folded = fold(text.text)
    return _Reading(
        message=message,
        around=around,
        text=text.text,
        folded=folded,
        codes=languages_of(folded, tuple(matcher.languages.values())),
        pasted=text.pasted,
        length=len(message.text.strip()),
        whole=structure.whole(message.text, around, formula) if message.role is Role.USER else structure.Whole(),
    )


def _verdicts(reading: _Reading, matcher: Matcher, thresholds: weigh.Thresholds, context: str) -> list[Verdict]:
    """The verdicts on one message's clauses; what is said twice in it is judged once."""
    abbreviations = [word for code in reading.codes for word in matcher.languages[code].abbreviations]
    found: dict[str, Verdict] = {}
    before: Clause | None = None
    announced: tuple[Hit, ...] = ()
    cut = clauses(reading.text, abbreviations) if reading.codes else []
    for place, clause in enumerate(cut, 1):
        folded = reading.folded[clause.start : clause.end]
        announced = moved(announced, clause.start - before.start) if before and says_enough(clause.text) else ()
        read = evidence(folded, matcher, reading.codes, reading.message.role, announced)
        opening = announces(read, folded) if read and not announced and place < len(cut) else ()
        if read and not opening:
            said = _unwrapped(reading, clause, read, matcher)
            verdict = _verdict(reading, clause, before, said, thresholds, cut[place:])
            found.setdefault(verdict.candidate.text, verdict._replace(candidate=verdict.candidate._replace(context=context)))
        in_list = clause.item and place < len(cut) and cut[place].item  # what announces a list speaks of each of its items
        announced = opening or (announced if in_list else ())
        before = clause
    from_human = reading.message.role is Role.USER
    verdicts = list(found.values())
    return _doubted(verdicts, thresholds) if from_human and len(reading.message.text) > DOCUMENT_CHARS else verdicts


class _Said(NamedTuple):
    """What a clause states, without the words that only wrap it, and its evidence."""

    clause: Clause
    read: Evidence


def _unwrapped(reading: _Reading, clause: Clause, read: Evidence, matcher: Matcher) -> _Said:
    """The sentence behind "remember that" and the like, read as if it stood alone; else the whole clause."""
    at = behind_wrapper(clause.text, read)
    if not at:
        return _Said(clause, read)
    wrapper = moved([hit for hit in read.signals if hit.start < at and hit.name in ANNOUNCING], at)
    inside = evidence(reading.folded[clause.start + at : clause.end], matcher, reading.codes, reading.message.role, wrapper)
    rest = clause._replace(text=clause.text[at:], start=clause.start + at)
    return _Said(rest, inner(read, at, inside)) if inside else _Said(clause, read)


def _doubted(found: list[Verdict], thresholds: weigh.Thresholds) -> list[Verdict]:
    """A long message full of rules was mostly drafted elsewhere: only what stands strongly is kept of it, the rest waits."""
    kept = [verdict for verdict in found if verdict.gate is None and not verdict.waiting]
    if len(kept) <= DOCUMENT_RULES:
        return found
    weak = {id(v) for v in kept if v.candidate.confidence - DOCUMENT_DOUBT < thresholds.keep(v.candidate.role)}
    return [v._replace(waiting=True, reason="document") if id(v) in weak else v for v in found]


def _verdict(  # noqa: PLR0917 - made in one place
    reading: _Reading, whole: Clause, before: Clause | None, said: _Said, thresholds: weigh.Thresholds, after: Sequence[Clause]
) -> Verdict:
    """What the four gates decide about a clause between others; the first that refuses names the reason."""
    role = reading.message.role
    clause, read = said
    judgement = gates.judge(clause.text, read.signals, read.filters, role, read.words)
    read = read._replace(signals=tuple(hit for hit in read.signals if hit not in judgement.void))
    lexical = signals(once(read.signals), role, clause.start)
    structural = structure.signals(clause, reading.whole, thresholds.formula) if role is Role.USER else ()
    leaning = role is Role.USER and read.opens_with_pronoun and not _ALONE & read.families
    change = judgement.adjustment - structure.LEANING * leaning
    change += thresholds.formula.structural_weight * _structural_change(reading, clause, read, structural)
    weights = [signal.weight for signal in lexical if signal.weight >= thresholds.signal]
    confidence = weigh.confidence(weights, change, thresholds.formula)
    if "correction" in read.families and _corrected(reading, clause):
        confidence = max(confidence, thresholds.keep(role))
    found = (*lexical, *structural)
    candidate = _candidate(
        reading,
        _with_list(reading.text, _rule_alone(clause, read), after),
        before if leaning else None,
        read,
        found,
    )
    candidate = _standing(candidate, reading, clause, read, thresholds.settings)
    candidate = _quoted(candidate, reading.message, whole if clause is not whole else None)
    candidate = candidate._replace(confidence=confidence, importance=weigh.importance(found, thresholds.formula))
    if judgement.refusal:
        return Verdict(candidate, judgement.refusal.gate, judgement.refusal.reason)
    if role is Role.ASSISTANT and (candidate.kind in RULES or not any(signal.weight for signal in lexical)):
        return Verdict(candidate, Gate.ROLE, "rule_from_assistant")
    return _weighed(candidate, thresholds)


def _weighed(candidate: Candidate, thresholds: weigh.Thresholds) -> Verdict:
    """What the last gate decides about a candidate that no filter refused."""
    if not thresholds.formula.min_text_chars <= len(candidate.text) <= thresholds.formula.max_text_chars:
        return Verdict(candidate, Gate.EVIDENCE, "length")
    if candidate.importance < thresholds.importance:
        return Verdict(candidate, Gate.EVIDENCE, "unimportant")
    if candidate.confidence >= thresholds.keep(candidate.role):
        return Verdict(candidate)
    if candidate.confidence >= thresholds.wait:
        return Verdict(candidate, waiting=True, reason="unsure")
    return Verdict(candidate, Gate.EVIDENCE, "weak")


# Families that tell enough even of "it" and "this".
_ALONE = gates.STANDING | {"correction", "cause", "fixed", "learned", "choice", "milestone"}


def _structural_change(reading: _Reading, clause: Clause, read: Evidence, structural: Sequence[Signal]) -> float:
    if reading.message.role is Role.USER:
        stated = STATED if _states_the_project(read) else 0.0
        share = len(clause.text) / reading.length
        return stated + structure.adjustment(clause, read.signals, structural, reading.pasted, read.words, share=share)
    return structure.support(clause, read.families, reading.message.text)


STATED = 0.05  # what a plain fact needs to be kept when it is about the project
# Beside these words a statement about the project describes the moment or asks for a change.
_PASSING = frozenset({"task_request", "observation", "hedge", "narration", "meta_talk", "list_choice", "smalltalk", "temporary"})


def _states_the_project(read: Evidence) -> bool:
    """Is it nothing but a fact about the project, its parts or its people?"""
    if "fact" not in read.families or "layout" in read.words or read.opens_with_pronoun:
        return False
    ours = any(hit.name == "project" for hit in read.cues) or "tool" in read.words
    return ours and not _PASSING & {hit.name for hit in read.filters}


def _rule_alone(clause: Clause, read: Evidence) -> Clause:
    """The clause without the one-off request that stands before its rule."""
    standing = [hit.start for hit in read.signals if hit.name in gates.STANDING]
    if not standing or not any(hit.name == "task_request" and hit.start < min(standing) for hit in read.filters):
        return clause
    cut = wording.rule_start(clause.text, max(0, min(standing)))
    return clause._replace(text=clause.text[cut:], start=clause.start + cut)


LIST_CHARS = 240


def _with_list(text: str, clause: Clause, after: Sequence[Clause]) -> Clause:
    """A clause that ends with a colon together with the list it opens, as far as that is short."""
    if not clause.text.endswith((":", "：")):
        return clause
    end = clause.end
    for item in after:
        between = text[end : item.start]
        if not item.item or between.count("\n") > 2 or item.end - clause.start > LIST_CHARS:
            break
        end = item.end
    return clause._replace(text=text[clause.start : end], end=end)


def _candidate(reading: _Reading, clause: Clause, lead: Clause | None, read: Evidence, found: tuple[Signal, ...]) -> Candidate:
    """The clause as it would be stored; its confidence and importance are still to be set."""
    message = reading.message
    quote = message.text[clause.start : clause.end]
    text = wording.clean(quote)
    if read.families & {"correction", "use_not"}:
        text = _corrected(reading, clause) or text
    if lead and "\n" not in message.text[lead.end : clause.start]:
        text = wording.with_lead(text, message.text[lead.start : lead.end])
    names = wording.names_in(text)
    kind = classify.kind_of(read.families, read.words, message.role)
    return Candidate(
        text=text,
        quote=quote,
        kind=kind,
        scope=Scope.PROJECT,
        importance=0.0,
        confidence=0.0,
        signals=found,
        role=message.role,
        origin=message.origin,
        message_id=message.id,
        start=clause.start,
        end=clause.end,
        language=next((signal.language for signal in found if signal.language), reading.codes[0]),
        at=message.at,
        names=names,
    )


_TOLD_AS_LASTING = frozenset({"remember", "forever"})
_NEAR_START = 12  # signs of a greeting or of "please" that may stand before them


def _standing(candidate: Candidate, reading: _Reading, clause: Clause, read: Evidence, settings: Settings) -> Candidate:
    """The candidate with its standing and scope: settled is what a person tells as for good in so many words where a message begins."""
    first = next((at for at, char in enumerate(reading.text) if char.isalpha()), 0)
    everywhere = classify.claims_everywhere(read.cues, reading.folded[clause.start : clause.end])
    told = any(hit.name in _TOLD_AS_LASTING and clause.start + hit.start <= first + _NEAR_START for hit in read.signals)
    told = told or (everywhere and clause.start <= first)
    by_class = settings.standing.by_class
    standing = Standing.SETTLED if by_class or (told and candidate.role is Role.USER) else Standing.HEARD
    said = classify.Said(candidate.kind, read.families, read.words, read.cues, candidate.names)
    usual = settings.policy(candidate.kind).scope
    scope = classify.scope_of(said, standing=standing, usual=usual, everywhere=everywhere, by_class=by_class)
    return candidate._replace(standing=standing, scope=scope)


def _corrected(reading: _Reading, clause: Clause) -> str:
    """The sentence of the previous answer as the clause corrects it; empty where it says nothing to put into one."""
    said = wording.clean(reading.message.text[clause.start : clause.end])
    whole = wording.resolved(said, reading.around.previous)
    return whole if whole != said else ""


def _quoted(candidate: Candidate, message: Message, whole: Clause | None) -> Candidate:
    """The candidate with the words of the `whole` clause as its evidence, the wrapper's included."""
    if whole is None:
        return candidate
    return candidate._replace(quote=message.text[whole.start : whole.end], start=whole.start, end=whole.end)


def _context(messages: Sequence[Message], place: int, limit: int) -> str:
    """At most `limit` characters of each neighbouring message."""
    around = [
        messages[at].text for at in (place - 1, place + 1) if 0 <= at < len(messages) and messages[at].role is not Role.TOOL
    ]
    return " … ".join(" ".join(text.split())[:limit] for text in around)
