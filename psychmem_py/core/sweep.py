"""Stage 1 and the four gates: messages in, one verdict for every clause that held evidence. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.core import classify, gates, structure, weigh, wording
from psychmem_py.core.clauses import Clause, clauses
from psychmem_py.core.mask import masked
from psychmem_py.core.model import RULES, Candidate, Category, Gate, Message, Role, Signal, ToolUse, Verdict
from psychmem_py.core.phrases import Hit, Matcher, fold, languages_of

CONTEXT_CHARS = 160
SHORTEST_CHARS = 10
MAX_PER_STOP = 7
# People state one or two lasting things in a message; more in a long one come from a document.
DOCUMENT_CHARS, DOCUMENT_RULES, DOCUMENT_DOUBT = 700, 3, 0.1


def sweep(
    messages: Sequence[Message],
    matcher: Matcher,
    thresholds: weigh.Thresholds | None = None,
    *,
    uses: Sequence[ToolUse] = (),
) -> list[Verdict]:
    """A verdict for every clause with evidence in it, in order: kept, waiting, or rejected with gate and reason.

    The maximum per stop is not applied here: it counts after deduplication against the store (see `limited`).
    """
    found: list[Verdict] = []
    earlier: list[str] = []
    for place, message in enumerate(messages):
        if message.role is Role.TOOL:
            continue
        around = structure.Surroundings(
            previous=message.previous or (messages[place - 1].text if place and message.role is Role.USER else ""),
            earlier=tuple(earlier[-3:]),
            failed=any(not use.ok for use in uses),
        )
        found += verdicts(message, matcher, thresholds or weigh.Thresholds(), around, _context(messages, place))
        if message.role is Role.USER:
            earlier.append(message.text)
    return found


def limited(verdicts: Sequence[Verdict], limit: int = MAX_PER_STOP) -> list[Verdict]:
    """The same verdicts with only the `limit` best kept ones still kept; the rest is rejected at the gate `limit`."""
    kept = [v for v in verdicts if v.gate is None and not v.waiting]
    best = sorted(
        kept, key=lambda v: (v.candidate.role is Role.USER, v.candidate.confidence, v.candidate.importance), reverse=True
    )[:limit]
    places = {id(v) for v in best}
    return [v if v.gate or v.waiting or id(v) in places else v._replace(gate=Gate.LIMIT, reason="limit") for v in verdicts]


def verdicts(
    message: Message, matcher: Matcher, thresholds: weigh.Thresholds, around: structure.Surroundings, context: str = ""
) -> list[Verdict]:
    """The verdicts on one message's clauses; what is said twice in it is judged once."""
    text = masked(message.text, from_human=message.role is Role.USER)
    folded = fold(text.text)
    codes = languages_of(folded, tuple(matcher.languages.values()))
    if not codes:
        return []
    abbreviations = [word for code in codes for word in matcher.languages[code].abbreviations]
    found: list[Verdict] = []
    seen: set[str] = set()
    before: Clause | None = None
    for clause in clauses(text.text, abbreviations):
        verdict = _verdict(
            message, clause, before, folded[clause.start : clause.end], matcher, codes, thresholds, around, text.pasted
        )
        before = clause
        if verdict and verdict.candidate.text not in seen:
            seen.add(verdict.candidate.text)
            found.append(verdict._replace(candidate=verdict.candidate._replace(context=context)))
    return _doubted(found, thresholds) if message.role is Role.USER and len(message.text) > DOCUMENT_CHARS else found


def _doubted(found: list[Verdict], thresholds: weigh.Thresholds) -> list[Verdict]:
    """A long message full of rules was mostly drafted elsewhere: only what stands strongly is kept of it, the rest waits."""
    kept = [verdict for verdict in found if verdict.gate is None and not verdict.waiting]
    if len(kept) <= DOCUMENT_RULES:
        return found
    weak = {id(v) for v in kept if v.candidate.confidence - DOCUMENT_DOUBT < thresholds.keep(v.candidate.role)}
    return [v._replace(waiting=True, reason="document") if id(v) in weak else v for v in found]


# Families that tell enough even of "it" and "this".
_ALONE = gates.STANDING | {"correction", "cause", "fixed", "learned", "choice", "milestone"}


class _Evidence(NamedTuple):
    signals: tuple[Signal, ...]
    families: frozenset[str]
    weights: tuple[float, ...]


