"""What of a message is the speaker's own words; offsets must hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.extraction.mask import OPAQUE, masked

GONE = [
    pytest.param("```\nnever\n```", id="fence"),
    pytest.param("```py\nnever", id="open fence"),
    pytest.param("> never", id="quoted line"),
    pytest.param("2026-01-02 10:00:00 never", id="log line"),
    pytest.param("[ERROR] never", id="level"),
    pytest.param("warning: unused import, it is never read", id="compiler"),
    pytest.param("npm warn deprecated foo@1.2.3: never use it", id="package manager"),
    pytest.param("TypeError: never", id="exception"),
    pytest.param("    at never (app.js:10:2)", id="frame"),
    pytest.param('  File "never.py", line 3, in f', id="python frame"),
    pytest.param("$ never --run", id="prompt"),
    pytest.param("  -f, --force  Never ask before a parcel is sent", id="an option of a usage text"),
    pytest.param("@@ -1,2 +1,2 @@\n-never\n+never", id="hunk"),
    pytest.param("| a | never |", id="table"),
    pytest.param("<system-reminder>\nnever\n</system-reminder>", id="reminder"),
    pytest.param("Hello\n<system-reminder>\nnever", id="reminder that nobody closes"),
    pytest.param("<EXTREMELY-IMPORTANT>\nnever", id="capitals that nobody closes"),
    pytest.param("<task-notification>never</task-notification>", id="notification"),
    pytest.param("This session is being continued from a previous conversation that ran out.\nnever", id="continuation"),
    pytest.param('"never do this at all again" he wrote', id="quotation"),
    pytest.param("“never do this at all again” he wrote", id="typographic quotation"),
    pytest.param("「絶対に never 使わないでください」と書いてある", id="corner quotation"),
    pytest.param('  "never": true,', id="json"),
    pytest.param("const never = call(1);", id="code line"),
    pytest.param("if never (is called)", id="a condition of code"),
    pytest.param("for (i = 0; never ;)", id="a loop that only looks like a wink"),
    pytest.param("for never in all of the items:", id="a loop"),
    pytest.param("GET /never 200 12ms", id="a line of a server"),
    pytest.param("(.venv) me@host:~/depot$ never", id="prompt of an environment"),
    pytest.param("Rules of the depot\n" + "- Parcels are weighed in the hall before the van leaves the yard and never later\n" * 12,
                 id="a long list of a document"),
]  # fmt: skip


@pytest.mark.parametrize("text", GONE)
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


@pytest.mark.parametrize("before", ["Implement the following plan:", "Operation stopped by hook: lint failed"])
def test_what_the_client_types_for_the_person_is_not_theirs(before: str):
    assert "never" not in masked(f"{before}\n\nnever call the old endpoint").text


@given(st.text(alphabet="ab\"'`<>/.\n#|-:*( あ", max_size=120))
def test_masking_keeps_length_and_line_breaks(text: str):
    out = masked(text).text
    assert len(out) == len(text)
    assert [i for i, c in enumerate(out) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
