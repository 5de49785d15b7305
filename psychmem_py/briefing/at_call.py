"""The reply before a tool call, the rules of the person's that it may break, and the one behind it: the rules said at the file that was
read, and what works in place of a command that failed. Nothing for almost every call.

What is said before a call comes to the agent with the call's result and prevents nothing; a file is read before it is edited. The store
is opened only where a prepared rule fits, the file or the form of call is known; what was said is noted in the journal, once a rule and
conversation.
"""

from __future__ import annotations

import os
import time

from psychmem_py.briefing import prepared
from psychmem_py.model.light_record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from sqlite3 import Connection

    from psychmem_py.agents.event import Request
    from psychmem_py.guards.call import Call
    from psychmem_py.guards.trigger import Rule
    from psychmem_py.home.surroundings import Surroundings
    from psychmem_py.store.read_only import StandingRule

_AGENT_TOOLS = ("Agent", "Task")
PLACE, READ = "act", "read"  # in the ledger
_QUOTE_CHARS = 300
_MOST = {PLACE: 3, READ: 2}  # rules beside one call, and rules a session is shown at files
_SESSIONS = 3  # in which a rule that was said once is shown; who means it says it again, or confirms it
# In which a settled rule is shown at a file since it was last said or used: by then it is known or of no use.
_SESSIONS_AT_FILES = 10
_MONTHS = "January February March April May June July August September October November December".split()


class Reminder(NamedTuple):
    """What is said beside a call."""

    text: str = ""  # to the model
    ask: str = ""  # why the client must ask the person first; "" when it need not
    given: dict[str, object] | None = None  # the call's input, where it is to be another one


def said(request: Request, around: Surroundings) -> Reminder | None:
    """What is said beside the call: to a sub-agent what its task calls for, else the rules it may break; None for nothing."""
    use = request.use or {}
    given = use.get("input")
    if use.get("tool") in _AGENT_TOOLS:
        return _task(request, given, around) if isinstance(given, dict) else None
    if around.is_off("act_reminders"):
        return None
    index = prepared.rules(around.database_file(request.agent), request.cwd) if request.cwd else None
    if index is not None and index.rules:
        from psychmem_py.guards.call import call_of  # noqa: PLC0415  # what is said behind a call does without, 1 ms
        from psychmem_py.guards.trigger import broken, unpacked  # noqa: PLC0415

        call = call_of(str(use.get("tool", "")), given, lambda: _branch(request.cwd))
        there = use.get("tool") != "Write" or not call.edits or os.path.exists(call.edits[0])  # who edits a file has it
        top = index.top or os.path.realpath(request.cwd)
        try:
            rules = unpacked(index.rules)
        except (TypeError, ValueError, KeyError):  # of another version
            return None
        broken_rules = broken(rules, call, root=top, weekday=time.localtime(around.now).tm_wday, exists=there)
        if broken_rules:
            return _reminder(request, around, _Fit(call, broken_rules, top))
    return None


def _task(request: Request, given: dict[str, object], around: Surroundings) -> Reminder | None:
    """The task of a sub-agent with what it calls for behind it: a sub-agent sees nothing of what its caller was shown."""
    task = given.get("prompt")
    if not isinstance(task, str) or not task.strip():
        return None
    from psychmem_py.agents.event import Request as Asked  # noqa: PLC0415  # calls of the agent tool alone
    from psychmem_py.briefing.at_prompt import answer  # noqa: PLC0415

    own = str((request.use or {}).get("id") or "task")
    asked = Asked("subagent-start", request.agent, request.session, request.cwd, prompt=task, subagent=own)
    text = answer(asked, around)
    return Reminder(given={**given, "prompt": f"{task}\n\n{text}"}) if text else None


def _branch(cwd: str) -> str:
    from psychmem_py.home.project import branch_of  # noqa: PLC0415  # only for a command of git that means a branch

    return branch_of(cwd)


class _Fit(NamedTuple):
    """A call and the rules that fit it, each with the number of the command that it fits."""

    call: Call
    rules: Sequence[tuple[Rule, int]]
    top: str  # the folder that paths are told from


