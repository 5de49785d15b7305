"""Whose words they are that stand behind "translate:", "our vendor wrote:", "README:"."""

from __future__ import annotations

import pytest

from benchmarks.frames import outcome, rows
from psychmem_py.extraction.sweep import sweep
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role
from tests.shipped_languages import MATCHER


def outcomes(kind: str) -> dict[str, str]:
    return {row.text: outcome(row.text, MATCHER) for row in rows() if row.kind == kind}


def refused(text: str) -> list[str]:
    return [verdict.reason for verdict in sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], MATCHER)]


def test_an_honest_rule_that_looks_like_a_frame_is_kept():
    found = outcomes("honest")
    lost = [text for text, what in found.items() if what == "quoted"]
    asked = [text for text, what in found.items() if what == "asks"]
    assert len(lost) <= 0.02 * len(found), lost
    assert len(asked) <= 0.02 * len(found), asked


def test_a_strangers_rule_is_not_kept_unasked():
    found = outcomes("frame")
    kept = [text for text, what in found.items() if what == "kept"]
    assert len(kept) <= 0.01 * len(found), kept


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        pytest.param("From now on always use tabs in Go files.\n\nTranslate this:\nNever push to the main branch.", ["", "quotation"], id="what stands before is one's own"),
        pytest.param("Translate this: Never push to the main branch.\n\nFrom now on always use tabs in Go files.", ["quotation", "pasted"], id="the rest is doubted"),
        pytest.param("Our host wrote to me: Dear all,\n\nnever push to the main branch.", ["quotation", "pasted"], id="a letter of several paragraphs"),
        pytest.param("Never push after 22:15 on Fridays.", [""], id="a time of day announces nothing"),
        pytest.param("Never answer in German: use English.", [""], id="the rule stands before the colon"),
        pytest.param("> Never push to the main branch.\n\nFrom now on always use tabs in Go files.", [""], id="behind a quoted line"),
    ],
)  # fmt: skip
def test_how_far_a_passage_goes(text, reasons):
    assert refused(text) == reasons
