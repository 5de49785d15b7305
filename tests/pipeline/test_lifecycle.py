import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from psychmem_py.curation import actions, history, links
from psychmem_py.curation.remember import remember as save
from psychmem_py.curation.who import Outcome, Who
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import Kind, LinkType, Origin, Scope, Status, Tier
from psychmem_py.store import ledger, rows
from psychmem_py.store.connection import open_store
from tests.memories_made import NOW

AGENT = Who(Origin.ASSISTANT, "claude-code", "s1")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with open_store(tmp_path / "memory.db", now=NOW) as found:
        yield found


def remember(db: sqlite3.Connection, text: str, kind: Kind = Kind.CONSTRAINT, now: float = NOW, **more: object) -> Outcome:
    return save(db, text, kind=kind, settings=DEFAULTS, now=now, batch=f"{text}{now}", **more)  # type: ignore[arg-type]


def test_a_persons_words_are_kept_with_what_they_asked_for(db: sqlite3.Connection) -> None:
    found = remember(db, "  Never push to main ", pin=True, tags=["git"], tier=Tier.CRITICAL).memory
    assert (found.text, found.scope, found.origin, found.pinned, found.tags) == (
        "Never push to main",
        Scope.USER,
        Origin.USER_CLI,
        True,
        ("git",),
    )
    assert rows.evidence(db, found.id)[0].method == "cli"


def test_a_secret_never_reaches_the_store(db: sqlite3.Connection) -> None:
    key = "AKIA" + "IOSFODNN7REALKEY"
    found = remember(db, f"the deploy key is {key}", Kind.SEMANTIC, quote=f"key {key}", context=f"it was {key}").memory
    assert "[REDACTED" in found.text
    assert not db.execute("select 1 from evidence where quote like ?", (f"%{key}%",)).fetchone()
    assert key not in found.context


@pytest.mark.parametrize("asked", [{"pin": True}, {"tier": Tier.CONSTITUTIONAL}, {"tier": Tier.IMPORTANT}])
def test_an_agent_cannot_give_itself_a_pin_or_a_tier(db: sqlite3.Connection, asked: dict[str, object]) -> None:
    with pytest.raises(RefusedError, match="person"):
        remember(db, "the build takes long", Kind.SEMANTIC, who=AGENT, project="p", **asked)


def test_an_agents_rule_waits_for_a_person(db: sqlite3.Connection) -> None:
    found = remember(db, "always rebase", who=AGENT).memory
    assert found.status is Status.QUARANTINED
    assert rows.recallable(db, None) == []
    with pytest.raises(RefusedError):
        actions.accept(db, found.id, now=NOW, batch="a", who=AGENT)
    with pytest.raises(RefusedError):
        actions.pin(db, found.id, now=NOW, batch="p")
    actions.accept(db, found.id[:8], now=NOW, batch="a")
    assert [memory.id for memory in rows.recallable(db, None)] == [found.id]


def test_what_was_rejected_stays_away(db: sqlite3.Connection) -> None:
    found = remember(db, "always rebase", who=AGENT).memory
    actions.reject(db, found.id, now=NOW + 1, batch="r")
    with pytest.raises(RefusedError):
        remember(db, "always rebase", who=AGENT, now=NOW + 2)


@pytest.mark.parametrize("text", ["", "   ", "\x00\u200b\x1b[0m"])
def test_nothing_is_not_remembered(db: sqlite3.Connection, text: str) -> None:
    with pytest.raises(RefusedError):
        remember(db, text)


def test_an_agent_cannot_change_what_a_person_said(db: sqlite3.Connection) -> None:
    found = remember(db, "never push to main").memory
    with pytest.raises(RefusedError):
        actions.edit(db, found.id, text="push to main", settings=DEFAULTS, now=NOW, batch="e", who=AGENT)


def test_an_edit_makes_the_words_the_editors(db: sqlite3.Connection) -> None:
    found = remember(db, "the cache is redis", Kind.SEMANTIC, who=AGENT, project="p").memory
    after = actions.edit(db, found.id, text="the cache is valkey", settings=DEFAULTS, now=NOW + 1, batch="e").memory
    assert (after.text, after.origin, after.updated_at) == ("the cache is valkey", Origin.USER_CLI, NOW + 1)


def test_an_edit_into_another_memory_is_refused_and_changes_nothing(db: sqlite3.Connection) -> None:
    remember(db, "never push to main")
    other = remember(db, "always write a changelog entry").memory
    with pytest.raises(RefusedError):
        actions.edit(db, other.id, text="never push to main", settings=DEFAULTS, now=NOW, batch="e")
    assert rows.by_id(db, other.id) == other


def test_forget_and_undo(db: sqlite3.Connection) -> None:
    found = remember(db, "never push to main").memory
    actions.forget(db, [found.id[:6]], now=NOW, batch="f")
    assert rows.recallable(db, None) == []
    history.undo(db, None, now=NOW)
    assert rows.by_id(db, found.id) == found


