"""The contract of `psychmem sweep`: one JSON object per message in, one per message out; and how well the extractor does on
labelled messages. No store, no network.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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
        if line.strip():
            yield _entry(line, number)


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
    return {
        "id": identity,
        "memories": [
            {
                "text": c.text,
                "quote": c.quote,
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
            for v in decided
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


def limited(verdicts: Sequence[Verdict], most: int = DEFAULTS.extraction.max_memories_per_stop) -> list[Verdict]:
    """The same verdicts with only the best kept ones of a stop still kept; the rest is rejected at the gate `limit`."""
    over = beyond((v.candidate for v in verdicts if v.is_kept), most)
    return [v._replace(gate=Gate.LIMIT, reason="limit") if v.is_kept and v.candidate.text in over else v for v in verdicts]


class Figures(NamedTuple):
    """Counts of messages; those that only may be kept are left out."""

    hits: int = 0  # something to keep, something kept
    misses: int = 0
    false: int = 0  # nothing to keep, something kept
    quiet: int = 0

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.false) if self.hits + self.false else 0.0

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else 0.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def false_per_100(self) -> float:
        return 100 * self.false / (self.false + self.quiet) if self.false + self.quiet else 0.0

    def and_one(self, *, wanted: bool, kept: bool) -> Figures:
        return Figures(
            self.hits + (wanted and kept),
            self.misses + (wanted and not kept),
            self.false + (kept and not wanted),
            self.quiet + (not wanted and not kept),
        )


def counted(found_in: Iterable[tuple[dict[str, Any], Sequence[Verdict]]]) -> dict[str, Figures]:
    """The figures for labelled messages with the verdicts on their clauses: for all, for each role and for each language."""
    by_name: dict[str, Figures] = {"all": Figures()}
    for row, verdicts in found_in:
        labels = row.get("labels") or []
        kept = any(v.is_kept for v in verdicts)
        if labels and all(label.get("strength") == "should" for label in labels):
            continue  # may be kept, need not
        for group in ("all", str(row.get("role", "")), str(row.get("lang", ""))):
            if group:
                by_name[group] = by_name.get(group, Figures()).and_one(wanted=bool(labels), kept=kept)
    return by_name


def labelled(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The rows of a labelled file. Raises PayloadError naming the message that is none."""
    for number, row in enumerate(entries_in(lines), 1):
        if not isinstance(row.get("labels", []), list):
            raise PayloadError(
                f'message {number} has no list of labels; write {{"role", "text", "labels": [{{"span", "class"}}]}}'
            )
        yield row
