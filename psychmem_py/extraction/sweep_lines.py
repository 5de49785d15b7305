"""`psychmem sweep`: one JSON object per message in, one per message out; and how well it does on labelled messages. No store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from psychmem_py.errors import PayloadError
from psychmem_py.extraction.prepared_message import cleaned
from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.weights import beyond
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Gate, Message, Origin, Role, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings

_ORIGINS = {Role.USER: Origin.USER_PROMPT, Role.ASSISTANT: Origin.ASSISTANT, Role.TOOL: Origin.TOOL}


def results(lines: Iterable[str], matcher: Matcher, settings: Settings = DEFAULTS) -> Iterator[str]:
    """One line of JSON for each non-empty line of `lines`, in order. Raises PayloadError for a line that is no message."""
    for entry in entries_in(lines):
        yield result(entry, sweep([message_of(entry)], matcher, settings), settings)


def entries_in(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The object of each non-empty line. Raises PayloadError for a line that is no message."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as exc:
            raise PayloadError(f"line {number} is not JSON: {exc}; give one object per line") from exc
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
            raise PayloadError(f'line {number} has no "text"; give {{"id", "role", "text", "prev_assistant"}}')
        yield entry


def result(entry: Mapping[str, Any], verdicts: Iterable[Verdict], settings: Settings = DEFAULTS) -> str:
    """The line of JSON for a message, under the id it came with."""
    line = json.dumps(as_json(entry.get("id", ""), verdicts, settings), ensure_ascii=False)
    return line.encode("utf-8", "replace").decode("utf-8")  # half a sign, which JSON can hold and no stream takes


def message_of(entry: Mapping[str, Any]) -> Message:
    """The message in {"id","role","text","prev_assistant"}; an unknown role counts as a tool's, which says nothing."""
    role = Role(entry["role"]) if entry.get("role") in set(Role) else Role.TOOL
    text, previous = (str(entry.get(name) or "") for name in ("text", "prev_assistant"))
    return cleaned(Message(str(entry.get("id", "")), role, _ORIGINS[role], text, previous=previous))


def as_json(identity: object, verdicts: Iterable[Verdict], settings: Settings = DEFAULTS) -> dict[str, Any]:
    """What was kept and what was rejected, waiting candidates among the rejected with the reason "waiting"."""
    decided = limited(list(verdicts), settings.extraction.max_memories_per_stop)
    kept = [v.candidate for v in decided if v.is_kept]
    named = ("text", "quote", "class", "scope", "confidence", "store")
    told = ((c.text, c.quote, c.kind, c.scope, round(c.confidence, 2), c.store) for c in kept)
    refused = [(v.candidate.text, v.gate or Gate.EVIDENCE, v.reason if v.gate else "waiting") for v in decided if not v.is_kept]
    return {
        "id": identity,
        "memories": [dict(zip(named, values, strict=True)) for values in told],
        "rejected": [{"text": text, "gate": gate, "reason": reason} for text, gate, reason in refused],
    }


def limited(verdicts: Sequence[Verdict], most: int = DEFAULTS.extraction.max_memories_per_stop) -> list[Verdict]:
    """The same verdicts with only the best kept ones of a stop still kept; the rest is rejected at the gate `limit`."""
    over = beyond((v.candidate for v in verdicts if v.is_kept), most)
    return [v._replace(gate=Gate.LIMIT, reason="limit") if v.is_kept and v.candidate.text in over else v for v in verdicts]


def counted(found_in: Iterable[tuple[dict[str, Any], Sequence[Verdict]]]) -> dict[str, dict[str, float]]:
    """The figures for labelled messages with the verdicts on their clauses: for all, for each role and for each language."""
    by_name: dict[str, Counter[tuple[bool, bool]]] = {"all": Counter()}
    for row, verdicts in found_in:
        labels = row.get("labels") or []
        if labels and all(label.get("strength") == "should" for label in labels):
            continue  # may be kept, need not
        for group in filter(None, ("all", str(row.get("role", "")), str(row.get("lang", "")))):
            by_name.setdefault(group, Counter())[bool(labels), any(v.is_kept for v in verdicts)] += 1
    return {name: _figures(count) for name, count in by_name.items()}


def _figures(count: Mapping[tuple[bool, bool], int]) -> dict[str, float]:
    """What follows of the numbers of messages, by whether something was to be kept, and was."""
    hits, misses, false, quiet = (count[both] for both in ((True, True), (True, False), (False, True), (False, False)))

    def share(part: int, rest: int) -> float:
        return part / (part + rest) if part else 0.0

    shares = {"precision": share(hits, false), "recall": share(hits, misses), "f1": share(2 * hits, false + misses)}
    shares["false_per_100"] = 100 * share(false, quiet)
    return {**shares, "hits": hits, "misses": misses, "false": false, "quiet": quiet}


def labelled(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The rows of a labelled file. Raises PayloadError naming the message that is none."""
    for number, row in enumerate(entries_in(lines), 1):
        if not isinstance(row.get("labels", []), list):
            raise PayloadError(f'message {number} has no list of labels; write "labels": [{{"span", "class"}}]')
        yield row
