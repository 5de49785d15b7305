import sqlite3
from typing import Any

import pytest

from psychmem_py.curation import actions, history
from psychmem_py.curation.act import PERSON, Outcome, Who
from psychmem_py.curation.actions import Edit
from psychmem_py.curation.remember import Entry
from psychmem_py.curation.remember import remember as remember_entry
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.records import Kind, LinkType, Origin, Scope, Status, Tier
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows, sessions
from tests.memories_made import NOW, act

AGENT = Who(Origin.ASSISTANT, "claude-code", "s1")


def remember(
    db: sqlite3.Connection, text: str, kind: Kind = Kind.CONSTRAINT, *, now: float = NOW, who: Who = PERSON, **more: Any
) -> Outcome:
    return remember_entry(act(db, f"{text}{now}", now, who), Entry(text, kind, **more))


def test_a_persons_words_are_kept_with_what_they_asked_for(db: sqlite3.Connection) -> None:
    found = remember(db, "  Never push to main ", pinned=True, tags=["git"]).memory
    kept = ("Never push to main", Scope.USER, Origin.USER_CLI, True, ("git",))
    assert (found.text, found.scope, found.origin, found.pinned, found.tags) == kept
    assert rows.evidence(db, found.id)[0].method == "cli"


def test_a_secret_never_reaches_the_store(db: sqlite3.Connection) -> None:
    key = "AKIA" + "IOSFODNN7REALKEY"
    made = remember(db, f"the deploy key is {key}", Kind.SEMANTIC, quote=f"key {key}", context=f"it was {key}")
    found = made.memory
    assert "[REDACTED" in found.text
    assert "what is left says nothing" in made.warnings[0]
    assert not db.execute("select 1 from evidence where quote like ?", (f"%{key}%",)).fetchone()
    assert key not in found.context
    rule = remember(db, "Never push to main", metadata={f"a\x1b{key}": "x"}).memory
    actions.edit(act(db, "e"), rule.id, Edit(metadata={f"b\x1b{key}": "x"}))
    kept = actions.guard(act(db, "g"), rule.id, "remind", f"curl -H \u202e {key} *").memory
    assert [bad for bad in (key, "\x1b", "\u202e") if bad in "".join(map("".join, kept.metadata))] == []
    assert len(kept.metadata) == 3


def test_an_agent_cannot_give_itself_a_pin_or_a_tier(db: sqlite3.Connection) -> None:
    with pytest.raises(RefusedError, match="person"):
        remember(db, "the build takes long", Kind.SEMANTIC, who=AGENT, project="p", pinned=True)
    found = remember(db, "the build takes long", Kind.SEMANTIC, who=AGENT, project="p").memory
    with pytest.raises(RefusedError, match="person"):
        actions.set_tier(act(db, "t", who=AGENT._replace(here="p")), found.id, Tier.IMPORTANT)


def test_an_agents_rule_waits_for_a_person_and_what_that_one_forgets_stays_away(db: sqlite3.Connection) -> None:
    found = remember(db, "always rebase", who=AGENT).memory
    assert found.status is Status.QUARANTINED
    assert rows.recallable(db, None) == []
    with pytest.raises(RefusedError):
        actions.accept(act(db, "a", who=AGENT), found.id)
    with pytest.raises(RefusedError):
        actions.pin(act(db, "p"), found.id)
    actions.accept(act(db, "a"), found.id[:8])
    assert [memory.id for memory in rows.recallable(db, None)] == [found.id]
    actions.forget(act(db, "r", NOW + 1), [remember(db, "always squash", who=AGENT).memory.id])
    with pytest.raises(RefusedError):
        remember(db, "always squash", who=AGENT, now=NOW + 2)


def test_what_had_faded_is_in_use_again_once_a_person_changes_it(db: sqlite3.Connection) -> None:
    key = remember(db, "never push to main").memory.id
    db.execute("update memory set status = 'decayed', store = 'stm'")
    assert actions.pin(act(db, "p"), key).memory.status is Status.ACTIVE


@pytest.mark.parametrize("text", ["", "   ", "\x00\u200b\x1b[0m"])
def test_nothing_is_not_remembered(db: sqlite3.Connection, text: str) -> None:
    with pytest.raises(RefusedError):
        remember(db, text)


def test_an_agent_changes_nothing_a_person_said_and_forgets_nothing_pinned(db: sqlite3.Connection) -> None:
    found = remember(db, "never push to main").memory
    with pytest.raises(RefusedError):
        actions.edit(act(db, "e", who=AGENT), found.id, Edit(text="push to main"))
    kept = remember(db, "Deploys need two approvals").memory
    actions.pin(act(db), kept.id)
    with pytest.raises(RefusedError, match="only a person"):
        actions.forget(act(db)._replace(who=AGENT), [kept.id])
    assert rows.by_id(db, kept.id).status is Status.ACTIVE


