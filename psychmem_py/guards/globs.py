"""A glob of tool calls, as a person or the reader writes it, and the acts that it means."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

from psychmem_py.guards.binding import options_of, with_bare
from psychmem_py.guards.call import command, tool_name
from psychmem_py.guards.shell import PIPED, commands, quoted
from psychmem_py.guards.trigger import Trigger
from psychmem_py.model.tools import SHELL_TOOLS, WRITING_TOOLS

_MOST = 96  # ways to choose among the alternatives of one glob
_OF_PATHS = frozenset("/.")
_INTO = frozenset({">", ">>"})


def glob_triggers(glob: str) -> tuple[Trigger, ...]:
    """The acts that a glob means. Raises ValueError for one that says nothing.

    A command: "git push * main", "npm|yarn publish", "kubectl --context prod*"; without a word: "gh pr create !--draft"; a
    changed file: "*.env", "docs/"; a tool: "@WebFetch", "@mcp__db__*"; what is written: "*.py <<< print(", "git commit <<< WIP".
    """
    called, writes, text = f" {glob} ".partition(" <<< ")
    fed, _, last = called.rpartition(" | ")  # "curl * | sh"
    words, text = last.split(), text.strip()
    lacks = tuple(form for word in words if word[0] == "!" for one in word[1:].lower().split("|") if one for form in _forms(one))
    ways = list(islice(product(*(word.split("|") for word in words if word[0] != "!")), _MOST))
    is_path = bool(writes) or all(map(_is_path, (way[0] for way in ways if way)))
    every = (_act([one for one in way if one], is_path=is_path) for way in ways)
    acts = _joined([act for act in every if act.programs or act.words or any(one.strip("*/.") or writes for one in act.paths)])
    if writes:
        begun = (text, text[0].upper() + text[1:]) if text.replace(" ", "").isalpha() else (text,)  # in prose
        acts = [one._replace(text=tuple(dict.fromkeys(begun)), does="") for one in acts]
    if not acts or (writes and len(text) <= text.isascii()):  # one letter says nothing, but for other scripts
        raise ValueError(f"{glob!r} begins with no program, file or tool, or says too little")
    return tuple(one._replace(lacks=lacks, words=(*one.words, (PIPED,)) if fed else one.words) for one in acts)


def _is_path(word: str) -> bool:
    return not word.startswith(("./", "@")) and (word[:1] == "*" or not _OF_PATHS.isdisjoint(word))


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
        does = {"": "write", "write": "create"}.get(tool, "change")
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
    taken, arguments = command(simple), simple.words[1:]
    if "*" in taken.program and simple.by:  # `python *train.py`
        return Trigger(programs=(told[0].lower(),), words=((taken.program,),))
    plain = [word.lower() for word in arguments if not word.startswith("-")]
    verbs = (taken.verb,) if taken.verb and plain[:1] == [taken.verb] and "*" not in taken.verb else ()
    options = [group for word in arguments if word.startswith("-") for group in _option(word)]
    return Trigger(programs=(taken.program,), verbs=verbs, words=(*options, *((word,) for word in plain[len(verbs) :]), *by))


def _option(word: str) -> list[tuple[str, ...]]:
    """An option as the groups of which a command has one each."""
    option, _, value = word.partition("=")
    return [_forms(word.lower())] if value.strip("*") or "*" in option else options_of(option)


def _of_tool(tool: str, told: list[str]) -> Trigger:
    parts = [part for part in tool.strip("*").split("__") if part]
    programs, server = ((), parts) if len(parts) > 1 else (tuple(map(tool_name, parts)), [])
    return Trigger(programs=programs, words=tuple((word.lower(),) for word in (*server, *told)))
