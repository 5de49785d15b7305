"""An assistant's statement becomes a memory when something bears it out, and at most two do so in a conversation."""

from pathlib import Path
from typing import NamedTuple

import pytest

from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Span
from psychmem_py.model.records import Message, Origin, Role, ToolUse
from psychmem_py.model.records import Store as Term
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import candidates, rows
from psychmem_py.store.connection import open_store, transaction
from tests.data import cases
from tests.shipped_languages import MATCHER

NOW = 1_795_300_000.0
PROJECT = Project("dir:/home/dev/shop", "shop", "/home/dev/shop")
CAUSE = "The root cause was that `retry.go` slept before the lock was free."
DECISION = "Key decision: `outbox.go` keeps the order of the events."


def said(text: str, place: int = 0) -> Message:
    return Message(f"a{place}", Role.ASSISTANT, Origin.ASSISTANT, text, at=NOW + place)


def answered(text: str, place: int = 1, previous: str = "") -> Message:
    return Message(f"u{place}", Role.USER, Origin.USER_PROMPT, text, at=NOW + place, previous=previous)


def edit(name: str, at: float = NOW + 60.0) -> ToolUse:
    return ToolUse(f"edit-{name}-{at}", "Edit", at, ok=True, paths=(f"/home/dev/shop/{name}.go",))


def looked_up(command: str) -> ToolUse:
    return ToolUse(f"look-{command}", "Bash", NOW, ok=True, command=command)


