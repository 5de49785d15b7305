"""What other memory systems call their settings, and which of ours that is, or why there is none. One table, read where a person set one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from psychmem_py.errors import ConfigError
from psychmem_py.model.terms import Kind


class NotFollowed(NamedTuple):
    """A setting that some other system has and we have not."""

    why: str


Converted = Callable[[object], dict[str, object]]  # what a value means in ours, by their names; raises ConfigError


def _auto_promote(value: object) -> dict[str, object]:
    """`stores.long_term_classes`: the classes in the list."""
    if not isinstance(value, list) or not set(Kind).issuperset(value):
        raise ConfigError(f"autoPromoteToLtm is a list of classes, not {value!r}")
    return {"long_term_classes": ", ".join(value)}


def _scoring_weights(value: object) -> dict[str, object]:
    """`scoring.w_FEATURE` of each feature in the table."""
    if not isinstance(value, dict):
        raise ConfigError("scoringWeights is a table of feature = weight")
    return {f"w_{feature}": weight for feature, weight in value.items()}


_PART_OF_A_FORMULA = NotFollowed("it is a constant")
_CONFIRMED = NotFollowed("a memory is long-term once it is confirmed; only short-term ones fade (stm_half_life_d)")
_BY_CONFIDENCE = NotFollowed("each kind of evidence has its weight; see confidence_threshold")

FOREIGN: dict[str, str | NotFollowed | Converted] = {
    # true-mem and PsychMem
    "stmDecayRate": _CONFIRMED,
    "ltmDecayRate": _CONFIRMED,
    "decayThreshold": "decay_threshold",
    "applyDecayOnlyToEpisodic": _CONFIRMED,
    "stmToLtmStrengthThreshold": _CONFIRMED,
    "stmToLtmFrequencyThreshold": _CONFIRMED,
    "autoPromoteToLtm": _auto_promote,
    "scoringWeights": _scoring_weights,
    "maxMemoriesPerStop": "max_memories_per_stop",
    "deduplicationThreshold": "deduplication_threshold",
    "defaultRetrievalLimit": "retrieval_limit",
    "maxContextTokens": "max_context_tokens",
    "maxCompactionMemories": "max_compaction_memories",
    "maxSessionStartMemories": "max_session_memories",
    "messageWindowSize": "message_window_size",
    "messageImportanceThreshold": "message_importance_threshold",
    "CONFIDENCE_THRESHOLD": "confidence_threshold",
    "DUPLICATE": "duplicate_threshold",
    "CONFLICT": "deduplication_threshold",
    "MIN_RELEVANT": "related_threshold",
    "HUMAN_MESSAGE_WEIGHT_MULTIPLIER": _BY_CONFIDENCE,
    "structuralWeight": _PART_OF_A_FORMULA,
    "structuralConfidence": _PART_OF_A_FORMULA,
    "signalThreshold": _BY_CONFIDENCE,
    "regexConfidence": _BY_CONFIDENCE,
    # STM server
    "promote_threshold": _CONFIRMED,
    # memory roadmap
    "validateMetadata": "strict_metadata",
    "detectContradictions": NotFollowed("contradictions are always shown"),
    # Spec Kit memory
    "maxHotMemories": NotFollowed("a brief has one limit, max_session_memories"),
    "maxWarmMemories": NotFollowed("a brief has one limit, max_session_memories"),
    "SPECKIT_INDEX_SPEC_DOCS": NotFollowed("documents are searched only on request"),
}
