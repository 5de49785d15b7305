"""Writes the words of [vocabulary] in the language files into one file: python patterns/compile_words.py

A hook reads them hundreds of times a day, and that file takes a hundredth of the time that the language files take. A test holds
it against them.
"""

from __future__ import annotations

import sys
import tomllib
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from psychmem_py.languages.machine import bare_fold  # noqa: E402
from psychmem_py.text.tokenizer import index_form  # noqa: E402

Fold = Callable[[str], str]
WIDTH = 124  # characters
UNSPACED = ("ja", "ko", "zh")  # their words are looked for inside a text
TABLES = {
    "intents": "intent_names",
}  # of [vocabulary], with where their keys are told
OWN_SCRIPT = ("ar", "hi", "ja", "ko", "ru", "zh")
CUT = ("endings", "reflexive_endings", "beginnings", "particles")  # a list for each language, as it is written
FOLDED_SIGNS = ("pointing_words",)
PARTED = (
    "negations",
    "words_of_change",
    "words_of_now",
    "laughter",
    *FOLDED_SIGNS,
)  # with a list of their own for what stands inside a text
AS_WRITTEN = (
    "everything about another_name admissions leading_words by_the_way words_of_contrast closing_courtesies that joins_clauses joins_also"
    " mail_heads greetings_to_many sign_offs before_a_mails_date answers_no building_signs no_longer repeats takes_back ends_a_duty ends_a_ban ours recommended"
).split()
FOLDED = (
    "months_that_are_words words_of_asking words_before_a_value words_before_a_circumstance words_before_a_reason words_that_number articles"
    " never always words_that_turn_down pointing_before_verbs verbs_behind_pointing verbs_behind_a_subject pronouns_of_persons"
    " pointing_before_nouns places_one_is_in merely from_now speakers of_another behind_a_name asking_why"
).split()
GUARDING = (
    "spelled_numbers",
    "opposites",
    "number_signs",
    "every",
    "nothing",
    "conditions_and_reports",
    "removing",
    "wishing",
    "between",
    "behind_no",
    "asking_whether",
    "instead_of",
    "joins_choices",
)  # the reader's sentences
EXCHANGING = "before_a_use denied_behind_and denied_behind_not we_in_the_verb of_here".split()
FILE = ROOT / "psychmem_py" / "words.txt"


def vocabularies() -> dict[str, dict[str, list[str]]]:
    """language -> list -> its entries: a list, or words between spaces."""
    found: dict[str, dict[str, list[str]]] = {}
    known = _shared()["vocabulary_names"]
    for path in sorted((ROOT / "patterns").glob("[a-z]*.toml")):
        table = tomllib.loads(path.read_text("utf-8"))
        lists = {name: value for name, value in table.get("vocabulary", {}).items() if name not in TABLES}
        unknown = lists.keys() - known
        if unknown:
            sys.exit(f"{path}: [vocabulary] has {', '.join(sorted(unknown))}; take names of [vocabulary_names] in _shared.toml")
        found[table["language"]] = {name: entries(value) for name, value in lists.items()}
    return found


def tables(name: str) -> dict[str, list[str]]:
    """The lists of `[vocabulary.NAME]` of all languages together, in the order of their names in `_shared.toml`."""
    joined: dict[str, list[str]] = {known: [] for known in _shared()[TABLES[name]]}
    for path in sorted((ROOT / "patterns").glob("[a-z]*.toml")):
        for key, value in tomllib.loads(path.read_text("utf-8")).get("vocabulary", {}).get(name, {}).items():
            if key not in joined:
                sys.exit(f"{path}: [vocabulary.{name}] has {key}; take names of [{TABLES[name]}] in _shared.toml")
            joined[key] += map(index_form, entries(value))
    return joined


def _shared() -> dict[str, Any]:
    return tomllib.loads((ROOT / "patterns" / "_shared.toml").read_text("utf-8"))


