"""The tokeniser: what words a text has, and when two texts say the same."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.text import tokenizer
from psychmem_py.text.dates import dates_named
from psychmem_py.text.tokenizer import query_terms, search_terms
from tests.data import cases

TEXTS = st.text(max_size=200)


@pytest.mark.parametrize(("written", "wanted"), cases("text", "a text is indexed under"))
def test_a_text_is_indexed_under(written: str, wanted: list[str]) -> None:
    terms = tokenizer.search_terms(written).split()
    assert [term for term in wanted if term not in terms] == []


@pytest.mark.parametrize(
    ("query", "dropped"),
    [
        ("what is the port of the api", {"what", "is", "the", "of"}),
        ("wie heißt die Datenbank und wo ist sie", {"wie", "die", "und", "wo", "ist", "sie"}),
        ("не используй это для тестов", {"не", "это", "для"}),
        ("¿dónde están los secretos de la API?", {"donde", "los", "de", "la"}),
    ],
)
def test_stop_words_are_not_asked_for(query: str, dropped: set[str]) -> None:
    assert dropped.isdisjoint(tokenizer.query_terms(query))


def test_a_foreign_stop_word_in_an_english_question_is_a_word_of_the_trade() -> None:
    assert "bin" in tokenizer.query_terms("what is in the bin of the project")


def test_a_question_of_stop_words_only_keeps_them() -> None:
    assert tokenizer.query_terms("what is it") == ["what", "is", "it"]


def test_every_stop_word_is_written_folded() -> None:
    every = tokenizer.ENGLISH.union(tokenizer.OTHER, *tokenizer.LATIN_SETS.values())
    assert [word for word in every if tokenizer.index_form(word) != word] == []


@pytest.mark.parametrize(("asking", "wanted"), cases("text", "dates are asked for in the spelling of the index"))
def test_dates_are_asked_for_in_the_spelling_of_the_index(asking: str, wanted: list[str]) -> None:
    assert dates_named(tokenizer.index_form(asking), tokenizer.words(asking)) == wanted


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_a_share(a: str, b: str) -> None:
    assert tokenizer.similarity(a, b) == tokenizer.similarity(b, a)
    assert 0.0 <= tokenizer.similarity(a, b) <= 1.0


@given(TEXTS)
def test_a_text_is_wholly_similar_to_itself(a: str) -> None:
    assert tokenizer.similarity(a, a) == 1.0


@given(TEXTS, st.integers(min_value=0, max_value=60))
def test_clipped_text_fits(a: str, limit: int) -> None:
    assert len(tokenizer.clip(a, limit)) <= limit or len(a) <= limit


@given(TEXTS)
def test_query_terms_hold_no_query_syntax(a: str) -> None:
    assert all('"' not in term and " " not in term and term for term in tokenizer.query_terms(a))


@given(TEXTS)
def test_spacing_and_case_do_not_change_the_digest(a: str) -> None:
    assert tokenizer.digest(f"  {a}\n ") == tokenizer.digest(a)


@pytest.mark.parametrize(("stored", "asked_for"), cases("text", "another form of a word meets it"))
def test_another_form_of_a_word_meets_it(stored: str, asked_for: str) -> None:
    assert set(tokenizer.search_terms(stored).split()) & set(tokenizer.query_terms(asked_for))


@given(st.text(min_size=1, max_size=20))
def test_stemming_is_a_shortening(word: str) -> None:
    assert tokenizer.stem(word) in word


# What the two scanners must find, as regular expressions: these are exact but cost every hook 5 ms to load and compile.
_COMPOUND = re.compile(r"\w+(?:[-_.]\w+)+|\w*[a-z][A-Z]\w*")
_HUMP = re.compile(r"[A-Z]{3,}(?![a-z])|[A-Z]?[a-z]{2,}")


@given(st.text(st.sampled_from("abAB1_-. é漢\n"), max_size=12) | st.text(max_size=12))
def test_compounds_are_what_the_expression_finds(written: str) -> None:
    assert tokenizer._compounds(written) == [re.split("[-.]", found) for found in _COMPOUND.findall(written)]


@given(st.text(st.sampled_from("abABC1é"), max_size=12))
def test_humps_are_what_the_expression_finds(piece: str) -> None:
    assert tokenizer._humps(piece) == _HUMP.findall(piece)


def test_traditional_and_simplified_characters_are_one() -> None:
    assert search_terms("資料庫") == search_terms("资料库")


@pytest.mark.parametrize(("text", "asked_for"), cases("text", "pairs of signs of grammar are not asked for"))
def test_pairs_of_signs_of_grammar_are_not_asked_for(text: str, asked_for: list[str]) -> None:
    assert query_terms(text) == asked_for


def test_what_calls_for_nothing_has_no_words_without_its_grammar() -> None:
    assert query_terms("是我的", grammar=False) == []
    assert query_terms("so what is it", grammar=False) == []


def test_a_capital_letter_behind_a_word_is_its_name() -> None:
    assert "buildinga" in search_terms("the badge office is in Building A.").split()
    assert query_terms("what is in building A") == ["building", "buildinga"]
    assert query_terms("It is done. A test runs") == ["done", "test", "runs"]
    assert query_terms("should I") == query_terms("should i")
