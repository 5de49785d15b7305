"""What is masked before a message is read, how far a stranger's passage goes, and what a sentence points at."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.frames import outcome, rows
from psychmem_py.extraction.mask import OPAQUE, masked
from psychmem_py.memory.admission import FORGET_ABOUT
from tests.data import holds
from tests.shipped_languages import MATCHER, swept, texts_kept

test_a_text = holds("extraction", {
    "masked away": lambda text: ("never" in masked(text), False),
    "what the client types for the person is not theirs": lambda before: ("never" in masked(f"{before}\n\nnever call it"), False),
    "the sentence before is what is to be remembered": lambda fact, pointing: (bare(f"{fact} {pointing}"), [fact.rstrip(".。।")]),
    "a wish to forget names its subject": lambda text, subject: (wishes(text), [subject]),
    "a person s own words stay": lambda text: ("never" in masked(text), True),
    "how far a passage goes": lambda text, reasons: ([verdict.reason or "own" for verdict in swept(text)], reasons),
    "a path is one word whatever is glued to it": lambda text, path: (masked(text), text.replace(path, OPAQUE * len(path))),
    "words with a slash between them are no path": lambda text: (masked(text), text),
    "what points takes the sentence before along": lambda before, rule: (
        [text for text in texts_kept(f"{before} {rule}") if rule in text], [f"{before} {rule}"],
    ),
})  # fmt: skip


def test_names_become_one_opaque_word():
    assert masked("call Node.js on <HOST> from Header.js") == f"call Node.js on {OPAQUE * 6} from {OPAQUE * 9}"
    assert masked("use `a b` and src/x/y.py") == f"use {OPAQUE * 5} and {OPAQUE * 10}"


def test_a_pasted_document_leaves_the_words_before_it():
    pasted = "\n".join(f"## Part {n}\nAll of these parts must be read with care by all.\n" + "x y z " * 20 for n in range(8))
    assert masked("please read this and never lose it\n\n" + pasted).split() == "please read this and never lose it".split()


def test_a_page_copied_without_its_marks_leaves_the_words_before_it():
    """What a browser copies of an issue has its headings as bare lines."""
    page = "".join(
        f"{name}\nEvery order that is placed at night must never be charged before the shop opens again. {'It fails. ' * 30}\n"
        for name in ("Summary", "Details", "Proof of concept")
    )
    said = "look at this with care and never lose it\n\n"
    assert masked(said + page).split() == said.split()
    assert "never be charged" in masked(page[:400])  # a short message is the person's own
    remarks = "\n- parcels are weighed in the hall before the van leaves the yard and never later" * 12
    assert "never" in masked("a few remarks:" + remarks)


@given(st.text(alphabet="ab\"'`<>/.\n#|-:*( あ", max_size=120))
def test_masking_keeps_length_and_line_breaks(text: str):
    assert [char == "\n" for char in masked(text)] == [char == "\n" for char in text]


def outcomes(kind: str) -> dict[str, str]:
    return {row.text: outcome(row.text, MATCHER) for row in rows() if row.kind == kind}


DRAWS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.parametrize("draw", ["earlier_draws", "seventh_draw", "eighth_draw"])
def test_who_asks_about_a_text_did_not_say_it(draw: str):
    found = [(row, outcome(row.text, MATCHER)) for row in rows(DRAWS / f"pastes_{draw}.tsv")]
    frames = [(row, what) for row, what in found if row.kind == "frame"]
    assert len(frames) == len(found) / 2 >= 40
    kept = [row.text for row, what in frames if what == "kept"]
    asked = [row.text for row, what in found if row.kind == "honest" and what in ("asks", "quoted")]
    assert len(kept) <= 0.05 * len(frames), kept
    assert len(asked) <= 0.01 * len(frames), asked


def test_a_strangers_rule_is_not_kept_unasked_and_an_honest_one_that_looks_like_it_is() -> None:
    found = outcomes("honest")
    lost = [text for text, what in found.items() if what == "quoted"]
    asked = [text for text, what in found.items() if what == "asks"]
    assert len(lost) <= 0.02 * len(found), lost
    assert len(asked) <= 0.02 * len(found), asked
    found = outcomes("frame")
    unasked = [text for text, what in found.items() if what == "kept"]
    assert len(unasked) <= 0.01 * len(found), unasked


MANY = [tuple(line.split("\t")) for line in (Path(__file__).parents[1] / "data" / "pointing.tsv").read_text("utf-8").splitlines()]


def bare(text: str) -> list[str]:
    return [one.rstrip(".。।") for one in texts_kept(text)]


def wishes(text: str) -> list[str]:
    return [verdict.candidate.text for verdict in swept(text) if verdict.reason == FORGET_ABOUT]


@pytest.mark.parametrize("language", sorted({line[0] for line in MANY}))
def test_it_is_seen_in_many_words_of_each_language(language):
    """Fourteen sentences a language, half of them read while the phrases were made: 81 of 224 held before, 221 then."""
    said = [(fact, pointing) for code, fact, pointing in MANY if code == language]
    missed = [one for one in said if bare(" ".join(one)) != [one[0].rstrip(".。।")]]
    assert len(missed) <= 2, missed


def test_what_points_at_nothing_is_no_memory_and_what_says_something_itself_stands_alone() -> None:
    assert (texts_kept("Remember that."), texts_kept("Is the box up? Remember that.")) == ([], [])
    assert texts_kept("The box is slow. Remember that the port is 8080.") == ["the port is 8080."]
    kept = texts_kept("Refunds are booked at night. Never touch the ledger table by hand.")
    assert "Never touch the ledger table by hand." in kept
    assert wishes("Forget it, the build is green.") == []