def _reminder(request: Request, around: Surroundings, fit: _Fit) -> Reminder | None:
    from psychmem_py.store import read_only  # noqa: PLC0415  # only when a rule fits, as all that follows

    store = read_only.at_hand(around.database_file(request.agent))
    if store is None:
        return None
    db, secret = store
    try:
        seen = _seen(db, request, around, PLACE)
        earlier = _Earlier(request, around, db)
        due = [rule.id for rule, at in fit.rules if not rule.needs or not earlier.has(rule, at, fit)]
        rules = [one for one in read_only.standing(db, due) if one.guard != "off"]
        asked = [one for one in rules if one.guard == "ask" and (request.agent == "claude-code" or one.id not in seen)]
        new = [one for one in rules if one.id not in seen]
        reminded = [one for one in new if one.guard != "ask" and _still_shown(db, one, PLACE)][: _MOST[PLACE]]
    finally:
        db.close()
    _note(request, around, PLACE, [one.id for one in new if one in reminded or one in asked])
    text = _fenced([*map(quoted, reminded), _ADVICE], secret) if reminded else ""
    ask = " ".join(quoted(one, person=True) for one in asked)
    return Reminder(text, ask) if text or ask else None


def said_behind(request: Request, around: Surroundings) -> str:
    """What is said behind the call, "" for nothing."""
    use = request.use or {}
    index = prepared.rules(around.database_file(request.agent), request.cwd) if request.cwd else None
    if index is None or around.is_off("act_reminders"):
        return ""
    if use.get("ok"):
        ids = _rules_at(_inside(use.get("paths"), index.top or os.path.realpath(request.cwd)), index.files)
        return _at_file(request, around, ids) if ids else ""
    if not index.failing:
        return ""
    from psychmem_py.guards.forms import usage_form  # noqa: PLC0415  # a command called wrongly, where others failed before

    form = usage_form(str(use.get("command")), str(use.get("error_line")))
    return _instead(request, around, index.project, form) if form in index.failing else ""


def _rules_at(path: str, files: Mapping[str, Sequence[str]]) -> list[str]:
    """The rules for a file: by its name, and by the globs of its kind ("**/*.md", "**/*test*"); hidden folders hold what tools read."""
    ids = list(files.get(path, ()))
    name = os.path.basename(path).lower()
    if path.startswith(".") or "/." in path or "\\" in path:
        return ids
    for glob, more in files.items():
        end = glob.removeprefix("**/*")
        if path and end != glob and (end[:-1] in name if end.endswith("*") else name.endswith(end)):
            ids += more
    return list(dict.fromkeys(ids))


def _inside(paths: object, top: str) -> str:
    """The file that was read, told from the top of the work tree; "" for one elsewhere."""
    path = paths[0] if isinstance(paths, tuple) and paths else ""
    if not os.path.isabs(path):
        return os.path.normpath(path)
    for spelled in (path, os.path.realpath(path)):
        if spelled.startswith(top + os.sep):
            return spelled[len(top) + 1 :]
    return ""


def _at_file(request: Request, around: Surroundings, ids: Sequence[str]) -> str:
    from psychmem_py.store import read_only  # noqa: PLC0415  # only at a file that a rule belongs to

    store = read_only.at_hand(around.database_file(request.agent))
    if store is None:
        return ""
    db, secret = store
    try:
        seen = _seen(db, request, around, READ)
        known = read_only.standing(db, [key for key in ids if key not in seen])
        due = [one for one in known if one.guard != "off" and one.session != request.session and _still_shown(db, one, READ)]
    finally:
        db.close()
    due = due[: max(0, _MOST[READ] - len(seen))]
    _note(request, around, READ, [one.id for one in due])
    return _fenced([*map(quoted, due), _AT_FILE], secret) if due else ""


def _instead(request: Request, around: Surroundings, project: str, form: str) -> str:
    from psychmem_py.recall.memory_line import failing  # noqa: PLC0415  # only where it is said
    from psychmem_py.store import calls, read_only  # noqa: PLC0415

    store = read_only.at_hand(around.database_file(request.agent))
    if store is None:
        return ""
    db, secret = store
    try:
        known = [one for one in calls.failing(db, project, but=request.session) if one.form == form and one.worked]
    finally:
        db.close()
    return _fenced(map(failing, known), secret) if known else ""


