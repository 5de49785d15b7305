"""What is known of each setting besides its default: unit, bounds, source, meaning, and which must agree.

Apart from `settings`, because no hook needs it: it is read where a setting was changed, and for the documentation.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple


class SettingNote(NamedTuple):
    """What the name of a setting cannot say. A unit of "0..1" bounds its value, and so do the fields behind the meaning."""

    unit: str
    source: str
    meaning: str
    least: float = 0.0
    most: float = inf
    above_zero: bool = False
    choices: tuple[str, ...] = ()


_PSYCHMEM, _TRUE_MEM, _STM, _KIT, _OWN = "PsychMem README", "true-mem config", "STM server", "Spec Kit memory", "own"
NOTES: dict[str, SettingNote] = {
    "long_term_classes": SettingNote(
        "classes",
        _PSYCHMEM,
        "classes, parted by commas, that are long-term at once (all: every one); empty: each must be confirmed",
    ),
    "stm_half_life_d": SettingNote(
        "worked days", "measured", "half-life of short-term memories, in days of work in their project", above_zero=True
    ),
    "agent_type": SettingNote("name", _PSYCHMEM, "claude-code or opencode; empty: whoever calls"),
    "db_path": SettingNote(
        "path",
        _PSYCHMEM,
        "database file; relative: in the data directory; {agentType} gives each agent its own; empty: memory.db",
    ),
    "strict_metadata": SettingNote("yes/no", "memory roadmap, gap 6", "refuse metadata that does not fit the class's schema"),
    "episodes": SettingNote("yes/no", _OWN, "keep what was typed and how the answers ended, cut and redacted; no deletes them"),
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
    "languages": SettingNote("codes", _OWN, "languages in which statements are kept, such as en, de; empty: all fifteen"),
    "w_recency": SettingNote("weight", _PSYCHMEM, "of the recency feature in strength"),
    "w_frequency": SettingNote("weight", _PSYCHMEM, "of the frequency feature"),
    "w_importance": SettingNote("weight", _PSYCHMEM, "of the importance feature"),
    "w_utility": SettingNote("weight", _PSYCHMEM, "of the utility feature"),
    "w_novelty": SettingNote("weight", _PSYCHMEM, "of the novelty feature"),
    "w_confidence": SettingNote("weight", _PSYCHMEM, "of the confidence feature"),
    "w_interference": SettingNote("weight", _PSYCHMEM, "of the interference feature; negative", least=-inf),
    "decay_threshold": SettingNote("0..1", _PSYCHMEM, "a fading memory below this strength becomes decayed"),
    "duplicate_threshold": SettingNote("0..1", _TRUE_MEM, "similarity from which two texts are one memory"),
    "deduplication_threshold": SettingNote(
        "0..1", _PSYCHMEM, "similarity from which they are one memory unless a cue says otherwise"
    ),
    "related_threshold": SettingNote("0..1", _PSYCHMEM, "similarity from which they are about the same thing"),
    "contradiction_threshold": SettingNote("0..1", _OWN, "similarity from which opposite rules on one subject are flagged"),
    "inject_on_compaction": SettingNote(
        "yes/no", _PSYCHMEM, "say the memories again after a compaction; OpenCode keeps them in its system prompt"
    ),
    "max_session_memories": SettingNote(
        "memories",
        "PsychMem README has 10",
        "most at session start; more is read by nobody",
    ),
    "max_compaction_memories": SettingNote("memories", _PSYCHMEM, "most at a compaction"),
    "max_prompt_memories": SettingNote("memories", _OWN, "most with one prompt; at most 20", most=20),
    "max_context_tokens": SettingNote("tokens", _TRUE_MEM, "most for everything shown at session start"),
    "brief_limit_chars": SettingNote("characters", _OWN, "most of one brief; the client cuts at 10,000", most=10_000),
    "retrieval_limit": SettingNote("memories", "Spec Kit memory; true-mem has 20", "search results when no limit is given"),
    "act_reminders": SettingNote("yes/no", _OWN, "before a tool call, the rules of yours that it may break, each once a session"),
    "volunteer_episodes": SettingNote(
        "yes/no",
        _OWN,
        "with a prompt that no memory fits, one line on an earlier exchange, once a session; right two times in five",
    ),
    "guidance": SettingNote("yes/no", _OWN, "one line in the brief that says to the agent how to save what the user states"),
    "last_session": SettingNote(
        "yes/no", _OWN, "at most three lines in the brief on what the last session here changed and left"
    ),
    "by": SettingNote(
        "name",
        _OWN,
        "who reads what was typed in a session: claude, opencode, client (Claude Code's own small model), command; empty: nobody, nothing"
        " is started or sent",
        choices=("", "claude", "opencode", "client", "command"),
    ),
    "command": SettingNote("command", _OWN, "with judge.by command: a command line that speaks protocol 2"),
    "calls_per_day": SettingNote("calls", _OWN, "most that a reader is asked in a day"),
    "small_model": SettingNote("name", _OWN, "model that claude or opencode reads with; empty: haiku, or the client's own"),
    "chars_per_call": SettingNote(
        "characters",
        _OWN,
        "most of one request; at least 10000, for the instructions and one turn, however it is written",
        least=10_000,
    ),
    "call_timeout_s": SettingNote("seconds", _OWN, "after which a reader is stopped, and asked again later"),
}
_CLASS_NOTES = {
    "half_life_d": SettingNote("days", _OWN, "half is left after so many days without use", above_zero=True),
    "ttl_d": SettingNote("days", "memory roadmap, gap 3", "archived after so many days; never: lives on", above_zero=True),
}

# Settings whose values must fall in this order.
FALLING = (("duplicate_threshold", "deduplication_threshold", "related_threshold"),)


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
    elif value > note.most:
        wrong = f"must be at most {note.most:g}"
    return f"{name} {wrong}, not {value!r}" if wrong else ""
