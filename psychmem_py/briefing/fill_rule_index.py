"""Prepares the actionable rules of a directory for the hook before tool calls; done by the detached child, and by commands."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import sha256

from psychmem_py.agents.event import Request
from psychmem_py.briefing import rule_index
from psychmem_py.guards.trigger import Rule
from psychmem_py.home.git import top_of
from psychmem_py.home.project import Project
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.light_values import RECALLABLE
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import RULES, Store
from psychmem_py.store import rows

MOST = 1000  # newest first: more rules than this nobody keeps
_LOOKS = 3


def fill(db: sqlite3.Connection, request: Request, here: Project | None, around: Surroundings) -> None:
    """Puts the rules for tool calls in the request's directory where the hook looks for them; nothing when they have not changed."""
    database = around.database_file(request.agent)
    top = top_of(request.cwd) if here and here.root else ""
    for _ in range(_LOOKS):  # again after writing: what another process wrote meanwhile may have been newer
        memories = rows.listed(
            db, project=here.id if here else None, statuses=RECALLABLE, kinds=RULES, stores=[Store.LTM], limit=MOST
        )
        made_from, known = _sum([(one.id, one.text) for one in memories]), rule_index.made_from(database, request.cwd)
        if known == made_from or not (known or memories):
            return
        rules = _actionable(memories) if memories else []
        rule_index.write(database, request.cwd, rule_index.RuleIndex(rules, top), made_from)


def _actionable(memories: Sequence[Memory]) -> list[Rule]:
    from psychmem_py.briefing.actionable import actionable  # noqa: PLC0415  # 35 ms that rules which are known do without

    return [made for one in memories if (made := actionable(one.id, one.text, one.language))]


def _sum(parts: list[tuple[str, str]]) -> str:
    return sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:24]
