"""Whether a memory has been borne out, and what that entitles it to. Pure.

Rules hear two lasting things in three and mishear nearly as many. So what rules alone heard once is only *heard*: it belongs to the
project it was heard in, fades within the weeks in which that project is worked in, and has a quarter of a brief. It is *settled* by
being said again in another conversation, borne out by a tool, entered with the person's own words, kept by a judge, touched by
a person, or told as for good in so many words.
"""

from __future__ import annotations

from psychmem_py.model.records import Candidate, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import HUMAN, Standing, Status

JUDGED = "judged"  # metadata: a judge read it with its message and would keep it

NOTE_GONE = "note_gone"  # metadata: it came from a note of the client's alone, which the client deleted


def is_note_gone(memory: Memory) -> bool:
    """Whether the client deleted the note that a memory came from."""
    return NOTE_GONE in dict(memory.metadata)


def standing_of(candidate: Candidate, settings: Settings) -> Standing:
    """The standing with which a candidate becomes a memory; with `[standing] by_class` every one is settled."""
    return Standing.SETTLED if settings.standing.by_class else candidate.standing


def heard_retention(worked_d: float, half_life_d: float) -> float:
    """Share left of a memory that was only heard, in (0, 1]: 0.5^(d / half-life), in days on which its project was worked in."""
    return float(0.5 ** (max(0.0, worked_d) / half_life_d))


def settled(memory: Memory) -> Memory:
    """The memory, borne out."""
    metadata = tuple((name, value) for name, value in memory.metadata if name != NOTE_GONE)
    return memory._replace(standing=Standing.SETTLED, worked_d=0, metadata=metadata)


def would_settle(memory: Memory) -> str:
    """What would settle a memory, as a sentence; "" for one that is settled."""
    if memory.standing is Standing.SETTLED:
        return ""
    if memory.status is Status.QUARANTINED:
        return "it waits for you: `psychmem accept` settles it"
    again = (
        "said again in another conversation" if memory.origin in HUMAN else "borne out by a tool or told in another conversation"
    )
    return f"it was heard once; it is settled when {again}, or when you accept, edit, pin or praise it"
