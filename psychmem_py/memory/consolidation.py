"""The step from short-term to long-term memory, and what a memory is entitled to before it. Pure; the one place that decides.

Rules understand two lasting things in three and misread nearly as many. So what rules alone read once is *short-term*: it belongs to
the project in which it was said, fades within the weeks in which that project is worked in, and has a quarter of a brief. It becomes
*long-term* by being said again in another conversation, confirmed by a tool, entered with the person's own words, kept by the reader,
touched by a person, or said as for good in so many words.
"""

from __future__ import annotations

from psychmem_py.model.records import Candidate, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import HUMAN, Status, Store

JUDGED = "judged"  # metadata: the reader saw it with its message and would keep it

NOTE_GONE = "note_gone"  # metadata: it came from a note of the client's alone, which the client deleted


def is_note_gone(memory: Memory) -> bool:
    """Whether the client deleted the note that a memory came from."""
    return NOTE_GONE in dict(memory.metadata)


def store_of(candidate: Candidate, settings: Settings) -> Store:
    """The store in which a candidate becomes a memory; long-term at once for the classes of `stores.long_term_classes`."""
    return Store.LTM if settings.stores.at_once(candidate.kind) else candidate.store


def stm_retention(worked_d: float, half_life_d: float) -> float:
    """Share left of a short-term memory, in (0, 1]: 0.5^(d / half-life), in days on which its project was worked in."""
    return float(0.5 ** (max(0.0, worked_d) / half_life_d))


def consolidated(memory: Memory) -> Memory:
    """The memory in long-term store."""
    metadata = tuple((name, value) for name, value in memory.metadata if name != NOTE_GONE)
    return memory._replace(store=Store.LTM, worked_d=0, metadata=metadata)


def would_confirm(memory: Memory) -> str:
    """What would confirm a memory, as a sentence; "" for one that is long-term."""
    if memory.store is Store.LTM:
        return ""
    if memory.status is Status.QUARANTINED:
        return "it waits for you: `psychmem review ID` confirms it"
    again = "said again in another conversation" if memory.origin in HUMAN else "confirmed by a tool or in another conversation"
    return f"it was said once; it is confirmed when {again}, or when you approve, edit, pin or rate it good"
