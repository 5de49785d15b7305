"""The report: what it says, that nothing in the store becomes markup, and how it behaves in a real browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from psychmem_py.curation.pending import InboxItem
from psychmem_py.model.terms import Origin, Status
from psychmem_py.report.contents import CURVE_D, Contents
from psychmem_py.report.page import html
from tests.report.made import filled

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="no chromium on PATH (Debian: apt-get install chromium)")


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


def dom(page: str, folder: Path, *, driver: str = "") -> str:
    """What a browser makes of the page; a driver's script runs after it, for which the policy is lifted."""
    file = folder / "report.html"
    if driver:
        page = re.sub(r"<meta http-equiv=[^>]*>", "", page).replace("</body>", f"<script>{{{driver}}}</script></body>")
    file.write_text(page, "utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run(
        [*command, "--virtual-time-budget=3000", "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return done.stdout


def test_nothing_in_the_store_becomes_markup(found: Contents) -> None:
    page = html(found)
    tags = Tags(page).seen
    assert [tag for tag, _ in tags].count("script") == 1
    assert not [tag for tag, _ in tags if tag in ("img", "iframe", "link", "object", "b<", "base")]
    assert not [attributes for _, attributes in tags if any(name.startswith("on") for name in attributes)]
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_it_asks_the_network_for_nothing(found: Contents) -> None:
    page = html(found)
    assert not re.search(r"https?://|@import|url\(", page)
    assert "default-src 'none'" in page
    assert "connect-src" not in page
    assert "connect-src 'self'" in html(found, acting=True)


def test_every_section_has_a_heading_and_every_picture_a_name(found: Contents) -> None:
    tags = Tags(html(found)).seen
    ids = {attributes.get("id") for _, attributes in tags}
    assert all(attributes["aria-labelledby"] in ids for tag, attributes in tags if tag == "section")
    assert all("aria-label" in attributes or attributes.get("aria-hidden") for tag, attributes in tags if tag == "svg")
    assert all(attributes.get("type") == "button" for tag, attributes in Tags(html(found, acting=True)).seen if tag == "button")


def test_it_says_what_is_in_the_store(found: Contents) -> None:
    page = html(found)
    for text in (
        "Use tabs in the Makefile",
        "contradicts",
        "Perhaps Redis",
        "waits for a second mention",
        "question: question",
        "harbour",
    ):
        assert text in page
    assert len(re.findall(r"<tr data-id", page)) == len(found.memories) == 6
    assert len(found.live) == 5
    assert found.brief.text.splitlines()[-1].replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;") in page


def test_what_fades_soon_is_told_with_its_days(found: Contents) -> None:
    assert [one.memory.text for one in found.fading] == ["The deploy went out at noon"]
    (fading,) = found.fading
    assert fading.fades_d
    assert len(fading.curve) == len(CURVE_D)
    assert f"<b>{fading.fades_d} days</b> The deploy went out at noon" in html(found)


def test_buttons_stand_only_on_the_page_that_answers_them(found: Contents) -> None:
    assert '<button type="button" data-deed' not in html(found)
    assert 'id="undo"' not in html(found)
    assert html(found, acting=True).count('data-deed="forget"') == len(found.memories) + sum(
        one.memory is not None for one in found.pending
    )


def test_what_waits_says_why_and_since_when(found: Contents) -> None:
    first = found.memories[0]
    proposed = first.memory._replace(text="Always squash", status=Status.QUARANTINED, origin=Origin.ASSISTANT, metadata=())
    page = html(found._replace(pending=(InboxItem(proposed, None),)))
    [row] = re.findall(r'<li data-id="[^"]*"><span class="text">Always squash.*?</li>', page)
    assert "the agent said it, no person" in row
    assert re.search(r"\d{4}-\d\d-\d\d", row)


@needs_chromium
def test_a_browser_runs_our_script_and_no_text_s(found: Contents, tmp_path: Path) -> None:
    made = dom(html(found), tmp_path)
    assert "<title>PsychMem: what is remembered</title>" in made
    assert "owned" not in re.findall(r"<title>(.*?)</title>", made)[0]
    assert "onerror=alert(1)&gt;" in made


@needs_chromium
def test_a_browser_filters_by_word_and_by_choice(found: Contents, tmp_path: Path) -> None:
    driver = """
    const said = []; const go = (name, value) => { document.querySelector(name).value = value;
      document.getElementById("filters").dispatchEvent(new Event("input")); said.push(document.getElementById("count").textContent); };
    go("#words", "makefile"); go("select[name=where]", "shop"); go("#words", ""); go("select[name=status]", "forgotten");
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "/" })); said.push(document.activeElement.id);
    document.title = said.join("|");
    """
    made = dom(html(found), tmp_path, driver=driver)
    told = re.findall(r"<title>(.*?)</title>", made)[0].split("|")
    assert told == ["2 of 6 memories", "1 of 6 memories", "4 of 6 memories", "1 of 6 memories", "words"]


@needs_chromium
def test_a_browser_sorts_by_a_column_and_back(found: Contents, tmp_path: Path) -> None:
    driver = """
    const head = document.querySelector("[data-column='0']"), first = () => document.querySelector("tbody tr .text").textContent;
    const said = []; head.click(); said.push(head.parentElement.ariaSort, first()); head.click(); said.push(head.parentElement.ariaSort, first());
    document.title = said.join("|");
    """
    told = re.findall(r"<title>(.*?)</title>", dom(html(found), tmp_path, driver=driver))[0].split("|")
    assert told[0] == "ascending"
    assert told[2:] == ["descending", "Use tabs in the Makefile"]


def test_what_is_pending_stands_behind_the_memories_and_has_its_buttons_where_they_are_answered(found: Contents) -> None:
    page = html(found, acting=True)
    assert page.index('id="memories"') < page.index("Perhaps Redis")
    assert re.search(r'data-deed="keep" aria-label="Keep: Perhaps Redis"', page)
    assert re.search(r'<li data-id="w\d+">', page)


@needs_chromium
def test_nothing_stands_out_of_a_narrow_window(found: Contents, tmp_path: Path) -> None:
    driver = """
    document.body.style.width = "400px"; const out = [...document.querySelectorAll("main *")].filter((one) =>
      one.closest("svg") === null && one.getBoundingClientRect().right > 401); document.title = "out " + out.map((one) => one.tagName).join();
    """
    page = html(found).replace("@media (max-width: 40rem)", "@media all")  # headless windows are at least 500 wide
    assert "<title>out </title>" in dom(page, tmp_path, driver=driver)
