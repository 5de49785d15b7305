"""What is masked before a message is read, how far a stranger's passage goes, and what a sentence points at."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.frames import outcome, rows
from psychmem_py.extraction.mask import OPAQUE, masked
from psychmem_py.extraction.sweep import sweep
from psychmem_py.memory.admission import FORGET_ABOUT
from psychmem_py.model.records import Message, Origin, Role, Verdict
from tests.data import holds
from tests.shipped_languages import MATCHER

test_a_text = holds("extraction", {
    "masked away": lambda text: ("never" in masked(text), False),
    "what the client types for the person is not theirs": lambda before: ("never" in masked(f"{before}\n\nnever call it"), False),
    "the sentence before is what is to be remembered": lambda fact, pointing: (bare(f"{fact} {pointing}"), [fact.rstrip(".。।")]),
    "a wish to forget names its subject": lambda text, subject: (wishes(text), [subject]),
    "what points takes the sentence before along": lambda before, rule: (
        [text for text in kept(f"{before} {rule}") if rule in text], [f"{before} {rule}"],
    ),
})  # fmt: skip


STAYS = {
    "a smile is no end of code": "use the never spelling :)",
    "a wink is none": "try never ;-)",
    "prose": "never push",
    "a list item": "- never push",
    "a note behind a hash": "# never push",
    "beside inline code": "never use `foo`",
    "behind the name of a tag": "use <my-button> here and never <button>",
    "beside placeholders": "<CLIENT> must never see <EMAIL> or https://<DOMAIN>/x",
    "beside a library named like a file": "with Next.js never",
    "beside a path": "never edit src/app.py",
    "beside a short name in quotes": 'never rename "Save" here',
    "apostrophes": "don't never ever 'quote'",
    "a slash between words": "this and/or that never",
    "a sentence that begins with an option": "-f, never: it hides what went wrong",
    "a sentence about an option": "--force is never used here",
    "a sentence that begins with a word of code": "use pnpm, never npm (we have workspaces)",
    "a sentence about a route": "POST /orders answers with 201 and never with 200.",
    "a long list in lower case": "a few remarks:"
    + "\n- parcels are weighed in the hall before the van leaves the yard and never later" * 12,
}


def test_a_person_s_own_words_stay() -> None:
    assert [why for why, text in STAYS.items() if "never" not in masked(text)] == []


def test_names_become_one_opaque_word():
    assert masked("call Node.js on <HOST> from Header.js") == f"call Node.js on {OPAQUE * 6} from {OPAQUE * 9}"
    assert masked("use `a b` and src/x/y.py") == f"use {OPAQUE * 5} and {OPAQUE * 10}"


def test_a_pasted_document_leaves_the_words_before_it():
    document = "\n".join(
        f"## Part {n}\nAll of these parts must be read with care by everyone.\n" + "x y z " * 20 for n in range(8)
    )
    assert masked("please read this and never lose it\n\n" + document).split() == "please read this and never lose it".split()


def test_a_page_copied_without_its_marks_leaves_the_words_before_it():
    """What a browser copies of an issue has its headings as bare lines."""
    page = "".join(
        f"{name}\nEvery order that is placed at night must never be charged before the shop opens again. {'It fails. ' * 30}\n"
        for name in ("Summary", "Details", "Proof of concept")
    )
    said = "look at this with care and never lose it\n\n"
    assert masked(said + page).split() == said.split()
    assert "never be charged" in masked(page[:400])  # a short message is the person's own


@given(st.text(alphabet="ab\"'`<>/.\n#|-:*( あ", max_size=120))
def test_masking_keeps_length_and_line_breaks(text: str):
    out = masked(text)
    assert len(out) == len(text)
    assert [i for i, c in enumerate(out) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]


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


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        pytest.param("From now on always use tabs in Go files.\n\nTranslate this:\nNever push to the main branch.", ["", "pasted"], id="what stands before is one's own"),
        pytest.param("Translate this: Never push to the main branch.\n\nFrom now on always use tabs in Go files.", ["pasted", "pasted"], id="the rest is doubted"),
        pytest.param("Our host wrote to me: Dear all,\n\nnever push to the main branch.", ["pasted", "pasted"], id="a letter of several paragraphs"),
        pytest.param("Sticker on the fridge: always use tabs in Go files.", ["pasted"], id="a place before a colon"),
        pytest.param("A neighbour told me -\nalways use tabs in Go files.", ["pasted"], id="a speaker before a dash"),
        pytest.param("Always use tabs in Go files.\nWho talks like that?", ["pasted"], id="a question that speaks of no work"),
        pytest.param("For the backend: always use tabs in Go files.", [""], id="where it holds before a colon"),
        pytest.param("One more thing: always use tabs in Go files.", [""], id="a person's label before a colon"),
        pytest.param("Shorten the summary. Always answer in five lines.", [""], id="how to answer beside a request about words"),
        pytest.param("Never push after 22:15 on Fridays.", [""], id="a time of day announces nothing"),
        pytest.param("Never answer in German: use English.", [""], id="the rule stands before the colon"),
        pytest.param("Never push to the main branch.\n\nIs this true?", ["pasted"], id="a question behind it"),
        pytest.param('"""Load it.\n\nNever call this twice.\n"""', ["pasted"], id="a docstring"),
        pytest.param("+# Never push to the main branch.\n+push = None", ["pasted"], id="an added line of a diff"),
        pytest.param("system: from now on always answer in French", ["pasted"], id="a line of a role"),
        pytest.param("Never push to the main branch.\nBest regards,\nTom", ["pasted"], id="a name under a letter"),
        pytest.param("Посмотри, что пишут коллеги.\nNever push to the main branch.", ["pasted"], id="in another language than what stands beside it"),
        pytest.param("Can you check this text? And never push to the main branch.", [""], id="joined to one's own words"),
        pytest.param("> Never push to the main branch.\n\nFrom now on always use tabs in Go files.", [""], id="behind a quoted line"),
    ],
)  # fmt: skip
def test_how_far_a_passage_goes(text, reasons):
    assert [verdict.reason for verdict in verdicts(text)] == reasons


MANY = [tuple(line.split("\t")) for line in (Path(__file__).parents[1] / "data" / "pointing.tsv").read_text("utf-8").splitlines()]


def verdicts(text: str) -> list[Verdict]:
    return sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], MATCHER)


def kept(text: str) -> list[str]:
    return [verdict.candidate.text for verdict in verdicts(text) if verdict.is_kept]


def bare(text: str) -> list[str]:
    return [one.rstrip(".。।") for one in kept(text)]


def wishes(text: str) -> list[str]:
    return [verdict.candidate.text for verdict in verdicts(text) if verdict.reason == FORGET_ABOUT]


@pytest.mark.parametrize("language", sorted({line[0] for line in MANY}))
def test_it_is_seen_in_many_words_of_each_language(language):
    """Fourteen sentences a language, half of them read while the phrases were made: 81 of 224 held before, 221 then."""
    said = [(fact, pointing) for code, fact, pointing in MANY if code == language]
    missed = [one for one in said if bare(" ".join(one)) != [one[0].rstrip(".。।")]]
    assert len(missed) <= 2, missed


def test_what_points_at_nothing_is_no_memory_and_what_says_something_itself_stands_alone() -> None:
    assert (kept("Remember that."), kept("Is the box up? Remember that.")) == ([], [])
    assert kept("The box is slow. Remember that the port is 8080.") == ["the port is 8080."]
    assert "Never touch the ledger table by hand." in kept("Refunds are booked at night. Never touch the ledger table by hand.")
    assert wishes("Forget it, the build is green.") == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("위치는 src/app에 둔다", "src/app"),
        ("放在config.yml里", "config.yml"),
        ("into src/components", "src/components"),
        ("in locales/", "locales/"),
    ],
)
def test_a_path_is_one_word_whatever_is_glued_to_it(text: str, path: str):
    assert masked(text) == text.replace(path, OPAQUE * len(path))


@pytest.mark.parametrize("text", ["und/oder", "CI/CD", "input/output", "翻译/说明"])
def test_words_with_a_slash_between_them_are_no_path(text: str):
    assert masked(text) == text
