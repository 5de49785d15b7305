"""The memories a brief may choose from: the strongest and the latest of each class, read by index, however large the store is."""

from __future__ import annotations

import sqlite3

from psychmem_py.model.records import RULES, Kind, Memory, Status, Tier
from psychmem_py.store.rows import SELECT, memory

EACH = 10  # of one class and scope; a brief shows 40 in all
EACH_RULE = 25
_LIVE = (Status.ACTIVE, Status.PROMOTED)
_FLEETING = frozenset({Kind.EPISODIC, Kind.OBJECTIVE})  # of these the latest, not the strongest


def foremost(db: sqlite3.Connection, project: str | None) -> list[Memory]:
    """The first of every class for the user and for the project, and all that is pinned or constitutional."""
    found: dict[str, Memory] = {}
    for scope in {None, project}:
        always = (
            f"select {SELECT} from memory where project is ? and (pinned = 1 or tier = 'constitutional')"
            " and +status in (?, ?) limit 200"  # the plus keeps the planner on memory_always
        )
        found |= {row[0]: memory(row) for row in db.execute(always, (scope, *map(str, _LIVE)))}
        for kind in Kind:
            order = "anchor_at" if kind in _FLEETING else "strength"
            for status in _LIVE:
                rows = db.execute(
                    f"select {SELECT} from memory where project is ? and status = ? and class = ? order by {order} desc limit ?",
                    (scope, str(status), str(kind), EACH_RULE if kind in RULES else EACH),
                )
                found |= {row[0]: memory(row) for row in rows}
    return [one for one in found.values() if one.tier is not Tier.DEPRECATED]
