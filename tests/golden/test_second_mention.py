"""Whole stories: what was too unsure is kept once said again, and recorded conversations end as they did."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import Span, Transcript, spans_of
from psychmem_py.memory.forgetting import OF_A_TASK, TWICE
from psychmem_py.model.records import Kind, Memory, Message, Origin, Role
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows, sessions
from psychmem_py.store.connection import open_store
from psychmem_py.store.sqlite import set_meta
from tests.data import cases
from tests.shipped_languages import MATCHER

NOW = 1_795_300_000.0  # the day after the recordings
DAY = 86_400.0
PROJECT = Project("dir:/home/dev/shop", "shop", "/home/dev/shop")

FIRST = (
    "The customer wants the quarterly statement without decimals.",
    "could you rename the helper in the cart module?",
    "the statement page still shows an error after login",
    "thanks, great work as always",
)
SECOND = (
    "can you please rename that helper of the cart module to basket?",
    "The customer wants the quarterly statement without decimals!",
    "after login the page with the statement shows an error again",
    "great, thanks as always",
)


def told(folder: Path, *days: tuple[str, ...]) -> list[SpanResult]:
    """What becomes of each day's session, one after another in one store."""
    with open_store(folder / "memory.db", now=NOW) as db:
        return [
            extract(db, _span(day, said), project=PROJECT, settings=DEFAULTS, matcher=lambda: MATCHER, now=NOW + day * DAY)
            for day, said in enumerate(days)
        ]


def _span(day: int, said: tuple[str, ...]) -> Span:
    messages = tuple(
        Message(f"{day}-{place}", Role.USER, Origin.USER_PROMPT, text, at=NOW + day * DAY + place)
        for place, text in enumerate(said)
    )
    return Span(session=f"day-{day}", agent="claude-code", messages=messages)


def _kept(found: SpanResult) -> list[str]:
    return [change.after.text for change in found.changes if change.after]


def test_what_two_sessions_say_is_kept_and_the_junk_around_it_is_not(tmp_path: Path):
    first, second = told(tmp_path, FIRST, SECOND)
    assert _kept(first) == []
    assert [verdict.candidate.text for verdict in first.waiting] == [FIRST[0]]
    assert _kept(second) == [SECOND[1]]


PAGE = "https://example.com/issues/{} find out why the depot ledger loses parcels"
NOTHING = [
    pytest.param([(FIRST[0], "go on", FIRST[0])], id="said twice in one session is still one mention"),
    pytest.param([(PAGE.format(1),), (PAGE.format(2),)], id="a request about one page is no habit"),
    *(pytest.param([FIRST[1:], *case.values], id=f"junk: {case.id}") for case in cases("golden", "junk said twice stays out")),
    *(
        pytest.param([(case.values[0].format(""),), (case.values[0].format(" short"),)], id=f"an order: {case.id}")
        for case in cases("golden", "an order that is sent again is no habit")
    ),
]


@pytest.mark.parametrize("days", NOTHING)
def test_nothing_is_kept_of(tmp_path: Path, days: list[tuple[str, ...]]):
    assert [_kept(found) for found in told(tmp_path, *days)] == [[]] * len(days)


def test_what_would_not_be_understood_alone_waits_however_often_it_is_said(tmp_path: Path):
    long = f"I want the totals of the quarterly statement to be given {'without decimals on the pages of the shop and ' * 5}so on"
    first, second = told(tmp_path, (long + ".",), (long + "!",))
    assert [_kept(first), _kept(second)] == [[], []]
    assert [verdict.reason for verdict in second.waiting] == ["long"]


def _stores(found: SpanResult) -> list[str]:
    return [change.after.store.value for change in found.changes if change.after]


@pytest.mark.parametrize(("before", "again", "once", "twice"), cases("golden", "what comes of what two sessions say"))
def test_what_comes_of_what_two_sessions_say(tmp_path: Path, before: str, again: str, once: list[str], twice: list[str]):
    found = told(tmp_path, (before,), (again,))
    assert [[f"{store} {text}" for store, text in zip(_stores(one), _kept(one), strict=True)] for one in found] == [once, twice]


def test_what_is_asked_for_on_every_occasion_is_how_the_work_is_done(tmp_path: Path):
    first, other = "bring the depot ledger up to date", "tag it, but bring the depot ledger up to date"
    _, second, third = told(tmp_path, (first,), (f"so {first}",), (other,))
    assert [change.after.kind for change in second.changes if change.after] == [Kind.PROCEDURAL]
    twice, often = (change.after for found in (second, third) for change in found.changes if change.after)
    assert (twice.metadata, twice.session_count, often.session_count) == (((OF_A_TASK, TWICE),), 1, 2)


def test_said_twice_within_the_hour_is_one_mention(tmp_path: Path):
    again = "Let's use the whole expected invoice in each fixture of the importer."
    [only] = told(tmp_path, ("spell the whole expected invoice out in the fixtures so that a reader sees it at once", again))
    assert _stores(only) == ["stm"]


@pytest.mark.parametrize(("before", "again"), cases("golden", "a rule in the words of another is said for the first time"))
def test_a_rule_in_the_words_of_another_is_said_for_the_first_time(tmp_path: Path, before: str, again: str):
    first, second = told(tmp_path, (before,), (again,))
    assert "ltm" not in _stores(first) + _stores(second)
    assert [text for text in _kept(second) if before.casefold() in text.casefold()] == []


STORIES = sorted(path.parent for path in Path(__file__).parent.glob("*/transcript.jsonl"))
STORIES_PROJECT = Project("dir:/home/dev/project", "project", "/home/dev/project")


def numbered() -> Iterator[str]:
    return (f"{number:032x}" for number in range(1, 1000))


def told_of_stories(story: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The story's changes as JSON and its brief as text."""
    monkeypatch.setattr(rows, "fresh_ids", numbered)
    with open_store(folder / "memory.db", now=NOW) as db:
        set_meta(db, "nonce_secret", "golden")

        def taken_up(known: sessions.Session | None) -> list[SpanResult]:
            spans = spans_of(known, Transcript("story", "claude-code", str(story / "transcript.jsonl")))
            usual = {"project": STORIES_PROJECT, "settings": DEFAULTS, "matcher": lambda: MATCHER, "now": NOW}
            return [extract(db, span, **usual) for span in spans]  # type: ignore[arg-type]

        found = taken_up(None)
        assert [again.changes for again in taken_up(sessions.session(db, "story"))] == [()]
        brief = compose(db, Occasion(STORIES_PROJECT, NOW + 60))
    return json.dumps([_plain(one) for one in found], ensure_ascii=False, indent=1) + "\n", brief.text + "\n"


def _plain(found: SpanResult) -> dict[str, Any]:
    return {
        "changes": [
            {"type": one.type, **dict(zip(("text", "class", "scope", "origin", "status"), _fields(one.after), strict=True))}
            for one in found.changes
            if one.after
        ],
        "waiting": [f"{verdict.candidate.kind}: {verdict.candidate.text}" for verdict in found.waiting],
        "rejected": [f"{verdict.gate} ({verdict.reason}): {verdict.candidate.text}" for verdict in found.rejected],
    }


def _fields(memory: Memory) -> tuple[object, ...]:
    return memory.text, memory.kind, memory.scope, memory.origin, memory.status


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_how_a_story_ends(story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    changes, brief = told_of_stories(story, tmp_path, monkeypatch)
    if request.config.getoption("--update-golden"):
        (story / "changes.json").write_text(changes)
        (story / "brief.md").write_text(brief)
    assert changes == (story / "changes.json").read_text()
    assert brief == (story / "brief.md").read_text()