def entries(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else value.split()


def lists() -> dict[str, list[str]]:
    """Every list of the file that is made here, by its name; one for each language is called NAME.CODE."""
    words, shared = vocabularies(), _shared()["vocabulary"]
    spaced = [code for code in words if code not in UNSPACED]

    def every(name: str, codes: Iterable[str] = words, fold: Fold = index_form) -> list[str]:
        return list(dict.fromkeys(fold(word) for code in codes for word in words[code].get(name, ())))

    def each(name: str, codes: Iterable[str] = words, fold: Fold = str) -> dict[str, list[str]]:
        return {f"{name}.{code}": [fold(word) for word in words[code][name]] for code in codes if name in words[code]}

    latin = [code for code in words if code not in OWN_SCRIPT]
    made = each("stop_words", latin, index_form) | {"stop_words": every("stop_words", OWN_SCRIPT)}
    made |= {"months": [index_form(row) for row in every("months", ["en", *words], str)]}
    made |= {f"intents.{intent}": found for intent, found in tables("intents").items()}
    made |= {
        "synonyms": [
            word for row in shared["synonyms"] for one, *others in [row.split()] for other in others for word in (other, one)
        ]
    }
    forms = [row for code in words for row in words[code].get("exchanges", ())] + shared["exchanges"]
    made |= {"exchanges": [" :: ".join(row) for row in forms]}
    made |= {
        "whole_names": shared["whole_names"].split(),
        "rivals": shared["rivals"],
    }
    made |= {name: [index_form(row) for row in entries(shared[name])] for name in (*GUARDING, *EXCHANGING)}
    made |= {"abbreviations_everywhere": every("abbreviations_everywhere", fold=str.lower)}
    made |= each("openers", spaced, bare_fold) | {"openers_signs": sorted(every("openers", UNSPACED, str), key=len, reverse=True)}
    for name in CUT:
        made |= each(name)
    for name in PARTED:
        fold, sign_fold = (str if name == "laughter" else index_form), (index_form if name in FOLDED_SIGNS else str)
        made |= {name: every(name, spaced, fold), f"{name}_signs": every(name, UNSPACED, sign_fold)}
    made |= {name: every(name, fold=str) for name in AS_WRITTEN} | {name: every(name) for name in FOLDED}
    for name in ("names", "codes", "opens", "harmless", "numbers"):
        made |= _endings(name, of_secrets(name))
    return made | {"common": of_secrets("common")}


def of_secrets(kind: str) -> list[str]:
    """The words of one kind in `_secrets.toml`, as they are written and without accents."""
    languages = tomllib.loads((ROOT / "patterns" / "_secrets.toml").read_text("utf-8")).values()
    every = [word.lower().replace("-", " ").replace("'", " ") for language in languages for word in language[kind]]
    return list(dict.fromkeys(form for word in every for form in (word, without_accents(word))))


def without_accents(word: str) -> str:
    latin = word.translate(str.maketrans("łışğ", "lisg"))
    return (
        "".join(char for char in unicodedata.normalize("NFD", latin) if not "\u0300" <= char < "\u0370")
        if max(latin) < "\u0370"
        else word
    )


def _endings(name: str, words: Iterable[str]) -> dict[str, list[str]]:
    """One list each for whole words, beginnings, ends, what stands anywhere in a word, and signs of scripts without spaces."""
    sorts: dict[str, list[str]] = {"": [], "_beginnings": [], "_ends": [], "_parts": [], "_signs": []}
    for word in words:
        if word[0] > "\u2e7f":
            sorts["_signs"].append(word)
        else:
            sorts[{(0, 0): "", (0, 1): "_beginnings", (1, 0): "_ends", (1, 1): "_parts"}[word[0] == "*", word[-1] == "*"]].append(
                word.strip("*")
            )
    return {name + sort: found for sort, found in sorts.items()}


def text() -> str:
    """The file: a name behind "= ", below it the words, tabs between them, on as many lines as they need."""
    lines = list[str]()
    for name, words in lists().items():
        lines += [f"= {name}", ""]
        for word in words:
            if lines[-1] and len(lines[-1]) + len(word) >= WIDTH:
                lines.append("")
            lines[-1] += f"\t{word}" if lines[-1] else word
    return "\n".join(line for line in lines if line) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
