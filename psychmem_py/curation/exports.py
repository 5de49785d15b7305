"""Memories written out: as rows of an export, as Markdown, and what was promoted as notes in a vault (Obsidian)."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from _blake2 import blake2b  # hashlib loads OpenSSL
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from psychmem_py.curation import actions, history, upkeep
from psychmem_py.curation.act import Act
from psychmem_py.errors import RefusedError
from psychmem_py.home import files
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Change, ChangeType, Evidence, Memory, Status
from psychmem_py.safety.control_chars import clean, escaped, line
from psychmem_py.safety.fence import CLASS_LABELS, defused
from psychmem_py.store import rows, sessions, sqlite
from psychmem_py.store.change_log import UNIMPORTED
from psychmem_py.text.dates import iso, moment
from psychmem_py.text.tokenizer import clip

EVIDENCE = Evidence._fields[1:]
PROMOTED_TO = "promoted_to"  # field of the memory's metadata
_VAULT = "vault"  # under which the store holds the folder that a person named last
_NAME_CHARS, _MOST_BYTES = 60, 1 << 20


def export(db: sqlite3.Connection, *, project: str | None = None, all_projects: bool = True) -> Iterator[str]:
    """One JSON line for each memory, oldest first, without secrets; a project's name and days of work ride on its first."""
    named = sessions.projects(db)
    for memory in reversed(rows.listed(db, project=project, all_projects=all_projects, statuses=tuple(Status))):
        heard = ({**one._asdict(), "at": iso(one.at)} for one in rows.evidence(db, memory.id))
        own = (link for link in rows.links(db, memory.id) if link.source == memory.id)
        ends = [(link.target, link.type.value, iso(link.created_at)) for link in own]
        fields = rows.record(memory) | {"evidence": [{name: one[name] for name in EVIDENCE} for one in heard], "links": ends}
        if memory.project and (seen := named.pop(memory.project, None)):
            fields["project_seen"] = [seen.name, seen.root, iso(seen.seen_at)]
            fields["worked"] = [iso(at)[:10] for at in sessions.worked(db, memory.project)]
        yield escaped(json.dumps(fields, ensure_ascii=False))


def markdown(lines: Iterable[str], names: Mapping[str, str]) -> Iterator[str]:
    """The lines of an export to be read: bullets by project and class. `names` are those of projects by id."""
    memories = sorted(map(json.loads, lines), key=lambda one: (one["project"] or "", one["class"]))
    yield f"# PsychMem: {len(memories)} memories"
    for home, there in groupby(memories, lambda one: one["project"]):
        yield from ("", f"## {defused(line(names.get(home, home))) if home else 'In every project'}")
        for kind, alike in groupby(there, lambda one: one["class"]):
            named = ((defused(line(one["text"])), one["status"].replace("quarantined", "pending")) for one in alike)
            told = (f"- {text}" + f" ({status})" * (status not in LIVE) for text, status in named)
            yield from ("", f"### {CLASS_LABELS[kind]}", "", *told)


def vault(db: sqlite3.Connection) -> str:
    """The vault a person promoted into last, where every later promotion leaves its note; "" for none, and where it is gone."""
    folder = sqlite.meta(db, _VAULT)
    return folder if os.path.isdir(folder) else ""


def write_notes(act: Act, folder: str, ids: Sequence[str], *, dry_run: bool = False) -> list[str]:
    """Notes written into this vault, from now on the chosen one: their paths. Raises RefusedError at what we did not write."""
    sqlite.set_meta(act.db, _VAULT, folder)
    memories = [rows.by_id(act.db, key) for key in ids]
    paths = [os.path.join(folder, "STM", f"{_name(memory)}.md") for memory in memories]
    for path, memory in zip(paths, memories, strict=True):
        if os.path.lexists(path) and not is_as_written(act.db, memory, path):
            raise RefusedError(f"{path} is not as PsychMem wrote it; move it away or choose another vault")
    for path, memory in zip(paths, memories, strict=True) if not dry_run else ():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.replace(path, note := _note(act.db, memory, act.now).encode(), 0o644)
        sqlite.set_meta(act.db, f"note {memory.id}", blake2b(note).hexdigest())
        at = dict(memory.metadata).get(upkeep.PROMOTED_AT, iso(act.now))
        after = memory.marked({upkeep.PROMOTED_AT: at, PROMOTED_TO: path})
        actions.apply_change(act, ChangeType.EDIT, memory, after, f"written to {path}")
    return paths


def orphaned(db: sqlite3.Connection, steps: Sequence[Change]) -> list[tuple[str, bool]]:
    """Notes whose memory names no note after these steps of an undo, each with whether it is unchanged, so may be removed."""
    ours = [(step.before, step.after) for step in steps if step.before and step.reason != UNIMPORTED]
    gone = [before for before, after in ours if not (after and PROMOTED_TO in dict(after.metadata))]
    notes = [(dict(one.metadata).get(PROMOTED_TO, ""), one) for one in gone]
    return [(path, is_as_written(db, memory, path)) for path, memory in notes if os.path.isfile(path)]


def is_as_written(db: sqlite3.Connection, memory: Memory, path: str) -> bool:
    """Whether a memory's note is there as it was written; else a person has changed it, and it may not be removed."""
    found = files.content(path, _MOST_BYTES) or b""
    return blake2b(found).hexdigest() == sqlite.meta(db, f"note {memory.id}") or found == _note(db, memory, 0.0).encode()


def _name(memory: Memory) -> str:
    """A file name any system takes, readable and this memory's own; the name of its note where it has one, so links hold."""
    if note := dict(memory.metadata).get(PROMOTED_TO):
        return os.path.basename(note).removesuffix(".md")
    words = re.sub(r"[^\w\- ]+", " ", line(memory.text))
    return f"{clip(' '.join(words.split()), _NAME_CHARS).rstrip('…. ') or 'memory'} {memory.id[:8]}"


def _note(db: sqlite3.Connection, memory: Memory, now: float) -> str:
    """The text of a memory's note; `now` stands for when it was promoted where that is not told."""
    known, promoted = sessions.project_names(db), dict(memory.metadata).get(upkeep.PROMOTED_AT)
    head = {
        "id": memory.id,
        "class": memory.kind.value,
        "scope": memory.scope.value,
        "project": known.get(memory.project or "", memory.project or ""),
        "created": iso(memory.created_at),
        "promoted": iso(moment(promoted) if promoted else now),
        "strength": round(memory.strength, 3),
        "uses": memory.use_count,
        "tags": ["psychmem", memory.kind.value, *memory.tags],
    }
    parts = ["---", *(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items() if value != ""), "---", ""]
    parts += [f"# {clip(line(memory.text), 80)}", "", clean(memory.text), ""]
    quotes = dict.fromkeys(line(one.quote) for one in rows.evidence(db, memory.id) if one.quote and one.quote != memory.text)
    parts += ["## Said", "", *(f"> {quote}" for quote in quotes), ""] if quotes else []
    ends = [(step.link, f"[[{_name(step.memory)}]]") for step in history.steps(db, memory.id)]
    links = [f"- {tie.type.value}: {end}" if tie.source == memory.id else f"- {end} {tie.type.value} this" for tie, end in ends]
    parts += ["## Links", "", *links, ""] if links else []
    return "\n".join(parts)
