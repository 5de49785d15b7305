"""The labelled sentences of tests/data, written for this project: extraction as a whole may not get worse unseen."""

import json
from pathlib import Path

from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.sweep_lines import as_json, message_of, results
from psychmem_py.languages import files

FILE = Path(__file__).parent / "data" / "extraction.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def test_what_is_kept_deserves_it_most_of_that_is_kept_and_most_classes_are_right():
    matcher = files.matcher()
    kept = {row["id"]: as_json(row["id"], sweep([message_of(row)], matcher))["memories"] for row in ROWS}
    wrong = [row["text"] for row in ROWS if kept[row["id"]] and not row["labels"]]
    assert len(wrong) <= 0.03 * len(ROWS), wrong
    wanted = [row for row in ROWS if row["labels"]]
    missed = [row["text"] for row in wanted if not kept[row["id"]]]
    assert len(missed) <= 0.2 * len(wanted), missed
    pairs = [(row["labels"][0]["class"], kept[row["id"]][0]["class"]) for row in wanted if kept[row["id"]]]
    assert sum(a == b for a, b in pairs) >= 0.85 * len(pairs)


def test_a_line_of_the_sweep_command_names_memories_and_refusals():
    line = json.dumps({"id": "a", "role": "user", "text": "Never push to main.\nShould we never test?", "prev_assistant": None})
    (found,) = results([line], files.matcher())
    said = {"text": "Never push to main.", "quote": "Never push to main."}
    memory = {**said, "class": "constraint", "scope": "project", "confidence": 0.68, "store": "stm"}
    refused = {"text": "Should we never test?", "gate": "question", "reason": "question"}
    assert json.loads(found) == {"id": "a", "memories": [memory], "rejected": [refused]}
