"""What every prompt loads: which statuses of a memory count for what, what a line about a memory needs of it, and the settings of search,
prompts and briefs.

A module of its own because a prompt needs these and nothing else of the model. Statuses are plain values, equal to the members of the enum
(`terms.Status`); unit and source of each setting stand in `model.settings_notes.NOTES`.
"""

from __future__ import annotations

from psychmem_py.model.light_record import NamedTuple

RECALLABLE = ("active", "promoted")  # put before an agent unasked; it fades and moves between the stores
LIVE = (*RECALLABLE, "decayed")  # found by a search: fading lowers the rank only
KEPT = ("active", "quarantined", "promoted", "decayed")  # a statement is kept once among these; as the index memory_once has it
KNOWN = (*KEPT, "forgotten")  # what a new statement is compared with: what was forgotten is not learned again


NEAR_DUPLICATE = 0.8  # overlap of subjects from which a second memory says nothing new; rules that differ in one word stay


class Excerpt(NamedTuple):
    """A memory as far as a line about it needs."""

    id: str
    text: str
    kind: str
    updated_at: float
    names: tuple[str, ...]
    metadata: tuple[tuple[str, str], ...]
    store: str
    created_at: float
    session: str  # in which it was first stated


class FailingCall(NamedTuple):
    """A form of call that fails in a project."""

    form: str
    sessions: int
    fault: str
    worked: str


class Retrieval(NamedTuple):
    inject_on_compaction: bool = True
    max_session_memories: int = 20
    max_compaction_memories: int = 10
    max_prompt_memories: int = 3
    max_context_tokens: int = 4000
    brief_limit_chars: int = 9500
    retrieval_limit: int = 10
    act_reminders: bool = True
    guidance: bool = True
    last_session: bool = True
