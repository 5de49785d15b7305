"""The settings of search, prompts and briefs with their defaults; unit and source of each stand in `model.settings_notes.NOTES`.

A module of its own because a prompt needs these and none of the other groups.
"""

from __future__ import annotations

from psychmem_py.model.light_record import NamedTuple

NEAR_DUPLICATE = 0.8  # overlap of subjects from which a second memory says nothing new; rules that differ in one word stay


class Retrieval(NamedTuple):
    inject_on_compaction: bool = True
    max_session_memories: int = 20
    max_compaction_memories: int = 10
    max_prompt_memories: int = 3
    max_context_tokens: int = 4000
    brief_limit_chars: int = 9500
    retrieval_limit: int = 10
    act_reminders: bool = True
    edit_notes: bool = False
    guidance: bool = True
    last_session: bool = True
