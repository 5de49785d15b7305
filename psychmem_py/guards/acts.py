"""The acts that rules speak of, as commands, other terms of the trade, from `commands.toml`; and rules in words for people."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache

from psychmem_py.guards.call import IN_PART, LOOKS, NEW_NAME, NEW_PACKAGE
from psychmem_py.guards.shell import LEFT, PIPED
from psychmem_py.guards.trigger import Rule, Trigger
from psychmem_py.words import package_file

_DOES = {"write": "edits of", "change": "edits of existing", "delete": "deleting", "create": "a new", "name": "a command with"}
_DAYS = "Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays".split()
_MOST = 3
_MANY = 12  # programs that run others
_CALLED = {  # acts whose name says not what is done
    "dependency": "add a dependency", "e2e": "run end-to-end tests", "types": "check types", "serve": "start the server", "reach": "work", "volumes": "delete volumes",
    "test": "run tests", "restart": "stop or restart something", "skip_checks": "skip checks", "upload": "upload files", "add": "stage files",
}  # fmt: skip
_TABLES = tomllib.loads(package_file("guards/commands.toml").decode())


def _written_out(text: str) -> str:
    return re.sub(r"@(\w+)@", lambda found: _TABLES["short"][found[1]], text)


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLES["words"][name].split())


ACTS: dict[str, str] = {name: _written_out(ways) for name, ways in _TABLES["acts"].items()}
RIVALS, LIBRARY_RIVALS = (
    tuple(frozenset(line.split()) for line in _TABLES["words"][name].split(", ")) for name in ("rivals", "library_rivals")
)
TOOLS, EXISTING = _words("tools").union(*RIVALS), _words("existing")
ORDINARY, FILTERS, SUBCOMMANDS, LIBRARIES, BRANDS, AIMS = map(
    _words, "ordinary filters subcommands libraries brands aims".split()
)
PROGRAM_OF = {name: tuple(programs.split()) for name, programs in _TABLES["program_of"].items()}
CALLED = {_written_out(names): meant for names, meant in _TABLES["called"].items()}
CONSTRUCTS: dict[str, list[str]] = {name: forms for names, forms in _TABLES["constructs"].items() for name in names.split("|")}
USES: list[str] = _TABLES["code"]["uses"]


def rivals_of(tools: Iterable[str]) -> list[str]:
    """The other tools of the same kinds."""
    named = set(tools)
    same = {other for other, programs in PROGRAM_OF.items() if named.intersection(programs)}
    same.update(program for tool in named for program in PROGRAM_OF.get(tool, ()))
    bare = {tool[:-1] for tool in named.intersection(_WRAPPERS)}  # "use the Maven wrapper" is about `mvn`
    return sorted(bare or {other for tool in named for family in RIVALS if tool in family for other in family} - named - same)


def triggers(name: str) -> tuple[Trigger, ...]:
    """The acts that go by this name."""
    return tuple(map(_trigger, ACTS[name].split(", ")))


@cache
def verbs() -> frozenset[tuple[str, str]]:
    """The programs that are words, each with what it is told to do in one of the acts."""
    ways = [way for name in ACTS for way in triggers(name)]
    return frozenset((one, verb) for way in ways for one in way.programs if one in ORDINARY - _PLAIN for verb in way.verbs)


_WRAPPERS = frozenset({"mvnw", "gradlew"})
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


def trigger_text(rule: Rule) -> str:
    """The acts that break a rule, and what must come first: "git push … main", "git commit, unless pytest ran before"."""
    acts = _some([_act(one) for one in _by_name(rule.triggers)])
    return f"{acts}, unless there was {_some([_act(one) for one in _by_name(rule.needs)])} before" if rule.needs else acts


def _by_name(acts: Iterable[Trigger]) -> list[Trigger]:
    """The acts, with the name of one in the place of the many ways to do it."""
    left = list(acts)
    for name in _by_ways():
        ways = triggers(name)
        found = [next((one for one in left if _is_way(one, way)), None) for way in ways]
        if len([*ways, *ways[0].programs]) > _MOST + 1 and all(found) and (first := found[0]):
            named = f"a command to {_CALLED.get(name, name.replace('_', ' '))}"
            words, lacks = first.words[len(ways[0].words) :], first.lacks[len(ways[0].lacks) :]
            whole = first._replace(programs=(named,), verbs=(), runs=(), words=words, lacks=lacks)
            left = [whole, *(one for one in left if one not in found)]
    return left


@cache
def _by_ways() -> list[str]:
    """The names of acts, those that are done in the most ways first."""
    return sorted(ACTS, key=lambda name: -len(triggers(name)))


def _is_way(act: Trigger, way: Trigger) -> bool:
    """Whether an act is one way to do another, maybe with more conditions."""
    same = (act.programs, act.verbs, act.runs) == (way.programs, way.verbs, way.runs)
    return same and act.words[: len(way.words)] == way.words and act.lacks[: len(way.lacks)] == way.lacks


def _some(parts: list[str]) -> str:
    named = [part for part in dict.fromkeys(parts) if part]
    return " or ".join(named[:_MOST]) + (" or the like" if len(named) > _MOST else "")


def _act(trigger: Trigger) -> str:
    programs = tuple(f"the tool {name[1:]}" if name[:1] == "@" else name for name in trigger.programs)
    command = [_one(group) for group in (programs, trigger.verbs, *trigger.words) if group]
    if trigger.runs:
        command.insert(0, f"a script called {_one(trigger.runs)}")
    command_line = " ".join(command)
    if trigger.manner:
        command_line = f"{command_line} with {trigger.manner}" if command_line else f"writing {trigger.manner}"
    if trigger.text:
        command_line = f"{command_line} saying {_listed(trigger.text)}" if command_line else f"writing {_listed(trigger.text)}"
    if trigger.paths and not (trigger.text and trigger.paths == ("*",)):
        files = _one(trigger.paths) if trigger.paths != ("*",) else "files"
        writes = " in" if trigger.text else " that writes" * (trigger.does == "write")
        command_line = f"{command_line}{writes} {files}" if command_line else f"{_DOES.get(trigger.does, 'a call with')} {files}"
    command_line += " that changes something" if LOOKS in trigger.lacks else ""
    if lacks := tuple(word for word in trigger.lacks if word not in (PIPED, IN_PART, LOOKS)):
        command_line += " by itself" if len(lacks) > _MANY else f" without {_one(lacks)}"
    command_line += f" outside {_one(trigger.outside)}" if trigger.outside else ""
    return command_line + (f" on {_one(tuple(_DAYS[day] for day in trigger.days))}" if trigger.days else "")


_MEANT = {
    "mcp": "an MCP tool",
    PIPED: "fed by another",
    LEFT: "in the background",
    NEW_PACKAGE: "a new package",
    NEW_NAME: "a new name",
}


def _one(names: tuple[str, ...]) -> str:
    if names[0] in ("production", "staging"):
        return f"on {names[0]}"
    told = (name for name in names if name[-1:] != "/" or name[:-1] not in names)
    return _listed(
        [_MEANT.get(one) or re.sub(r"^[@|]", lambda mark: "into " if mark[0] == "@" else "fed by ", one) for one in told]
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{'|'.join(names[:_MOST])}{'|…' if len(names) > _MOST else ''}"
