"""Reads the language files: those shipped, and the person's own over them. Every error names file and place."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from operator import add
from pathlib import Path
from typing import Any, TypeVar

from psychmem_py import __version__
from psychmem_py.errors import PatternError, RefusedError
from psychmem_py.home import light_json
from psychmem_py.home.files import Directories
from psychmem_py.home.places import own_base, own_folder, stamp
from psychmem_py.languages.matcher import Family, Language, Matcher, PhraseTable, phrase_table
from psychmem_py.text.tokenizer import index_form, stem

_HERE = Path(__file__).resolve().parent.parent
SHIPPED = _HERE / "_patterns" if (_HERE / "_patterns").is_dir() else _HERE.parent / "patterns"
SHARED = "_shared.toml"
T = TypeVar("T")
_TABLES = ("filters", "scope", "lexicon")  # beside [signals], whose families stand in categories
_TOP = ("signals", *_TABLES, "words", "vocabulary")
LISTS = "lists"  # of a family, beside its groups
_WORDS = re.compile(r"(?<![^\W_])[^\W\d_]{2,}")
_KEYS = ("phrases", "words", "matches", "rejects")
_BREAK = re.compile(r"(?<=\|)\s*\n\s*")


def load(overlay: Path | None = None, *, heads: bool = False) -> list[Language]:
    """All languages that are not `off`, files in `overlay` over the shipped, of which `heads` wants no tables. PatternError."""
    languages: dict[str, Language] = {}
    for path in _files(overlay):
        _add(languages, head(path) if heads and path.parent == SHIPPED else read(path))
    return [one for one in languages.values() if not one.off]


def _add(languages: dict[str, Language], more: Language) -> None:
    """Lays one file over those before it. Raises PatternError for a language of which only an addition is there."""
    if more.code not in languages and not more.script:
        raise PatternError(f"{more.source}: {more.code} is no shipped language; a new one needs the keys 'name' and 'script'")
    languages[more.code] = _joined(languages[more.code], more) if more.code in languages else more


def matcher(overlay: Path | None = None, kept: Path | None = None, *, only: str = "", keep: bool = True) -> Matcher:
    """A matcher over all languages, or `only` these, read (150 ms) for a text in them; `kept` serves the next process."""
    heads, paths = dict[str, Language](), dict[str, list[Path]]()
    for path in _files(overlay):
        try:
            language = head(path)
            _add(heads, language if path.parent == SHIPPED else read(path)._replace(families={}, words={}))
        except PatternError:
            if path.parent == SHIPPED:
                raise
            continue  # a slip of the pen in a person's own file, which `doctor` names, stops nothing else
        paths.setdefault(language.code, []).append(path)

    def table(code: str) -> PhraseTable:
        sources = [*map(str, paths[code]), str(SHIPPED / SHARED)]
        made_from, file = " ".join((__version__, *sources)), os.path.join(kept, f"{code}.json") if kept else ""
        known: Any = light_json.read_cached(file, made_from) if file else None
        if known and known.keys() == set(PhraseTable._fields):
            return PhraseTable(**known)
        as_read = {source: stamp(source) for source in sources}
        made = phrase_table(reduce(_joined, map(read, paths[code])))
        if kept and keep:
            with contextlib.suppress(OSError, RefusedError):  # a folder that cannot be written keeps nothing
                own_base(os.fspath(kept.parent))
                own_folder(os.fspath(kept))
                light_json.write_cached(file, made_from, made._asdict(), as_read)
        return made

    wanted = set(codes(only)).intersection(map(str.lower, heads))  # of names that are no code `doctor` tells
    return Matcher([one for one in heads.values() if not one.off and (not wanted or one.code.lower() in wanted)], table)


def codes(listed: str) -> list[str]:
    """The codes in a setting's list, parted by commas or spaces, in small letters."""
    return listed.lower().replace(",", " ").split()


def unknown_codes(listed: str, there: Sequence[str]) -> str:
    """What is wrong with a setting's list where `there` are the languages, as a sentence; "" for nothing."""
    unknown = [code for code in codes(listed) if code not in map(str.lower, there)]
    return f"extraction.languages names {unknown[0]}, which is none of {' '.join(there)}" if unknown else ""


def overlay_of(owned: Directories) -> Path:
    return owned.config / "patterns"


@cache
def own_matcher(owned: Directories, only: str = "", *, keep: bool = True) -> Matcher:
    """See `matcher`, with the person's own languages; one for all of a process, as a language takes 10 MB once it is read."""
    return matcher(overlay_of(owned), owned.languages, only=only, keep=keep)


def neutral() -> dict[str, list[str]]:
    """Everyday sentences of each language from which nothing may be kept."""
    return dict(tables_of(SHIPPED / "_neutral.toml")["neutral"])


