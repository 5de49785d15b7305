"""Briefs, asides and explanations over a real store: once, in time, within the project."""

import sqlite3
from pathlib import Path

import pytest

from psychmem_py.briefing import at_prompt
from psychmem_py.briefing import brief as briefs
from psychmem_py.curation import explain
from psychmem_py.errors import NotFoundError
from psychmem_py.home import files
from psychmem_py.home.project import Project
from psychmem_py.model.records import Kind, Memory, Scope
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.recall import brief_text, memory_line, selection
from psychmem_py.safety.fence import defused
from psychmem_py.store import read_only, sessions
from psychmem_py.store.calls import note_changed
from psychmem_py.text.front_matter import units
from tests.memories_made import DAY_S, NOW, made, store

Shown = tuple[str, str, float, int, str]
SHOP = Project("git:example.com/acme/shop", "shop", "/nowhere/shop")
RULE = made("Never commit to main", Kind.CONSTRAINT)
PORT = made("The API listens on port 8081", project=SHOP.id, names=("src/api.py",))
FOREIGN = made("The queue runs on RabbitMQ", project="git:example.com/acme/other")


@pytest.fixture
def known(db: sqlite3.Connection) -> sqlite3.Connection:
    """A store with a rule for all, a fact of this project and one of another."""
    store(db, [RULE, PORT, FOREIGN])
    return db


def told(db: sqlite3.Connection, session: str = "s", source: str = "startup", **given: object) -> briefs.Brief:
    occasion = briefs.Occasion(**({"project": SHOP, "source": source, "now": NOW} | given))  # type: ignore[arg-type]
    made = briefs.compose(db, occasion, read_only.shown(db, session) if source == "resume" else ())
    generation = read_only.generation(db, session) + (source in briefs.FORGOTTEN)
    for channel, ids in (("compaction" if source == "compact" else "brief", made.shown), ("memory_md", made.in_memory_md)):
        sessions.mark_shown(db, session, ids, channel, NOW, generation)
    return made


def asked(db: sqlite3.Connection, text: str, lately: tuple[Shown, ...] = (), session: str = "s") -> at_prompt.PromptReply:
    return at_prompt.for_prompt(db, text, project=SHOP, session=session, now=NOW, lately=lately)


def test_a_brief_holds_the_user_and_this_project_only_in_the_same_bytes_all_day(known: sqlite3.Connection) -> None:
    text = told(known).text
    assert text.index(RULE.text) < text.index(PORT.text)
    assert "RabbitMQ" not in text
    morning = NOW // DAY_S * DAY_S
    assert told(known, "a", now=morning).text == told(known, "b", now=morning + DAY_S - 1).text


def test_what_memory_md_shows_is_not_said_twice(known: sqlite3.Connection) -> None:
    line = defused(memory_line.one_line(RULE))
    made_ = told(known, shown_in_memory_md=frozenset({"# Memory", line}))
    assert RULE.text not in made_.text
    assert PORT.text in made_.text
    assert asked(known, "may I commit to main?").text == ""
    assert RULE.text in asked(known, "may I commit to main?", session="t").text


def test_a_brief_stays_within_its_limit(db: sqlite3.Connection) -> None:
    store(db, [made(f"rule {n} 規則 " + "字" * 280, Kind.CONSTRAINT) for n in range(100)])
    settings = DEFAULTS._replace(retrieval=DEFAULTS.retrieval._replace(max_context_tokens=10**6))
    assert 5000 < units(told(db, settings=settings).text) <= 9500
    note_wrong = "insert into failed_call (project, form, session, at, fault, worked) values (?, 'npm test', ?, ?, 'no', 'make')"
    sessions.begin(db, "a", agent="", project=SHOP.id, now=NOW)
    db.executemany(note_wrong, [(SHOP.id, session, NOW) for session in ("a", "b")])
    for most, guidance in ((2001, True), (2002, False)):
        retrieval = settings.retrieval._replace(brief_limit_chars=most, guidance=guidance)
        found = told(db, settings=settings._replace(retrieval=retrieval), notices=["Take care."])
        assert brief_text.FAILING in found.text
        assert most - units(found.choice.near_misses[0].memory.text) - 40 < units(found.text) <= most
    few = DEFAULTS._replace(retrieval=DEFAULTS.retrieval._replace(max_context_tokens=580))
    assert 200 < brief_text.tokens(told(db, "few", settings=few).text) <= 580


