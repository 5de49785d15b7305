"""Writes the words of [vocabulary] in the language files into Python modules: python patterns/compile_words.py

A hook reads them hundreds of times a day, and a compiled constant loads in a fiftieth of the time that its file takes to read. Tests
hold the modules against the files.
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

from psychmem_py.languages.clause_words import bare_fold  # noqa: E402
from psychmem_py.text.tokenizer import index_form  # noqa: E402

Fold = Callable[[str], str]
WIDTH = 124
UNSPACED = ("ja", "ko", "zh")  # their words are looked for inside a text
TABLES = {
    "intents": "intent_names",
}  # of [vocabulary], with where their keys are told
OWN_SCRIPT = ("ar", "hi", "ja", "ko", "ru", "zh")


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


def modules() -> dict[str, str]:
    """path -> text of every module that is made here."""
    words, shared = vocabularies(), _shared()["vocabulary"]
    latin = [code for code in words if code not in OWN_SCRIPT]
    spaced = [code for code in words if code not in UNSPACED]

    def every(name: str, codes: Iterable[str] = words, fold: Fold = index_form) -> list[str]:
        return list(dict.fromkeys(fold(word) for code in codes for word in words[code].get(name, ())))

    def each(name: str, codes: Iterable[str] = words, fold: Fold = index_form) -> dict[str, list[str]]:
        return {code: [fold(word) for word in words[code][name]] for code in codes if name in words[code]}

    def rows(name: str) -> list[str]:
        return [index_form(row) for code in words for row in words[code].get(name, ())]

    def pairs(name: str) -> list[tuple[str, str]]:
        return [(one, other) for pair in every(name) for one, _, other in [pair.partition("/")]]

    def signs(name: str, fold: Fold = str) -> list[str]:
        return every(name, UNSPACED, fold)

    return {
        "text/compiled_words.py": _module(
            "stop words, months, endings, particles, numbers",
            _set("ENGLISH", every("stop_words", ["en"])),
            _sets("LATIN_SETS", each("stop_words", [code for code in latin if code != "en"])),
            _set("OTHER", every("stop_words", OWN_SCRIPT)),
            _rows("MONTHS", [index_form(row) for row in every("months", ["en", *words], str)]),
            _set("MONTHS_THAT_ARE_WORDS", every("months_that_are_words")),
            _tuples("ENDINGS", each("endings", fold=str)),
            _tuples("MORE_ENDINGS", each("reflexive_endings", fold=str)),
            _tuples("BEGINNINGS", each("beginnings", fold=str)),
            _tuples("PARTICLES", each("particles", fold=str)),
            _set("WORDS_OF_ASKING", every("words_of_asking")),
            _sets("INTENTS", tables("intents")),
            _pairs("SYNONYMS", ((other, row.split()[0]) for row in shared["synonyms"] for other in row.split()[1:])),
            _set("WHOLE_NAMES", shared["whole_names"].split()),
        ),
        "memory/compiled_words.py": _module(
            "denial, change, and what stands before a value, a circumstance, a reason",
            _set("NEGATIVE", every("negations", spaced)),
            _tuple("NEGATIVE_SIGNS", signs("negations")),
            _set("CHANGE", every("words_of_change", spaced)),
            _tuple("CHANGE_SIGNS", signs("words_of_change")),
            _set("NOW", every("words_of_now", spaced)),
            _tuple("NOW_SIGNS", signs("words_of_now")),
            _set("VALUE", every("words_before_a_value")),
            _set("CIRCUMSTANCE", every("words_before_a_circumstance")),
            _set("REASON", every("words_before_a_reason")),
            _set("LABEL", every("words_that_number")),
            _set("ARTICLES", every("articles")),
            _set("NEVER", every("never")),
            _set("ALWAYS", every("always")),
            _lists("RIVALS", shared["rivals"]),
            _set("TURNING_DOWN", every("words_that_turn_down")),
            _tuple("EVERYTHING", every("everything", fold=str)),
            _tuple("ABOUT", every("about", fold=str)),
            _tuple("ANOTHER_NAME", every("another_name", fold=str)),
        ),
        "languages/compiled_words.py": _module(
            "what may stand before the first word of a clause",
            _sets("OPENERS", each("openers", spaced, bare_fold)),
            _tuple("UNSPACED_OPENERS", sorted(signs("openers"), key=len, reverse=True)),
        ),
        "extraction/compiled_words.py": _module(
            "abbreviations, laughter, politeness, the order of steps",
            _set("ABBREVIATIONS", every("abbreviations_everywhere", fold=str.lower)),
            _tuple("LAUGHTER", every("laughter", spaced, str)),
            _tuple("UNSPACED_LAUGHTER", signs("laughter")),
            _tuple("ADMISSIONS", every("admissions", fold=str)),
            _tuple("LEADING_WORDS", every("leading_words", fold=str)),
            _tuple("BY_THE_WAY", every("by_the_way", fold=str)),
            _tuple("CONTRAST", every("words_of_contrast", fold=str)),
            _tuple("CLOSING_COURTESIES", every("closing_courtesies", fold=str)),
            _tuple("THAT", every("that", fold=str)),
            _tuple("JOINS_CLAUSES", every("joins_clauses", fold=str)),
            _tuple("JOINS_ALSO", every("joins_also", fold=str)),
            _tuple("MAIL_HEADS", every("mail_heads", fold=str)),
            _tuple("GREETINGS_TO_MANY", every("greetings_to_many", fold=str)),
            _tuple("SIGN_OFFS", every("sign_offs", fold=str)),
            _tuple("BEFORE_A_MAILS_DATE", every("before_a_mails_date", fold=str)),
            *(
                part
                for place in ("first", "next", "last")
                for part in (
                    _set(f"STEPS_{place.upper()}", every(f"steps_{place}", spaced)),
                    _tuple(f"STEPS_{place.upper()}_SIGNS", signs(f"steps_{place}", index_form)),
                )
            ),
        ),
        "text/pointing_words.py": _module(
            "what points to something said before",
            _set("POINTING", every("pointing_words", spaced)),
            _tuple("POINTING_SIGNS", signs("pointing_words", index_form)),
            _set("POINTING_BEFORE_VERBS", every("pointing_before_verbs")),
            _set("VERBS_BEHIND_POINTING", every("verbs_behind_pointing")),
            _set("VERBS_BEHIND_A_SUBJECT", every("verbs_behind_a_subject")),
            _set("PERSONS", every("pronouns_of_persons")),
            _set("POINTING_BEFORE_NOUNS", every("pointing_before_nouns")),
            _set("PLACES_ONE_IS_IN", every("places_one_is_in")),
        ),
        "safety/compiled_words.py": _module(
            "by what word in its sentence a value is a secret, and by what none",
            *(_endings(name.upper(), of_secrets(name)) for name in ("names", "codes", "opens", "harmless", "numbers")),
            _set("COMMON", of_secrets("common")),
        ),
        "judging/compiled_words.py": _module(
            "numbers, the answer no, only, signs that only build sentences",
            _set("NUMBER_WORDS", every("number_words")),
            _tuple("ANSWERS_NO", every("answers_no", fold=str)),
            _set("MERELY", every("merely")),
            _set("BUILDING_SIGNS", every("building_signs", fold=str), signs=True),
        ),
    }


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


def _endings(name: str, words: Iterable[str]) -> str:
    """One set each for whole words, beginnings, ends, what stands anywhere in a word, and signs of scripts without spaces."""
    sorts: dict[str, list[str]] = {"": [], "_BEGINNINGS": [], "_ENDS": [], "_PARTS": [], "_SIGNS": []}
    for word in words:
        if word[0] > "\u2e7f":
            sorts["_SIGNS"].append(word)
        else:
            sorts[{(0, 0): "", (0, 1): "_BEGINNINGS", (1, 0): "_ENDS", (1, 1): "_PARTS"}[word[0] == "*", word[-1] == "*"]].append(
                word.strip("*")
            )
    return "\n".join(_tuple(name + sort, found) for sort, found in sorts.items())


def _module(what: str, *parts: str) -> str:
    head = f'"""Words of the language files: {what}. Made by patterns/compile_words.py; mend the files in patterns/."""'
    body = "\n".join(parts)
    return f"{head}\n\n# fmt: off\nfrom __future__ import annotations\n\n{body}\n"


def _wrapped(words: Iterable[str]) -> str:
    """The words between quotes, on as many lines as they need."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    if len(lines) == 1:
        return f'"{lines[0]}"'
    return '"""\n' + "\n".join(f"    {line}" for line in lines) + '\n"""'