def test_an_edit_makes_the_words_the_editors_and_none_into_another_memory(db: sqlite3.Connection) -> None:
    found = remember(db, "the cache is redis", Kind.SEMANTIC, who=AGENT, project="p").memory
    with pytest.raises(RefusedError):
        actions.edit(act(db, "e", who=AGENT._replace(here="p")), found.id, Edit(text="valkey " * 999))
    after = actions.edit(act(db, "e", NOW + 1), found.id, Edit(text="the cache is valkey")).memory
    assert (after.text, after.origin, after.updated_at) == ("the cache is valkey", Origin.USER_CLI, NOW + 1)
    remember(db, "never push to main")
    other = remember(db, "always write a changelog entry").memory
    with pytest.raises(RefusedError):
        actions.edit(act(db, "e"), other.id, Edit(text="never push to main"))
    assert rows.by_id(db, other.id) == other


def test_use_and_votes_strengthen_and_being_shown_does_not(db: sqlite3.Connection) -> None:
    found = remember(db, "run the linter before every commit", Kind.PROCEDURAL).memory
    sessions.mark_shown(db, "s1", [found.id], "brief", NOW)
    assert rows.by_id(db, found.id) == found
    touched = actions.touch(act(db, "t", NOW + 60), found.id).memory
    assert (touched.use_count, touched.anchor_at) == (1, NOW + 60)
    good = actions.vote(act(db, "v", NOW + 70), found.id, good=True).memory
    bad = actions.vote(act(db, "w", NOW + 80), found.id, good=False).memory
    assert found.strength < touched.strength < good.strength > bad.strength
    assert bad.anchor_at == NOW + 70


def test_an_echo_counts_once_a_conversation_and_the_words_of_the_question_are_none(db: sqlite3.Connection) -> None:
    found = remember(db, "integration tests need the postgres container", Kind.LEARNING).memory
    other = remember(db, "the billing webhook retries thrice", Kind.LEARNING).memory
    sessions.mark_shown(db, "s1", [found.id, other.id], "brief", NOW)
    asked = ["do the integration tests need a postgres container?"]
    assert actions.echo(act(db, "e0", who=AGENT), asked, prompts=asked) == []
    said = ["I start the postgres container first, since the integration tests need it."]
    assert [one.memory.id for one in actions.echo(act(db, "e", NOW + 9, who=AGENT), said)] == [found.id]
    assert actions.echo(act(db, "e2", NOW + 10, who=AGENT), said) == []
    assert (rows.by_id(db, found.id).use_count, rows.by_id(db, other.id).use_count) == (1, 0)


def test_why_walks_the_causes(db: sqlite3.Connection) -> None:
    port = remember(db, "the proxy occupies 8080", Kind.SEMANTIC, project="p").memory
    first = remember(db, "The API listens on port 8080", Kind.DECISION, project="p").memory
    second = remember(db, "The API listens on port 8081", Kind.DECISION, project="p", now=NOW + 5).memory
    actions.link(act(db, "l"), port.id, second.id, LinkType.CAUSED)
    actions.link(act(db, "l2"), first.id, port.id, LinkType.REFERENCES)
    found = [(one.depth, one.memory.id) for one in history.why(db, second.id)]
    assert sorted(found) == sorted([(1, first.id), (1, port.id)])
    actions.unlink(act(db, "u"), port.id, second.id, LinkType.CAUSED)
    assert [(one.depth, one.memory.id) for one in history.why(db, second.id)] == [(1, first.id), (2, port.id)]


@pytest.mark.parametrize("ends", [(0, 0), (0, 1)])
def test_a_link_needs_two_ends_and_is_made_once(db: sqlite3.Connection, ends: tuple[int, int]) -> None:
    found = [remember(db, text).memory.id for text in ("never push to main", "always squash merges")]
    source, target = (found[end] for end in ends)
    if source != target:
        actions.link(act(db, "l"), source, target, LinkType.SUPPORTS)
    with pytest.raises(RefusedError):
        actions.link(act(db, "m"), source, target, LinkType.SUPPORTS)
    with pytest.raises(NotFoundError):
        actions.unlink(act(db, "u"), target, source, None)


def test_metadata_is_lenient_unless_asked(db: sqlite3.Connection) -> None:
    done = remember(db, "ship the importer", Kind.OBJECTIVE, project="p", metadata={"mood": "good"})
    assert done.warnings
    strict = DEFAULTS._replace(general=DEFAULTS.general._replace(strict_metadata=True))
    exporter = Entry("ship the exporter", Kind.OBJECTIVE, project="p", metadata={"mood": "good"})
    with pytest.raises(RefusedError):
        remember_entry(act(db, settings=strict), exporter)
