"""The agent as the judge: what it keeps and drops of what rules alone picked out has the force of a judge's ruling, and no more.

What waits for a person is refused: rules that no person stated, what is settled, and what belongs to another project.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.judging.protocol import Ruling, Word
from psychmem_py.judging.sorting import rule_on
from psychmem_py.model.records import Memory
from psychmem_py.model.statuses import LIVE
from psychmem_py.model.terms import HUMAN, Standing
from psychmem_py.store import candidates, rows
from psychmem_py.store.candidates import Kept


class Named(NamedTuple):
    """What an id names: a memory that was only heard, or a candidate."""

    id: str
    memory: Memory | None
    candidate: Kept | None

    @property
    def text(self) -> str:
        return self.memory.text if self.memory else self.candidate.candidate.text if self.candidate else ""


def sort(
    act: Act, project: str | None, keep: Sequence[str], drop: Sequence[str], listed: Sequence[str] = ()
) -> tuple[list[Named], list[Named]]:
    """What was kept and what was dropped, all of it or, with an error, nothing. Raises RefusedError for what only a person may answer,
    NotFoundError for what does not wait in this project. What was `listed` and is in neither the agent could not tell: it stays as it
    was and is not asked about again.
    """
    wanted, unwanted = ([_named(act, project, key) for key in keys] for keys in (keep, drop))
    if both := {one.id for one in wanted} & {one.id for one in unwanted}:
        raise RefusedError(f"{min(both)[:8]} is to be kept and to be dropped; name it once")
    named = {one.id for one in (*wanted, *unwanted)}
    unsure = [one for one in (_named(act, project, key) for key in listed) if one.id not in named]
    for word, chosen in ((Word.KEEP, wanted), (Word.DROP, unwanted), (Word.MAYBE, unsure)):
        for one in chosen:
            rule_on(act, one.memory, one.candidate, Ruling(word))
    return wanted, unwanted


def _named(act: Act, project: str | None, key: str) -> Named:
    candidate = candidates.by_key(act.db, key)
    if candidate is not None and candidate.project in (None, project):
        return Named(key, None, candidate)
    if candidate is not None or candidates.is_key(key):
        raise NotFoundError(f"no candidate {key} waits here any more; `psychmem review --waiting` shows those that do")
    memory = rows.by_id(act.db, key)
    if memory.project not in (None, project):
        raise NotFoundError(f"{key} is no memory of this project")
    if memory.status not in LIVE or memory.pinned or (memory.standing is not Standing.HEARD and memory.origin in HUMAN):
        raise RefusedError(f"{key} is the user's to answer; `psychmem sort` in a terminal of their own does it")
    return Named(memory.id, memory, None)