def _ledger(request: Request, channel: str) -> str:
    """Under what the ledger keeps what a conversation, or its sub-agent, was shown at this place."""
    return f"{request.session}/{request.subagent}#{channel}" if request.subagent else f"{request.session}#{channel}"


def _seen(db: Connection, request: Request, around: Surroundings, channel: str) -> set[str]:
    from psychmem_py.home import journal  # noqa: PLC0415
    from psychmem_py.store import read_only  # noqa: PLC0415

    to = _ledger(request, channel)
    return {*read_only.shown(db, to), *(key for key, *_ in journal.lately_shown(around.data, request.session, to))}


def _still_shown(db: Connection, rule: StandingRule, channel: str) -> bool:
    from psychmem_py.store import read_only  # noqa: PLC0415

    if rule.said_once:
        return read_only.sessions_shown(db, rule.id, channel) < _SESSIONS
    return channel != READ or read_only.sessions_shown(db, rule.id, READ, rule.borne_out_at) < _SESSIONS_AT_FILES


def _note(request: Request, around: Surroundings, channel: str, shown: Sequence[str]) -> None:
    from psychmem_py.home import journal  # noqa: PLC0415

    if shown:
        journal.shown(around.data, request, {channel: tuple(shown)}, at=around.now, to=_ledger(request, channel))


def _fenced(lines: Iterable[str], secret: str) -> str:
    from psychmem_py.safety.fence import fenced  # noqa: PLC0415

    return fenced("\n".join(lines), secret)


_AT_FILE = "It was said when this file was last worked on; where it does not fit what you are asked, go on."
_ADVICE = "If this tool call goes against it, put that right and say so; if it does not, go on."


def quoted(rule: StandingRule, *, person: bool = False) -> str:
    """A rule in its own words with the day it was stated, for the agent or for the person."""
    day = time.gmtime(rule.at)
    who = (
        ("You" if person else "The user") + " said"
        if rule.by_person
        else f"{_plain(rule.author)} said"
        if rule.author
        else "A rule noted"
    )
    on = f"on {day.tm_mday} {_MONTHS[day.tm_mon - 1]} {day.tm_year}"
    once = "said once; " if rule.said_once else ""
    if rule.refused:
        return f"{_plain(rule.text)} (psychmem guard {rule.id[:8]})"
    return f'{who} {on}: "{_plain(rule.text)}" ({once}psychmem guard {rule.id[:8]})'


def _plain(text: str) -> str:
    """A rule's words on one line."""
    if not (text.isascii() and text.isprintable()):
        from psychmem_py.safety.control_chars import line  # noqa: PLC0415  # 3 ms, and most rules have nothing for it to take out

        text = line(text)
    return text if len(text) <= _QUOTE_CHARS else text[: _QUOTE_CHARS - 1] + "…"


class _Earlier:
    """What has been done in the conversation before the call; looked up when the first rule asks."""

    def __init__(self, request: Request, around: Surroundings, db: Connection) -> None:
        self._request, self._around, self._db = request, around, db
        self._calls: list[Call] | None = None

    def has(self, rule: Rule, at: int, fit: _Fit) -> bool:
        """Whether what the rule wants first has happened: before the command at index `at` in the same call, or in the conversation."""
        from psychmem_py.guards.trigger import act  # noqa: PLC0415  # loaded by who found the fit

        calls = [fit.call._replace(commands=fit.call.commands[:at], edits=()), *self._made()]
        return any(act(need, call, root=fit.top) >= 0 for call in calls for need in rule.needs)

    def _made(self) -> list[Call]:
        from psychmem_py.guards.call import call_of  # noqa: PLC0415
        from psychmem_py.home import journal  # noqa: PLC0415
        from psychmem_py.store import read_only  # noqa: PLC0415

        if self._calls is None:
            session = self._request.session
            uses = [*journal.lately_used(self._around.data, session), *read_only.run_in(self._db, session)]
            self._calls = [call_of("Bash", {"command": line})._replace(edits=tuple(paths)) for line, paths in uses]
        return self._calls
