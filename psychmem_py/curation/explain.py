"""Why: why a memory was kept, why it was recalled or not, why a sentence did not become one. Reads only."""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from psychmem_py.briefing.brief import Occasion, compose, reasons
from psychmem_py.curation.act import PERSON, Who
from psychmem_py.errors import NotFoundError
from psychmem_py.home.project import Project
from psychmem_py.memory.forgetting import age_h, features, retrievability_in, would_confirm
from psychmem_py.model.permission import Action
from psychmem_py.model.records import HUMAN, RULES, Evidence, Memory, Status
from psychmem_py.model.settings import Settings
from psychmem_py.recall import brief_text, memory_line
from psychmem_py.store import candidates, matches, read_only, rows, search, sessions
from psychmem_py.text.dates import to_second
from psychmem_py.text.likeness import MEANS, SAYS, shares_enough
from psychmem_py.text.tokenizer import subject

CURVE_D = (0, 1, 7, 30, 90, 180, 365)  # days from now
READERS = ("reader", "judge")  # methods of the evidence that tells what a reader said; the second of older stores
_WHY = {
    "prompt": "it answered a prompt",
    "subagent": "it answered a sub-agent's task",
    "act": "a tool call went against it, or seemed to",
    "read": "a file that it belongs to was read",
    "memory_md": "the agent reads that file",
}
KINDS = {  # kinds of words by what they do, where the kind's own name is a word that need not have been said
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
    "use_not": "this, not that",
}


def explain(memory: Memory, evidence: list[Evidence], settings: Settings, now: float) -> dict[str, Any]:
    """Why a memory was kept, how much of it is left after days, and what each of seven features in [0, 1] adds to strength."""
    named = [(name, own, getattr(settings.scoring, f"w_{name}")) for name, own in features(memory, age_h(memory, now)).items()]
    return {
        "gates": gates(memory, evidence),
        "features": [{"name": name, "value": own, "weight": weight, "share": own * weight} for name, own, weight in named],
        "curve": [{"days": days, "retrievability": round(retrievability_in(memory, days, now, settings), 4)} for days in CURVE_D],
        "would_confirm": would_confirm(memory),
    }


def gates(memory: Memory, evidence: list[Evidence]) -> tuple[str, ...]:
    """How it came past the gates: by what was found in the words, by who said them, and by what the reader said."""
    if read_only.REFUSED in dict(memory.metadata):
        return ("calls were refused: a third of them or more, in two sessions",)
    families = sorted({family for one in evidence if one.method not in (*READERS, "vote") for family in one.signals})
    judged = [f"the reader said: {word}" for one in evidence if one.method in READERS for word in one.signals]
    listed = ", ".join(KINDS.get(family, family.replace("_", " ")) for family in families)
    outright = "the reader kept it" if any(one.method == READERS[0] for one in evidence[:1]) else "it was stated outright"
    found = f"phrases that support it: {listed}" if listed else f"{outright}: no phrases were searched for"
    by = f"a person said it{', as a rule requires' * (memory.kind in RULES)}" if memory.origin in HUMAN else "no person said it"
    return found, by, *judged[-1:]


def explain_last(
    db: sqlite3.Connection, *, session: str = "", project: Project | None, settings: Settings, now: float, who: Who = PERSON
) -> dict[str, Any]:
    """What the session (else the last one) was told of what `who` may see, and what came near. Raises NotFoundError."""
    asked = session
    session = sessions.conversation_id(db, asked) or asked if asked else read_only.last_session(db, project and project.id)
    entries = read_only.entries(db, session) if session else []
    known = {key: one for key, one in rows.several(db, [key for key, _, _ in entries]).items() if who.may(Action.LOOK, one)}
    if not (shown := [(known[key], channel, at) for key, channel, at in entries if key in known]):
        none = "no session was shown anything yet; `psychmem context` shows what the next one would be"
        raise NotFoundError(f"no conversation {asked!r} was shown anything; `psychmem sessions` lists them" if asked else none)
    brief = compose(db, Occasion(project, now, settings))
    groups = {key: f"in the brief among {group}" for key, group in reasons(brief).items() if key in brief.shown}
    misses = [miss for miss in brief.choice.near_misses if miss.memory.id not in known]

    def told(one: Memory, channel: str, reason: str) -> dict[str, str]:
        reason = reason or _WHY.get(channel) or groups.get(one.id, "it was among the brief's best then")
        return {"id": one.id, "text": one.text, "place": channel, "reason": reason}

    return {
        "session": session,
        "at": to_second(max(at for _, _, at in shown)),
        "tokens": sum(brief_text.tokens(memory_line.dated_line(one, now)) for one, _, _ in shown),  # rather too high
        "shown": [told(one, channel, "") for one, channel, _ in shown],
        "near_misses": [told(miss.memory, "", miss.reason) for miss in misses[:10]],
    }


class WhyNot(NamedTuple):
    """What became of a sentence."""

    kept: tuple[Memory, ...]  # memories that say so after all: every word of the sentence is in them
    near: tuple[Memory, ...]  # memories that say something like it
    turned_down: tuple[candidates.NotKept, ...]  # candidates, with gate and reason
    waiting: tuple[candidates.NotKept, ...]


def says(text: str, about: frozenset[str]) -> bool:
    """Whether a text has all the words a sentence is about; one word alone is in many texts and must be all there is."""
    return shares_enough(about, subject(text), SAYS) or about == subject(text)


def why_not(db: sqlite3.Connection, text: str, *, project: Project | None, now: float) -> WhyNot:
    """What became of a sentence: memories, rejected and pending candidates; all empty if it never was a candidate."""
    project_id, about = project.id if project else None, subject(text)

    def is_near(other: str) -> bool:
        return shares_enough(about, subject(other), MEANS)

    found = [hit.memory for hit in search.hits(db, matches.Question(text, project_id, now, statuses=tuple(Status), limit=5))]
    rejected = [one for one in candidates.rejected(db, like=text) if one.gate is not None and one.project in (None, project_id)]
    refused = [one for one in rejected if is_near(f"{one.candidate.text} {one.candidate.quote}")]
    read = {one.candidate.message_id for one in refused if one.reason == candidates.READ}  # and maybe kept in other words
    heard = [told for one in found for told in rows.evidence(db, one.id)]
    anew = [one for one in heard if one.method in READERS and one.message_id in read and is_near(one.quote)]
    counted = {one.memory_id for one in heard if one in anew or says(one.quote, about)}  # perhaps said again in more words
    kept = tuple(one for one in found if says(one.text, about) or one.id in counted)
    near = tuple(one for one in found if one not in kept and is_near(one.text))
    waiting = tuple(one for one in candidates.waiting(db, project=project_id) if is_near(one.candidate.text))
    gone = {one.message_id for one in anew}
    return WhyNot(kept, near, tuple(one for one in refused if one.candidate.message_id not in gone), waiting)