def test_what_is_clear_is_told_behind_much_that_is_not(db: sqlite3.Connection) -> None:
    unclear = [made(f"this must stay as in case {number}", Kind.DECISION, project=SHOP.id, strength=0.9) for number in range(30)]
    clear = [made(f"The {name} module sends mail", Kind.DECISION, project=SHOP.id, strength=0.5) for name in ("order", "stock")]
    store(db, [*unclear, *clear])
    assert set(told(db).shown) == {one.id for one in clear}
    few = DEFAULTS._replace(retrieval=DEFAULTS.retrieval._replace(max_session_memories=1))
    assert [len(told(db, "few", source, settings=few).shown) for source in ("startup", "resume")] == [1, 0]  # not the next best


@pytest.mark.parametrize("text", ["", "thanks!", "ok go on", "how is the weather in Lisbon today?", "write a poem about the sea"])
def test_a_prompt_that_calls_for_nothing_gets_nothing(known: sqlite3.Connection, text: str) -> None:
    assert asked(known, text).text == ""


def test_a_prompt_is_answered_once(known: sqlite3.Connection) -> None:
    text = "which port does the api listen on?"
    stated = "insert into evidence (memory_id, at, origin, method, session) values (?, ?, 'user_prompt', 'sweep', 'then')"
    known.execute(stated, (PORT.id, NOW))
    assert asked(known, text, session="then").text == ""  # it was said there
    first = asked(known, text)
    assert PORT.text in first.text
    noted = tuple((key, "prompt", NOW, first.generation, "s") for key in first.shown)
    assert asked(known, text, lately=noted).text == ""  # the journal says so
    sessions.mark_shown(known, "s", first.shown, "prompt", NOW, first.generation)
    assert asked(known, text).text == ""  # the store says so
    reworded = "(seq, hlc, device, batch, type, memory_id, before, after, at) values (99, '', '', '', 'edit', ?, ?, ?, ?)"
    known.execute(f"insert into change {reworded}", (PORT.id, '{"text": "a"}', '{"text": "b"}', NOW + 1))
    assert asked(known, text).text == first.text  # in other words, that is
    told(known, source="compact")
    sessions.mark_shown(known, "s", ["another"], "compaction", NOW, 5)
    assert asked(known, text, lately=noted).text  # compacted since
    known.execute("update memory set expires_at = ? where id = ?", (NOW, PORT.id))
    assert (asked(known, text, session="ended").text, read_only.active_rules(known, [PORT.id], NOW)) == ("", [])


def test_a_prompt_is_told_three_at_most_and_a_sub_agent_s_task_more(db: sqlite3.Connection) -> None:
    words = "alpha beta gamma delta omega iota kappa sigma zeta theta rho phi".split()
    store(db, [made(f"redis cluster {word} holds the {word} sessions") for word in words])
    text, subagent = "redis cluster sessions", at_prompt.DEFAULTS._replace(max_prompt_memories=at_prompt.MOST_FOR_SUBAGENT)
    assert len(at_prompt.for_prompt(db, text, project=None, session="s", now=NOW).shown) == 3
    assert len(at_prompt.for_prompt(db, text, project=None, session="t", now=NOW, retrieval=subagent).shown) == 10


def test_a_changed_file_marks_its_memory(db: sqlite3.Connection, tmp_path: Path) -> None:
    (root := tmp_path / "shop").mkdir()
    (root / "api.py").write_text("PORT = 8081\n")
    recorded = files.versions(str(root), ["api.py", "../secret.py", "gone.py"])
    known = made("The port of the billing service stands in api.py", project=SHOP.id, metadata=recorded)
    here = SHOP._replace(root=str(root))
    assert dict(known.metadata).keys() == {"file:api.py"}
    store(db, [known])
    assert "changed since" not in told(db, "a", project=here).text
    (root / "api.py").unlink()
    assert "(decision, api.py changed since" in told(db, "b", project=here).text
    note_changed(db, [(session, "api.py", SHOP.id, session, known.updated_at + 1) for session in ("c", "d", "e")])
    there = {"shown_in_memory_md": {defused(memory_line.one_line(known))}}  # which does not say so
    assert "api.py changed since, in 3 sessions" in told(db, "f", project=here, **there).text


