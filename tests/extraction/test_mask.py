"""What of a message is the speaker's own words; offsets must hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.extraction.mask import OPAQUE, masked
from tests.data import cases


@pytest.mark.parametrize("text", cases("extraction", "masked away"))
def test_masked_away(text: str):
    assert "never" not in masked(text).text


STAYS = [
    pytest.param("use the never spelling :)", id="a smile is no end of code"),
    pytest.param("try never ;-)", id="a wink is none"),
    pytest.param("never push", id="prose"),
    pytest.param("- never push", id="list item"),
    pytest.param("# never push", id="a note behind a hash"),
    pytest.param("never use `foo`", id="beside inline code"),
    pytest.param("use <my-button> here and never <button>", id="behind the name of a tag"),
    pytest.param("<CLIENT> must never see <EMAIL> or https://<DOMAIN>/x", id="beside placeholders"),
    pytest.param("with Next.js never", id="beside a library named like a file"),
    pytest.param("never edit src/app.py", id="beside a path"),
    pytest.param('never rename "Save" here', id="beside a short name in quotes"),
    pytest.param("don't never ever 'quote'", id="apostrophes"),
    pytest.param("this and/or that never", id="a slash between words"),
    pytest.param("-f, never: it hides what went wrong", id="a sentence that begins with an option"),
    pytest.param("--force is never used here", id="a sentence about an option"),
    pytest.param("use pnpm, never npm (we have workspaces)", id="a sentence that begins with a word of code"),
    pytest.param("POST /orders answers with 201 and never with 200.", id="a sentence about a route"),
    pytest.param(
        "a few remarks:\n" + "- parcels are weighed in the hall before the van leaves the yard and never later\n" * 12,
        id="a long list in lower case",
    ),
]


@pytest.mark.parametrize("text", STAYS)
def test_kept(text: str):
    assert "never" in masked(text).text


def test_names_become_one_opaque_word():
    assert masked("call Node.js on <HOST> from Header.js").text == f"call Node.js on {OPAQUE * 6} from {OPAQUE * 9}"
    assert masked("use `a b` and src/x/y.py").text == f"use {OPAQUE * 5} and {OPAQUE * 10}"


def test_a_pasted_document_leaves_the_words_before_it():
    document = "\n".join(
        f"## Part {n}\nAll of these parts must be read with care by everyone.\n" + "x y z " * 20 for n in range(8)
    )
    assert (
        masked("please read this and never lose it\n\n" + document).text.split() == "please read this and never lose it".split()
    )


def test_a_page_copied_without_its_marks_leaves_the_words_before_it():
    """What a browser copies of an issue has its headings as bare lines."""
    page = "".join(
        f"{name}\nEvery order that is placed at night must never be charged before the shop opens again. {'It fails. ' * 30}\n"
        for name in ("Summary", "Details", "Proof of concept")
    )
    said = "look at this with care and never lose it\n\n"
    assert masked(said + page).text.split() == said.split()
    assert "never be charged" in masked(page[:400]).text  # a short message is the person's own


@pytest.mark.parametrize("before", cases("extraction", "what the client types for the person is not theirs"))
def test_what_the_client_types_for_the_person_is_not_theirs(before: str):
    assert "never" not in masked(f"{before}\n\nnever call the old endpoint").text


@given(st.text(alphabet="ab\"'`<>/.\n#|-:*( あ", max_size=120))
def test_masking_keeps_length_and_line_breaks(text: str):
    out = masked(text).text
    assert len(out) == len(text)
    assert [i for i, c in enumerate(out) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
