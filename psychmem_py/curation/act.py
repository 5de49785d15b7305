"""What every change of memories is done with, on whose behalf, and what came of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from psychmem_py.errors import RefusedError
from psychmem_py.model.records import Change, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import HUMAN, Origin
from psychmem_py.store import change_log


class Who(NamedTuple):
    """On whose behalf something is done; set by code from where the command was called."""

    origin: Origin = Origin.USER_CLI
    agent: str = ""
    session: str = ""

    @property
    def is_person(self) -> bool:
        return self.origin in HUMAN

    def must_be_person(self, action: str) -> None:
        """Raises RefusedError where an agent acts: what it is told may be somebody else's words."""
        if not self.is_person:
            raise RefusedError(f"only a person may {action}; run the command in a terminal of your own")


PERSON = Who()


class Act(NamedTuple):
    """One command or extraction at work: the open store, the settings, when, under which name it can be undone, for whom."""

    db: sqlite3.Connection
    settings: Settings
    now: float
    batch: str
    who: Who = PERSON
    languages: Path | None = None  # where what was read of the language files waits for the next process

    def apply(self, changes: Sequence[Change]) -> None:
        """Writes changes to the store and its log, in this act's name."""
        change_log.apply(self.db, changes, batch=self.batch, now=self.now, agent=self.who.agent, session=self.who.session)


class Outcome(NamedTuple):
    """What an act did to one memory. `memory` is as it is now; `warnings` are for the person to read."""

    memory: Memory
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = ()