def _verdict(
    message: Message,
    clause: Clause,
    before: Clause | None,
    folded: str,
    matcher: Matcher,
    codes: Sequence[str],
    thresholds: weigh.Thresholds,
    around: structure.Surroundings,
    pasted: float,
) -> Verdict | None:
    """None for a clause without evidence."""
    role = message.role
    hits = [hit for hit in matcher.hits(folded, codes, f"signals/{role}", _for_human if role is Role.USER else _for_assistant)]
    if not any(_worth(hit, role) > weigh.BOOSTER for hit in hits) and not (role is Role.ASSISTANT and any(map(_rule, hits))):
        return None
    others = matcher.hits(folded, codes, "others", _others)
    filters = [hit for hit in others if hit.group == "filters"]
    judgement = gates.judge(clause.text, hits, filters, role)
    hits = [hit for hit in hits if hit not in judgement.void]
    evidence = _evidence(hits, clause, message, around)
    words = {hit.name for hit in others if hit.group == "lexicon"}
    if role is Role.USER:
        structural = structure.adjustment(clause, hits, [signal for signal in evidence.signals if not signal.category], pasted)
    else:
        structural = structure.support(clause, evidence.families, message.text)
    confidence = weigh.confidence(evidence.weights, judgement.adjustment + structural)
    leaning = any(hit.name == "pronoun" and hit.start < 3 for hit in others) and not _ALONE & evidence.families
    if leaning and role is Role.USER:
        confidence -= structure.LEANING
    clause = _rule_alone(clause, hits, filters)
    lead = (
        message.text[before.start : before.end]
        if before and leaning and "\n" not in message.text[before.end : clause.start]
        else ""
    )
    candidate = _candidate(message, clause, lead, evidence, others, words, confidence, around, codes)
    if judgement.refusal:
        return Verdict(candidate, judgement.refusal.gate, judgement.refusal.reason)
    if role is Role.ASSISTANT and (candidate.kind in RULES or not evidence.weights):
        return Verdict(candidate, Gate.ROLE, "rule_from_assistant")
    if confidence >= thresholds.keep(role):
        return Verdict(candidate)
    if confidence >= thresholds.wait:
        return Verdict(candidate, waiting=True, reason="unsure")
    return Verdict(candidate, Gate.EVIDENCE, "weak")


def _rule_alone(clause: Clause, hits: Sequence[Hit], filters: Sequence[Hit]) -> Clause:
    """The clause without the one-off request that stands before its rule."""
    standing = [hit.start for hit in hits if hit.name in gates.STANDING]
    if not standing or not any(hit.name == "task_request" and hit.start < min(standing) for hit in filters):
        return clause
    cut = wording.rule_start(clause.text, min(standing))
    return clause._replace(text=clause.text[cut:], start=clause.start + cut)


def _worth(hit: Hit, role: Role) -> float:
    return weigh.worth(hit.group.removeprefix("signals."), hit.name, role)


def _for_human(group: str, name: str) -> bool:
    return group.startswith("signals") and weigh.worth(group.removeprefix("signals."), name, Role.USER) > 0


def _for_assistant(group: str, name: str) -> bool:
    return group.startswith("signals") and (
        weigh.worth(group.removeprefix("signals."), name, Role.ASSISTANT) > 0 or name in _BINDING
    )


def _others(group: str, name: str) -> bool:
    return not group.startswith("signals")


# Families by which only a person can bind the agent; in the assistant's text they are shown as refused.
_BINDING = frozenset({"never", "remember", "prefer", "forever"})


def _rule(hit: Hit) -> bool:
    return hit.name in _BINDING


def _evidence(hits: Sequence[Hit], clause: Clause, message: Message, around: structure.Surroundings) -> _Evidence:
    best: dict[tuple[str, str], Signal] = {}
    for hit in hits:
        category = hit.group.removeprefix("signals.")
        key = category, hit.name
        weight = _worth(hit, message.role)
        if key not in best:
            best[key] = Signal(
                hit.name, Category(category), weight, clause.start + hit.start, clause.start + hit.end, hit.language
            )
    lexical = tuple(best.values())
    return _Evidence(
        lexical + (structure.signals(clause, around, message.text) if message.role is Role.USER else ()),
        frozenset(signal.family for signal in lexical),
        tuple(signal.weight for signal in lexical if signal.weight),
    )


def _candidate(
    message: Message,
    clause: Clause,
    lead: str,
    evidence: _Evidence,
    others: Sequence[Hit],
    words: set[str],
    confidence: float,
    around: structure.Surroundings,
    codes: Sequence[str],
) -> Candidate:
    quote = message.text[clause.start : clause.end]
    text = wording.clean(quote)
    if evidence.families & {"correction", "use_not"}:
        text = wording.resolved(text, around.previous)
    if lead:
        text = wording.with_lead(text, lead)
    names = wording.names_in(text)
    kind = classify.kind_of(evidence.families, words, message.role)
    return Candidate(
        text=text,
        quote=quote,
        kind=kind,
        scope=classify.scope_of(kind, [hit for hit in others if hit.group == "scope"], names),
        importance=weigh.importance(evidence.signals),
        confidence=confidence,
        signals=evidence.signals,
        role=message.role,
        origin=message.origin,
        message_id=message.id,
        start=clause.start,
        end=clause.end,
        language=next((signal.language for signal in evidence.signals if signal.language), codes[0]),
        at=message.at,
        names=names,
    )


def _context(messages: Sequence[Message], place: int) -> str:
    """At most 160 characters of each neighbouring message."""
    around = [
        messages[at].text for at in (place - 1, place + 1) if 0 <= at < len(messages) and messages[at].role is not Role.TOOL
    ]
    return " … ".join(" ".join(text.split())[:CONTEXT_CHARS] for text in around)
