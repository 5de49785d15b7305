"""A language read once is not read again, and is never older than its files."""

import shutil
from pathlib import Path

import pytest

from psychmem_py.languages import files
from psychmem_py.languages.matcher import Language, Matcher
from tests.shipped_languages import MATCHER

SENTENCE = "never push to the main branch, we always rebase"


def names(matcher: Matcher, text: str = SENTENCE) -> list[tuple[str, int, int]]:
    return [(hit.name, hit.start, hit.end) for hit in matcher.hits(text, ["en"])]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache") / "languages"
    names(files.matcher(None, folder))
    return folder


@pytest.fixture
def kept(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "cache" / "languages")


def test_a_kept_language_finds_the_same_and_only_its_owner_reads_it(kept: Path) -> None:
    assert names(files.matcher(None, kept)) == names(MATCHER)
    assert [path.name for path in kept.iterdir()] == ["en.json"]
    assert kept.stat().st_mode & 0o777 == 0o700
    assert (kept / "en.json").stat().st_mode & 0o777 == 0o600


def test_what_was_kept_is_not_read_from_the_language_files_again(kept: Path, monkeypatch: pytest.MonkeyPatch):
    expected = names(MATCHER)
    monkeypatch.setattr(files, "read", None)
    assert names(files.matcher(None, kept)) == expected


def test_a_changed_file_is_read_anew(kept: Path, tmp_path: Path):
    own = tmp_path / "own"
    own.mkdir()
    own_file = own / "en.toml"
    for phrase in ("verboten is", "forbidden as hell"):
        own_file.write_text(
            f'language = "en"\nname = "English"\nscript = "Latin"\n[signals.constraint.never]\nphrases = ["{phrase}"]\n', "utf-8"
        )
        assert ("never", 0, len(phrase)) in names(files.matcher(own, kept), phrase)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"made_from": 1}', "\x00", '{"made_from": null, "language": {}}'])
def test_what_cannot_be_read_is_as_if_it_were_not_there(kept: Path, content: str):
    (kept / "en.json").write_text(content, "utf-8")
    assert names(files.matcher(None, kept)) == names(MATCHER)


def test_a_folder_behind_a_link_is_not_written(tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "languages").symlink_to(elsewhere)
    assert names(files.matcher(None, tmp_path / "languages"))
    assert not list(elsewhere.iterdir())


def test_a_file_changed_while_it_is_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = tmp_path / "patterns"
    own.mkdir()
    added = 'language = "en"\nname = "English"\nscript = "Latn"\n'
    (own / "en.toml").write_text(added)
    read = files.read

    def meanwhile(path: Path) -> Language:
        language = read(path)
        (own / "en.toml").write_text(f'{added}function_words = "gadzooks"\n')
        return language

    with monkeypatch.context() as at_once:
        at_once.setattr(files, "read", meanwhile)
        names(files.matcher(own, tmp_path / "cache" / "languages"))
    again = list[Path]()
    monkeypatch.setattr(files, "read", lambda path: again.append(path) or read(path))
    names(files.matcher(own, tmp_path / "cache" / "languages"))
    assert files.SHIPPED / "en.toml" in again
