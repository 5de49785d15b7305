"""Verdicts of readers kept without the conversations they were made on, and replayed."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks import replay
from psychmem_py.judging.protocol import Proposal, Ruling, Word
from psychmem_py.model.terms import Kind

ITEM = Proposal(
    "user", "Which database, Postgres or MySQL?", "the first one, and keep it.", "the first one, and keep it", Kind.DECISION
)
OTHER = Proposal("user", "", "Deploy on Fridays? No. ブランチはmainだけ。", "ブランチはmainだけ", Kind.DECISION)


def kept(tmp_path: Path, *answers: dict[str, object]) -> str:
    """What is left of answers to a sheet of the two items."""
    sheet = tmp_path / "sheet.jsonl"
    replay.written([("a", ITEM), ("b", OTHER)], sheet)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in replay.verdicts(replay.read(sheet), answers))


def replayed(tmp_path: Path, file: str, *items: Proposal) -> dict[int, Ruling]:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(file, "utf-8")
    return replay.Replayed([path])(items)


def test_a_better_wording_comes_back_and_is_nowhere_in_the_file(tmp_path: Path) -> None:
    file = kept(
        tmp_path, {"n": 0, "verdict": "keep", "class": "decision", "text": "Postgres, and keep it"}, {"n": 1, "verdict": "drop"}
    )
    assert not any(word in file for word in ("Postgres", "keep it", "ブランチ"))
    assert replayed(tmp_path, file, ITEM, OTHER) == {
        0: Ruling(Word.KEEP, Kind.DECISION, "Postgres, and keep it"),
        1: Ruling(Word.DROP),
    }


def test_a_sentence_that_is_cut_otherwise_by_now_is_found_again(tmp_path: Path) -> None:
    file = kept(tmp_path, {"n": 0, "verdict": "keep"})
    longer = ITEM._replace(sentence="the first one, and keep it.")
    assert replayed(tmp_path, file, longer) == {0: Ruling(Word.KEEP)}
    assert replayed(tmp_path, file, ITEM._replace(sentence="Which database")) == {}