@lru_cache
def everyday(codes: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of these languages' words that their files write small and that name no software; and those names, folded."""
    names = {index_form(name) for name in unwrapped(shared()["words"]["tool_names"]).strip().split("|")}
    texts = [path.read_text("utf-8") for path in _files(None) if path.stem in codes]
    small = {index_form(word) for text in texts for word in _WORDS.findall(text) if not word[0].isupper()}
    return frozenset(map(stem, small - names)), frozenset(names)


def head(path: Path) -> Language:
    """A language file without its tables: enough to tell whether a text is in it."""
    return _language(path, tables_of(path, lambda line: not line.startswith("[")))


def tables_of(path: Path, wanted: Callable[[str], bool] = bool) -> dict[str, Any]:
    """A TOML file up to the first line that is not `wanted`. Raises PatternError for one that cannot be read."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            return tomllib.loads("".join(itertools.takewhile(wanted, file)))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as exc:
        raise PatternError(f"{path}: cannot be read as TOML: {exc}") from exc


def _files(overlay: Path | None) -> list[Path]:
    """Shipped files, then the person's own; names that begin with an underscore hold no language."""
    folders = [folder for folder in (SHIPPED, overlay) if folder and folder.is_dir()]
    return [path for folder in folders for path in sorted(folder.glob("*.toml")) if not path.name.startswith("_")]


def read(path: Path) -> Language:
    """One language file, with the lists that all languages share."""
    table = tables_of(path)
    lists = dict(table.get("words", {}))
    families: dict[tuple[str, str], Family] = {}
    for group, name, entry in _entries_of(path, table):
        own = entry.get(LISTS)  # the lists that stand in the families themselves; a phrase of any family may name them
        for title, words in own.items() if isinstance(own, dict) else ():
            if title in lists:
                raise PatternError(f"{path}: there are two lists {title}; give one of them another name")
            lists[title] = words
        families[group, name] = _family(path, f"{group}.{name}", entry)
    return _language(path, {**table, "words": {**shared()["words"], **lists}})._replace(families=families)


@cache
def shared() -> dict[str, dict[str, Any]]:
    """What `_shared.toml` says once for all: `words` (lists) and `list_names` (what each name means)."""
    return tables_of(SHIPPED / SHARED)


def _language(path: Path, table: dict[str, Any]) -> Language:
    try:
        return Language(
            code=table["language"],
            name=table.get("name", table["language"]),
            script=table.get("script", ""),
            boundary=table.get("boundary", "word"),
            function_words=tuple(table.get("function_words", "").split()),
            abbreviations=tuple(table.get("abbreviations", ())),
            words={name: _words(path, name, entries) for name, entries in table.get("words", {}).items()},
            source=path.name,
            off=table.get("off") is True,
        )
    except KeyError as exc:
        raise PatternError(f'{path}: the key {exc} is missing; write it above the tables, as language = "en"') from exc


def _entries_of(path: Path, table: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name in [name for name, value in table.items() if isinstance(value, dict) and name not in _TOP]:
        raise PatternError(f"{path}: [{name}] is no table of a language file; use {', '.join(_TOP)}")
    signals = {f"signals.{category}": entries for category, entries in table.get("signals", {}).items()}
    for group, entries in {**signals, **{top: table.get(top, {}) for top in _TABLES}}.items():
        for name, entry in entries.items() if isinstance(entries, dict) else ((group, entries),):
            if not isinstance(entry, dict):
                raise PatternError(f"{path}: [{group}] {name} must be a table; write [{group}.family] over phrases = [...]")
            yield group, name, entry


def _family(path: Path, title: str, entry: dict[str, Any]) -> Family:
    groups = {f"{title}.{name}": inner for name, inner in entry.items() if isinstance(inner, dict) and name != LISTS}
    own = {key: value for key, value in entry.items() if not isinstance(value, dict)}
    family = Family()
    for at, table in {title: own, **groups}.items():
        if unknown := table.keys() - {*_KEYS}:
            raise PatternError(f"{path}: [{at}] has unknown keys {sorted(unknown)}; use {', '.join(_KEYS)}")
        written = table.get("phrases", [])
        rows = [_row(path, row) for row in written] if isinstance(written, list) else [_row(path, None)]
        examples = tuple((phrase, sentence) for phrase, sentences in rows for sentence in sentences)
        phrases = (*(phrase for phrase, _ in rows), *_words(path, "words", table.get("words", [])))
        shown, rejects = (_words(path, key, table.get(key, [])) for key in ("matches", "rejects"))
        more = Family(phrases, (*(sentence for _, sentence in examples), *shown), rejects, examples)
        family = Family._make(map(add, family, more))
    return family._replace(matches=tuple(dict.fromkeys(family.matches)))


def _row(path: Path, row: object) -> tuple[str, tuple[str, ...]]:
    """A phrase with its examples: ["phrase", "example", ...], or the phrase alone."""
    parts = [row] if isinstance(row, str) else row
    if not isinstance(parts, list) or not parts or not all(isinstance(part, str) for part in parts):
        raise PatternError(f'{path}: {row!r} is no phrase; write ["phrase", "a sentence it must match"]')
    return unwrapped(parts[0]), tuple(parts[1:])


def unwrapped(phrase: str) -> str:
    """A phrase that is written over several lines as one line."""
    return " ".join(_BREAK.sub("", phrase).split()) if "\n" in phrase else phrase


def _words(path: Path, name: str, entries: object) -> tuple[str, ...]:
    """The entries of a list: of words parted by bars ("must|has to"), or a TOML list where an entry has bars of its own."""
    if isinstance(entries, str):
        return tuple(unwrapped(entries).strip().split("|"))
    if not isinstance(entries, list) or not all(isinstance(item, str) for item in entries):
        raise PatternError(f"{path}: {name} must be a list of strings")
    return tuple(entries)


def _joined(base: Language, more: Language) -> Language:
    def both(one: Iterable[T], other: Iterable[T]) -> tuple[T, ...]:
        return tuple(dict.fromkeys((*one, *other)))

    words, families = {**base.words, **more.words}, {**base.families, **more.families}
    for name in base.words.keys() & more.words.keys():
        words[name] = both(base.words[name], more.words[name])
    for key in base.families.keys() & more.families.keys():
        families[key] = Family._make(map(both, base.families[key], more.families[key]))
    return base._replace(
        function_words=base.function_words + more.function_words,
        abbreviations=base.abbreviations + more.abbreviations, words=words, families=families,
        source=f"{base.source} + {more.source}", off=more.off,
    )  # fmt: skip
