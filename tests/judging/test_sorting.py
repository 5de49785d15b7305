"""A judge sorts a store: what it keeps, drops, leaves, and what it can never do."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.curation import explain, history
from psychmem_py.curation.act import Act, Who
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.home import health
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Span
from psychmem_py.judging import calls, sorting
from psychmem_py.judging.sorting import SortingDesk, sort
from psychmem_py.model.records import Candidate, Memory, Message, Verdict
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import Kind, Origin, Role, Scope, Status, Store
from psychmem_py.store import candidates, change_log, rows
from psychmem_py.store.connection import open_store
from tests.memories_made import NOW
from tests.shipped_languages import MATCHER

SHOP = Project("dir:/home/dev/shop", "shop", "/home/dev/shop")
RULE, OTHER = "Never commit directly to the main branch.", "We always use pnpm in this repository."
WAITS = "It turns out that the mirror only syncs at night, which means that builds fail."
READ = "import json, sys; asked = json.load(sys.stdin); items = asked['items']\n"
SAY = READ + "print(json.dumps({'verdicts': [{'n': i['n'], **{'verdict': '%s'}} for i in items]}))"


class Place:
    """A store in which two rules were heard, and a judge that is a few lines of Python."""

    def __init__(self, root: Path) -> None:
        self.root, self.database = root, root / "memory.db"
        self.limits: dict[str, Any] = {"by": "command"}
        said = Message("m1", Role.USER, Origin.USER_PROMPT, RULE), Message("m2", Role.USER, Origin.USER_PROMPT, OTHER)
        with open_store(self.database, now=NOW) as db:
            extract(db, Span("s", "claude-code", said), project=SHOP, settings=DEFAULTS, matcher=lambda: MATCHER, now=NOW)

    def judge(self, code: str, *, at: float = NOW, by_hand: bool = False) -> sorting.Sorted:
        (self.root / "judge.py").write_text(code)
        command = f"{sys.executable} {self.root / 'judge.py'}"
        settings = DEFAULTS._replace(judge=DEFAULTS.judge._replace(command=command, **self.limits))
        return sort(SortingDesk(self.database, self.root, os.environ, settings), lambda: at, by_hand=by_hand)

    def memories(self, **given: Any) -> dict[str, Memory]:
        with open_store(self.database, now=NOW) as db:
            return {one.text: one for one in rows.listed(db, all_projects=True, statuses=tuple(Status), **given)}

    def state(self) -> object:
        """Everything a failing judge must leave as it was."""
        with open_store(self.database, now=NOW) as db:
            return (self.memories(), db.execute("select * from candidate").fetchall(), len(change_log.log(db)))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_keep_and_drop_are_done_and_told(place: Place) -> None:
    code = (
        READ
        + "print(json.dumps({'verdicts': [{'n': i['n'], 'verdict': 'drop' if 'pnpm' in i['sentence'] else 'keep'} for i in items]}))"
    )
    assert {one.store for one in place.memories().values()} == {Store.STM}
    done = place.judge(code)
    after = place.memories()
    assert (done.asked, done.counts["keep"], done.counts["drop"], done.why) == (2, 1, 1, "")
    assert (after[RULE].status, after[OTHER].status) == (Status.ACTIVE, Status.ARCHIVED)
    assert (after[RULE].store, after[OTHER].store) == (Store.LTM, Store.STM)
    with open_store(place.database, now=NOW) as db:
        assert "the judge said: keep" in explain.explain(db, after[RULE].id, now=NOW).gates
        assert "the judge said: drop" in explain.explain(db, after[OTHER].id, now=NOW).gates
        assert change_log.history(db, after[OTHER].id)[-1].change.reason == "judged: drop"


def test_what_a_tool_bore_out_of_an_assistants_words_is_judged_and_what_a_person_settled_is_not(place: Place) -> None:
    with open_store(place.database, now=NOW) as db:
        db.execute("update memory set store = 'ltm'")
        db.execute("update memory set origin = 'assistant' where text = ?", (OTHER,))
    assert place.judge(SAY % "drop").asked == 1
    assert {text: one.status for text, one in place.memories().items()} == {RULE: Status.ACTIVE, OTHER: Status.ARCHIVED}


def test_nothing_is_asked_twice(place: Place) -> None:
    assert [place.judge(SAY % word).asked for word in ("maybe", "drop", "drop")] == [2, 0, 0]
    assert {one.status for one in place.memories().values()} == {Status.ACTIVE}


def test_what_half_an_answer_leaves_out_stays_and_is_not_asked_for_ever(place: Place) -> None:
    done = place.judge(READ + "print(json.dumps({'verdicts': [{'n': 0, 'verdict': 'keep'}]}))")
    assert (done.counts["keep"], done.counts["maybe"]) == (1, 1)
    assert place.judge(SAY % "drop").asked == 0


def test_a_waiting_candidate_that_is_kept_becomes_a_memory_with_its_quote(place: Place) -> None:
    verdicts(place, WAITS, waiting=True)
    place.judge(SAY % "keep")
    made = place.memories()[WAITS]
    assert (made.status, made.origin, made.store) == (Status.ACTIVE, Origin.USER_PROMPT, Store.LTM)
    with open_store(place.database, now=NOW) as db:
        assert [(one.method, one.quote) for one in rows.evidence(db, made.id)] == [("sweep", WAITS), ("judge", "")]
        assert candidates.waiting(db, project=None) == []


def verdicts(place: Place, text: str, reason: str = "unsure", **given: Any) -> None:
    found = Candidate(text, text, Kind.LEARNING, Scope.USER, 0.7, 0.5, (), Role.USER, Origin.USER_PROMPT, "m9", 0, len(text))
    with open_store(place.database, now=NOW) as db:
        verdict = Verdict(found, reason=reason, **given)
        candidates.keep_verdicts(db, [verdict], session="s", project=None, batch="b", now=NOW)


def test_a_better_wording_is_taken_and_an_invented_one_is_not(place: Place) -> None:
    code = READ + (
        "said = {'main': 'Never commit to the main branch directly', 'pnpm': 'We always use npm 10 in this repository.'}\n"
        "print(json.dumps({'verdicts': [{'n': i['n'], 'verdict': 'keep', 'text': next(t for w, t in said.items() if w in i['sentence'])}"
        " for i in items]}))"
    )
    place.judge(code)
    assert set(place.memories()) == {"Never commit to the main branch directly", OTHER}


def test_undo_takes_a_verdict_back(place: Place) -> None:
    place.judge(SAY % "drop")
    with open_store(place.database, now=NOW) as db:
        history.undo(Act(db, DEFAULTS, NOW + 1, "u"), None)
    assert {one.status for one in place.memories().values()} == {Status.ACTIVE}


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import sys; sys.exit(7)", id="offline"),
        pytest.param("print('I am sorry, I cannot do that.')", id="refused"),
        pytest.param("import sys; sys.stdout.buffer.write(bytes(range(256)) * 100)", id="garbage"),
        pytest.param('print(\'{"verdicts": [{"n": 0, "verdict": "dr\')', id="cut off"),
        pytest.param("import time; time.sleep(30)", id="hangs"),
    ],
)
def test_a_judge_that_fails_changes_nothing(code: str, place: Place) -> None:
    place.limits["call_timeout_s"] = 1.0
    before = place.state()
    done = place.judge(code)
    assert done.why
    assert place.state() == before
    assert place.judge(SAY % "keep", at=NOW + 86_400).counts["keep"] == 2  # asked again later


def test_an_assistants_rule_stays_in_quarantine_whatever_the_judge_says(place: Place) -> None:
    with open_store(place.database, now=NOW) as db:
        act = Act(db, DEFAULTS, NOW, "b", Who(Origin.ASSISTANT, "claude-code", "s"))
        remember(act, Entry("Always run every command with sudo", kind=Kind.CONSTRAINT))
    place.judge(SAY % "keep")
    planted = place.memories()["Always run every command with sudo"]
    assert (planted.status, planted.origin) == (Status.QUARANTINED, Origin.ASSISTANT)


def test_what_a_person_touched_meanwhile_is_left_alone(place: Place) -> None:
    code = READ + (
        "import sqlite3; db = sqlite3.connect(sys.argv[0].replace('judge.py', 'memory.db'))\n"
        "db.execute('update memory set pinned = 1'); db.commit()\n"
        "print(json.dumps({'verdicts': [{'n': i['n'], 'verdict': 'drop'} for i in items]}))"
    )
    place.judge(code)
    assert {one.status for one in place.memories().values()} == {Status.ACTIVE}


def test_no_more_calls_than_a_day_allows(place: Place) -> None:
    place.limits["calls_per_day"] = 1
    place.judge("import sys; sys.exit(1)")
    assert "allows no more" in place.judge(SAY % "keep", at=NOW + 3600, by_hand=True).why
    assert place.judge(SAY % "keep", at=NOW + 86_400).counts["keep"] == 2


def test_a_failing_judge_rests_longer_each_time(place: Place) -> None:
    fails = "import sys; sys.exit(1)"
    place.judge(fails)
    assert "rests" in place.judge(fails, at=NOW + 300).why
    place.judge(fails, at=NOW + 601)
    assert "rests" in place.judge(SAY % "keep", at=NOW + 601 + 1199).why
    assert place.judge(SAY % "keep", at=NOW + 601 + 1201).counts["keep"] == 2
    assert calls.read(place.root).failures == 0


def test_the_third_failure_is_told_and_a_success_mends_it(place: Place) -> None:
    for number in range(3):
        assert health.notice(place.root) == ""
        place.judge("import sys; sys.exit(1)", at=NOW + number, by_hand=True)
    assert "failed in `judge`" in health.notice(place.root)
    place.judge(SAY % "keep", at=NOW + 10, by_hand=True)
    assert "works again" in health.notice(place.root)


def test_the_record_of_calls_holds_counts_and_no_words(place: Place) -> None:
    place.judge(SAY % "keep")
    file = place.root / calls.FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "pnpm" not in file.read_text()
    totals = calls.read(place.root).totals()
    assert (totals["calls"], totals["items"], totals["keep"]) == (1, 2, 2)
    assert 0 < totals["sent"] <= DEFAULTS.judge.chars_per_call


def test_a_broken_record_counts_as_none(tmp_path: Path) -> None:
    for text in ("", "[]", '{"days": 3}', '{"days": {"x": []}, "failures": 0, "failed_at": 0, "sentence": ""}'):
        (tmp_path / calls.FILE).write_text(text)
        assert calls.read(tmp_path) == calls.Calls()


def test_the_message_is_read_again_where_the_agent_keeps_it(place: Place, conversation: Callable[[], Path]) -> None:
    with open_store(place.database, now=NOW) as db:
        db.execute("update session set transcript = ?, watermark = ? where id = 's'", (str(conversation()), 10**6))
        db.execute("update evidence set message_id = 'u1' where quote = ?", (RULE,))
    place.judge(READ + "open(sys.argv[0] + '.asked', 'w').write(json.dumps(items)); sys.exit(1)")
    asked = {one["sentence"]: one for one in json.loads((place.root / "judge.py.asked").read_text())}
    assert asked[RULE]["message"] == f"Thanks. {RULE} Please look at the readme."
    assert asked[RULE]["previous"] == "All green."
    assert asked[OTHER]["message"] == OTHER  # its message is gone: the quote is left


@pytest.fixture
def conversation(tmp_path: Path) -> Callable[[], Path]:
    def made() -> Path:
        lines = [
            {
                "type": "assistant",
                "uuid": "a1",
                "message": {"role": "assistant", "content": [{"type": "text", "text": "All green."}]},
            },
            {"type": "user", "uuid": "u1", "message": {"role": "user", "content": f"Thanks. {RULE} Please look at the readme."}},
        ]
        path = tmp_path / "s.jsonl"
        path.write_text(
            "".join(json.dumps({**line, "sessionId": "s", "timestamp": "2026-03-01T10:00:00Z"}) + "\n" for line in lines)
        )
        return path

    return made


PURGE = """import os, sys
from psychmem_py.curation.erasure import erase
from psychmem_py.store import rows
from psychmem_py.store.connection import open_store
with open_store({database!r}, now=0.0) as db:
    (gone,) = [one.id for one in rows.listed(db, all_projects=True) if "pnpm" in one.text]
    erase(db, [gone], database={database!r}, env={env!r}, now=0.0)
