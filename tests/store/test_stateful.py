"""Random lives of a store: whatever is done in whatever order, nothing is lost and every promise holds; all can be taken back."""

import itertools
import json
import os
import sqlite3
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from psychmem_py.curation import actions, history, imports, upkeep
from psychmem_py.curation.act import PERSON, Act, Who
from psychmem_py.curation.actions import Edit
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.memory.forgetting import strength_now
from psychmem_py.model.records import HUMAN, RULES, Kind, LinkType, Origin, Scope, Status, Tier
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows as memories
from psychmem_py.store.connection import open_store

WORDS = "use never always postgres mysql port 8080 8081 for the orders database deploy not tabs 端口 数据库".split()
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
WHO = st.sampled_from([Who(), Who(Origin.USER_PROMPT, "claude-code", "s1"), Who(Origin.ASSISTANT, "opencode", "s2")])
PLACES = st.sampled_from([None, "git:a", "git:b"])
PICK = st.integers(0, 10_000)
CHANGES = [
    actions.touch, actions.accept, *(partial(actions.set_tier, tier=tier) for tier in Tier),
    *(partial(actions.pin, pinned=yes) for yes in (True, False)), *(partial(actions.vote, good=yes) for yes in (True, False)),
]  # fmt: skip


class Life(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.now, self.step = 1_790_000_000.0, 0
        self.store = open_store(Path(self.folder.name) / "memory.db", now=self.now)
        self.db: sqlite3.Connection = self.store.__enter__()
        self.ids: set[str] = set()
        self.fresh = (f"{number:032x}" for number in itertools.count(1))

    def _act(self, who: Who = PERSON) -> Act:
        self.step += 1
        self.now += 1
        return Act(self.db, DEFAULTS, self.now, f"step-{self.step}", who)

    def _some(self, pick: int) -> str | None:
        known = sorted(line[0] for line in self.db.execute("select id from memory"))
        return known[pick % len(known)] if known else None

    @rule(text=TEXTS, kind=st.sampled_from(list(Kind)), scope=st.none() | st.sampled_from(list(Scope)), project=PLACES, who=WHO)
    def remember(self, text: str, kind: Kind, scope: Scope | None, project: str | None, who: Who) -> None:
        try:
            done = remember(self._act(who), Entry(text, kind, scope, project), ids=self.fresh)
        except RefusedError:
            return
        self.ids.add(done.memory.id)

    @rule(pick=PICK, text=TEXTS, who=WHO)
    def edit(self, pick: int, text: str, who: Who) -> None:
        self._try(pick, lambda key: actions.edit(self._act(who), key, Edit(text=text)))

    @rule(pick=PICK, kind=st.sampled_from(list(Kind)), project=PLACES)
    def move(self, pick: int, kind: Kind, project: str | None) -> None:
        scope = Scope.PROJECT if project else Scope.USER
        self._try(pick, lambda key: actions.edit(self._act(), key, Edit(kind=kind, scope=scope, project=project)))

    @rule(pick=PICK, who=WHO)
    def forget(self, pick: int, who: Who) -> None:
        self._try(pick, lambda key: actions.forget(self._act(who), [key]))

    @rule(pick=PICK, change=st.sampled_from(CHANGES))
    def change(self, pick: int, change: Any) -> None:
        self._try(pick, lambda key: change(self._act(), key))

    @rule(one=PICK, other=PICK, kind=st.sampled_from(list(LinkType)), tied=st.booleans())
    def link(self, one: int, other: int, kind: LinkType, tied: bool) -> None:
        target, tie = self._some(other), actions.link if tied else actions.unlink
        self._try(one, lambda key: tie(self._act(), key, str(target), kind if tied else None))

    @rule(texts=st.lists(TEXTS, min_size=1, max_size=4), project=PLACES, exact=st.booleans())
    def take_in(self, texts: list[str], project: str | None, exact: bool) -> None:
        lines = [json.dumps({"text": text, "project": project, "id": next(self.fresh)}) for text in texts]
        imports.ImportRun(self._act(), project, imports.ImportSource(), exact=exact).take_in(lines)
        self.ids |= {line[0] for line in self.db.execute("select id from memory")}

    @rule(days=st.sampled_from([0.1, 1, 30, 100, 1000]), fast=st.booleans())
    def wait(self, days: float, fast: bool) -> None:
        self.now += days * 86400
        classes = [(kind, one._replace(half_life_d=3.0 if fast else one.half_life_d)) for kind, one in DEFAULTS.classes]
        settings = DEFAULTS._replace(classes=tuple(classes))
        upkeep.maintain(Act(self.db, settings, self.now, ""))
        upkeep.collect(Act(self.db, settings, self.now, ""), dry_run=False)

    @rule()
    def undo(self) -> None:
        self._quietly(lambda: history.undo(self._act(), None))

    @precondition(lambda self: self.step > 0)
    @rule(pick=PICK)
    def undo_named(self, pick: int) -> None:
        batches = [line[0] for line in self.db.execute("select distinct batch from change order by 1")]
        if batches:
            self._quietly(lambda: history.undo(self._act(), batches[pick % len(batches)]))

    def _try(self, pick: int, deed: Any) -> None:
        key = self._some(pick)
        if key:
            self._quietly(lambda: deed(key))

    def _quietly(self, deed: Any) -> None:
        try:
            deed()
        except (RefusedError, NotFoundError):
            assert not self.db.in_transaction

    def _all(self) -> list[memories.Memory]:
        return memories.listed(self.db, all_projects=True, statuses=tuple(Status))

    @invariant()
    def shares_are_shares(self) -> None:
        for memory in self._all() if self.step else ():
            assert all(0 <= value <= 1 for value in memory[10:16])
            assert 0 <= strength_now(memory, self.now) <= memory.strength

    @invariant()
    def one_active_memory_for_a_statement(self) -> None:
        rows = self.db.execute("select hash, class, ifnull(project, '') from memory where status = 'active'").fetchall()
        assert len(rows) == len(set(rows))

    @invariant()
    def nothing_is_lost(self) -> None:
        there = {memory.id for memory in self._all()}
        for key in self.ids - there:
            last = "select after from change where memory_id = ? order by seq desc limit 1"
            (after,) = self.db.execute(last, (key,)).fetchone()
            assert after is None  # the log says that and how it went
            assert self.db.execute("select 1 from change where memory_id = ? and after is not null", (key,)).fetchone()

    @invariant()
    def the_log_tells_the_present(self) -> None:
        last = "select after from change where seq in (select max(seq) from change group by memory_id) and after is not null"
        told = [memories.unpacked(after) for (after,) in self.db.execute(last)]
        assert sorted(told, key=lambda memory: memory.id if memory else "") == sorted(self._all(), key=lambda memory: memory.id)

    @invariant()
    def only_people_make_rules(self) -> None:
        for memory in self._all():
            # It was accepted, came by an exact import, or a person gave it this class.
            ways = ("evidence where method = 'review'", "change where reason = 'imported'", "change where type = 'edit'")
            if memory.status is Status.ACTIVE and memory.kind in RULES and memory.origin not in HUMAN:
                found = [self.db.execute(f"select 1 from {way} and memory_id = ?", (memory.id,)).fetchone() for way in ways]
                assert any(found)

    @invariant()
    def the_index_is_sound(self) -> None:
        self.db.execute("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")
        (rows, indexed) = self.db.execute("select (select count(*) from memory), (select count(*) from memory_search)").fetchone()
        assert rows == indexed

    def teardown(self) -> None:
        """Undoing everything that ever happened, undos too, newest first, gives back the empty store."""
        if not hasattr(self, "db"):
            return
        for (batch,) in self.db.execute("select batch from change group by batch order by max(seq) desc").fetchall():
            history.undo(self._act(), batch)
        assert self._all() == []
        for table in ("link", "evidence", "memory_search"):
            assert self.db.execute(f"select count(*) from {table}").fetchone() == (0,), table
        if self.db.execute("select 1 from change").fetchone():
            with pytest.raises(sqlite3.IntegrityError):
                self.db.execute("delete from change where seq >= 0")
        self.store.__exit__(None, None, None)
        self.folder.cleanup()


LIVES = int(os.environ.get("LIVES", "60"))  # LIVES=10000 pytest tests/store/test_stateful.py takes an hour
HASTE = {"deadline": None, "suppress_health_check": list(HealthCheck)}
Life.TestCase.settings = settings(max_examples=LIVES, stateful_step_count=30, **HASTE)
TestLife = Life.TestCase
