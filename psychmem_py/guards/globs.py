"""A glob of tool calls, as a person or the reader writes it, and the acts that it means."""

from __future__ import annotations

from itertools import islice, product

from psychmem_py.guards.binding import options_of, with_bare
from psychmem_py.guards.call import command
from psychmem_py.guards.shell import commands
from psychmem_py.guards.trigger import Trigger
from psychmem_py.model.tools import SHELL_TOOLS, WRITING_TOOLS

_MOST = 12  # acts that one glob may mean by its alternatives
_OF_PATHS = frozenset("/.")


def glob_triggers(glob: str) -> tuple[Trigger, ...]:
    """The acts that a glob means. Raises ValueError for one that says nothing.

    A command: "git push * main", "npm|yarn publish"; a changed file: "*.env", "docs/"; a tool: "@WebFetch", "@mcp__github__*";
    what is written: "*.py <<< print(", "git commit <<< WIP".
    """
    called, writes, text = f" {glob} ".partition(" <<< ")
    either = product(*(word.split("|") for word in called.split()))
    acts = dict.fromkeys(_act([word for word in words if word]) for words in islice(either, _MOST))
    text = text.strip()
    if writes and len(text) > text.isascii():  # one letter says nothing, one sign of another script does
        begun = (text, text[0].upper() + text[1:]) if text.replace(" ", "").isalpha() else (text,)  # in prose
        return tuple(one._replace(text=tuple(dict.fromkeys(begun)), does="") for one in acts)
    if writes or Trigger() in acts:
        raise ValueError(f"{glob!r} begins with no program, file or tool, or has a star inside a word")
    return tuple(acts)


def _act(words: list[str]) -> Trigger:
    """The act of a glob without alternatives; one that asks for nothing where it says nothing."""
    tool, words = (words[0][1:].lower(), words[1:]) if words and words[0][0] == "@" else ("", words)
    first = words[0] if words else ""
    is_path = not first.startswith("./") and (first[:1] == "*" or not _OF_PATHS.isdisjoint(first))
    if tool in WRITING_TOOLS or (not tool and len(words) == 1 and is_path):
        does = "create" if tool == "write" else "write"
        return Trigger(paths=with_bare((first,)), does=does) if first.strip("*/.") else Trigger()
    files = tuple(word for word in words if "*" in word and not _OF_PATHS.isdisjoint(word) and (tool or word != first))
    told = [one for word in words if word not in files and (one := word.strip("*").rstrip(":/"))]
    if any("*" in word for word in told):
        return Trigger()
    act = _of_line(told) if not tool or tool in SHELL_TOOLS else _of_tool(tool, told)
    return act._replace(paths=files, does="name") if files and act != Trigger() else act


def _of_line(told: list[str]) -> Trigger:
    simple = next((one for one in commands(" ".join(told)) if one.words), None)
    if simple is None:  # what runs others alone: "sudo"
        return Trigger(programs=(told[0].lower(),)) if told else Trigger()
    taken, arguments = command(simple), simple.words[1:]
    plain = [word.lower() for word in arguments if not word.startswith("-")]
    verbs = (taken.verb,) if taken.verb and plain[:1] == [taken.verb] else ()
    options = (group for word in arguments if word.startswith("-") for group in options_of(word.partition("=")[0]))
    by = ((word.lower(),) for word in simple.by if word == "sudo" or "=" in word)
    return Trigger(programs=(taken.program,), verbs=verbs, words=(*options, *((word,) for word in plain[len(verbs) :]), *by))


def _of_tool(tool: str, told: list[str]) -> Trigger:
    parts = [part for part in tool.strip("*").split("__") if part]
    programs, server = ((), parts) if len(parts) > 1 else (tuple(parts), [])
    return Trigger(programs=programs, words=tuple((word.lower(),) for word in (*server, *told)))
