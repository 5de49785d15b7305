"""Memories as rows of an export."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Evidence, Link, Memory, Status
from psychmem_py.safety.control_chars import escaped
from psychmem_py.safety.control_chars import line as one_line
from psychmem_py.store import rows, sessions
from psychmem_py.text.dates import iso

EVIDENCE = Evidence._fields[1:]


def record(memory: Memory, evidence: Iterable[Evidence] = (), links: Iterable[Link] = ()) -> dict[str, Any]:
    """A memory as a JSON object, complete: reading it back exactly gives the same memory, evidence and outgoing links."""
    fields: dict[str, Any] = dict(zip(rows.COLUMNS, memory, strict=False))
    fields |= {name: iso(at) for name, at in fields.items() if name.endswith("_at") and at is not None}
    fields["metadata"] = dict(memory.metadata)
    values = (
        (iso(one.at), one.method, one.origin.value, one.session, one.message_id, one.quote, list(one.signals)) for one in evidence
    )
    fields["evidence"] = [dict(zip(EVIDENCE, each, strict=True)) for each in values]
    fields["links"] = [[link.target, link.type.value, iso(link.created_at)] for link in links if link.source == memory.id]
    return fields


def export(db: sqlite3.Connection, *, project: str | None = None, all_projects: bool = True) -> Iterator[str]:
    """One JSON line for each memory, oldest first, without secrets; a project's name rides on its first memory."""
    named = sessions.projects(db)
    for memory in reversed(rows.listed(db, project=project, all_projects=all_projects, statuses=tuple(Status))):
        fields = record(memory, rows.evidence(db, memory.id), rows.links(db, memory.id))
        seen = named.pop(memory.project, None) if memory.project else None
        if seen:
            fields["project_seen"] = [seen.name, seen.root, iso(seen.seen_at)]
        yield escaped(json.dumps(fields, ensure_ascii=False))


def markdown(lines: Iterable[str], names: Mapping[str, str]) -> Iterator[str]:
    """The lines of an export to be read: bullets by project and class. `names` are those of projects by id."""
    memories = sorted(map(json.loads, lines), key=lambda one: (one["project"] or "", one["class"]))
    yield f"# PsychMem: {len(memories)} memories"
    for home, there in groupby(memories, lambda one: one["project"]):
        yield from ("", f"## {one_line(names.get(home, home)) if home else 'In every project'}")
        for kind, alike in groupby(there, lambda one: one["class"]):
            told = (f"- {one_line(one['text'])}" + f" ({one['status']})" * (one["status"] not in LIVE) for one in alike)
            yield from ("", f"### {kind}", "", *told)
