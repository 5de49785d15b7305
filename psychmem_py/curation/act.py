"""The context of every change of memories, on whose behalf it is made, and its outcome."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from psychmem_py.errors import RefusedError
from psychmem_py.model.light_record import FILE_FIELD
from psychmem_py.model.permission import RESERVED, Action, Actor, actor_of, refusal
from psychmem_py.model.records import Change, Memory, Origin
from psychmem_py.model.settings import Settings, field_text
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import change_log, rows

_AGENT_CHARS = 4_000  # of what a program states, as of a line that is imported

if TYPE_CHECKING:
    from psychmem_py.memory.reconcile import Planning


def storable(text: str) -> str:
    """A text as it may be stored: without signs that hide something, and without secrets."""
    from psychmem_py.safety.secrets import redact  # noqa: PLC0415  # 10 ms that commands which only look do without

    return redact(clean(text))


def stored_field(name: str, value: object) -> tuple[str, str]:
    """A field of metadata as it may be stored: what it is called may say that it is a secret, but not where a file stands."""
    field, text = storable(name), field_text(value)
    beside = "" if field.startswith(FILE_FIELD) else f"{field}="
    return field, storable(beside + text).removeprefix(beside)


class Who(NamedTuple):
    """On whose behalf something is done; set by code from where the command was called."""

    origin: Origin = Origin.USER_CLI
    agent: str = ""
    session: str = ""
    here: str | None = None  # the project where an agent stands; a person is everywhere

    @property
    def is_person(self) -> bool:
        return actor_of(self.origin) is Actor.PERSON

    def may(self, deed: Action, memory: Memory | None = None) -> bool:
        """Whether this may be done (to `memory`)."""
        return not refusal(actor_of(self.origin), deed, memory, self.here)

    def must(self, deed: Action, *memories: Memory) -> None:
        """Raises RefusedError for what may not be done, or not to these."""
        for memory in memories or (None,):
            if why := refusal(actor_of(self.origin), deed, memory, self.here):
                raise RefusedError(why)

    def allowed_fields(self, metadata: Mapping[str, str]) -> dict[str, str]:
        """Of metadata that is given what may be stored: the marks by which the program goes are not for everybody to set."""
        marks = frozenset() if self.is_person else RESERVED
        stored = (stored_field(name, value) for name, value in metadata.items())
        return {field: value for field, value in stored if field not in marks}

    def worded(self, text: str) -> str:
        """A statement as it may be stored. Raises RefusedError for one that says nothing, or more than a program may."""
        from psychmem_py.safety.secrets import PRIVATE, redact_typed  # noqa: PLC0415  # 10 ms that commands which only look do without

        if not (text := redact_typed(clean(text)).strip()).replace(PRIVATE, "").strip():
            raise RefusedError("there is nothing to remember: the text is empty once secrets and control characters are out")
        if len(text) > _AGENT_CHARS and not self.is_person:
            raise RefusedError(f"it has more than {_AGENT_CHARS} characters; say what matters in a sentence")
        return text

    def find(self, db: sqlite3.Connection, key: str, deed: Action = Action.LOOK) -> Memory:
        """The memory with this id, or a unique beginning of it, if the deed is allowed. Raises NotFoundError, RefusedError."""
        memory = rows.by_id(db, key, seen_from=None if self.may(Action.ELSEWHERE) else (self.here,))
        self.must(deed, memory)
        return memory


PERSON = Who()


class Workplace(NamedTuple):
    """Database, data folder, environment and settings that work on a store needs."""

    database: str
    data: str
    env: Mapping[str, str]
    settings: Settings


class Act(NamedTuple):
    """One command or extraction at work, inside its maker's transaction: the open store, when, the batch to undo, for whom."""

    db: sqlite3.Connection
    settings: Settings
    now: float
    batch: str
    who: Who = PERSON
    languages: Path | None = None  # where parsed language files are cached for the next process

    def planning(self, project: str | None, method: str = "sweep", ids: Iterator[str] | None = None) -> Planning:
        """How statements made by this act in a project become memories."""
        from psychmem_py.memory.reconcile import Planning  # noqa: PLC0415  # 30 ms that acts without a statement do without

        return Planning(self.settings, self.now, project, self.who.session, self.who.agent, method, ids or rows.fresh_ids())

    def apply(self, changes: Sequence[Change]) -> None:
        """Writes changes to the store and its log, in this act's name."""
        change_log.apply(self.db, changes, batch=self.batch, now=self.now, agent=self.who.agent, session=self.who.session)


class Outcome(NamedTuple):
    """What an act did to one memory. `memory` is as it is now; `warnings` are for the person to read."""

    memory: Memory
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = ()
