"""Whole stories: a recorded transcript, what it changes in an empty store, and the brief the next session gets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import Transcript, spans_of
from psychmem_py.languages import files
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows, sessions
from psychmem_py.store.connection import open_store
from psychmem_py.store.sqlite import set_meta

STORIES = sorted(path.parent for path in Path(__file__).parent.glob("*/transcript.jsonl"))
NOW = 1_795_300_000.0  # the day after the recordings
PROJECT = Project("dir:/home/dev/project", "project", "/home/dev/project")


def numbered() -> Iterator[str]:
    return (f"{number:032x}" for number in range(1, 1000))


def told(story: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The story's changes as JSON and its brief as text."""
    monkeypatch.setattr(rows, "fresh_ids", numbered)
    with open_store(folder / "memory.db", now=NOW) as db:
        set_meta(db, "nonce_secret", "golden")
        found = [
            extract(db, span, project=PROJECT, settings=DEFAULTS, matcher=files.matcher, now=NOW)
            for span in spans_of(None, Transcript("story", "claude-code", str(story / "transcript.jsonl")))
        ]
        again = spans_of(sessions.session(db, "story"), Transcript("story", "claude-code", str(story / "transcript.jsonl")))
        assert [
            extract(db, span, project=PROJECT, settings=DEFAULTS, matcher=files.matcher, now=NOW).changes for span in again
        ] == [()]
        brief = compose(db, Occasion(PROJECT, NOW + 60))
    return json.dumps([_plain(one) for one in found], ensure_ascii=False, indent=1) + "\n", brief.text + "\n"


def _plain(found: SpanResult) -> dict[str, Any]:
    return {
        "changes": [
            {
                "type": change.type,
                "text": after.text,
                "class": after.kind,
                "scope": after.scope,
                "origin": after.origin,
                "status": after.status,
            }
            for change in found.changes
            if (after := change.after)
        ],
        "waiting": [f"{verdict.candidate.kind}: {verdict.candidate.text}" for verdict in found.waiting],
        "rejected": [f"{verdict.gate} ({verdict.reason}): {verdict.candidate.text}" for verdict in found.rejected],
    }


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_a_story_ends_as_it_did(
    story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    changes, brief = told(story, tmp_path, monkeypatch)
    if request.config.getoption("--update-golden"):
        (story / "changes.json").write_text(changes)
        (story / "brief.md").write_text(brief)
    assert changes == (story / "changes.json").read_text()
    assert brief == (story / "brief.md").read_text()
