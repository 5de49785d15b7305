"""An assistant's statement becomes a memory when something bears it out, and at most two do so in a conversation."""

from pathlib import Path

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


def said(text: str, session: str, place: int = 0) -> Message:
    return Message(f"{session}-a{place}", Role.ASSISTANT, Origin.ASSISTANT, text, at=NOW + place)


def answered(text: str, session: str, place: int = 1) -> Message:
    return Message(f"{session}-u{place}", Role.USER, Origin.USER_PROMPT, text, at=NOW + place)


def edit(path: str, at: float = NOW + 60.0) -> ToolUse:
    return ToolUse(f"edit-{path}-{at}", "Edit", at, ok=True, paths=(path,))


class Store:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "memory.db"

    def hears(self, session: str, *messages: Message, uses: tuple[ToolUse, ...] = (), most: int = 7) -> list[str]:
        """What is stored after this stretch of a conversation, `most` new ones a turn; all of it is settled."""
        settings = DEFAULTS._replace(extraction=DEFAULTS.extraction._replace(max_memories_per_stop=most))
        with open_store(self.path, now=NOW) as db:
            span = Span(session=session, agent="claude-code", messages=messages, uses=uses)
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


RETRY, CRATES, OUTBOX = (edit(f"/home/dev/shop/{name}.go") for name in ("retry", "crates", "outbox"))
KEPT_ORDER = "`outbox.go` keeps the order of the events."
TO_DO = "`outbox.go` fails there because the key of an event is a number, not a name. Shall I convert it?"
THOUGHT = "Found the issue! The `crate_ids` hold a space behind the comma."
CONCLUDED = "The crash happened because `LoadCrates` read the list as one number."
WHOLE = "Cause: The marks in `crates.go` were escaped with the text. Fix: Marks from the private area, which stay as they are."
LISTED = "Cause: The marks in `crates.go` were escaped."
TROUBLE = "{} This happened because the count ran before the lock was taken."
COUNTED = TROUBLE.format("Crates of `cold_room` were counted twice.")


@pytest.mark.parametrize(
    ("messages", "use", "kept"),
    [
        pytest.param([said(CAUSE, "one")], RETRY, CAUSE, id="a cause is borne out by the edit that mends it"),
        pytest.param([said(CAUSE, "one")], RETRY._replace(at=NOW + 4 * 3600.0), "", id="an edit hours later bears no cause out"),
        pytest.param([said(DECISION, "one")], OUTBOX, "", id="an edit of a file shows no decision about it"),
        pytest.param([said(f"I compared both. {DECISION}", "one"), answered("exactly, go ahead", "one")], None, KEPT_ORDER, id="a yes settles it"),
        pytest.param([said(TO_DO, "one"), answered("yes, go ahead", "one")], None, "", id="a yes to what is to be done settles no fact beside it"),
        *(
            pytest.param([said(DECISION, "one"), answered(reply, "one")], None, "", id=f"no yes: {reply}")
            for reply in ("yes, but not for refunds", "really?", "can you run the tests", "exactly what does it cost?")
        ),
        pytest.param(
            [said(THOUGHT, "one", 10), said(CONCLUDED, "one", 30)], CRATES._replace(at=NOW + 20.0), CONCLUDED,
            id="what was concluded goes before what was thought before the change",
        ),
        pytest.param([said(f"**{WHOLE}".replace(":", "**:").replace(" Fix", "\n\n**Fix"), "one")], CRATES, WHOLE, id="a cause is kept with the fix"),
        pytest.param([said(f"{LISTED}\n\nFix:\n1. New marks\n2. A test of them", "one")], CRATES, LISTED, id="a fix that opens a list stays outside"),
        pytest.param([said(COUNTED, "one")], CRATES, COUNTED, id="a cause takes the trouble along that it points at"),
        *(
            pytest.param([said(TROUBLE.format(before), "one")], CRATES, "", id=f"no trouble: {before}")
            for before in ("I changed `cold_room` back.", "That broke `cold_room` too.", "Is `cold_room` counted twice?")
        ),
    ],
)  # fmt: skip
def test_what_bears_a_statement_out(store: Store, messages: list[Message], use: ToolUse | None, kept: str) -> None:
    assert store.hears("one", *messages, uses=(use,) if use else ()) == ([kept] if kept else [])


def test_a_yes_settles_what_waits_since_an_earlier_stretch(store: Store) -> None:
    assert store.hears("one", said(DECISION, "one")) == []
    reply = answered("agreed", "one")._replace(previous=DECISION)
    assert store.hears("one", reply) == ["`outbox.go` keeps the order of the events."]


def test_a_second_conversation_that_finds_the_same_settles_it(store: Store) -> None:
    assert store.hears("one", said(CAUSE, "one")) == []
    again = "The root cause was: `retry.go` slept before the lock was free."
    assert len(store.hears("two", said(again, "two"))) == 1


def test_what_is_said_again_beyond_the_most_of_a_turn_goes_on_waiting(store: Store) -> None:
    other = "The root cause was that `pool.go` handed out closed connections."
    assert store.hears("one", said(f"{CAUSE} {other}", "one")) == []
    again = said(f"{CAUSE} {other}".replace("was that", "was:"), "two")
    assert (len(store.hears("two", again, most=1)), len(store.waiting())) == (1, 1)


def test_what_is_borne_out_late_beyond_the_most_of_a_turn_goes_on_waiting(store: Store) -> None:
    other = "The root cause was that `pool.go` handed out closed connections."
    assert store.hears("one", said(f"{CAUSE} {other}", "one")) == []
    assert (len(store.hears("one", uses=(edit("/home/dev/shop/retry.go"),), most=1)), len(store.waiting())) == (1, 1)


