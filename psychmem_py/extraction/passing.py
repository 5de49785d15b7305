"""What in a person's statement speaks for the task at hand, or for a guess, rather than for something lasting: it waits. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence, Set
from typing import NamedTuple

from psychmem_py.extraction import lookups, weights
from psychmem_py.extraction.clause_evidence import ClauseEvidence
from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause
from psychmem_py.extraction.prepared_message import PreparedMessage
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Verdict

LONG_CHARS = 600  # of a message: who writes so much describes a task, a page or a plan, or pasted it
_TOLD_AS_LASTING = frozenset({"remember", "forever", "habit", "complaint"})
# A rule asked for politely ("please never …") is no task where it is most of the message and opens it; else it is the limit of one.
_GENERAL, MOST, OPENING_CHARS = frozenset({"always", "never"}), 0.5, 24
# Beside these what is to be made sure is a rule; else it is what the request of the moment is to bring about.
_BINDING = frozenset(
    {"must", "should", "always", "never", "forever", "habit", "complaint", "remember", "prefer", "dislike", "dont_want"}
)
_DECIDED = frozenset({"choice", "label"})  # what was chosen is settled wherever it stands
_TASTE = frozenset({"prefer", "dislike"})  # "I think I don't like …" is politeness, no guess
_CAUSES, _SETTLING = frozenset({"cause", "cause_present"}), frozenset({"fixed", "choice"})
_PRIMARY = 2


class Position(NamedTuple):
    """Where in its message a statement stands; what needs another look at the clauses around it is asked only when it decides."""

    share: float  # of the message, in (0, 1]
    message_chars: int
    opens_with: Set[str]  # families of evidence where the statement begins
    item: bool  # of a list
    behind_request: Callable[[], bool]  # does an earlier clause ask for something to be done?
    beside_request: Callable[[], bool]  # does any other clause ask for something, or to know something?


def reason(
    families: Collection[str],
    filters: Collection[str],
    position: Position,
    *,
    strong: int,
    named: bool,
    placed: bool,
    rulebook: bool,
) -> str:
    """Why a person's statement waits though its evidence is enough, "" where nothing speaks against it.

    "example": it illustrates another; "wish": it says only what is to come about; "at hand": it bans something of one thing; "task": it is asked
    for now; "guess": it is told as one;
    "symptom": a cause told with the wish to have it mended; "detail": a ban behind a request; "passage": all
    the evidence of a long message. `strong` counts the families of evidence that are worth more than a booster; it is `named` what a
    file or a piece of code in it is called, and `placed` what says in which project it holds, and `rulebook` what asks for a rule to be written down.
    """
    names, lasting = set(families), not _TOLD_AS_LASTING.isdisjoint(families)
    at_hand = "at_hand" in filters and not named
    task = "task_request" in filters and not rulebook and not (position.share >= MOST and position.opens_with & _GENERAL)
    wished = "ensure" in names and not names & _BINDING and ("want" in names or "universal" not in names)
    by_its_words = {"wish": wished, "at hand": at_hand, "task": task, "guess": "hedge" in filters and not names & _TASTE}
    if "example" in filters:
        return "example"
    if lasting:
        return ""
    return next((name for name, holds in by_its_words.items() if holds), "") or _by_position(
        names, position, alone=strong < _PRIMARY and not (named or placed)
    )


def _by_position(names: Set[str], position: Position, *, alone: bool) -> str:
    """What the clauses around say; `alone` is the only evidence there is, for nothing named."""
    if names & _CAUSES and not names & _SETTLING and position.beside_request():
        return "symptom"
    if alone and position.message_chars >= LONG_CHARS and not names & _DECIDED:
        return "passage"
    return "detail" if alone and "never" in names and not position.item and position.behind_request() else ""


def judged(  # noqa: PLR0917 - made in one place
    verdict: Verdict, evidence: ClauseEvidence, prepared: PreparedMessage, matcher: Matcher, every: Sequence[Clause], at: int
) -> Verdict:
    """The verdict on the clause `at` of a person's message, waiting where the statement is a guess or belongs to the task at hand."""

    def asks(others: Sequence[Clause]) -> bool:
        return any(lookups.asks(prepared, clause, matcher) for clause in others)

    candidate = verdict.candidate
    position = Position(
        share=len(every[at].text) / prepared.length,
        message_chars=prepared.length,
        opens_with={hit.name for hit in evidence.signals if hit.start <= OPENING_CHARS},
        item=every[at].item,
        behind_request=lambda: asks(every[:at]),
        beside_request=lambda: any(mark in prepared.text for mark in QUESTION_MARKS) or asks((*every[:at], *every[at + 1 :])),
    )
    why = reason(
        evidence.families,
        {hit.name for hit in evidence.filters},
        position,
        strong=sum(signal.weight > weights.BOOSTER for signal in candidate.signals if signal.category),
        named=bool(candidate.names),
        placed=bool(evidence.cues),
        rulebook="rulebook" in evidence.words,
    )
    return verdict._replace(waiting=True, reason=why) if why else verdict
