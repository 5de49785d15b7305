"""Of which matter a statement speaks, and which of several statements, or which part of one, another takes the place of."""

from __future__ import annotations

import pytest

from psychmem_py.memory.compound import left_over
from psychmem_py.memory.matter_words import MATTERS
from psychmem_py.memory.matters import best_fit, matters_of

KNOWN = (
    "Ida rents a flat near the harbour",
    "Ida works at a shipyard",
    "Ida has a terrier called Pip",
    "Jon works at a brewery",
    "The cafeteria serves lentils on Mondays",
)


@pytest.mark.parametrize(
    ("about", "new", "meant"),
    [
        pytest.param("Ida's employer", "Ida joined Maersk", 1, id="the matter and who it is about"),
        pytest.param("where Jon works", "Jon joined Maersk", 3, id="of another"),
        pytest.param("pet", "Ida adopted a greyhound", 2, id="the matter alone"),
        pytest.param("shipyard", "Ida retired", 1, id="a word of it"),
        pytest.param("residence", "Ida moved to Turku", 0, id="the matter in another word"),
    ],
)
def test_what_is_named_is_found_by_its_matter_and_subject(about: str, new: str, meant: int) -> None:
    assert best_fit(about, new, KNOWN) == meant


TOOLS = (
    "Specs run under mocha",
    "Yarn installs the workspace",
    "Retries are capped at three",
    "Rights lie with the GPL",
    "I like tea",
    "Jon goes to bed at nine",
    "Uploads hang, a known bug",
)


@pytest.mark.parametrize(
    ("about", "new", "meant"),
    [
        pytest.param("test framework", "vitest executes them", 0, id="testing"),
        pytest.param("package manager", "pnpm does it now", 1, id="packages"),
        pytest.param("licence", "Everything is under Apache 2.0", 3, id="licence"),
        pytest.param("sleep", "Jon is a night owl", 5, id="sleep"),
        pytest.param("how often it is tried", "Retries are capped at seven", 2, id="the same with another value"),
        pytest.param("taste", "I like quiet", None, id="that could go on with anything"),
        pytest.param("parking", "Parking is capped at three", None, id="of another subject"),
        pytest.param("mascot", "An otter is the mascot", None, id="of nothing here"),
        pytest.param("issue tracker", "Bugs go into Linear", None, id="a word of it that tells nothing"),
    ],
)
def test_what_is_named_may_be_a_tool_or_a_value_said_anew(about: str, new: str, meant: int | None) -> None:
    assert best_fit(about, new, TOOLS) == meant


def test_of_two_that_differ_in_a_value_none_is_meant() -> None:
    assert best_fit("mascot", "Uploads end in bucket c", ("Uploads end in bucket a", "Uploads end in bucket b")) is None


@pytest.mark.parametrize("about", ["shoe size", "favourite film", "zzz"])
def test_what_nothing_speaks_of_is_not_found(about: str) -> None:
    assert best_fit(about, "It is 41 and a half", KNOWN) is None


@pytest.mark.parametrize(
    ("known", "new", "about", "stays"),
    [
        pytest.param("Ida speaks Finnish and follows a keto diet", "Ida went pescatarian", "", "Ida speaks Finnish", id="by matter"),
        pytest.param("Jon drives an Opel and owns a terrier named Pip", "Jon bought a van", "", "Jon owns a terrier named Pip", id="a name in it"),
        pytest.param("Ida has a degree in law and works as a clerk", "Ida joined the navy", "job", "Ida has a degree in law", id="as named"),
        pytest.param("Ida plays chess and lives in Turku", "Everything is different", "chess", "Ida lives in Turku", id="by a word"),
    ],
)  # fmt: skip
def test_the_part_that_is_spoken_of_goes_and_the_other_stays(known: str, new: str, about: str, stays: str) -> None:
    assert left_over(known, new, about) == [stays]


@pytest.mark.parametrize(
    ("known", "new"),
    [
        pytest.param("Ida speaks Finnish and follows a keto diet", "The cafeteria is closed", id="of neither"),
        pytest.param("Ida has no pets and has said this firmly", "Ida adopted a terrier", id="a part that says nothing alone"),
        pytest.param("Ida speaks Finnish", "Ida speaks Danish", id="one statement"),
    ],
)
def test_nothing_is_left_of_a_statement_that_is_not_two(known: str, new: str) -> None:
    assert left_over(known, new) == []


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("Ida relocated to Turku", "home"),
        ("Jon wohnt in Kiel", "home"),
        ("Ana se mudó a Cádiz", "home"),
        ("Luc a déménagé à Brest", "home"),
        ("Ida commutes by bike", "vehicle"),
        ("Jon hat zwei Hunde", "pet"),
        ("Ana paga con tarjeta", "payment"),
        ("Luc parle breton", "tongue"),
    ],
)
def test_a_statement_speaks_of_its_matter_in_four_languages(text: str, matter: str) -> None:
    assert matter in matters_of(text)


@pytest.mark.parametrize(
    "text", ["The tests run on Ubuntu at night", "The cat command prints a file", "Le chat de la page est vide"]
)
def test_a_statement_about_a_program_is_of_no_home_and_no_diet(text: str) -> None:
    assert not matters_of(text) & {"home", "diet", "family"}


def test_no_word_is_in_most_matters() -> None:
    every = {word for words in MATTERS.values() for word in words}
    assert max(sum(word in words for words in MATTERS.values()) for word in every) <= 3