class Turn(NamedTuple):
    """A stretch of a conversation, of which at most `most` become memories."""

    messages: tuple[Message, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    session: str = "one"
    most: int = 7


def one(text: str, *uses: ToolUse, session: str = "one", most: int = 7) -> Turn:
    """A turn in which the assistant says one thing."""
    return Turn((said(text),), uses, session, most)


class Store:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "memory.db"

    def hears(self, turn: Turn) -> list[str]:
        """What is stored after this stretch of a conversation; all of it is settled."""
        settings = DEFAULTS._replace(extraction=DEFAULTS.extraction._replace(max_memories_per_stop=turn.most))
        messages = tuple(message._replace(id=f"{turn.session}-{message.id}") for message in turn.messages)
        with open_store(self.path, now=NOW) as db:
            span = Span(session=turn.session, agent="claude-code", messages=messages, uses=turn.uses)
            extract(db, span, project=PROJECT, settings=settings, matcher=lambda: MATCHER, now=NOW + 100.0)
            found = rows.listed(db, all_projects=True)
            assert {memory.store for memory in found} <= {Term.LTM}
            return sorted(memory.text for memory in found)

    def waiting(self) -> dict[str, str]:
        with open_store(self.path, now=NOW) as db:
            return {item.candidate.text: item.reason for item in candidates.waiting(db, project=PROJECT.id)}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


RETRY = edit("retry")
POOL = "The root cause was that `pool.go` handed out closed connections."
TWIN = "The crash happened because `retry.go` slept long before the lock was free again."
DNS = "The root cause was that `dns.go` cached the old address."
POINTING = "That crash was caused by `retry.go`, which slept before the lock."


def told(*said_or_done: str) -> Turn:
    """A stretch as the table has it: who says what (<- what it answers), and what is done."""
    messages, uses, session = list[Message](), list[ToolUse](), "one"
    for place, (who, _, text) in enumerate(item.partition(": ") for item in said_or_done):
        match who:
            case "assistant":
                messages.append(said(text, place))
            case "user":
                reply, _, previous = text.partition(" <- ")
                messages.append(answered(reply, place, previous))
            case "edit":
                name, _, after_s = text.partition(" at ")
                uses.append(edit(name, NOW + float(after_s or 60)))
            case "fails":
                uses.append(ToolUse("run", "Bash", NOW + 70.0, ok=False, error_line=text))
            case _:
                session = "two"
    return Turn(tuple(messages), tuple(uses), session)


@pytest.mark.parametrize(("first", "kept", "then", "later"), cases("ingestion", "what bears a statement out"))
def test_what_bears_a_statement_out(store: Store, first: list[str], kept: list[str], then: list[str], later: list[str]) -> None:
    assert store.hears(told(*first)) == sorted(kept)
    assert not then or store.hears(told(*then)) == sorted(later)


BOTH = f"{CAUSE} {POOL}"


@pytest.mark.parametrize("late", [
    pytest.param(one(BOTH.replace("was that", "was:"), session="two", most=1), id="said again"),
    pytest.param(Turn(uses=(RETRY,), most=1), id="borne out late"),
])  # fmt: skip
def test_what_is_beyond_the_most_of_a_turn_goes_on_waiting(store: Store, late: Turn) -> None:
    assert store.hears(one(BOTH)) == []
    assert (len(store.hears(late)), len(store.waiting())) == (1, 1)


def test_two_of_a_conversation_at_most_and_causes_first(store: Store) -> None:
    turn = Turn((said(DECISION), answered("agreed"), said(BOTH, 2)), (RETRY,))
    assert store.hears(turn) == sorted((CAUSE, POOL))
    assert store.hears(Turn((said(DNS, 3),), (edit("dns"),))) == sorted((CAUSE, POOL))
    assert store.waiting()[DNS] == "enough"


def test_of_one_cause_in_two_wordings_one_is_kept(store: Store) -> None:
    assert (len(store.hears(one(f"{CAUSE} {TWIN}", RETRY))), list(store.waiting().values())) == (1, ["enough"])


@pytest.mark.parametrize(("text", "reason"), [
    *cases("ingestion", "what its mending makes false or leaves without a trouble waits"),
    pytest.param(POINTING, "pointer", id="it points back"),
])  # fmt: skip
def test_what_its_mending_makes_false_or_leaves_without_a_trouble_waits(store: Store, text: str, reason: str) -> None:
    kept = store.hears(one(text, RETRY))
    assert (kept == [], store.waiting().get(text, "")) == (bool(reason), reason)


REVIEW = looked_up("psychmem review --heard --waiting")
READ_OUT = "2. The root cause was: `retry.go` slept before the lock was free. I would keep it in there."


@pytest.mark.parametrize(("use", "left"), [
    pytest.param(looked_up("grep -r psychmem_py src"), 2, id="another command"),
    pytest.param(REVIEW, 1, id="the inbox"),
    pytest.param(looked_up("cd shop && '/home/dev/my venv/bin/psychmem' search 'retry'"), 1, id="by its path"),
    pytest.param(ToolUse("m", "mcp__psychmem__memory_search", NOW, ok=True), 1, id="over its tools"),
])  # fmt: skip
def test_what_an_assistant_reads_out_of_the_memory_is_no_second_mention(store: Store, use: ToolUse, left: int) -> None:
    store.hears(one(CAUSE))
    kept = store.hears(Turn((said(READ_OUT, 1),), (use,), "two"))
    assert len({*kept, *store.waiting()}) == left


@pytest.mark.parametrize("dropped", [False, True])
def test_who_took_note_of_the_lookup_and_when_does_not_matter(store: Store, dropped: bool) -> None:
    """One child of a stop may take the tool use, another the answer that reads it out; the person may have dropped it by then."""
    store.hears(one(CAUSE))
    store.hears(Turn((said("Let me look.", 1),), (REVIEW,), "two"))
    if dropped:
        with open_store(store.path, now=NOW) as db, transaction(db):
            (item,) = candidates.waiting(db, project=PROJECT.id)
            candidates.settle_waiting(db, [item.seq], batch="b", reason=candidates.DROPPED)
    kept = store.hears(Turn((said(READ_OUT, 2),), session="two"))
    assert len({*kept, *store.waiting()}) == (not dropped)


def test_what_it_finds_besides_is_a_statement_of_its_own(store: Store) -> None:
    store.hears(one(DECISION))
    store.hears(Turn((said(CAUSE, 1),), (looked_up("psychmem search outbox"),), "two"))
    assert CAUSE in store.waiting()
