"""What a rule waits for, in words for people."""

from __future__ import annotations

from psychmem_py.guards.trigger import Rule, Trigger

_DOES = {"write": "a change of", "delete": "deleting", "create": "a new", "name": "a command with"}
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
        command_line = f"writing {_one(trigger.text)}"
    if trigger.paths:
        files = _one(trigger.paths)
        command_line = f"{command_line} {files}" if command_line else f"{_DOES.get(trigger.does, 'a call with')} {files}"
    if trigger.lacks:
        command_line += f" without {_one(trigger.lacks)}"
    return command_line + (f" on {_one(tuple(_DAYS[day] for day in trigger.days))}" if trigger.days else "")


def _one(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{'|'.join(names[:_MOST])}{'|…' if len(names) > _MOST else ''}"
