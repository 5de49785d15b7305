"""Memories as rows of an export."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Evidence, Memory, Status
from psychmem_py.safety.control_chars import escaped
from psychmem_py.safety.control_chars import line as one_line
from psychmem_py.safety.fence import CLASS_LABELS, defused
from psychmem_py.store import rows, sessions
from psychmem_py.text.dates import iso

EVIDENCE = Evidence._fields[1:]


def record(memory: Memory) -> dict[str, Any]:
    """A memory as a JSON object: reading it back exactly gives the same."""
    fields: dict[str, Any] = dict(zip(rows.COLUMNS, memory, strict=False))
    fields |= {name: iso(at) for name, at in fields.items() if name.endswith("_at") and at is not None}
    return fields | {"metadata": dict(memory.metadata)}


def export(db: sqlite3.Connection, *, project: str | None = None, all_projects: bool = True) -> Iterator[str]:
    """One JSON line for each memory, oldest first, without secrets; a project's name rides on its first memory."""
    named = sessions.projects(db)
    for memory in reversed(rows.listed(db, project=project, all_projects=all_projects, statuses=tuple(Status))):
        heard = ({**one._asdict(), "at": iso(one.at)} for one in rows.evidence(db, memory.id))
        ends = (
            (link.target, link.type.value, iso(link.created_at)) for link in rows.links(db, memory.id) if link.source == memory.id
        )
        fields = record(memory) | {"evidence": [{name: one[name] for name in EVIDENCE} for one in heard], "links": [*ends]}
        seen = named.pop(memory.project, None) if memory.project else None
        if seen:
            fields["project_seen"] = [seen.name, seen.root, iso(seen.seen_at)]
        yield escaped(json.dumps(fields, ensure_ascii=False))


def markdown(lines: Iterable[str], names: Mapping[str, str]) -> Iterator[str]:
    """The lines of an export to be read: bullets by project and class. `names` are those of projects by id."""
    memories = sorted(map(json.loads, lines), key=lambda one: (one["project"] or "", one["class"]))
    yield f"# PsychMem: {len(memories)} memories"
    for home, there in groupby(memories, lambda one: one["project"]):
        yield from ("", f"## {defused(one_line(names.get(home, home))) if home else 'In every project'}")
        for kind, alike in groupby(there, lambda one: one["class"]):
            named = ((defused(one_line(one["text"])), one["status"].replace("quarantined", "pending")) for one in alike)
            told = (f"- {text}" + f" ({status})" * (status not in LIVE) for text, status in named)
            yield from ("", f"### {CLASS_LABELS[kind]}", "", *told)
