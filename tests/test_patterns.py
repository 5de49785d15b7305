"""Every language file against its own example sentences, and against all the others."""

from __future__ import annotations

import tomllib

import pytest

from psychmem_py import languages
from psychmem_py.core.patterncheck import check
from psychmem_py.core.phrases import Language
from psychmem_py.core.weigh import FAMILIES

LOADED = languages.load()
FILTERS = {
    "question", "negation", "hedge", "hypothetical", "meta_talk", "recall", "forget", "task_request",
    "quotation", "list_choice", "narration", "observation", "smalltalk", "temporary",
}  # fmt: skip
LEXICON = {"code", "agent", "tool", "product", "person", "verb_request", "resolution", "pronoun"}


@pytest.fixture(scope="module")
def problems():
    neutral = tomllib.loads((languages.SHIPPED / "_neutral.toml").read_text("utf-8"))
    return check(LOADED, neutral["neutral"])


@pytest.mark.parametrize("language", LOADED, ids=lambda language: language.code)
def test_a_language_file_keeps_its_own_examples(language: Language, problems):
    wrong = [str(problem) for problem in problems if problem.language == language.code]
    assert not wrong, "\n".join(wrong)


def test_every_phrase_can_be_read(problems):
    wrong = [str(problem) for problem in problems if not problem.language]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LOADED, ids=lambda language: language.code)
def test_a_language_file_names_only_known_families(language: Language):
    known = {(f"signals.{category}", family) for category, family in FAMILIES}
    known |= (
        {("filters", name) for name in FILTERS}
        | {("scope", name) for name in ("user", "project")}
        | {("lexicon", name) for name in LEXICON}
    )
    assert set(language.groups) - known == set()
