"""What is known of each setting besides its default: unit, bounds, source, meaning, and which must agree.

Apart from `settings`, because no hook needs it: it is read where a setting was changed, and for the documentation.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

MODELS = ("selective", "ebbinghaus", "usage", "fsrs")


class SettingNote(NamedTuple):
    """What the name of a setting cannot say. A unit of "0..1" bounds its value, and so do the fields behind the meaning."""

    unit: str
    source: str
    meaning: str
    least: float = 0.0
    above_zero: bool = False
    choices: tuple[str, ...] = ()


_PSYCHMEM, _TRUE_MEM, _STM, _KIT, _OWN = "PsychMem README", "true-mem config", "STM server", "Spec Kit memory", "own"
NOTES: dict[str, SettingNote] = {
    "by_class": SettingNote(
        "yes/no", "measured", "every memory is settled at once and has the scope of its class; off: it must be borne out"
    ),
    "heard_half_life_d": SettingNote(
        "worked days", "measured", "half-life of what was only heard, in days on which its project was worked in"
    ),
    "heard_share": SettingNote("0..1", "measured", "share of a brief's room for what was only heard"),
    "agent_type": SettingNote("name", _PSYCHMEM, "claude-code or opencode; empty: whoever calls"),
    "db_path": SettingNote(
        "path",
        _PSYCHMEM,
        "database file; relative: in the data directory; {agentType} gives each agent its own; empty: memory.db",
    ),
    "strict_metadata": SettingNote("yes/no", "memory roadmap, gap 6", "refuse metadata that does not fit the class's schema"),
    "ignore": SettingNote("globs", "what nobody wants remembered", "directories for which hooks do nothing, parted by commas"),
    "extract_on_message": SettingNote(
        "yes/no", _PSYCHMEM, "extract after each answer; no: when the session ends or the next one starts"
    ),
    "extract_on_compaction": SettingNote("yes/no", _PSYCHMEM, "extract before the conversation is compacted"),
    "message_window_size": SettingNote(
        "messages", _PSYCHMEM, "of the person's before this one that a repetition or an unusual length is measured by"
    ),
    "message_importance_threshold": SettingNote("0..1", _PSYCHMEM, "a statement whose signals combine to less is not kept"),
    "max_memories_per_stop": SettingNote(
        "memories", "Miller's 7±2, PsychMem README", "most kept from one stop, counted after deduplication"
    ),
    "confidence_threshold": SettingNote("0..1", _TRUE_MEM, "third gate: (signals + keywords) / 2 must exceed it"),
    "w_recency": SettingNote("weight", _PSYCHMEM, "of the recency feature in strength"),
    "w_frequency": SettingNote("weight", _PSYCHMEM, "of the frequency feature"),
    "w_importance": SettingNote("weight", _PSYCHMEM, "of the importance feature"),
    "w_utility": SettingNote("weight", _PSYCHMEM, "of the utility feature"),
    "w_novelty": SettingNote("weight", _PSYCHMEM, "of the novelty feature"),
    "w_confidence": SettingNote("weight", _PSYCHMEM, "of the confidence feature"),
    "w_interference": SettingNote("weight", _PSYCHMEM, "of the interference feature; negative", least=-inf),
    "recency_span_h": SettingNote("hours", _PSYCHMEM, "recency falls linearly to zero over this time", above_zero=True),
    "frequency_full": SettingNote("sessions", _PSYCHMEM, "frequency is ln(n + 1) / ln(this + 1), at most 1", above_zero=True),
    "interference_low": SettingNote("0..1", _PSYCHMEM, "less similar memories do not interfere"),
    "interference_high": SettingNote("0..1", _PSYCHMEM, "more similar ones are the same thing said again"),
    "interference_share": SettingNote("factor", _PSYCHMEM, "interference per similarity"),
    "corroboration": SettingNote("0..1", _OWN, "share of the missing confidence that a further session closes"),
    "vote_step": SettingNote("0..1", _OWN, "share of the way to 1 (good) or 0 (bad) that a vote moves utility"),
    "use_step": SettingNote("0..1", _OWN, "share of the way to 1 that a touch or an echo moves utility"),
    "promote_strength": SettingNote("0..1", _PSYCHMEM, "strength that moves a memory to long-term memory"),
    "promote_sessions": SettingNote("sessions", _PSYCHMEM, "distinct sessions that move a memory to long-term memory"),
    "promote_score": SettingNote("score", _STM, "usage score that promotes, once the memory is old enough or used twice"),
    "promote_use_count": SettingNote("uses", _STM, "uses within the window that promote"),
    "promote_window_d": SettingNote("days", _STM, "window of promote_use_count, from creation"),
    "promote_min_age_h": SettingNote("hours", _OWN, "age that counts as proof when there was no second use"),
    "model": SettingNote("name", _OWN, "selective, ebbinghaus, usage or fsrs", choices=MODELS),
    "stm_rate_per_h": SettingNote("1/hour", _PSYCHMEM, "decay of short-term memory; halves in 13.9 h"),
    "ltm_rate_per_h": SettingNote("1/hour", _PSYCHMEM, "decay of long-term memory; halves in 69 h"),
    "decay_threshold": SettingNote("0..1", _PSYCHMEM, "a fading memory below this strength becomes decayed"),
    "usage_half_life_d": SettingNote("days", _STM, "of the usage model", above_zero=True),
    "beta": SettingNote("exponent", _STM, "weight of use in the usage model"),
    "stability_growth": SettingNote(
        "exponent", _KIT, "of the fsrs model: stability is multiplied by (1 + uses and further sessions) to this power"
    ),
    "forget_threshold": SettingNote("score", _STM, "gc proposes memories below it"),
    "tier_fading": SettingNote("yes/no", _KIT, "let the rate of its tier fade every memory, whatever the model says"),
    "rate_normal": SettingNote("per period", _KIT, "share left of a memory of normal tier"),
    "rate_temporary": SettingNote("per period", _KIT, "share left of a memory of temporary tier"),
    "rate_period_d": SettingNote("days", _KIT, "period of the tier rates", above_zero=True),
    "hot_threshold": SettingNote("0..1", _KIT, "retrievability from which a memory is HOT"),
    "warm_threshold": SettingNote("0..1", _KIT, "retrievability from which a memory is WARM"),
    "cold_threshold": SettingNote("0..1", _KIT, "retrievability from which a memory is COLD, below it DORMANT"),
    "archived_threshold": SettingNote("0..1", _KIT, "below it, and old enough, a memory is ARCHIVED"),
    "archived_days_threshold": SettingNote("days", _KIT, "age a memory needs to be ARCHIVED"),
    "duplicate_threshold": SettingNote("0..1", _TRUE_MEM, "similarity from which two texts are one memory"),
    "deduplication_threshold": SettingNote(
        "0..1", _PSYCHMEM, "similarity from which they are one memory unless a cue says otherwise"
    ),
    "related_threshold": SettingNote("0..1", _PSYCHMEM, "similarity from which they are about the same thing"),
    "contradiction_threshold": SettingNote("0..1", _OWN, "similarity from which opposite rules on one subject are flagged"),
    "max_neighbours": SettingNote("memories", _OWN, "most that one candidate is compared with"),
    "inject_on_compaction": SettingNote("yes/no", _PSYCHMEM, "say the memories again after a compaction"),
    "max_session_memories": SettingNote(
        "memories",
        "PsychMem README has 10",
        "most at session start; more is read by nobody",
    ),
    "max_compaction_memories": SettingNote("memories", _PSYCHMEM, "most at a compaction"),
    "max_prompt_memories": SettingNote("memories", _OWN, "most with one prompt"),
    "max_context_tokens": SettingNote("tokens", _TRUE_MEM, "most for everything shown at session start"),
    "brief_limit_chars": SettingNote("characters", _OWN, "most of one brief; the client cuts at 10,000"),
    "retrieval_limit": SettingNote("memories", "Spec Kit memory; true-mem has 20", "search results when no limit is given"),
    "act_reminders": SettingNote("yes/no", _OWN, "before a tool call, the rules of yours that it may break, each once a session"),
    "edit_notes": SettingNote("yes/no", _OWN, "before an edit, one line that names this very file"),
    "guidance": SettingNote("yes/no", _OWN, "one line in the brief that tells the agent how to save what the user states"),
    "last_session": SettingNote(
        "yes/no", _OWN, "at most three lines in the brief on what the last session here changed and left"
    ),
    "by": SettingNote(
        "name",
        _OWN,
        "who judges what the rules propose: command, client (Claude Code's own small model); empty: nobody, nothing is started or sent",
        choices=("", "command", "client"),
    ),
    "command": SettingNote(
        "command", _OWN, "the judge's program: claude, opencode, or a command line that speaks judge protocol 1"
    ),
    "calls_per_day": SettingNote("calls", _OWN, "most that a judge is asked in a day"),
    "small_model": SettingNote("name", _OWN, "model that claude or opencode judges with; empty: haiku, or the client's own"),
    "chars_per_call": SettingNote(
        "characters",
        _OWN,
        "most of one request; at least 10000, for the instructions and one item, however it is written",
        least=10_000,
    ),
    "call_timeout_s": SettingNote("seconds", _OWN, "after which a judge is stopped and the rules' verdict stands"),
}
_CLASS_NOTES = {
    "half_life_d": SettingNote("days", _OWN, "half is left after so many days without use", above_zero=True),
    "ttl_d": SettingNote("days", "memory roadmap, gap 3", "archived after so many days; never: lives on", above_zero=True),
    "auto_promote": SettingNote("yes/no", _TRUE_MEM, "goes to long-term memory at once"),
}

# Settings whose values must fall in this order.
FALLING = (
    ("hot_threshold", "warm_threshold", "cold_threshold", "archived_threshold"),
    ("duplicate_threshold", "deduplication_threshold", "related_threshold"),
)


def note_of(name: str) -> SettingNote:
    """What is known of a setting, by its name: "model", "classes.episodic.ttl_d"."""
    return NOTES[name] if name in NOTES else _CLASS_NOTES[name.rpartition(".")[2]]


def fault(name: str, value: float | str | None) -> str:
    """How a value breaks the bounds of its setting, as a sentence; "" if it may be used."""
    note = note_of(name)
    wrong = ""
    if note.choices and value not in note.choices:
        wrong = f"is {'empty or ' if '' in note.choices else ''}one of {', '.join(filter(None, note.choices))}"
    elif value is None or isinstance(value, str):
        pass
    elif note.unit == "0..1" and not 0 <= value <= 1:
        wrong = "lies between 0 and 1"
    elif note.above_zero and value <= 0:
        wrong = "must be greater than 0"
    elif value < note.least:
        wrong = f"must be at least {note.least:g}" if note.least else "cannot be negative"
    return f"{name} {wrong}, not {value!r}" if wrong else ""
