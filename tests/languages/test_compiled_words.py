"""The words of the language files as modules: hooks load constants, people mend files."""

from __future__ import annotations

import tomllib

import pytest

from patterns import compile_words
from psychmem_py.languages import files
from psychmem_py.memory import compiled_words


@pytest.mark.parametrize(("place", "text"), compile_words.modules().items(), ids=compile_words.modules())
def test_a_module_of_words_says_what_the_language_files_say(place: str, text: str):
    made = (compile_words.ROOT / "psychmem_py" / place).read_text("utf-8")
    assert made == text, "run: python patterns/compile_words.py"


def test_words_are_written_as_people_write_them_and_known_without_accents():
    german = tomllib.loads((files.SHIPPED / "de.toml").read_text("utf-8"))["vocabulary"]
    assert "während" in german["words_before_a_circumstance"].split()
    assert "wahrend" in compiled_words.CIRCUMSTANCE


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
