"""A glob of tool calls, as a person or the reader writes it, and the acts that it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, product

from psychmem_py.guards.binding import options_of, with_bare
from psychmem_py.guards.call import OF_PATHS, OPTIONS_WITH_VALUE, SQL_CLIENTS, command, tool_name
from psychmem_py.guards.shell import PIPED, commands, quoted
from psychmem_py.guards.trigger import Trigger
from psychmem_py.model.tools import SHELL_TOOLS, WRITING_TOOLS

_MOST = 96  # ways to choose among the alternatives of one glob
_INTO = frozenset({">", ">>"})


def glob_triggers(glob: str) -> tuple[Trigger, ...]:
    """The acts that a glob means. Raises ValueError for one that says nothing.

    A command: "git push * main", "npm|yarn publish", "kubectl --context prod*", "curl * | sh"; without one: "gh pr create !-d";
    a file changed: "*.env", "docs/"; a tool: "@WebFetch", "@mcp__db__*"; text: "*.py <<< print(", "git commit <<< WIP".
    """
    called, writes, text = f" {glob} ".partition(" <<< ")
    feeding, _, last = re.split(r" (?:&&|&) |; ", called)[-1].rpartition(" | ")
    feeders, *more = feeding.split() or [""]
    words, without = _words(last)
    ways = list(islice(product(*words), _MOST))
    is_path = bool(writes) or (len(words) == 1 and _are_paths(words[0]))
    every = (_act([one for one in way if one], is_path=is_path) for way in ways)
    acts = [act for act in every if any(act.programs) or act.words or any(one.strip("*/.") or writes for one in act.paths)]
    acts = _joined(acts)
    text = text.strip()
    is_short = bool(writes) and len(text) <= text.isascii()  # one letter says nothing, one sign of another script does
    if not acts or is_short or any(one != "*" and one[0] != "-" for one in more):
        raise ValueError(f"{glob!r} begins with no program, file or tool, or says too little")
    if writes:
        begun = (text, text[0].upper() + text[1:]) if text.replace(" ", "").isalpha() else (text,)  # in prose
        acts = [one._replace(text=tuple(dict.fromkeys(begun)), does="") for one in acts]
    if feeders:
        fed = tuple(PIPED if one == "*" else f"{PIPED}{one.lower()}" for one in feeders.split("|"))
        acts = [one._replace(words=(*one.words, fed)) for one in acts]
    lacks = tuple(form for one in without for form in _forms(one.lower()))
    return tuple(one._replace(lacks=lacks) if one.programs or one.words else one._replace(outside=tuple(without)) for one in acts)


def _words(line: str) -> tuple[list[list[str]], list[str]]:
    """The words of a command as alternatives each, and those that must not stand in it; a star may take in more words."""
    words, without = list[list[str]](), list[str]()
    for word in line.split():
        told = word.strip("\"'")
        begun = words[-1][-1] if len(words) > 1 and not SQL_CLIENTS.isdisjoint(words[0]) else ""
        if word[0] == "!":
            without += filter(None, word[1:].split("|"))
        elif begun[:1] == "*" and begun[1:].replace(" ", "").isalpha() and told[:1] not in ("*", "-"):  # "*DROP TABLE*"
            words[-1][-1] = f"{begun} {told}"
        elif told and not told.startswith(("2>", "&>")):
            mark = re.match(r">>?(?=[^>|])", told)
            words += [[mark[0]], [told[mark.end() :]]] if mark else [told.split("|")]
    if words and words[0][0][:1] == "@":
        words[0] = [f"@{one.removeprefix('@')}" for one in words[0]]
    return words, without


def _are_paths(words: Sequence[str]) -> bool:
    """Whether these alternatives are files: one of them is; "esptool|esptool.py" is a program."""
    paths = [one for one in words if not one.startswith(("./", "@")) and (one[:1] == "*" or not OF_PATHS.isdisjoint(one))]
    return bool(paths) and not any(one.rpartition(".")[0] in words for one in paths)


def _forms(word: str) -> tuple[str, ...]:
    """How an option may be written with its value, and any other word."""
    option, equals, value = word.partition("=")
    return (word, f"{option} {value}") if word[0] == "-" and equals else (word,)


def _joined(acts: Sequence[Trigger]) -> list[Trigger]:
    """The acts, those that one part alone tells apart as one."""
    joined: list[Trigger] = []
    for act in acts:
        at, either = next(((at, both) for at, one in enumerate(joined) if (both := _either(one, act))), (len(joined), act))
        joined[at : at + 1] = [either]
    return joined if len(joined) == len(acts) else _joined(joined)


def _either(one: Trigger, other: Trigger) -> Trigger | None:
    """The act that is one or the other, where at most one part tells them apart."""
    parts, others = ([act.programs, act.verbs, act.paths, *act.words] for act in (one, other))
    apart = [at for at, (part, its) in enumerate(zip(parts, others, strict=False)) if part != its]
    is_alike = len(parts) == len(others) and one.does == other.does and len(apart) <= 1
    if not is_alike or not all(parts[at] and others[at] for at in apart):
        return None
    for at in apart:
        parts[at] = tuple(dict.fromkeys(parts[at] + others[at]))
    programs, verbs, paths, *groups = parts
    return one._replace(programs=programs, verbs=verbs, paths=paths, words=tuple(groups))


def _act(words: list[str], *, is_path: bool) -> Trigger:
    """The act of a glob without alternatives; one that asks for nothing where it says nothing."""
    tool, words = (words[0][1:].lower(), words[1:]) if words and words[0][0] == "@" else ("", words)
    first = words[0] if words else ""
    if tool in WRITING_TOOLS or (not tool and len(words) == 1 and is_path):
        does = {"write": "create", "edit": "change"}.get(tool, "write")
        return Trigger(paths=with_bare((first,)), does=does)
    into = next((at for at, word in enumerate(words) if word in _INTO), len(words))
    told = [one for word in words[:into] if (one := word.rstrip(":/")).strip("*")]
    act = _of_line(told) if not tool or tool in SHELL_TOOLS else _of_tool(tool, told)
    return act if into == len(words) or act == Trigger() else act._replace(paths=tuple(words[into + 1 :]) or ("*",), does="write")


def _of_line(told: list[str]) -> Trigger:
    simple = next(iter(commands(" ".join(map(quoted, told)))), None)
    if simple is None:
        return Trigger()
    by = tuple((word.lower(),) for word in simple.by if word in ("sudo", "ssh") or "=" in word)
    if not simple.words:  # what runs others alone: "sudo", or what is set for them
        return Trigger(words=by) if by else Trigger(programs=simple.by[:1])
    taken = command(simple)
    arguments = _with_values(simple.words[1:], OPTIONS_WITH_VALUE.get(taken.program, ()))
    plain = [word.lower() for word in arguments if not word.startswith("-")]
    verbs = (taken.verb,) if taken.verb and plain[:1] == [taken.verb] and "*" not in taken.verb else ()
    options = [group for word in arguments if word.startswith("-") for group in _option(word)]
    script = [(simple.words[0].lower(),)] if "*" in taken.program and "/" in simple.words[0] else []
    return Trigger((taken.program,), verbs, words=(*options, *((word,) for word in plain[len(verbs) :]), *script, *by))


def _with_values(arguments: Sequence[str], valued: Sequence[str]) -> list[str]:
    """The arguments, an option that takes a value with it: "--context prod*" is as good as "--context=prod*"."""
    told: list[str] = []
    for word in arguments:
        if told and told[-1] in valued and told[-1].startswith("--"):
            told[-1] += f"={word}"
        else:
            told.append(word)
    return told


def _option(word: str) -> list[tuple[str, ...]]:
    """An option as the groups of which a command has one each."""
    option, _, value = word.partition("=")
    return [_forms(word.lower())] if value.strip("*") or "*" in option else options_of(option)


def _of_tool(tool: str, told: list[str]) -> Trigger:
    parts = [part for part in tool.strip("*").split("__") if part]
    programs, server = ((), parts) if len(parts) > 1 else (tuple(map(tool_name, parts)), [])
    return Trigger(programs=programs, words=tuple((word.lower(),) for word in (*server, *told)))
