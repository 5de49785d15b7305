"""All that is remembered of somebody or something, whatever it is called where."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.memory.mentions import Subject, subject_of
from psychmem_py.model.records import Memory
from psychmem_py.model.statuses import LIVE
from psychmem_py.model.terms import Status
from psychmem_py.store import rows


class SubjectMatches(NamedTuple):
    subject: Subject
    memories: list[Memory]  # oldest first
    besides: list[Memory]  # that name it too and tell something else of it than was asked for


def about(db: sqlite3.Connection, text: str, *, every_status: bool) -> SubjectMatches:
    """The memories of every project that speak of `text`; with `every_status` also those that are out of use."""
    known = rows.listed(db, all_projects=True, statuses=tuple(Status))[::-1]
    subject = subject_of(text, [memory.text for memory in known])
    wanted = frozenset(Status) if every_status else frozenset({*LIVE, Status.QUARANTINED})
    there = [memory for memory in known if memory.status in wanted]
    meant = [memory for memory in there if any(map(subject.is_in, _texts_of(memory)))]
    others = [memory for memory in there if memory not in meant and any(map(subject.is_named_in, _texts_of(memory)))]
    return SubjectMatches(subject, meant, others)


def _texts_of(memory: Memory) -> tuple[str, ...]:
    return (memory.text, *memory.names, *memory.tags, *(value for _, value in memory.metadata))