def test_use_and_votes_strengthen_and_being_shown_does_not(db: sqlite3.Connection) -> None:
    found = remember(db, "run the linter before every commit", Kind.PROCEDURAL).memory
    ledger.mark_shown(db, "s1", [found.id], "brief", NOW)
    assert rows.by_id(db, found.id) == found
    touched = actions.touch(db, found.id, now=NOW + 60, batch="t", settings=DEFAULTS).memory
    assert (touched.use_count, touched.anchor_at) == (1, NOW + 60)
    good = actions.vote(db, found.id, good=True, now=NOW + 70, batch="v", settings=DEFAULTS).memory
    bad = actions.vote(db, found.id, good=False, now=NOW + 80, batch="w", settings=DEFAULTS).memory
    assert found.strength < touched.strength < good.strength > bad.strength
    assert bad.anchor_at == NOW + 70


def test_an_echo_counts_once_a_conversation(db: sqlite3.Connection) -> None:
    found = remember(db, "integration tests need the postgres container", Kind.LEARNING).memory
    other = remember(db, "the billing webhook retries thrice", Kind.LEARNING).memory
    ledger.mark_shown(db, "s1", [found.id, other.id], "brief", NOW)
    said = ["I start the postgres container first, since the integration tests need it."]
    assert [one.memory.id for one in actions.echo(db, said, now=NOW + 9, batch="e", settings=DEFAULTS, who=AGENT)] == [found.id]
    assert actions.echo(db, said, now=NOW + 10, batch="e2", settings=DEFAULTS, who=AGENT) == []
    assert rows.by_id(db, found.id).use_count == 1
    assert rows.by_id(db, other.id).use_count == 0


def test_the_words_of_the_question_are_no_echo(db: sqlite3.Connection) -> None:
    found = remember(db, "integration tests need the postgres container", Kind.LEARNING).memory
    ledger.mark_shown(db, "s1", [found.id], "prompt", NOW)
    said = ["do the integration tests need a postgres container?"]
    assert actions.echo(db, said, asked=said, now=NOW, batch="e", settings=DEFAULTS, who=AGENT) == []


def test_why_walks_the_causes(db: sqlite3.Connection) -> None:
    port = remember(db, "the proxy occupies 8080", Kind.SEMANTIC, project="p").memory
    first = remember(db, "The API listens on port 8080", Kind.DECISION, project="p").memory
    second = remember(db, "The API listens on port 8081", Kind.DECISION, project="p", now=NOW + 5).memory
    links.link(db, port.id, second.id, LinkType.CAUSED, now=NOW, batch="l")
    links.link(db, first.id, port.id, LinkType.REFERENCES, now=NOW, batch="l2")
    found = [(one.depth, one.memory.id) for one in links.why(db, second.id)]
    assert sorted(found) == sorted([(1, first.id), (1, port.id)])
    links.unlink(db, port.id, second.id, LinkType.CAUSED, now=NOW, batch="u")
    assert [(one.depth, one.memory.id) for one in links.why(db, second.id)] == [(1, first.id), (2, port.id)]


@pytest.mark.parametrize("ends", [(0, 0), (0, 1)])
def test_a_link_needs_two_ends_and_is_made_once(db: sqlite3.Connection, ends: tuple[int, int]) -> None:
    found = [remember(db, text).memory.id for text in ("never push to main", "always squash merges")]
    source, target = (found[end] for end in ends)
    if source != target:
        links.link(db, source, target, LinkType.SUPPORTS, now=NOW, batch="l")
    with pytest.raises(RefusedError):
        links.link(db, source, target, LinkType.SUPPORTS, now=NOW, batch="m")
    with pytest.raises(NotFoundError):
        links.unlink(db, target, source, None, now=NOW, batch="u")


def test_contradicting_preferences_warn(db: sqlite3.Connection) -> None:
    remember(db, "Prefer Sonnet", Kind.PREFERENCE)
    done = remember(db, "Always use Opus", Kind.PREFERENCE)
    assert "Prefer Sonnet" in done.warnings[0]
    assert len(rows.recallable(db, None)) == 2


def test_metadata_is_lenient_unless_asked(db: sqlite3.Connection) -> None:
    done = remember(db, "ship the importer", Kind.OBJECTIVE, project="p", metadata={"mood": "good"})
    assert done.warnings
    with pytest.raises(RefusedError):
        remember(db, "ship the exporter", Kind.OBJECTIVE, project="p", metadata={"mood": "good"}, strict=True)


def test_history_tells_a_life_and_the_past_can_be_searched(db: sqlite3.Connection) -> None:
    found = remember(db, "the queue is redis", Kind.SEMANTIC, project="p").memory
    actions.edit(db, found.id, text="the queue is rabbit", settings=DEFAULTS, now=NOW + 10, batch="e")
    assert [line.change.type for line in history.history(db, found.id[:5])] == ["add", "edit"]
    assert [one.memory.text for one in history.search_as_of(db, "redis queue", NOW + 5, project="p")] == ["the queue is redis"]
    assert history.search_as_of(db, "redis", NOW + 15, project="p") == []
    assert history.as_of(db, NOW + 5, project="other") == []
    assert [len(batch) for batch in history.recent(db)] == [1, 1]
