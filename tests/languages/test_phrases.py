"""The pattern language: what each sign means, and language files of one's own."""

import json
from pathlib import Path

import pytest

from psychmem_py.errors import PatternError
from psychmem_py.extraction.sweep_lines import results
from psychmem_py.languages import files
from psychmem_py.languages.files import load
from psychmem_py.languages.matcher import Family, Language, Matcher, languages_of
from psychmem_py.text.folding import fold
from tests.data import cases, holds
from tests.shipped_languages import MATCHER


def language(*said: str, code: str = "xx", boundary: str = "word", words: dict[str, tuple[str, ...]] | None = None) -> Language:
    return Language(code, code, "Latin", boundary, ("the",), (), words or {}, {("signals.x", "y"): Family(said)}, f"{code}.toml")


def span(phrase: str, text: str, **options: object) -> str:
    found = Matcher([language(phrase, **options)]).hits(fold(text), ["xx"])  # type: ignore[arg-type]
    return text[found[0].start : found[0].end] if found else ""


LANGUAGES = load()


def named(phrase: str, **words: tuple[str, ...]) -> tuple[int, bool]:
    """How many faults a phrase beside a right one has, and whether that one is found."""
    matcher = Matcher([language(phrase, "always", words=words)])
    return len([fault for fault in matcher.check() if not words or "deep" in fault]), bool(matcher.hits("always", ["xx"]))


test_a_phrase = holds("languages", {
    "a phrase means": lambda phrase, text, expected: (span(phrase, text), expected),
    "a phrase of a script without spaces means": lambda phrase, text, expected: (span(phrase, text, boundary="none"), expected),
    "a wrong phrase is named and left out": lambda phrase: (named(phrase), (1, True)),
    "a phrase nested without end is named and left out": lambda phrase: (named(phrase, itself=("again {itself}",)), (1, True)),
    "a language is told by script and small words": lambda text, code: (languages_of(fold(text), LANGUAGES)[0], code),
})  # fmt: skip


def test_lists_are_named_by_braces():
    assert span("{must} be", "has to be", words={"must": ("must", "has to")}) == "has to be"


def test_folding_keeps_the_length_and_nothing_is_found_in_nothing() -> None:
    assert len(fold("İÀß“”ﬀ")) == len("İÀß“”ﬀ")
    assert MATCHER.hits("", tuple(MATCHER.languages)) == []


def test_a_vowel_sign_that_stands_alone_is_no_word():
    matcher = files.matcher()
    with_sign, without = (matcher.hits(fold(text), ("en",)) for text in ("always \u064c run the tests", "always run the tests"))
    assert {hit.name for hit in with_sign} == {hit.name for hit in without} != set()


def test_phrases_over_the_same_words_are_told_in_the_order_of_their_file():
    words = ("seven", "small", "boats", "leave", "early")  # each phrase is found by another one of them
    phrases = [" ".join(word if word == rare else f"({word}|{word}er)" for word in words) for rare in reversed(words)]
    assert [hit.phrase for hit in Matcher([language(*phrases)]).hits(" ".join(words), ["xx"])] == phrases


PHRASE = 'language = "en"\n[signals.constraint.never]\nphrases = ["paws off"]\n'
SAID = "Paws off the generated folder, in all my projects."
USUAL = "Never edit the generated folder, in all my projects."


def kept(own: Path, text: str) -> bool:
    (found,) = results([json.dumps({"id": "1", "role": "user", "text": text})], files.matcher(own))
    return bool(json.loads(found)["memories"])


def test_a_phrase_of_one_s_own_needs_its_language_and_nothing_else(tmp_path: Path) -> None:
    assert not kept(tmp_path, SAID)
    (tmp_path / "mine.toml").write_text(PHRASE)
    assert kept(tmp_path, SAID)
    assert kept(tmp_path, USUAL)


def test_a_language_can_be_switched_off(tmp_path: Path) -> None:
    assert kept(tmp_path, USUAL)
    (tmp_path / "en.toml").write_text('language = "en"\noff = true\n')
    assert not kept(tmp_path, USUAL)
    assert "en" not in [one.code for one in files.load(tmp_path)]


@pytest.mark.parametrize(("text", "named"), cases("languages", "a slip is named and stops nothing else"))
def test_a_slip_is_named_and_stops_nothing_else(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    assert kept(tmp_path, USUAL)
    with pytest.raises(PatternError, match=named):
        files.load(tmp_path)
