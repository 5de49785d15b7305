"""Which metadata each class carries, and what in a given set does not fit. Apart from `policy` because patterns cost hooks
time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from psychmem_py.model.terms import Kind


class Field(NamedTuple):
    """One field of a metadata schema. Values are strings in the store; `check` says whether one is well formed."""

    check: re.Pattern[str]
    meaning: str


_ANY = re.compile(r".+", re.S)
_SHARE = re.compile(r"0(\.\d+)?|1(\.0+)?")
_BOOL = re.compile(r"true|false")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?")
_STATE = re.compile(r"pending|in-progress|blocked|done")

# Memory roadmap, gap 6, and what the other classes need by the same logic.
SCHEMAS: dict[Kind, dict[str, Field]] = {
    Kind.PREFERENCE: {
        "domain": Field(_ANY, "model, workflow, style"),
        "weight": Field(_SHARE, "0 to 1"),
        "alternatives": Field(_ANY, "comma-separated"),
    },
    Kind.CONSTRAINT: {
        "domain": Field(_ANY, "topic"),
        "severity": Field(re.compile(r"must|should|never"), "must, should or never"),
        "reason": Field(_ANY, "why"),
    },
    Kind.LEARNING: {
        "language": Field(_ANY, "name"),
        "tool": Field(_ANY, "name"),
        "applied": Field(_BOOL, "true or false"),
    },
    Kind.PROCEDURAL: {"trigger": Field(_ANY, "when"), "steps": Field(_ANY, "in order")},
    Kind.DECISION: {
        "rationale": Field(_ANY, "why"),
        "alternatives": Field(_ANY, "comma-separated"),
        "decided_at": Field(_DATE, "ISO date"),
    },
    Kind.BUGFIX: {
        "cause": Field(_ANY, "what was wrong"),
        "fix": Field(_ANY, "what was changed"),
        "error_class": Field(_ANY, "TypeError, exit 1"),
        "file": Field(_ANY, "path"),
    },
    Kind.SEMANTIC: {
        "subject": Field(_ANY, "entity"),
        "relation": Field(_ANY, "calls, owns, runs on"),
        "object": Field(_ANY, "entity"),
    },
    Kind.EPISODIC: {"happened_at": Field(_DATE, "ISO date"), "outcome": Field(_ANY, "how it ended")},
    Kind.OBJECTIVE: {
        "deadline": Field(_DATE, "ISO date"),
        "status": Field(_STATE, "pending, in-progress, blocked or done"),
        "blockers": Field(_ANY, "comma-separated"),
    },
}


def metadata_faults(kind: Kind, metadata: Mapping[str, str] | Iterable[tuple[str, str]]) -> list[str]:
    """What does not fit the class's schema, one sentence each. Lenient writers keep the data and may show these; strict ones
    refuse.
    """
    schema = SCHEMAS[kind]
    faults = []
    for key, value in dict(metadata).items():
        if key not in schema:
            faults.append(f"{kind} has no field {key!r}; it knows {', '.join(schema)}")
        elif not schema[key].check.fullmatch(value):
            faults.append(f"{key} cannot be {value!r}; it is {schema[key].meaning}")
    return faults
