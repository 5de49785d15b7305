"""The replies to a tool call: the rules it may break or of the file it read, what works where it failed; mostly nothing."""

from __future__ import annotations

import os
import time
from _collections_abc import Mapping, Sequence

from psychmem_py.agents.event import Request
from psychmem_py.briefing import prepared
from psychmem_py.home.places import below
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.light_record import NamedTuple

_AGENT_TOOLS = ("Agent", "Task")


class Reminder(NamedTuple):
    """The reply to a call."""

    text: str = ""  # to the model
    ask: str = ""  # why the client must ask the person first; "" when it need not
    given: dict[str, object] | None = None  # the call's input, where it is to be another one


def reminder_before(request: Request, around: Surroundings) -> Reminder | None:
    """What is said beside the call: the rules it may break, and to a sub-agent what its task calls for; None for nothing."""
    use = request.use or {}
    given = use.get("input")
    said = _of_rules(request, around, given)
    if use.get("tool") in _AGENT_TOOLS and isinstance(given, dict) and (task := _task(request, given, around)):
        return said._replace(given=task) if said else Reminder(given=task)
    return said


def _of_rules(request: Request, around: Surroundings, given: object) -> Reminder | None:
    if (index := prepared.rules(request, around)).rules:
        from psychmem_py.guards.call import call_of  # noqa: PLC0415  # what is said behind a call does without, 1 ms
        from psychmem_py.guards.trigger import broken, unpacked  # noqa: PLC0415

        call = call_of(str((request.use or {}).get("tool", "")), given, lambda: _branch(request.cwd), request.cwd)
        written = [*call.edits[:1], *(path for one in call.commands for path in one.writes)]
        there = all(os.path.exists(os.path.join(request.cwd, path)) for path in written)
        top = index.top or os.path.realpath(request.cwd)
        try:
            broken_rules = broken(unpacked(index.rules), call, root=top, weekday=time.localtime(around.now).tm_wday, exists=there)
        except (TypeError, ValueError, KeyError):  # of another version
            return None
        if broken_rules:
            from psychmem_py.briefing.reminders import before_call, from_store  # noqa: PLC0415  # only when a rule fits

            text, ask = from_store(before_call, request, around, call, broken_rules, top) or ("", "")
            return Reminder(text, ask) if text or ask else None
    return None


def _task(request: Request, given: dict[str, object], around: Surroundings) -> dict[str, object] | None:
    """The input of a sub-agent's task, with matching memories appended: it sees nothing of what its caller was shown."""
    if not isinstance(task := given.get("prompt"), str) or not task.strip():
        return None
    from psychmem_py.briefing.at_prompt import answer  # noqa: PLC0415  # calls of the agent tool alone

    own = str((request.use or {}).get("id") or "task")
    text = answer(Request("subagent-start", request.agent, request.session, request.cwd, prompt=task, subagent=own), around)
    return {**given, "prompt": f"{task}\n\n{text}"} if text else None


def _branch(cwd: str) -> str:
    from psychmem_py.home.project import branch_of  # noqa: PLC0415  # only for a command of git that means a branch

    return branch_of(cwd)


def reply_after(request: Request, around: Surroundings) -> str:
    """What is said behind the call, "" for nothing."""
    use = request.use or {}
    if around.is_off("act_reminders"):
        return ""
    index = prepared.rules(request, around)
    if use.get("ok"):
        paths = use.get("paths")
        read = paths[0] if isinstance(paths, tuple) and paths else ""
        if not (ids := _rules_at(below(read, index.top or os.path.realpath(request.cwd)), index.files)):
            return ""
        from psychmem_py.briefing.reminders import at_file, from_store  # noqa: PLC0415  # only at a file that a rule belongs to

        return from_store(at_file, request, around, ids) or ""
    if not index.failing:
        return ""
    from psychmem_py.guards.forms import usage_form  # noqa: PLC0415  # a command called wrongly, where others failed before

    if (form := usage_form(str(use.get("command")), str(use.get("error_line")))) not in index.failing:
        return ""
    from psychmem_py.briefing.reminders import from_store, working_command  # noqa: PLC0415  # only where it is said

    return from_store(working_command, request, around, index.project, form) or ""


def _rules_at(path: str, files: Mapping[str, Sequence[str]]) -> list[str]:
    """The rules for a file: by its path and name; outside hidden folders also by globs of its kind ("**/*.md", "**/*test*")."""
    name = os.path.basename(path)
    ids = [*files.get(path, ()), *(files.get(f"**/{name}", ()) if name else ())]
    name = name.lower()
    if path.startswith(".") or "/." in path or "\\" in path:
        return ids
    for glob, more in files.items():
        end = glob.removeprefix("**/*")
        if path and end != glob and (end[:-1] in name if end.endswith("*") else name.endswith(end)):
            ids += more
    return list(dict.fromkeys(ids))
