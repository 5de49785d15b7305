"""Why: why a memory was kept, why it was recalled or not, why a sentence did not become one. Reads only."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.briefing.brief import Occasion, compose, reasons
from psychmem_py.errors import NotFoundError
from psychmem_py.home.project import Project
from psychmem_py.memory.forgetting import retrievability_in, would_confirm
from psychmem_py.memory.strength import frequency_factor, recency_factor
from psychmem_py.model.records import Evidence, Link, Memory
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.model.terms import HUMAN, RULES, Status
from psychmem_py.recall import brief_text, memory_line
from psychmem_py.store import candidates, change_log, ledger, rows, search
from psychmem_py.store.candidates import Kept
from psychmem_py.store.matches import Question
from psychmem_py.text.tokenizer import subject

CURVE_D = (0, 1, 7, 30, 90, 180, 365)  # days from now
# Share of a sentence's words that must be in another text.
_SAYS = 1.0  # for a memory to say it
_NEAR = 0.6  # for a memory to be worth pointing at
READERS = ("reader", "judge")  # methods of the evidence that tells what a reader said; the second of older stores
# Kinds of words by what they do, where the kind's own name is a word that need not have been said.
_KINDS = {
    "again": "said before",
    "always": "regularity",
    "choice": "a choice made",
    "forever": "lasting time",
    "must": "duty",
    "never": "prohibition",
    "ban": "ban of one act",
    "note": "a request to note",
    "prefer": "preference",
    "remember": "a request to remember",
    "should": "advice",
}
_LIKE = 0.6  # for a candidate to have been made of it
_MISSES = 10


class Feature(NamedTuple):
    name: str
    value: float  # [0, 1]
    weight: float
    share: float  # value times weight


class Explanation(NamedTuple):
    """Everything known about one memory."""

    memory: Memory
    evidence: list[Evidence]
    gates: tuple[str, ...]  # what the four gates found, in words
    features: tuple[Feature, ...]
    curve: tuple[tuple[int, float], ...]  # days from now, retrievability then
    history: list[change_log.Logged]
    links: list[Link]
    would_confirm: str  # what would confirm a short-term memory; "" for a long-term one


def explain(db: sqlite3.Connection, prefix: str, *, settings: Settings = DEFAULTS, now: float) -> Explanation:
    """One memory explained. Raises NotFoundError for no or several ids."""
    memory = rows.by_id(db, prefix)
    evidence = rows.evidence(db, memory.id)
    return Explanation(
        memory=memory,
        evidence=evidence,
        gates=_gates(memory, evidence),
        features=features(memory, settings, now),
        curve=tuple((days, retrievability_in(memory, days, now, settings)) for days in CURVE_D),
        would_confirm=would_confirm(memory),
        history=change_log.history(db, memory.id),
        links=rows.links(db, memory.id),
    )


def features(memory: Memory, settings: Settings, now: float) -> tuple[Feature, ...]:
    """The seven features with their weights and what each adds to strength."""
    weights = settings.scoring
    values = (
        ("recency", recency_factor(max(0.0, now - memory.anchor_at) / 3600), weights.w_recency),
        ("frequency", frequency_factor(memory.session_count), weights.w_frequency),
        ("importance", memory.importance, weights.w_importance),
        ("utility", memory.utility, weights.w_utility),
        ("novelty", memory.novelty, weights.w_novelty),
        ("confidence", memory.confidence, weights.w_confidence),
        ("interference", memory.interference, weights.w_interference),
    )
    return tuple(Feature(name, value, weight, value * weight) for name, value, weight in values)


def _gates(memory: Memory, evidence: list[Evidence]) -> tuple[str, ...]:
    """How it came past the gates: by what was found in the words, and by who said them."""
    families = sorted({family for one in evidence if one.method not in READERS for family in one.signals})
    by_rules = any(one.method == "sweep" for one in evidence)
    judged = [word for one in evidence if one.method in READERS for word in one.signals]
    listed = ", ".join(_KINDS.get(family, family.replace("_", " ")) for family in families)
    person = memory.origin in HUMAN
    return (
        "it is a statement, not a question, a guess or a one-off request"
        if by_rules
        else "it was not checked for being a question or a guess: it was stated outright",
        f"phrases that support it: {listed}" if listed else "no phrases were searched for",
        ("a person said it" if person else "no person said it") + (", as a rule requires" * (person and memory.kind in RULES)),
        *((f"the reader said: {judged[-1]}",) if judged else ()),
    )


class MemoryShown(NamedTuple):
    """A memory in, or nearly in, what a session was told."""

    memory: Memory
    channel: str  # brief, compaction, memory_md, prompt, subagent, edit; "" for a near miss
    reason: str


class Recalled(NamedTuple):
    """What one session was told."""

    session: str
    at: float
    shown: tuple[MemoryShown, ...]
    near_misses: tuple[MemoryShown, ...]
    tokens: int  # an estimate, rather too high


def explain_last(
    db: sqlite3.Connection, *, session: str = "", project: Project | None, settings: Settings = DEFAULTS, now: float
) -> Recalled:
    """What the session (the last that was told anything) was told and why, and what came near. Raises NotFoundError for none."""
    session, entries = _shown_in(db, session)
    known = rows.several(db, [memory_id for memory_id, _, _ in entries])
    brief = compose(db, Occasion(project, now, settings))
    why = reasons(brief)
    shown = tuple(
        MemoryShown(known[memory_id], channel, _why(channel, why.get(memory_id, "")))
        for memory_id, channel, _ in entries
        if memory_id in known
    )
    ids = {memory_id for memory_id, _, _ in entries}
    misses = tuple(MemoryShown(miss.memory, "", miss.reason) for miss in brief.choice.near_misses if miss.memory.id not in ids)[
        :_MISSES
    ]
    return Recalled(session, max(at for _, _, at in entries), shown, misses, cost([one.memory for one in shown], now))


def _why(channel: str, group: str) -> str:
    return {
        "prompt": "it answered a prompt",
        "subagent": "it answered a sub-agent's task",
        "act": "a tool call went against it, or seemed to",
        "memory_md": "it is in MEMORY.md, which the agent reads",
    }.get(channel, f"of the brief's {group}" if group else "it was among the brief's best then")


def _shown_in(db: sqlite3.Connection, session: str) -> tuple[str, list[tuple[str, str, float]]]:
    """The session, else the last one that was shown anything, and its lines of the ledger."""
    session = session or ledger.last_session(db)
    entries = ledger.entries(db, session) if session else []
    if not entries:
        raise NotFoundError("no session was shown anything yet; `psychmem context` shows what the next one would be")
    return session, entries


def cost(shown: list[Memory], now: float) -> int:
    """About how many tokens these memories take in a context, once."""
    return sum(brief_text.tokens(memory_line.dated_line(memory, now)) for memory in shown)


class WhyNot(NamedTuple):
    """What became of a sentence."""

    kept: tuple[Memory, ...]  # memories that say so after all: every word of the sentence is in them
    near: tuple[Memory, ...]  # memories that say something like it
    turned_down: tuple[Kept, ...]  # candidates, with gate and reason
    waiting: tuple[Kept, ...]


def why_not(db: sqlite3.Connection, text: str, *, project: Project | None, now: float) -> WhyNot:
    """What was found of a sentence: memories, rejected and waiting candidates; all empty when nobody ever took it for one."""
    project_id = project.id if project else None
    about = subject(text)
    hits = search.hits(db, Question(text, project_id, now, statuses=tuple(Status), limit=5))
    kept = tuple(hit.memory for hit in hits if _alike(about, hit.memory.text, _SAYS))
    near = tuple(hit.memory for hit in hits if hit.memory not in kept and _alike(about, hit.memory.text, _NEAR))
    waiting = tuple(one for one in candidates.waiting(db, project=project_id) if _alike(about, one.candidate.text))
    turned = (one for one in candidates.rejected(db, like=text) if one.gate is not None and one.project in (None, project_id))
    turned_down = tuple(one for one in turned if _alike(about, f"{one.candidate.text} {one.candidate.quote}"))
    return WhyNot(kept, near, turned_down, waiting)


def _alike(about: frozenset[str], text: str, least: float = _LIKE) -> bool:
    """Whether at least this share of what a sentence is about is in `text`."""
    return bool(about) and len(about & subject(text)) / len(about) >= least
