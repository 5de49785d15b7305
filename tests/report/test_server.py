"""The page with buttons: on this machine only, at a secret address, for its own clicks alone."""

import http.client
import json
import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from psychmem_py.cli.commands import sessions as report
from psychmem_py.errors import RefusedError
from psychmem_py.report.page import html
from psychmem_py.report.server import Listening
from tests.data import cases
from tests.forks import COMMAND
from tests.hooks import eventually
from tests.report.browser import Browser, needs_chromium
from tests.report.test_page import filled
from tests.test_cli import ROOT, remembered, run


class Open:
    """A listening page and what was done by it."""

    def __init__(self, page: str) -> None:
        self.done: list[tuple[str, str, str]] = []
        self.asked: list[str] = []
        self.listening = Listening(lambda: page, self._act, self._found)
        self.path = f"/{self.listening.token}/"

    def _act(self, deed: str, key: str, text: str) -> str:
        if key == "pinned":
            raise RefusedError("only a person may")
        self.done.append((deed, key, text))
        return "done"

    def _found(self, words: str) -> dict[str, Any]:
        if words == "broken":
            raise RefusedError("the encoder cannot be read")
        self.asked.append(words)
        return {"ids": [f"answers {words}"], "earlier": []}

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
        client = http.client.HTTPConnection("127.0.0.1", self.listening.server_port, timeout=20)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        client.request(method, path, body=body, headers={"Host": self.listening.own_host, **given})
        answer = client.getresponse()
        return answer.status, answer.read().decode()

    def click(self, body: object, **headers: str) -> tuple[int, str]:
        usual = {"Content_Type": "application/json", "Origin": f"http://{self.listening.own_host}"}
        return self.ask("POST", f"{self.path}act", json.dumps(body), **usual | headers)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    made = Open(html(filled(tmp_path), acting=True))
    thread = Thread(target=made.listening.serve_forever, daemon=True)
    thread.start()
    yield made
    made.listening.shutdown()
    made.listening.server_close()
    thread.join()


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address that `report --serve` prints, while it listens."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([*COMMAND, "report", "--serve"], cwd=folder, stdout=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stdout
        assert select.select([process.stdout], [], [], 300)[0], "nothing was printed while it listens"
        yield process.stdout.readline().split()[0]
    finally:
        process.kill()
        process.wait()


def test_the_page_is_there_for_who_knows_the_address_and_a_click_does_what_it_says(opened: Open) -> None:
    status, text = opened.ask("GET", opened.path)
    assert status == 200
    assert "Use tabs in the Makefile" in text
    assert opened.listening.server_address[0] == "127.0.0.1"
    assert opened.click({"deed": "edit", "id": "ab", "text": "New words"}) == (200, '{"said": "done"}')
    assert opened.done == [("edit", "ab", "New words")]


@pytest.mark.parametrize(("path", "headers"), cases("report", "addresses that give nothing"))
def test_nobody_else_gets_anything(opened: Open, path: str, headers: str) -> None:
    assert opened.ask("GET", path.replace("SECRET", opened.path), **json.loads(headers)) == (404, "not found")


TOO_LONG = pytest.param(json.dumps({"deed": "edit", "id": "ab", "text": "x" * 70_000}), "{}", 413, id="too long")


@pytest.mark.parametrize(("body", "headers", "status"), [*cases("report", "clicks that do nothing"), TOO_LONG])
def test_no_other_click_does_anything(opened: Open, body: str, headers: str, status: int) -> None:
    assert (opened.click(json.loads(body), **json.loads(headers))[0], opened.done) == (status, [])


@needs_chromium
def test_what_is_typed_into_the_search_of_a_browser_is_asked_of_the_store(opened: Open, tmp_path: Path) -> None:
    with Browser(tmp_path) as browser:
        browser.opens(opened.listening.address)
        browser.presses("/", "sneakers")
        eventually(lambda: opened.asked == ["sneakers"], limit_s=60)


@needs_chromium
def test_the_inbox_is_emptied_corrected_and_undone_in_a_browser_by_keys_alone(tmp_path: Path) -> None:
    waits = [{"text": text, "class": "constraint"} for text in ("Always squash before merging", "Never rebase a tag")]
    run("import", "-", cwd=tmp_path, stdin="".join(json.dumps(one) + "\n" for one in waits))
    run("remember", "The port is 8080", "--user", cwd=tmp_path)
    with serving(tmp_path) as address, Browser(tmp_path) as browser:

        def pending(number: int) -> None:
            browser.until(f"document.querySelector('nav').innerText.includes('Pending ({number})')")

        browser.opens(f"{address}#pending")
        pending(2)
        browser.enters("Choose all shown")
        browser.enters("Drop chosen")
        pending(0)
        browser.enters("Undo")
        pending(2)
        browser.opens(f"{address}#memories")
        browser.presses("/", "8080")
        browser.enters("The port is 8080")
        browser.enters("Edit")
        browser.says("ask()")  # the answer to what was looked for may come while one edits
        browser.says("document.activeElement.select()")
        browser.presses("The port is 8081", "Enter")
        browser.until("document.querySelector('#table').textContent.includes('8081')")
    assert "8081" in run("list", cwd=tmp_path).stdout


def test_a_search_of_the_page_asks_the_store(opened: Open) -> None:
    usual = {"Content_Type": "application/json", "Origin": f"http://{opened.listening.own_host}"}

    def found(body: str, **headers: str) -> tuple[int, str]:
        return opened.ask("POST", f"{opened.path}search", body, **usual | headers)

    assert found('{"words": "shoes"}') == (200, '{"ids": ["answers shoes"], "earlier": []}')
    assert found('{"words": "broken"}') == (200, '{"ids": [], "earlier": []}')
    assert found("[") == (200, '{"ids": [], "earlier": []}')
    assert found('{"words": "shoes"}', Origin="http://elsewhere")[0] == 403
    assert opened.done == []


def test_the_store_answers_what_is_asked_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("remember", "We own the parser ourselves", "--user", cwd=tmp_path)
    (key,) = report._found("who owns the parser")["ids"]
    assert "We own the parser" in run("show", key, cwd=tmp_path).stdout
    assert report._found("kubernetes") == {"ids": [], "earlier": []}


def test_an_undo_that_is_refused_takes_back_nothing_older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    one, other = remembered(tmp_path, "We own the parser", "--user"), remembered(tmp_path, "The port is 8080", "--user")
    done: list[str] = []
    report._act("forget", one, "", done)
    assert report._act("forget", one, "", done) == "there was nothing to do"
    report._act("edit", other, "The port is 8081", done)
    run("edit", other, "The port is 8082", cwd=tmp_path)
    for _ in range(2):
        with pytest.raises(RefusedError, match="changed again later"):
            report._act("undo", "", "", done)


def test_its_address_is_read_through_a_pipe_while_it_listens(tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        assert address.startswith("http://127.0.0.1:")
