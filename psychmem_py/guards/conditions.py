"""Triggers narrowed by what a rule names: tools, files, options, branches, a command in code marks."""

from __future__ import annotations

from psychmem_py.guards.acts import PROGRAM_OF, triggers
from psychmem_py.guards.call import command
from psychmem_py.guards.shell import commands
from psychmem_py.guards.trigger import Trigger

SAME_OPTION = {
    "--force": ("--force", "-f"),
    "--no-verify": ("--no-verify", "-n"),
    "--signoff": ("--signoff", "-s"),
    "--amend": ("--amend",),
    "-f": ("-f", "--force"),
}
_TEXT_SIGNS = frozenset("._(=:#<$@")


def of_acts(
    acts: list[str], tools: list[str], paths: list[str], groups: tuple[tuple[str, ...], ...], words: list[str]
) -> list[Trigger]:
    """Commands that are the acts, narrowed by what is named."""
    narrow = groups
    if not (tools or paths or groups) and words:
        narrow = (tuple(form for word in words for form in dict.fromkeys((word, word.removesuffix("s")))),)
    programs = tuple(program for tool in tools if tool != "git" for program in programs_of(tool))
    merged: list[Trigger] = []
    for act in acts:
        for kind in triggers(act):
            if programs and kind.programs and not set(programs) & set(kind.programs):
                continue
            one = kind._replace(programs=programs) if programs else kind
            if paths and act in ("commit", "push", "add"):
                one = Trigger(programs=("git",), verbs=("add", "commit", "stage"))
            if paths:
                one = one._replace(paths=tuple(paths), does="name")
            merged.append(one._replace(words=one.words + narrow))
    return merged or [Trigger(programs=programs_of(tool), words=narrow) for tool in tools]


def of_files(acts: list[str], paths: list[str]) -> list[Trigger]:
    does = "write"
    if acts and "edit" not in acts:
        does = {"delete": "delete", "create": "create", "read": "name"}[acts[0]]
    if not paths:
        return []
    by_name = [Trigger(paths=tuple(paths), does=does)]
    bare = tuple(path + "/" for path in paths if not path.endswith("/") and "*" not in path and "." not in path.lstrip("."))
    return [*by_name, Trigger(paths=bare, does=does)] if bare else by_name


def of_code(code: str) -> list[Trigger]:
    """A command in code marks as the act it is; a code word as text that is written."""
    by_command = of_command(code)
    if by_command:
        return [by_command]
    signs = any(sign in code for sign in _TEXT_SIGNS) or (code[:1].isalpha() and code[1:] != code[1:].lower() and len(code) > 3)
    return (
        [Trigger(text=(code.rstrip("()"),))]
        if signs and len(code) >= 4
        else [Trigger(programs=(code.lower(),))]
        if code.isalnum()
        else []
    )


def of_command(code: str) -> Trigger | None:
    """The act that a command is: its program, verb and options."""
    if " " not in code:
        return None
    simple = next((one for one in commands(code) if one.words), None)
    if simple is None:
        return None
    taken = command(simple)
    options = tuple(SAME_OPTION.get(word, (word,)) for word in simple.words[1:] if word.startswith("-") and word.strip("-"))
    plain = [word for word in simple.words[1:] if not word.startswith("-")]
    rest = tuple((word.lower(),) for word in plain[1:] if not any(sign in word for sign in "<>[]{}…$"))
    verbs = (taken.verb,) if taken.verb and not any(sign in taken.verb for sign in "<>[]{}…$*") else ()
    return Trigger(programs=(taken.program,), verbs=verbs, words=options + rest)


def programs_of(tool: str) -> tuple[str, ...]:
    return PROGRAM_OF.get(tool, (tool,))