def _set(name: str, words: Iterable[str], *, signs: bool = False) -> str:
    return f"{name} = frozenset({_wrapped(words)}{'' if signs else '.split()'})"


def _sets(name: str, words: dict[str, list[str]]) -> str:
    rows = "".join(f'    "{code}": frozenset({_wrapped(found)}.split()),\n' for code, found in words.items())
    return f"{name}: dict[str, frozenset[str]] = {{\n{rows}}}"


def _tuple(name: str, words: Iterable[str]) -> str:
    return f"{name} = (\n" + _filled([f"{word!r}," for word in words], "    ") + "\n)"


def _tuples(name: str, words: dict[str, list[str]]) -> str:
    rows = "".join(f'    "{code}": tuple({_wrapped(found)}.split()),\n' for code, found in words.items())
    return f"{name}: dict[str, tuple[str, ...]] = {{\n{rows}}}"


def _phrases(name: str, words: dict[str, list[str]]) -> str:
    return (
        f"{name}: dict[str, tuple[str, ...]] = {{\n"
        + "".join(f'    "{key}": {_row(found)},\n' for key, found in words.items())
        + "}"
    )


def _row(words: Iterable[str]) -> str:
    return "(" + _filled([f"{word!r}," for word in words], "        ").strip() + ")"


def _pairs(name: str, pairs: Iterable[tuple[str, str]]) -> str:
    return f"{name} = {{\n" + _filled([f"{one!r}: {other!r}," for one, other in pairs], "    ") + "\n}"


def _filled(parts: Iterable[str], indent: str) -> str:
    """The parts one behind the other, on as many lines as they need."""
    lines = [indent[:-1]]
    for part in parts:
        if len(lines[-1]) + len(part) > WIDTH:
            lines.append(indent[:-1])
        lines[-1] += f" {part}"
    return "\n".join(lines)


def _lists(name: str, rows: Iterable[str]) -> str:
    return f"{name} = (\n" + "".join(f'    "{row}".split(),\n' for row in rows) + ")"


def _rows(name: str, rows: Iterable[str]) -> str:
    return f"{name} = (\n" + "".join(f'    "{row}",\n' for row in rows) + ")"


if __name__ == "__main__":
    for place, text in modules().items():
        (ROOT / "psychmem_py" / place).write_text(text, "utf-8")
