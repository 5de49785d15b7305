"""The tokeniser: what words a text has, and when two texts say the same."""

import re

from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.text import tokenizer
from psychmem_py.text.dates import dates_named
from psychmem_py.text.likeness import similarity
from psychmem_py.text.tokenizer import query_terms, search_terms
from tests.data import holds

TEXTS = st.text(max_size=200)


test_a_text = holds("text", {
    "a text is indexed under": lambda text, wanted: ({*wanted} - {*search_terms(text).split()}, set()),
    "dates are asked for in the spelling of the index": lambda text, wanted: (
        dates_named(tokenizer.index_form(text), tokenizer.words(text)), wanted,
    ),
    "another form of a word meets it": lambda text, asked: (bool({*search_terms(text).split()} & {*query_terms(asked)}), True),
    "stop words are not asked for": lambda text, dropped: ({*dropped} & {*query_terms(text)}, set()),
    "pairs of signs of grammar are not asked for": lambda text, asked: (query_terms(text), asked),
})  # fmt: skip


def test_stop_words_alone_are_kept_and_those_of_another_language_too() -> None:
    assert "bin" in tokenizer.query_terms("what is in the bin of the project")
    assert tokenizer.query_terms("what is it") == ["what", "is", "it"]
    assert (query_terms("是我的", grammar=False), query_terms("so what is it", grammar=False)) == ([], [])


def test_every_stop_word_is_written_folded() -> None:
    every = tokenizer.ENGLISH.union(tokenizer.OTHER, *tokenizer.LATIN_SETS.values())
    assert [word for word in every if tokenizer.index_form(word) != word] == []


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_a_share_and_all_of_it_for_a_text_with_itself(a: str, b: str) -> None:
    assert similarity(a, b) == similarity(b, a)
    assert 0.0 <= similarity(a, b) <= similarity(a, a) == 1.0


@given(TEXTS, st.integers(min_value=0, max_value=60))
def test_clipped_text_fits_its_query_has_no_syntax_and_its_digest_no_spacing_and_case(a: str, limit: int) -> None:
    assert len(tokenizer.clip(a, limit)) <= limit or len(a) <= limit
    assert all('"' not in term and " " not in term and term for term in tokenizer.query_terms(a))
    assert tokenizer.digest(f"  {a}\n ") == tokenizer.digest(a)


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


def test_what_is_one_word_to_the_index() -> None:
    assert search_terms("資料庫") == search_terms("资料库")
    assert "buildinga" in search_terms("the badge office is in Building A.").split()
    assert query_terms("what is in building A") == ["building", "buildinga"]
    assert query_terms("It is done. A test runs") == ["done", "test", "runs"]
    assert query_terms("in January 2026") == ["january", "january2026"]  # not all of 2026
    assert tokenizer.words("C++17 (C#), C and page.doc#top") == "cpp 17 csharp c and page doc top".split()
    assert query_terms("should I") == query_terms("should i")
