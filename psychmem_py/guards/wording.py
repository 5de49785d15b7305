"""What a rule waits for, in words for people."""

from __future__ import annotations

from psychmem_py.guards.call import IN_PART, NEW_NAME, NEW_PACKAGE
from psychmem_py.guards.shell import PIPED
from psychmem_py.guards.trigger import Rule, Trigger

_DOES = {"write": "edits of", "change": "edits of existing", "delete": "deleting", "create": "a new", "name": "a command with"}
_DAYS = "Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays".split()
_MOST = 3


def waits_for(rule: Rule) -> str:
    """The acts that break a rule, and what must have happened before: "git push … main", "git commit, unless pytest ran before"."""
    acts = _some([_act(one) for one in rule.triggers])
    return f"{acts}, unless there was {_some([_act(one) for one in rule.needs])} before" if rule.needs else acts


def _some(parts: list[str]) -> str:
    named = list(dict.fromkeys(parts))
    return " or ".join(named[:_MOST]) + (" or the like" if len(named) > _MOST else "")


def _act(trigger: Trigger) -> str:
    command = [_one(group) for group in (trigger.programs, trigger.verbs, *trigger.words) if group]
    if trigger.runs:
        command.insert(0, f"a script called {_one(trigger.runs)}")
    command_line = " ".join(command)
    if trigger.text:
        command_line = f"{command_line} saying {_one(trigger.text)}" if command_line else f"writing {_one(trigger.text)}"
    if trigger.paths:
        files = _one(trigger.paths)
        command_line = f"{command_line} {files}" if command_line else f"{_DOES.get(trigger.does, 'a call with')} {files}"
    if lacks := tuple(word for word in trigger.lacks if word not in (PIPED, IN_PART)):
        command_line += f" without {_one(lacks)}"
    return command_line + (f" on {_one(tuple(_DAYS[day] for day in trigger.days))}" if trigger.days else "")


_MEANT = {NEW_PACKAGE: "a new package", NEW_NAME: "a new name"}


def _one(names: tuple[str, ...]) -> str:
    names = tuple(
        _MEANT.get(name, name.replace("@", "into ", 1) if name.startswith("@") else name)
        for name in names
        if name[-1:] != "/" or f"{name[:-1]}" not in names
    )
    return names[0] if len(names) == 1 else f"{'|'.join(names[:_MOST])}{'|…' if len(names) > _MOST else ''}"
