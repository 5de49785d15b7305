"""The report of a store with something of everything: what it says, that nothing becomes markup, how it behaves in a browser."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from psychmem_py.curation import actions
from psychmem_py.curation.act import PERSON, Act
from psychmem_py.curation.pending import of_memory
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.home.project import Project
from psychmem_py.model.records import Candidate, Gate, Kind, LinkType, Origin, Role, Scope, Status, Verdict
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.report.page import Contents, contents, html
from psychmem_py.store import candidates, episodes, sessions
from psychmem_py.store.connection import open_store
from psychmem_py.store.episodes import Episode
from tests.data import cases
from tests.report.browser import Browser, needs_chromium

NOW = 1_800_000_000.0
SHOP = Project("dir:/shop", "shop", "/shop")
HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)> "quoted" \x1b[31m\u202e'


def filled(folder: Path) -> Contents:
    """What the report of such a store says."""
    with open_store(folder / "memory.db", now=NOW) as db:
        act = Act(db, DEFAULTS, NOW, "made", PERSON)
        sessions.note_project(db, *SHOP, NOW)
        sessions.note_project(db, "dir:/harbour", "harbour <b>", "/harbour", NOW)
        sessions.begin(db, "c0ffee01", agent="claude-code", project=SHOP.id, now=NOW)
        tabs = remember(act, Entry("Use tabs in the Makefile", Kind.CONSTRAINT, Scope.PROJECT, SHOP.id)).memory
        spaces = remember(act, Entry("Use spaces in the Makefile", Kind.CONSTRAINT, Scope.PROJECT, "dir:/harbour")).memory
        remember(act, Entry("I like short answers", Kind.PREFERENCE, Scope.USER, tags=("style",)))
        remember(act, Entry(HOSTILE, Kind.SEMANTIC, Scope.PROJECT, SHOP.id, context=HOSTILE))
        remember(act._replace(now=NOW - 86_400), Entry("The deploy went out at noon", Kind.EPISODIC, Scope.PROJECT, SHOP.id))
        gone = remember(act, Entry("The port is 8080", Kind.SEMANTIC, Scope.PROJECT, SHOP.id)).memory
        actions.forget(act, [gone.id])
        actions.pin(act, tabs.id)
        actions.link(act, tabs.id, spaces.id, LinkType.CONTRADICTS)
        asked = "Which port does the shop listen on?"
        episodes.add(db, [Episode("ex1", SHOP.id, "c0ffee01", "m1", NOW, asked, "It is 8080.", (), ())])
        sessions.mark_shown(db, "c0ffee01", [tabs.id], "brief", NOW, 0)
        said = Candidate(HOSTILE, HOSTILE, Kind.DECISION, Scope.PROJECT, 0.5, 0.5, (), Role.USER, Origin.USER_PROMPT, "m", 0, 1)
        turned = [Verdict(said, Gate.QUESTION, "question"), Verdict(said._replace(text="Perhaps Redis"), waiting=True)]
        candidates.keep_verdicts(db, turned, session="c0ffee01", project=SHOP.id, batch="made", now=NOW)
        return contents(db, SHOP, DEFAULTS, NOW)


@pytest.fixture
def found(tmp_path: Path) -> Contents:
    return filled(tmp_path)


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as made:
        yield made


@pytest.fixture
def page(found: Contents, tmp_path: Path) -> str:
    """Where the page lies, as a file."""
    file = tmp_path / "report.html"
    file.write_text(html(found), "utf-8")
    return file.as_uri()


def test_nothing_in_the_store_becomes_markup_and_the_network_is_asked_for_nothing(found: Contents) -> None:
    page = html(found)
    tags = Tags(page).seen
    assert [tag for tag, _ in tags].count("script") == 1
    assert not [tag for tag, _ in tags if tag in ("img", "iframe", "link", "object", "b<", "base")]
    assert not [attributes for _, attributes in tags if any(name.startswith("on") for name in attributes)]
    assert [text for text in ("\x1b", "\u202e") if text in page] == []
    assert not re.search(r"https?://|@import|url\(", page)
    assert ("default-src 'none'" in page, "connect-src" in page) == (True, False)
    assert "connect-src 'self'" in html(found, acting=True)


def test_sections_have_names_and_buttons_send_nothing(found: Contents) -> None:
    tags = Tags(html(found)).seen
    ids = {attributes.get("id") for _, attributes in tags}
    assert all(attributes["aria-labelledby"] in ids for tag, attributes in tags if tag == "section")
    assert all(attributes.get("type") == "button" for tag, attributes in Tags(html(found, acting=True)).seen if tag == "button")


def test_it_says_what_is_in_the_store_with_buttons_only_where_they_are_answered(found: Contents) -> None:
    page = html(found)
    texts = "Use tabs in the Makefile|Perhaps Redis|pending until said again|question: question|harbour"
    assert [text for text in texts.split("|") if text not in page] == []
    assert len(re.findall(r"<tr data-id", page)) == len(found.memories) == 6
    assert sum(one.live for one in found.memories) == 5
    assert found.brief.text.splitlines()[-1].replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;") in page
    assert '<button type="button" data-act' not in html(found)
    assert 'id="undo"' not in html(found)
    proposed = [one for one in found.pending if one.memory is not None]
    assert html(found, acting=True).count('data-act="forget"') == len(found.memories) + len(proposed)


def test_what_waits_says_why(found: Contents) -> None:
    first = found.memories[0]
    proposed = first.memory._replace(text="Always squash", status=Status.QUARANTINED, origin=Origin.ASSISTANT, metadata=())
    page = html(found._replace(pending=(of_memory(proposed, ()),)))
    [row] = re.findall(r'<li data-id="[^>]*>(?:(?!<li).)*Always squash.*?</li>', page)
    assert "the agent said it, no person" in row
    assert re.search(r"\d{4}-\d\d-\d\d", row)


@needs_chromium
def test_a_browser_runs_our_script_and_no_text_s(browser: Browser, page: str) -> None:
    browser.opens(page)
    assert browser.says("document.title") == "PsychMem: what is remembered"
    shown = "[...document.querySelectorAll('section')].filter((one) => !one.hidden).map((one) => one.id).join()"
    assert browser.says(shown) == "memories"
    assert "onerror=alert(1)>" in browser.says("document.body.textContent")


@needs_chromium
def test_a_browser_filters_by_word_project_speaker_and_state(browser: Browser, page: str) -> None:
    browser.opens(page)
    go = """((name, value) => { const one = document.querySelector(name); one.value = value;
        one.dispatchEvent(new Event("input", { bubbles: true })); return document.getElementById("count").textContent; })"""
    for case in cases("report", "a browser filters by word project speaker and state"):
        name, value, told = case.values
        assert browser.says(f"{go}({name!r}, {value!r})") == told


TABS = ("memories", "pending", "next", "not")


@needs_chromium
@pytest.mark.parametrize(("dark", "wide"), [(False, 1200), (True, 1200), (False, 400), (True, 400)])
def test_every_part_is_readable_and_inside(browser: Browser, found: Contents, tmp_path: Path, dark: bool, wide: int) -> None:
    """Contrast as WCAG 2.1 AA asks for it, of every text and of the edge of every field, with all that can be opened open."""
    file = tmp_path / "report.html"
    file.write_text(html(found, acting=True).replace("<details>", "<details open>"), "utf-8")
    for tab in TABS:
        browser.opens(f"{file.as_uri()}#{tab}", wide=wide, dark=dark)
        assert (tab, browser.unreadable(), browser.standing_out()) == (tab, [], [])
    browser.says("document.querySelector('h1').style.color = '#777'")
    assert browser.unreadable() == ["H1 What is remembered"]  # it is measured
