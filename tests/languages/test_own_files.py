"""A person's own language files: one key and a phrase are enough, a language can be switched off, a slip stops nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from psychmem_py.errors import PatternError
from psychmem_py.extraction.sweep_lines import results
from psychmem_py.languages import files

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


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('language = "en"\nphrases = [}\n', "line 2"),
        ('name = "English"\n', "'language'"),
        ('language = "tlh"\n', "'script'"),
        ('language = "en"\n[signals.constraint.never]\nphrase = ["paws off"]\n', "phrase"),
    ],
)
def test_a_slip_is_named_and_stops_nothing_else(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    assert kept(tmp_path, USUAL)
    with pytest.raises(PatternError, match=named):
        files.load(tmp_path)
