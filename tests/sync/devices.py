"""Devices in one process: a store each, with the folders that a meeting needs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from psychmem_py.curation import actions
from psychmem_py.curation.act import PERSON, Act, Who
from psychmem_py.curation.erasure import erase
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.model.records import Kind, Memory, Origin, Scope, Status
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import operations, rows
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.sync import exchange, identity
from psychmem_py.sync.exchange import Meeting, MeetingNeeds

NOW = 1_763_838_000.0
DAY_S = 86_400.0
SHOP = "git:example.org/team/shop"
PERSONAL, IN_SHOP = ("personal", "", ""), ("project", "", SHOP)


class Machine:
    """One store with a clock of its own."""

    def __init__(self, root: Path, name: str, now: float = NOW) -> None:
        self.root, self.name, self.now = root / name, name, now
        self.root.mkdir(parents=True, exist_ok=True)
        self.env = {"HOME": str(self.root), "PSYCHMEM_HOME": str(self.root)}

    @property
    def database(self) -> str:
        return str(self.root / "memory.db")

    @contextmanager
    def acting(self, who: Who = PERSON) -> Iterator[Act]:
        self.now += 1
        with open_store(self.database, now=self.now) as db, transaction(db):
            yield Act(db, DEFAULTS, self.now, f"batch-{self.name}-{self.now}", who)

    def joins(self, folder: Path, *, mine: bool = True, places: tuple[tuple[str, str, str], ...] = (PERSONAL, IN_SHOP)) -> None:
        folder.mkdir(exist_ok=True)
        with self.acting() as act:
            identity.set_name(act.db, self.name)
            operations.add_remote(act.db, "hub", f"file://{folder}", mine=mine)
            for place in places:
                if mine or place[0] == "project":
                    operations.share(act.db, place, "hub")

    def says(self, text: str, kind: Kind = Kind.CONSTRAINT, *, user: bool = False, who: Who = PERSON, **more: Any) -> str:
        scope = Scope.USER if user else Scope.PROJECT
        with self.acting(who) as act:
            return remember(act, Entry(text, kind, scope, None if user else SHOP, **more)).memory.id

    def meets(self, **more: Any) -> Meeting:
        self.now += 1
        with open_store(self.database, now=self.now) as db:
            return exchange.meet(self.desk(db), **more)[0]

    def desk(self, db: Any) -> MeetingNeeds:
        def purge(ids: list[str]) -> object:
            return erase(db, ids, database=self.database, env=self.env, now=self.now)

        return MeetingNeeds(db, self.database, DEFAULTS, self.now, purge)

    def purges(self, memory_id: str) -> None:
        self.now += 1
        with open_store(self.database, now=self.now) as db:
            erase(db, [memory_id], database=self.database, env=self.env, now=self.now)

    def forgets(self, memory_id: str) -> None:
        with self.acting() as act:
            actions.forget(act, [memory_id])

    def edits(self, memory_id: str, text: str) -> None:
        with self.acting() as act:
            actions.edit(act, memory_id, actions.Edit(text=text))

    def memories(self, *statuses: Status) -> list[Memory]:
        with open_store(self.database, now=self.now) as db:
            return rows.listed(db, all_projects=True, statuses=statuses or tuple(Status))

    def texts(self, *statuses: Status) -> list[str]:
        return sorted(memory.text for memory in self.memories(*(statuses or (Status.ACTIVE,))))

    def memory(self, memory_id: str) -> Memory:
        return next(one for one in self.memories() if one.id == memory_id)

    def remotes(self) -> list[operations.RemoteEntry]:
        with open_store(self.database, now=self.now) as db:
            return operations.remotes(db)

    def bytes_with(self, text: str) -> list[str]:
        """The files of this machine in which these bytes stand."""
        found = [Path(base, name) for base, _, names in os.walk(self.root) for name in names]
        return [str(path) for path in found if text.encode() in path.read_bytes()]


AGENT = Who(Origin.ASSISTANT, "claude-code", "s1")


def rounds(*machines: Machine, times: int = 2) -> None:
    """The machines meet one after the other, and nothing goes wrong."""
    for _ in range(times):
        for one in machines:
            done = one.meets()
            assert (done.fault, done.notes, done.dead) == ("", (), 0)
