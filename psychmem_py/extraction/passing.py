"""What in a person's statement speaks for the task at hand, or for a guess, rather than for something lasting: it waits. Pure."""

from __future__ import annotations

from psychmem_py.extraction import weights
from psychmem_py.extraction.clause_evidence import ClauseEvidence
from psychmem_py.model.records import Verdict

_TOLD_AS_LASTING = frozenset({"remember", "forever", "habit", "complaint"})
# A rule asked for politely ("please never …") is no task where it is most of the message and opens it; else it is the limit of one.
_GENERAL, _MOST, _OPENING_CHARS = frozenset({"always", "never"}), 0.5, 24
_TASTE = frozenset({"prefer", "dislike"})  # "I think I don't like …" is politeness, no guess


# Beside these what is to be made sure is a rule; else it is what the request of the moment is to bring about.
_BINDING = frozenset({"must", "should", "always", "never", "prefer", "dislike", "dont_want"})
_LONG_CHARS = 600  # who writes so much describes a task, a page or a plan, or pasted it
_DECIDED = frozenset({"choice", "label"})  # what was chosen is settled wherever it stands


def judged(verdict: Verdict, evidence: ClauseEvidence, clause_chars: int, message_chars: int) -> Verdict:
    """The verdict on a person's clause, waiting where the statement is an "example" of another, a "wish", bans something of one thing
    ("at hand"), is asked for now ("task"), told as a "guess", or one weak statement in a long message ("passage").
    """
    filters = {hit.name for hit in evidence.filters}
    lasting = not _TOLD_AS_LASTING.isdisjoint(evidence.families)
    opens_with = {hit.name for hit in evidence.signals if hit.start <= _OPENING_CHARS}
    mostly = clause_chars >= _MOST * message_chars
    general = "rulebook" in evidence.words or (mostly and not _GENERAL.isdisjoint(opens_with))
    strong = sum(signal.weight > weights.BOOSTER for signal in verdict.candidate.signals if signal.category)
    alone = strong < 2 and not verdict.candidate.names and not evidence.cues
    ensured = "ensure" in evidence.families and ("want" in evidence.families or "universal" not in evidence.families)
    reasons = {
        "example": "example" in filters,
        "wish": ensured and _BINDING.isdisjoint(evidence.families) and not lasting,
        "at hand": "at_hand" in filters and not verdict.candidate.names and not lasting,
        "task": "task_request" in filters and not general and not lasting,
        "guess": "hedge" in filters and _TASTE.isdisjoint(evidence.families) and not lasting,
        "passage": alone and message_chars >= _LONG_CHARS and _DECIDED.isdisjoint(evidence.families) and not lasting,
    }
    why = next((reason for reason, holds in reasons.items() if holds), "")
    return verdict._replace(waiting=True, reason=why) if why else verdict
