"""The contract of `psychmem sweep`: one JSON object per message in, one per message out. No store, no network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from psychmem_py.errors import PayloadError
from psychmem_py.extraction import sweep
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.model.terms import Origin, Role
from psychmem_py.safety.secrets import redact

_ORIGINS = {Role.USER: Origin.USER_PROMPT, Role.ASSISTANT: Origin.ASSISTANT, Role.TOOL: Origin.TOOL}


def results(lines: Iterable[str], matcher: Matcher, settings: Settings = DEFAULTS) -> Iterator[str]:
    """One line of JSON for each non-empty line of `lines`, in order. Raises PayloadError for a line that is no message."""
    for entry in entries_in(lines):
        yield result(entry, sweep.sweep([message_of(entry)], matcher, settings))


def entries_in(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The object of each non-empty line. Raises PayloadError for a line that is no message."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _entry(line, number)


def result(entry: Mapping[str, Any], verdicts: Iterable[Verdict]) -> str:
    """The line of JSON for a message, under the id it came with."""
    line = json.dumps(as_json(entry.get("id", ""), verdicts), ensure_ascii=False)
    return line.encode("utf-8", "replace").decode("utf-8")  # half a sign, which JSON can hold and no stream takes


def message_of(entry: Mapping[str, Any]) -> Message:
    """The message in {"id","role","text","prev_assistant"}; an unknown role counts as a tool's, which says nothing."""
    role = Role(entry["role"]) if entry.get("role") in set(Role) else Role.TOOL
    return Message(
        str(entry.get("id", "")),
        role,
        _ORIGINS[role],
        redact(str(entry.get("text") or "")),
        previous=redact(str(entry.get("prev_assistant") or "")),
    )


def as_json(identity: object, verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """What was kept and what was rejected, waiting candidates among the rejected with the reason "waiting"."""
    limited = sweep.limited(list(verdicts))
    kept = [v.candidate for v in limited if v.is_kept]
    return {
        "id": identity,
        "memories": [
            {
                "text": c.text,
                "class": c.kind.value,
                "scope": c.scope.value,
                "confidence": round(c.confidence, 2),
                "store": c.store.value,
            }
            for c in kept
        ],
        "rejected": [
            {
                "text": v.candidate.text,
                "gate": v.gate.value if v.gate else "evidence",
                "reason": v.reason if v.gate else "waiting",
            }
            for v in limited
            if v.gate or v.waiting
        ],
    }


def _entry(line: str, number: int) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError as exc:
        raise PayloadError(f"line {number} is not JSON: {exc}; give one object per line") from exc
    except RecursionError:
        raise PayloadError(f"line {number} is nested too deep to be read; give one object per line") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
        raise PayloadError(f'line {number} has no "text"; give {{"id", "role", "text", "prev_assistant"}}')
    return entry
