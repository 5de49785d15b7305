"""On whose behalf a step is taken, and what came of it."""

from __future__ import annotations

from typing import NamedTuple

from psychmem_py.model.records import Change, Memory
from psychmem_py.model.terms import Origin


class Who(NamedTuple):
    """On whose behalf something is done; set by code from where the command was called."""

    origin: Origin = Origin.USER_CLI
    agent: str = ""
    session: str = ""


PERSON = Who()


class Outcome(NamedTuple):
    """What a step did. `memory` is the one it was about, as it is now; `warnings` are for the person to read."""

    memory: Memory
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = ()