def test_a_forked_conversation_is_no_second_one(store: Store) -> None:
    assert (store.hears("one", said(CAUSE, "one")), store.hears("two", said(CAUSE, "two"))) == ([], [])


def test_two_of_a_conversation_at_most_and_causes_first(store: Store) -> None:
    other = "The root cause was that `pool.go` handed out closed connections."
    third = "The root cause was that `dns.go` cached the old address."
    turns = (said(DECISION, "one"), answered("agreed", "one"), said(f"{CAUSE} {other}", "one", 2))
    uses = (edit("/home/dev/shop/retry.go"),)
    assert store.hears("one", *turns, uses=uses) == sorted((CAUSE, other))
    assert store.hears("one", said(third, "one", 3), uses=(edit("/home/dev/shop/dns.go"),)) == sorted((CAUSE, other))
    assert store.waiting()[third] == "enough"


TWIN = "The crash happened because `retry.go` slept long before the lock was free again."


def test_of_one_cause_in_two_wordings_one_is_kept(store: Store) -> None:
    kept = store.hears("one", said(f"{CAUSE} {TWIN}", "one"), uses=(edit("/home/dev/shop/retry.go"),))
    assert len(kept) == 1
    assert list(store.waiting().values()) == ["enough"]


def test_a_cause_that_a_memory_tells_in_other_words_is_no_second_memory(store: Store) -> None:
    store.hears("one", said(CAUSE, "one"), uses=(edit("/home/dev/shop/retry.go"),))
    assert store.hears("two", said(TWIN, "two", 1), uses=(edit("/home/dev/shop/retry.go"),)) == [CAUSE]


def test_two_causes_in_one_file_are_two(store: Store) -> None:
    other = "The root cause was that `retry.go` counted refunds twice."
    assert len(store.hears("one", said(f"{CAUSE} {other}", "one"), uses=(edit("/home/dev/shop/retry.go"),))) == 2


def test_a_limit_goes_before_causes(store: Store) -> None:
    other = "The root cause was that `pool.go` handed out closed connections."
    limit = "`json_each` only works on SQLite 3.38 and newer."
    turns = (said(f"{CAUSE} {other} {limit}", "one"),)
    uses = (
        edit("/home/dev/shop/retry.go"),
        ToolUse("run", "Bash", NOW + 70.0, ok=False, error_line="no such function: json_each"),
    )
    kept = store.hears("one", *turns, uses=uses)
    assert limit in kept
    assert len(kept) == 2


@pytest.mark.parametrize(("text", "reason"), cases("ingestion", "what its mending makes false or leaves without a trouble waits"))
def test_what_its_mending_makes_false_or_leaves_without_a_trouble_waits(store: Store, text: str, reason: str) -> None:
    kept = store.hears("one", said(text, "one"), uses=(edit("/home/dev/shop/retry.go"),))
    assert (kept == [], store.waiting().get(text, "")) == (bool(reason), reason)


def test_what_points_back_is_not_settled_by_an_edit(store: Store) -> None:
    text = "That crash was caused by `retry.go`, which slept before the lock."
    assert store.hears("one", said(text, "one"), uses=(edit("/home/dev/shop/retry.go"),)) == []
    assert store.waiting() == {text: "pointer"}


def looked_up(command: str) -> ToolUse:
    return ToolUse(f"look-{command}", "Bash", NOW, ok=True, command=command)


@pytest.mark.parametrize(
    ("use", "left"),
    [
        pytest.param(looked_up("grep -r psychmem_py src"), 2, id="another command"),
        pytest.param(looked_up("psychmem review --heard --waiting"), 1, id="the inbox"),
        pytest.param(looked_up("cd shop && '/home/dev/my venv/bin/psychmem' search 'retry'"), 1, id="by its path"),
        pytest.param(ToolUse("m", "mcp__psychmem__memory_search", NOW, ok=True), 1, id="over its tools"),
    ],
)
def test_what_an_assistant_reads_out_of_the_memory_is_no_second_mention(store: Store, use: ToolUse, left: int) -> None:
    store.hears("one", said(CAUSE, "one"))
    read_out = "2. The root cause was: `retry.go` slept before the lock was free. I would keep it in there."
    kept = store.hears("two", said(read_out, "two", 1), uses=(use,))
    assert len({*kept, *store.waiting()}) == left


@pytest.mark.parametrize("dropped", [False, True])
def test_who_took_note_of_the_lookup_and_when_does_not_matter(store: Store, dropped: bool) -> None:
    """Of two children of one stop the first may take the tool use, and the other only the answer that reads out what it found; the person
    may have dropped it by then.
    """
    store.hears("one", said(CAUSE, "one"))
    store.hears("two", said("Let me look.", "two", 1), uses=(looked_up("psychmem review --heard --waiting"),))
    if dropped:
        with open_store(store.path, now=NOW) as db, transaction(db):
            (one,) = candidates.waiting(db, project=PROJECT.id)
            candidates.settle_waiting(db, [one.seq], batch="b", reason=candidates.DROPPED)
    read_out = "2. The root cause was: `retry.go` slept before the lock was free. I would keep it in there."
    kept = store.hears("two", said(read_out, "two", 2))
    assert len({*kept, *store.waiting()}) == (not dropped)


def test_what_it_finds_besides_is_a_statement_of_its_own(store: Store) -> None:
    store.hears("one", said(DECISION, "one"))
    store.hears("two", said(CAUSE, "two", 1), uses=(looked_up("psychmem search outbox"),))
    assert CAUSE in store.waiting()


def test_a_correction_takes_the_place_of_the_one_memory_it_speaks_of(store: Store) -> None:
    store.hears("one", answered("Remember that the relay listens on port 7010.", "one"))
    assert store.hears("two", answered("I was wrong, the port is 7011", "two")) == ["the relay listens on port 7011."]
