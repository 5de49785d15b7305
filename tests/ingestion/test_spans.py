"""Which stretch of a transcript is read next."""

import json
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.home.project import Project
from psychmem_py.ingestion import spans
from psychmem_py.ingestion.extract import extract
from psychmem_py.model.records import Message, Origin, Role
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows
from psychmem_py.store.connection import open_store
from psychmem_py.store.sessions import Session
from tests.shipped_languages import MATCHER

NOW = 1_795_300_000.0


def line(number: int, text: str) -> bytes:
    said = {"type": "user", "uuid": f"u{number}", "message": {"role": "user", "content": text}}
    return json.dumps(said).encode() + b"\n"


def read_on(path: Path, mark: int) -> spans.Span:
    known = None
    if mark:
        first = spans.spans_of(None, spans.Transcript("s", "claude-code", str(path)))[0]
        known = Session("s", "claude-code", None, str(path), mark, first.head, None, None, "", 0.0)
    return spans.spans_of(known, spans.Transcript("s", "claude-code", str(path)))[-1]


@pytest.fixture(autouse=True)
def short_spans(monkeypatch):
    monkeypatch.setattr(spans, "SPAN_BYTES", 4096)


def test_a_line_longer_than_a_span_is_passed_and_told_and_one_still_being_written_waited_for(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(line(0, "first") + line(1, "x" * 20_000) + line(2, "last"))
    said, passed, mark = [], 0, 0
    for _ in range(4):
        span = read_on(path, mark)
        said += [message.text for message in span.messages]
        passed, mark = passed + span.passed, span.end
    assert (said, passed, mark) == (["first", "last"], 1, path.stat().st_size)
    path.write_bytes(b'{"type":"user"' + b" " * 20_000)
    assert (read_on(path, 0).end, read_on(path, 0).passed) == (0, 0)


def test_what_was_typed_before_in_the_session_is_heard_as_repeated(tmp_path: Path) -> None:
    typed = ("set up prettier with tabs over spaces", "I prefer tabs over spaces")
    for session in ("one", "other"):
        with open_store(tmp_path / f"{session}.db", now=NOW) as db:
            for number, text in enumerate(typed):
                message = Message(f"u{number}", Role.USER, Origin.USER_PROMPT, text, at=NOW + number)
                span = spans.Span(session if number else "one", "claude-code", (message,), start=number, end=number + 1)
                extract(
                    db,
                    span,
                    project=Project("dir:/shop", "shop", "/shop"),
                    settings=DEFAULTS,
                    matcher=lambda: MATCHER,
                    now=NOW + number,
                )
            kept = rows.listed(db, all_projects=True)
            found = [signal for memory in kept for one in rows.evidence(db, memory.id) for signal in one.signals]
        assert ("repetition" in found) is (session == "one")


def test_an_empty_span_that_failed_passes_no_line(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(line(0, "first") + line(1, "second"))
    mark = len(line(0, "first"))
    first = spans.spans_of(None, spans.Transcript("s", "claude-code", str(path)))[0]
    known = Session("s", "claude-code", None, str(path), mark, first.head, mark, mark, "", 0.0)
    again, new = spans.spans_of(known, spans.Transcript("s", "claude-code", str(path)))
    assert (again.start, again.end, again.passed) == (mark, mark, 0)
    assert [message.text for message in new.messages] == ["second"]


def test_a_transcript_that_the_client_removes_while_it_is_read_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("{}\n" * 9)
    read = spans._span

    def meanwhile(*given: Any) -> spans.Span:
        path.unlink()
        return read(*given)

    monkeypatch.setattr(spans, "_span", meanwhile)
    (span,) = spans.spans_of(None, spans.Transcript("s", "claude-code", str(path)))
    assert (span.messages, span.start, span.end) == ((), 0, 0)
