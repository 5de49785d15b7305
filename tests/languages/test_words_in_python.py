"""Words of human languages stand in the language files: a module that holds some is named here, with the reason."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest

from patterns import compile_words
from psychmem_py import words
from psychmem_py.languages import files
from tests.data import cases

PACKAGE = compile_words.ROOT / "psychmem_py"
_RUN = re.compile(r"(?<![\w\\])[a-z]{2,}(?:\|[a-z]{2,}){3,}")  # a|b|c|d
_WORD = re.compile(r"(?<!\S)[a-z]{2,}(?!\S)", re.IGNORECASE)
FEWEST = 4  # words that make a list


def named(table: str) -> set[str]:
    return {f"{module}.py" for case in cases("languages", table) for module in case.values[0]}


def literals(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Every string of a module that is no docstring, and whether it is split into words."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    split = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "split"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value, id(node) in split


def has_foreign_letters(tree: ast.Module) -> bool:
    return any(char.isalpha() and not char.isascii() for text, _ in literals(tree) for char in text)


def has_word_list(tree: ast.Module) -> bool:
    return any((split and len(_WORD.findall(text)) >= FEWEST) or _RUN.search(text) for text, split in literals(tree))


@cache
def parsed() -> dict[str, ast.Module]:
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}


def test_no_module_but_those_named_holds_letters_of_other_languages_or_a_list_of_words():
    assert {place for place, tree in parsed().items() if has_foreign_letters(tree)} == named("letters of other languages")
    assert {place for place, tree in parsed().items() if has_word_list(tree)} == named("lists of words")


def test_lists_and_letters_of_another_language_are_seen_outside_docstrings():
    for source in ('X = "nicht nie kein keine".split()', 'X = re.compile(r"(?:and|but|und|aber)")'):
        assert has_word_list(ast.parse(source))
    assert has_foreign_letters(ast.parse('X = f"müssen {x}"'))
    assert not has_foreign_letters(ast.parse('"""Müssen."""'))


def test_the_file_of_words_says_what_the_language_files_say():
    assert compile_words.FILE.read_text("utf-8") == compile_words.text(), "run: python patterns/compile_words.py"


def test_words_are_written_as_people_write_them_and_known_without_accents():
    german = tomllib.loads((files.SHIPPED / "de.toml").read_text("utf-8"))["vocabulary"]
    assert "während" in german["words_before_a_circumstance"].split()
    assert "wahrend" in words.word_set("words_before_a_circumstance")


def test_every_list_is_used_by_some_language_and_no_language_has_another():
    used = {name for lists in compile_words.vocabularies().values() for name in lists}
    assert used == files.shared()["vocabulary_names"].keys()


def test_a_list_of_another_name_is_refused(tmp_path, monkeypatch):
    folder = tmp_path / "patterns"
    folder.mkdir()
    (folder / "_shared.toml").write_text((files.SHIPPED / "_shared.toml").read_text("utf-8"), "utf-8")
    (folder / "xx.toml").write_text('language = "xx"\n[vocabulary]\nhmm = "a b"\n', "utf-8")
    monkeypatch.setattr(compile_words, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="hmm"):
        compile_words.vocabularies()
