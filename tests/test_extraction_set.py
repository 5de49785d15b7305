"""The labelled sentences of tests/data, written for this project: extraction as a whole may not get worse unseen."""

import json
from pathlib import Path

import pytest

from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.sweep_lines import as_json, message_of, results
from psychmem_py.languages import files

FILE = Path(__file__).parent / "data" / "extraction.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def kept():
    matcher = files.matcher()
    return {row["id"]: as_json(row["id"], sweep([message_of(row)], matcher))["memories"] for row in ROWS}


def test_what_is_kept_deserves_it(kept):
    wrong = [row["text"] for row in ROWS if kept[row["id"]] and not row["labels"]]
    assert len(wrong) <= 0.03 * len(ROWS), wrong


def test_most_of_what_deserves_it_is_kept(kept):
    wanted = [row for row in ROWS if row["labels"]]
    missed = [row["text"] for row in wanted if not kept[row["id"]]]
    assert len(missed) <= 0.2 * len(wanted), missed


def test_most_classes_are_right(kept):
    pairs = [(row["labels"][0]["class"], kept[row["id"]][0]["class"]) for row in ROWS if row["labels"] and kept[row["id"]]]
    assert sum(a == b for a, b in pairs) >= 0.85 * len(pairs)


def test_a_line_of_the_sweep_command_names_memories_and_refusals():
    line = json.dumps({"id": "a", "role": "user", "text": "Never push to main.\nShould we never test?", "prev_assistant": None})
    (found,) = results([line], files.matcher())
    assert json.loads(found) == {
        "id": "a",
        "memories": [
            {
                "text": "Never push to main.",
                "quote": "Never push to main.",
                "class": "constraint",
                "scope": "project",
                "confidence": 0.68,
                "store": "stm",
            }
        ],
        "rejected": [{"text": "Should we never test?", "gate": "question", "reason": "question"}],
    }
