"""Reads the language files: those shipped, and the person's own over them. Every error names file and place."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from psychmem_py.errors import PatternError
from psychmem_py.languages import cache
from psychmem_py.languages.language import Language
from psychmem_py.languages.matcher import Matcher, keyed

_HERE = Path(__file__).resolve().parent.parent
SHIPPED = _HERE / "_patterns" if (_HERE / "_patterns").is_dir() else _HERE.parent / "patterns"
K = TypeVar("K")
_TABLES = ("signals", "filters", "scope", "lexicon")


def load(overlay: Path | None = None) -> list[Language]:
    """All languages, in order of their code; a file of the same name in `overlay` adds to the shipped one.

    Raises PatternError for a file that is not TOML or does not have the agreed shape.
    """
    found: dict[str, Language] = {}
    for path in _files(overlay):
        language = read(path)
        found[language.code] = _joined(found[language.code], language) if language.code in found else language
    return list(found.values())


def matcher(overlay: Path | None = None, kept: Path | None = None, *, keep: bool = True) -> Matcher:
    """A matcher over all languages that reads a file whole only when a text is in its language.

    Sixteen whole files cost two seconds, their heads 10 ms. In the folder `kept`, where one is given, what was read of a language
    waits for the next process, which then needs a fifth of the time; without `keep` the folder is only read.
    """
    heads: dict[str, Language] = {}
    paths: dict[str, list[Path]] = {}
    for path in _files(overlay):
        language = head(path)
        paths.setdefault(language.code, []).append(path)
        heads[language.code] = _joined(heads[language.code], language) if language.code in heads else language

    def whole(code: str) -> Language:
        known = cache.known(kept, code, paths[code]) if kept else None
        if known:
            return known
        first, *more = map(read, paths[code])
        for language in more:
            first = _joined(first, language)
        if kept and keep:
            first = keyed(first)
            cache.keep(kept, first, paths[code])
        return first

    return Matcher(list(heads.values()), whole)


def of_language(code: str, overlay: Path | None = None) -> list[Path]:
    """The files that make a language: the shipped one, then the person's own."""
    return [path for path in _files(overlay) if head(path).code == code]


def neutral() -> dict[str, list[str]]:
    """Everyday sentences of each language from which nothing may be kept."""
    found: dict[str, list[str]] = tomllib.loads((SHIPPED / "_neutral.toml").read_text("utf-8"))["neutral"]
    return found


def head(path: Path) -> Language:
    """A language file without its tables: enough to tell whether a text is in it."""
    try:
        with path.open(encoding="utf-8") as file:
            top = "".join(itertools.takewhile(lambda line: not line.startswith("["), file))
        table = tomllib.loads(top)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise PatternError(f"{path}: cannot be read as TOML: {exc}") from exc
    return _language(path, table, {}, {}, {})


def _files(overlay: Path | None) -> list[Path]:
    """Shipped files, then the person's own; names that begin with an underscore hold no language."""
    folders = [folder for folder in (SHIPPED, overlay) if folder and folder.is_dir()]
    return [path for folder in folders for path in sorted(folder.glob("*.toml")) if not path.name.startswith("_")]


def read(path: Path) -> Language:
    """One language file."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise PatternError(f"{path}: cannot be read as TOML: {exc}") from exc
    groups: dict[tuple[str, str], tuple[str, ...]] = {}
    matches: dict[tuple[str, str], tuple[str, ...]] = {}
    rejects: dict[tuple[str, str], tuple[str, ...]] = {}
    for group, name, entry in _entries(path, table):
        key = (group, name)
        unknown = entry.keys() - {"phrases", "matches", "rejects"}
        if unknown:
            raise PatternError(f"{path}: [{group}.{name}] has unknown keys {sorted(unknown)}; use phrases, matches, rejects")
        groups[key] = _strings(path, entry, "phrases")
        matches[key] = _strings(path, entry, "matches")
        rejects[key] = _strings(path, entry, "rejects")
    return _language(path, table, groups, matches, rejects)


_Groups = dict[tuple[str, str], tuple[str, ...]]


def _language(path: Path, table: dict[str, Any], groups: _Groups, matches: _Groups, rejects: _Groups) -> Language:
    try:
        return Language(
            code=table["language"],
            name=table["name"],
            script=table["script"],
            boundary=table.get("boundary", "word"),
            function_words=tuple(table.get("function_words", "").split()),
            abbreviations=tuple(table.get("abbreviations", ())),
            words={name: tuple(found) for name, found in table.get("words", {}).items()},
            groups=groups,
            matches=matches,
            rejects=rejects,
            source=path.name,
        )
    except KeyError as exc:
        raise PatternError(f"{path}: the key {exc} is missing") from exc


def _entries(path: Path, table: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    found = []
    for top in _TABLES:
        for name, entry in table.get(top, {}).items():
            if not isinstance(entry, dict):
                raise PatternError(f"{path}: [{top}] {name} must be a table with phrases = [...]")
            if top == "signals":
                if not all(isinstance(inner, dict) for inner in entry.values()):
                    raise PatternError(
                        f"{path}: [signals.{name}] must hold tables; write [signals.{name}.family] over phrases = [...]"
                    )
                found += [(f"signals.{name}", family, inner) for family, inner in entry.items()]
            else:
                found.append((top, name, entry))
    return found


def _strings(path: Path, entry: dict[str, Any], key: str) -> tuple[str, ...]:
    value = entry.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise PatternError(f"{path}: {key} must be a list of strings")
    return tuple(value)


def _joined(base: Language, more: Language) -> Language:
    def both(a: Mapping[K, tuple[str, ...]], b: Mapping[K, tuple[str, ...]]) -> dict[K, tuple[str, ...]]:
        return {key: (*a.get(key, ()), *b.get(key, ())) for key in {**a, **b}}

    return base._replace(
        function_words=(*base.function_words, *more.function_words),
        abbreviations=(*base.abbreviations, *more.abbreviations),
        words=both(base.words, more.words),
        groups=both(base.groups, more.groups),
        matches=both(base.matches, more.matches),
        rejects=both(base.rejects, more.rejects),
        source=f"{base.source} + {more.source}",
    )
