"""What took the place of what, by name, in sixteen languages; and what only speaks of the same name."""

from __future__ import annotations

from pathlib import Path

import pytest

from psychmem_py.memory.compare import Relation, compared
from psychmem_py.memory.exchange import exchange, replaced_by
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import Kind
from tests.data import cases

PAIRS = Path(__file__).parent.parent / "data" / "pairs.txt"


@pytest.mark.parametrize("pair", cases("memory", "what took the place of another ends it"))
def test_what_took_the_place_of_another_ends_it(pair: str) -> None:
    known, new = pair.split(" | ")
    assert replaced_by(new, known)


@pytest.mark.parametrize("pair", cases("memory", "what only shares a name or a word stays"))
def test_what_only_shares_a_name_or_a_word_stays(pair: str) -> None:
    known, new = pair.split(" | ")
    assert not replaced_by(new, known)


def test_a_name_of_several_words_is_read_to_its_end() -> None:
    assert exchange("We switched from Cloud Build to GitHub Actions last week") == ("cloud build", "github actions", "we")
    assert exchange("We ship every week") is None


def test_what_a_statement_says_it_replaces_goes_and_what_is_of_another_subject_stays() -> None:
    said, _, stays = PAIRS.read_text("utf-8").partition("[said]\n")[2].partition("[stays]\n")
    verdicts = [
        [
            compared(new, known, Kind.SEMANTIC, DEFAULTS.reconcile).relation is Relation.CHANGED
            for known, new in map(_pair, part.splitlines())
        ]
        for part in (said, stays)
    ]
    assert len(verdicts[0]) + len(verdicts[1]) >= 180
    assert sum(verdicts[0]) >= 0.9 * len(verdicts[0])
    assert sum(verdicts[1]) <= 0.03 * len(verdicts[1])


def _pair(line: str) -> tuple[str, str]:
    known, _, new = line.partition(" | ")
    return known, new
