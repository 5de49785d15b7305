"""What is known of each setting besides its default: unit, bounds, source, meaning, and which settings must agree.

Apart from `settings`, because no hook needs it: it is read where a setting was changed, and for the documentation.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from psychmem_py.model.settings import Settings, keys

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
    "signal_threshold": SettingNote("0..1", _TRUE_MEM, "weaker signals do not make a candidate"),
    "sentence_base": SettingNote("0..1", _TRUE_MEM, "keyword score of a sentence with nothing in it"),
    "primary_step": SettingNote("0..1", _TRUE_MEM, "added by each primary keyword"),
    "primary_cap": SettingNote("0..1", _TRUE_MEM, "most that primary keywords add"),
    "booster_step": SettingNote("0..1", _TRUE_MEM, "added by each booster"),
    "booster_cap": SettingNote("0..1", _TRUE_MEM, "most that boosters add"),
    "structural_weight": SettingNote("factor", _TRUE_MEM, "multiplies what structure adds to or takes from the confidence"),
    "structural_confidence": SettingNote("0..1", _PSYCHMEM, "confidence in what is imported without one"),
    "tool_confidence": SettingNote("0..1", _PSYCHMEM, "confidence in what an agent stored by a command"),
    "explicit_confidence": SettingNote("0..1", _OWN, "confidence in what a person stored by a command"),
    "weight_explicit_remember": SettingNote("0..1", _PSYCHMEM, "signal weight"),
    "weight_emphasis_cue": SettingNote("0..1", _PSYCHMEM, "signal weight"),
    "weight_bug_fix": SettingNote("0..1", _PSYCHMEM, "signal weight"),
    "weight_learning": SettingNote("0..1", _PSYCHMEM, "signal weight"),
    "weight_correction": SettingNote("0..1", _PSYCHMEM, "signal weight"),
    "weight_decision": SettingNote("0..1", _PSYCHMEM, "signal weight"),
    "weight_constraint": SettingNote("0..1", _PSYCHMEM, "signal weight"),
    "weight_preference": SettingNote("0..1", _PSYCHMEM, "signal weight"),
    "weight_typography": SettingNote("0..1", _PSYCHMEM, "capitals, exclamation marks, bold"),
    "weight_short_reply": SettingNote("0..1", _PSYCHMEM, "short reply after a long answer"),
    "weight_repetition": SettingNote("0..1", _PSYCHMEM, "trigram overlap with an earlier message"),
    "weight_elaboration": SettingNote("0..1", _PSYCHMEM, "reply much longer than usual"),
    "weight_enumeration": SettingNote("0..1", _PSYCHMEM, "lists, first / then / finally"),
    "weight_near_error": SettingNote("0..1", _PSYCHMEM, "next to a failed tool call"),
    "repetition_overlap": SettingNote("0..1", _PSYCHMEM, "share of common trigrams that makes a repetition"),
    "elaboration_ratio": SettingNote("factor", _PSYCHMEM, "times the median length that makes an elaboration"),
    "signal_falloff": SettingNote("factor", _PSYCHMEM, "each further signal adds this share of the one before"),
    "context_limit_chars": SettingNote("characters", "benchmarks", "kept of each neighbouring message"),
    "min_text_chars": SettingNote("characters", _OWN, "shorter texts are not extracted"),
    "max_text_chars": SettingNote("characters", _TRUE_MEM, "longer texts are not extracted"),
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
    "weight_text": SettingNote("weight", "benchmarks", "of the text column in bm25"),
    "weight_names": SettingNote("weight", "benchmarks", "of the names column"),
    "weight_dates": SettingNote("weight", "benchmarks", "of the date words column"),
    "weight_context": SettingNote("weight", "benchmarks", "of the context column"),
    "strength_share": SettingNote("0..1", "benchmarks", "most that strength may move a search score"),
    "recency_floor": SettingNote("0..1", "benchmarks", "least that age leaves of a search score"),
    "recency_half_d": SettingNote(
        "days", "memory roadmap, gap 5", "age after which half of the recency share is gone", above_zero=True
    ),
    "pruned_rows": SettingNote(
        "rows", "benchmarks", "index rows one query may open; its commonest words only count in rows that rarer ones opened"
    ),
    "prompt_floor": SettingNote("score", _OWN, "least search score shown with a prompt; 0: the built-in floor"),
    "max_subagent_memories": SettingNote("memories", _OWN, "most shown when a sub-agent starts"),
    "act_reminders": SettingNote("yes/no", _OWN, "before a tool call, the rules of yours that it may break, each once a session"),
    "edit_notes": SettingNote("yes/no", _OWN, "before an edit, one line that names this very file"),
    "guidance": SettingNote("yes/no", _OWN, "one line in the brief that tells the agent how to save what the user states"),
    "last_session": SettingNote(
        "yes/no", _OWN, "at most three lines in the brief on what the last session here changed and left"
    ),
    "max_hot_memories": SettingNote(
        "memories", "Spec Kit memory has 5", "most HOT memories in one brief besides pinned ones; 0: no such limit"
    ),
    "max_warm_memories": SettingNote(
        "memories", "Spec Kit memory has 10", "most WARM memories in one brief besides pinned ones; 0: no such limit"
    ),
    "keep_rejected_d": SettingNote("days", _OWN, "how long rejected candidates can be explained"),
    "keep_waiting_d": SettingNote("days", _OWN, "how long an uncertain candidate waits for a second mention"),
    "keep_events_d": SettingNote("days", _OWN, "how long tool events stay"),
    "keep_shown_d": SettingNote("days", _OWN, "how long it is known what a session was shown"),
    "keep_seen_d": SettingNote("days", _OWN, "how long the keys of read messages stay"),
    "slice_rows": SettingNote("rows", _OWN, "looked at by the small upkeep after an extraction"),
    "batch_rows": SettingNote("rows", _OWN, "changed in one transaction of upkeep"),
    "gc_after_d": SettingNote("days", _OWN, "age from which gc deletes what is already archived"),
    "by": SettingNote(
        "name",
        _OWN,
        "who judges what the rules propose: command, client (Claude Code's own small model), agent (the one at work, asked in its brief);"
        " empty: nobody, nothing is started or sent",
        choices=("", "command", "client", "agent"),
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

# What other memory systems call these settings in their configuration files.
OTHER_NAMES: dict[str, str] = {
    "stmDecayRate": "stm_rate_per_h",
    "ltmDecayRate": "ltm_rate_per_h",
    "decayThreshold": "decay_threshold",
    "stmToLtmStrengthThreshold": "promote_strength",
    "stmToLtmFrequencyThreshold": "promote_sessions",
    "maxMemoriesPerStop": "max_memories_per_stop",
    "deduplicationThreshold": "deduplication_threshold",
    "defaultRetrievalLimit": "retrieval_limit",
    "maxContextTokens": "max_context_tokens",
    "maxCompactionMemories": "max_compaction_memories",
    "maxSessionStartMemories": "max_session_memories",
    "messageWindowSize": "message_window_size",
    "messageImportanceThreshold": "message_importance_threshold",
    "structuralWeight": "structural_weight",
    "signalThreshold": "signal_threshold",
    "structuralConfidence": "structural_confidence",
    "promote_threshold": "promote_score",
    "DUPLICATE": "duplicate_threshold",
    "CONFLICT": "deduplication_threshold",
    "MIN_RELEVANT": "related_threshold",
    "CONFIDENCE_THRESHOLD": "confidence_threshold",
    "maxHotMemories": "max_hot_memories",
    "maxWarmMemories": "max_warm_memories",
}


def fault(settings: Settings) -> str:
    """Which value cannot be, or does not go with another, as a sentence; "" if all may be used."""
    groups = keys()
    for name, note in NOTES.items():
        if wrong := _bound_broken(name, note, getattr(getattr(settings, groups[name]), name)):
            return wrong
    fading, similar = settings.forgetting, settings.reconcile
    if not fading.hot_threshold > fading.warm_threshold > fading.cold_threshold >= fading.archived_threshold:
        return "the thresholds must fall: hot > warm > cold >= archived"
    if not similar.duplicate_threshold >= similar.deduplication_threshold > similar.related_threshold:
        return "the thresholds must fall: duplicate >= deduplication > related"
    for kind, policy in settings.classes:
        if policy.half_life_d <= 0 or (policy.ttl_d is not None and policy.ttl_d <= 0) or not 0 <= policy.utility <= 1:
            return f"classes.{kind}: half_life_d and ttl_d must be greater than 0, utility between 0 and 1"
        if policy.search_weight < 0:
            return f"classes.{kind}: search_weight cannot be negative, not {policy.search_weight}"
    return ""


def _bound_broken(name: str, note: SettingNote, value: float | str) -> str:
    """How a value breaks the bounds of its setting, "" if it does not."""
    if note.choices and value not in note.choices:
        return (
            f"{name} is {'empty or ' if '' in note.choices else ''}one of {', '.join(filter(None, note.choices))}, not {value!r}"
        )
    if isinstance(value, str):
        return ""
    if note.unit == "0..1" and not 0 <= value <= 1:
        return f"{name} lies between 0 and 1, not {value}"
    if note.above_zero and value <= 0:
        return f"{name} must be greater than 0, not {value}"
    if value < note.least:
        return f"{name} must be at least {note.least:g}, not {value}" if note.least else f"{name} cannot be negative, not {value}"
    return ""