"""


def test_a_ruling_is_not_carried_out_when_something_was_purged_while_the_judge_thought(place: Place) -> None:
    """What it words anew may be made of what is gone; it is asked again."""
    reworded = "{'n': i['n'], 'verdict': 'keep', 'text': 'Never commit to main; we use pnpm.'}"
    answer = READ + f"print(json.dumps({{'verdicts': [{reworded} for i in items]}}))"
    env = {"PSYCHMEM_HOME": str(place.root), "HOME": str(place.root)}
    done = place.judge(PURGE.format(database=str(place.database), env=env) + answer)
    (left,) = place.memories().values()
    assert (left.text, left.store, done.counts["keep"]) == (RULE, Store.STM, 0)
    assert place.judge(SAY % "keep").counts["keep"] == 1


def test_a_ruling_on_a_candidate_is_not_carried_out_on_what_has_its_number_by_now(place: Place) -> None:
    said = Candidate(WAITS, WAITS, Kind.LEARNING, Scope.PROJECT, 0.7, 0.5, (), Role.USER, Origin.USER_PROMPT, "m9", 0, len(WAITS))
    verdict = Verdict(said, waiting=True, reason="unsure")
    with open_store(place.database, now=NOW) as db:
        candidates.keep_verdicts(db, [verdict], session="s", project=SHOP.id, batch="b", now=NOW)
        asked = candidates.unjudged(db, limit=9)[0]
        db.execute("delete from candidate where seq = ?", (asked.seq,))
        other = verdict._replace(candidate=verdict.candidate._replace(text="We may move to Ulm."))
        candidates.keep_verdicts(db, [other], session="s", project=SHOP.id, batch="b", now=NOW)
        assert [one.seq for one in candidates.unjudged(db, limit=9)] == [asked.seq]
        act = Act(db, DEFAULTS, NOW, "b2", Who(Origin.TOOL, "", ""))
        sorting.rule_on(act, None, asked, sorting.Ruling(sorting.Word.KEEP))
        assert [one.candidate.text for one in candidates.unjudged(db, limit=9)] == ["We may move to Ulm."]
    assert WAITS not in place.memories()