def test_an_identifier_that_a_file_has_lost_is_named(db: sqlite3.Connection, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "api.py").write_text("def retry_later():\n    return retry_now\n")
    noted = files.versions(str(root), ["retry_later()", "retry", "api.py"])
    ((key, state),) = noted  # the one file so called; `retry` is in longer ones only
    assert (key, state.split()[1:]) == ("file:src/api.py", ["retry_later"])
    (root / "other").mkdir()
    (root / "other" / "api.py").write_text("")
    assert files.versions(str(root), ["api.py"]) == ()  # which of two nobody says
    here = SHOP._replace(root=str(root))
    store(db, [made("`retry_later()` in api.py waits", project=SHOP.id, metadata=noted)])
    (root / "src" / "api.py").write_text("def retry_later(): ...\n")
    assert "src/api.py changed since" in told(db, "a", project=here).text
    (root / "src" / "api.py").write_text("def retry_later_on(): ...\n")
    assert "`retry_later` no longer stands in src/api.py" in told(db, "b", project=here).text


def test_why_was_it_recalled(known: sqlite3.Connection) -> None:
    with pytest.raises(NotFoundError):
        explain.explain_last(known, project=SHOP, settings=DEFAULTS, now=NOW)
    told(known)
    last = explain.explain_last(known, project=SHOP, settings=DEFAULTS, now=NOW)
    assert {(said["id"], said["place"]) for said in last["shown"]} == {(RULE.id, "brief"), (PORT.id, "brief")}
    assert last["tokens"] > 0
    known.execute("update memory set class = 'bugfix' where id = ?", (PORT.id,))  # a brief of today leaves it out
    last = explain.explain_last(known, project=SHOP, settings=DEFAULTS, now=NOW)
    assert "it was among the brief's best then" in {said["reason"] for said in last["shown"]}


def pair(db: sqlite3.Connection, **older: object) -> tuple[Memory, Memory]:
    """Two rules that contradict each other, the older first, as they wait for a person."""
    old = made("Never squash commits before merging", Kind.CONSTRAINT, **{"anchor_at": NOW - 9 * DAY_S} | older)
    new = made("Always squash commits before merging", Kind.CONSTRAINT, scope=Scope.PROJECT, project=SHOP.id)
    store(db, [old, new])
    db.execute("insert into link values (?, ?, 'contradicts', ?)", (new.id, old.id, NOW))
    return old, new


def test_of_two_that_contradict_only_the_newer_is_told_with_the_older_behind_it(known: sqlite3.Connection) -> None:
    old, new = pair(known)
    brief = told(known)
    assert f"- {new.text} (rule) (earlier: {old.text})" in brief.text.split("\n")
    assert f"- {old.text}" not in brief.text
    assert briefs.reasons(brief)[old.id] == selection.CONTRADICTED
    assert old.id not in brief.shown


def test_where_the_newer_of_two_is_not_told_the_older_is(known: sqlite3.Connection) -> None:
    old, new = pair(known)
    elsewhere = told(known, project=Project("git:example.com/acme/other", "other", "/nowhere/other")).text
    known.execute("update memory set expires_at = ? where id = ?", (NOW - 3 * DAY_S, new.id))
    for text in (elsewhere, told(known).text):
        assert f"- {old.text} (rule)\n" in text
        assert "earlier:" not in text


def test_what_is_pinned_is_told_beside_what_contradicts_it(known: sqlite3.Connection) -> None:
    old, new = pair(known, pinned=True)
    text = told(known).text
    assert [one for one in (f"- {old.text}", f"- {new.text}") if one not in text] == []


def test_an_assistants_word_takes_no_persons_place(known: sqlite3.Connection) -> None:
    old, new = pair(known)
    known.execute("update memory set origin = 'assistant', class = 'semantic' where id = ?", (new.id,))
    assert f"- {old.text} (rule)\n" in told(known).text
