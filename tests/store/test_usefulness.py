"""Whether what was shown came up again, and what sinks because it never does."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.curation import actions
from psychmem_py.curation.act import Who
from psychmem_py.home.project import Project
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import Kind, Origin
from psychmem_py.recall import selection
from psychmem_py.store import ledger, sessions
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.overview import usefulness
from tests.memories_made import DAY_S, NOW, act, made, store

SHOP = Project("id:shop", "shop", "/nowhere/shop")
QUEUE = made("The payment queue runs on RabbitMQ", project=SHOP.id)
FOOTER = made("The footer shows the build number", project=SHOP.id)
COLOUR = made("Buttons use the accent colour", project=SHOP.id)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with open_store(tmp_path / "memory.db", now=NOW) as found:
        store(found, [QUEUE, FOOTER, COLOUR])
        yield found


def show(db: sqlite3.Connection, session: str, at: float, *ids: str, place: str = "brief") -> None:
    with transaction(db):
        sessions.begin(db, session, agent="claude-code", project=SHOP.id, now=at)
        ledger.mark_shown(db, session, ids, place, at)


def test_what_was_echoed_in_a_command_or_praised_came_up_again(db: sqlite3.Connection) -> None:
    show(db, "s", NOW - 3600, QUEUE.id, FOOTER.id, COLOUR.id)
    agent = Who(Origin.ASSISTANT, "claude-code", "s")
    actions.echo(act(db, "e", NOW - 60, agent), ["docker restart payment-queue rabbitmq"])
    actions.vote(act(db, "v", NOW - 30), FOOTER.id, good=True)
    actions.vote(act(db, "w", NOW - 20), COLOUR.id, good=False)
    found = usefulness(db, now=NOW)
    assert (found.shown, found.again, found.echoed, found.voted, found.restated) == (3, 2, 1, 1, 0)
    # 430 around the lines, and 20 around each text: 34 + 33 + 29 characters
    assert (found.briefs, found.brief_chars) == (1, 430 + 3 * 20 + 34 + 33 + 29)


def test_what_came_before_it_was_shown_or_long_ago_does_not_count(db: sqlite3.Connection) -> None:
    actions.vote(act(db, "v", NOW - 7200), QUEUE.id, good=True)
    show(db, "s", NOW - 3600, QUEUE.id)
    show(db, "old", NOW - 40 * DAY_S, FOOTER.id)
    found = usefulness(db, now=NOW)
    assert (found.shown, found.again, found.sessions) == (1, 0, 1)
    assert usefulness(db, now=NOW, project="id:other", all_projects=False).shown == 0


def test_what_ten_sessions_were_shown_in_vain_sinks_until_it_is_used(db: sqlite3.Connection) -> None:
    settings = DEFAULTS._replace(retrieval=DEFAULTS.retrieval._replace(max_session_memories=1))
    rule = made("name branches after the ticket", Kind.DECISION, project=SHOP.id, strength=0.9)
    store(db, [rule])
    occasion = Occasion(SHOP, NOW, settings)
    assert compose(db, occasion).shown == (rule.id,)
    for number in range(selection.IN_VAIN):
        show(db, f"s{number}", NOW - 600 + number, rule.id)
    assert compose(db, occasion).shown != (rule.id,)
    actions.touch(act(db, "t", NOW), rule.id)
    assert compose(db, occasion).shown == (rule.id,)
