"""The acts that rules speak of, as the commands they are, and other terms of the trade, from `commands.toml` (see its head)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache

from psychmem_py.guards.trigger import Trigger
from psychmem_py.words import package_file

_TABLES = tomllib.loads(package_file("guards/commands.toml").decode())


def _written_out(text: str) -> str:
    return re.sub(r"@(\w+)@", lambda found: _TABLES["short"][found[1]], text)


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLES["words"][name].split())


ACTS: dict[str, str] = {name: _written_out(ways) for name, ways in _TABLES["acts"].items()}
RIVALS = tuple(frozenset(line.split()) for line in _TABLES["words"]["rivals"].split(", "))
TOOLS = _words("tools").union(*RIVALS)
ORDINARY, FILTERS, SUBCOMMANDS, LIBRARIES, BRANDS = map(_words, ("ordinary", "filters", "subcommands", "libraries", "brands"))
PROGRAM_OF = {name: tuple(programs.split()) for name, programs in _TABLES["program_of"].items()}
CALLED = {_written_out(names): meant for names, meant in _TABLES["called"].items()}
CONSTRUCTS: dict[str, list[str]] = {name: forms for names, forms in _TABLES["constructs"].items() for name in names.split("|")}
USES: list[str] = _TABLES["code"]["uses"]


def rivals_of(tools: Iterable[str]) -> list[str]:
    """The other tools of the same kinds."""
    named = set(tools)
    same = {other for other, programs in PROGRAM_OF.items() if named.intersection(programs)}
    same.update(program for tool in named for program in PROGRAM_OF.get(tool, ()))
    return sorted({other for tool in named for family in RIVALS if tool in family for other in family} - named - same)


def triggers(name: str) -> tuple[Trigger, ...]:
    """The acts that go by this name."""
    return tuple(map(_trigger, ACTS[name].split(", ")))


@cache
def verbs() -> frozenset[tuple[str, str]]:
    """The programs that are words, each with what it is told to do in one of the acts."""
    ways = [way for name in ACTS for way in triggers(name)]
    return frozenset((one, verb) for way in ways for one in way.programs if one in ORDINARY - _PLAIN for verb in way.verbs)


_PLAIN = frozenset({"go", "make", "just"})  # "just test it"


def _trigger(line: str) -> Trigger:
    first, *rest = line.split()
    kind, separator, names = first.partition(":")
    if separator and kind != "run":
        return Trigger(does=kind)
    lacks = tuple(name for word in rest if word.startswith("!") for name in word[1:].split("|"))
    groups = [tuple(word.split("|")) for word in rest if not word.startswith("!")]
    if separator:
        return Trigger(runs=tuple(names.split("|")), words=tuple(groups), lacks=lacks)
    programs = tuple(first.split("|"))
    verbs = groups.pop(0) if groups and groups[0][0][0] not in "-+" and _SQL.isdisjoint(programs) else ()
    return Trigger(programs=programs, verbs=() if verbs == ("*",) else verbs, words=tuple(groups), lacks=lacks)


_SQL = frozenset({"psql", "mysql", "sqlite3", "mariadb", "mongosh", "redis-cli"})
# What is told to git, and to it alone where an option follows: `push --force`.
GIT_VERBS = frozenset(verb for name in ACTS for one in triggers(name) if one.programs == ("git",) for verb in one.verbs)
