"""What each setting has besides its default: unit, bounds, source, meaning, and which must agree. Read where one was changed."""

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
        "classes", _PSYCHMEM, "classes that are long-term at once, comma-separated, or all; empty: none"
    ),
    "stm_half_life_d": SettingNote("worked days", "measured", "half-life of short-term memories", above_zero=True),
    "agent_type": SettingNote(
        "name", _PSYCHMEM, "claude-code or opencode; empty: whoever calls", choices=("", "claude-code", "opencode")
    ),
    "db_path": SettingNote(
        "path", _PSYCHMEM, "database file; {agentType} gives each agent its own; empty: memory.db in the data directory"
    ),
    "strict_metadata": SettingNote("yes/no", "memory roadmap, gap 6", "refuse metadata that its class does not have"),
    "episodes": SettingNote("yes/no", _OWN, "keep exchanges, cut and redacted; no deletes them"),
    "ignore": SettingNote(
        "globs", "what nobody wants remembered", "directories in which hooks do nothing, comma-separated globs"
    ),
    "extract_on_message": SettingNote(
        "yes/no", _PSYCHMEM, "extract after each answer; no: at the session's end or the next start"
    ),
    "extract_on_compaction": SettingNote("yes/no", _PSYCHMEM, "extract before a compaction"),
    "message_window_size": SettingNote("messages", _PSYCHMEM, "earlier messages by which repetition and length are judged"),
    "message_importance_threshold": SettingNote("0..1", _PSYCHMEM, "least importance that is kept"),
    "max_memories_per_stop": SettingNote("memories", "Miller's 7±2, PsychMem README", "most new ones of one stop"),
    "confidence_threshold": SettingNote("0..1", _TRUE_MEM, "least confidence that is kept"),
    "languages": SettingNote("codes", _OWN, "keep statements in these languages only (en, de); empty: all"),
    **{
        f"w_{part}": SettingNote("weight", _PSYCHMEM, f"of {part} in strength")
        for part in "recency frequency importance utility novelty confidence".split()
    },
    "w_interference": SettingNote("weight", _PSYCHMEM, "of interference in strength; negative", least=-inf),
    "decay_threshold": SettingNote("0..1", _PSYCHMEM, "strength below which a fading memory is decayed"),
    "duplicate_threshold": SettingNote("0..1", _TRUE_MEM, "similarity from which two texts are one memory"),
    "deduplication_threshold": SettingNote("0..1", _PSYCHMEM, "the same, unless a cue says otherwise"),
    "related_threshold": SettingNote("0..1", _PSYCHMEM, "similarity from which they are related"),
    "inject_on_compaction": SettingNote("yes/no", _PSYCHMEM, "show memories again after a compaction"),
    "max_session_memories": SettingNote("memories", "PsychMem README has 10", "most at session start"),
    "max_compaction_memories": SettingNote("memories", _PSYCHMEM, "most at a compaction"),
    "max_prompt_memories": SettingNote("memories", _OWN, "most with one prompt", most=20),
    "max_context_tokens": SettingNote("tokens", _TRUE_MEM, "most at session start"),
    "brief_limit_chars": SettingNote(
        "characters", _OWN, "most of a brief, from 500; the client cuts at 10,000", least=500, most=10_000
    ),
    "retrieval_limit": SettingNote("memories", "Spec Kit memory; true-mem has 20", "search results without a limit"),
    "act_reminders": SettingNote("yes/no", _OWN, "show rules at tool calls that may break them"),
    "guidance": SettingNote("yes/no", _OWN, "a line in the brief on how the agent saves a statement"),
    "last_session": SettingNote("yes/no", _OWN, "at most three lines in the brief on the last session"),
    "by": SettingNote(
        "name",
        _OWN,
        "the reader: claude, opencode, client (Claude Code's own small model), command; empty: nobody",
        choices=("", "claude", "opencode", "client", "command"),
    ),
    "command": SettingNote("command", _OWN, "the program of judge.by = command"),
    "calls_per_day": SettingNote("calls", _OWN, "most requests a day"),
    "small_model": SettingNote("name", _OWN, "model for claude or opencode; empty: haiku, or the client's own"),
    "chars_per_call": SettingNote("characters", _OWN, "most of one request; at least 10000", least=10_000),
    "call_timeout_s": SettingNote("seconds", _OWN, "most for one request; then it is asked again later"),
}
_CLASS_NOTES = {
    "half_life_d": SettingNote("days", _OWN, "half-life without use", above_zero=True),
    "ttl_d": SettingNote("days", "memory roadmap, gap 3", "days until archived, or never", above_zero=True),
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
